import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Statement } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { expect } from 'vitest'
import type { Db } from '../../../../db/database.ts'
import type { Owner, StatementRequest, StatementsService } from '../statements.service.ts'

/** Requests a file, makes it, and returns it with its content. */
export async function madeFile(
  statements: StatementsService,
  db: Db,
  owner: Owner,
  request: Omit<StatementRequest, 'locale'> & { locale?: StatementRequest['locale'] },
): Promise<{ statement: Statement; content: Buffer }> {
  const { statement_id } = await statements.request(db, owner, { locale: 'en', ...request })
  while (await statements.makeNext(db));
  const statement = await statements.get(db, owner, BigInt(statement_id))
  expect(statement).toMatchObject({ step: 'done', failure: null })
  const { content: stream } = await statements.open(db, owner, BigInt(statement_id))
  const content = await buffer(stream)
  expect(statement.file).toMatchObject({
    size: content.length,
    hash: `0x${createHash('sha256').update(content).digest('hex')}`,
  })
  return { statement, content }
}

/** Returns the rows of a CSV file by column. In a statement only names contain commas or quotes. */
export function rowsOf(content: Buffer): Record<string, string>[] {
  const [head = '', ...lines] = content.toString().replace('\uFEFF', '').trimEnd().split('\r\n')
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)!.map((cell) => cell.replace(/,$/, ''))
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]!.replace(/^"|"$/g, '')]))
  })
}

/** Returns the sum of a column over rows, in micro-units. */
export const sumOf = (rows: readonly Record<string, string>[], column: string): bigint =>
  rows.reduce((sum, row) => sum + parseMicros(row[column] || '0'), 0n)
