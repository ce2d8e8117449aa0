import { TABLE_CLASSES } from '../tables.ts'
import { judgeStatement, loadParser } from './statement-judge.ts'

const DISTRIBUTED = new RegExp(
  `\\b(${Object.keys(TABLE_CLASSES)
    .filter((table) => TABLE_CLASSES[table] === 'distributed')
    .join('|')})\\b`,
)
/** Changes of any table with it are judged. */
const INTERVAL = /\bupdate\b.*\binterval\b/is
/** Matches the statements that PostgreSQL parses as queries; tests also send others. */
const QUERY = /^[\s(]*(select|insert|update|delete|with)\b/i

const judged = new Set<string>()

/** Throws with the causes when one of these statements could not run on a distributed database. */
export async function refuseUnfit(statements: Iterable<string>): Promise<void> {
  await loadParser()
  const problems: string[] = []
  for (const text of statements) {
    if (judged.has(text) || !QUERY.test(text) || !(DISTRIBUTED.test(text) || INTERVAL.test(text))) continue
    judged.add(text)
    for (const problem of judgementOf(text)) problems.push(`${problem}:\n${text}`)
  }
  if (problems.length > 0)
    throw new Error(
      `statements that a distributed database cannot carry out (docs/scale.md):\n${problems.join('\n')}`,
    )
}

/** A statement that PostgreSQL refuses too belongs to a test of that refusal. */
function judgementOf(text: string): string[] {
  try {
    return judgeStatement(text)
  } catch {
    return []
  }
}
