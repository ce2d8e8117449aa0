import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { emptied, type TestDatabase } from './test-database.ts'

/**
 * The locks of a transaction that others wait for, in the order in which it took them first: tables of locked or changed rows, and
 * the keys of advisory locks (the four letters of a number, or the text before the first slash). An inserted row is locked too:
 * `+` and its table.
 */
export type TakenLocks = readonly string[]

/** A node of a plan of auto_explain. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Operation?: string
  readonly Output?: readonly string[]
  readonly 'Actual Rows': number
  readonly Plans?: readonly PlanNode[]
}

interface Explained {
  readonly 'Query Text': string
  /** `$1 = 'a', $2 = 'b'`; missing without parameters. */
  readonly 'Query Parameters'?: string
  readonly Plan: PlanNode
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_verbose': 'on',
  // With the numbers of rows: a statement that finds none locks none.
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
}

/** The check of a foreign key locks a row only against its deletion. */
const FOREIGN_KEY = /^SELECT 1 FROM ONLY/
/** `hashtextextended('admin_seals', 0)`, which PostgreSQL computes once. */
const ADMIN_LOG = 6600920809180904700n
const ADVISORY = /pg_advisory_xact_lock(?:_shared)?\((.*)\)/

/**
 * Records the locks of all transactions of a test's connections as PostgreSQL takes them: it reports the plan of each executed
 * statement, those of functions and triggers too. Returns the transactions that have ended so far.
 */
export async function recordLocks({ pool, adminDb, adminUrl }: TestDatabase): Promise<readonly TakenLocks[]> {
  const transactions: TakenLocks[] = []
  const name = new URL(adminUrl).pathname.slice(1)
  for (const [key, value] of Object.entries(SETTINGS))
    await sql`alter database ${sql.id(name)} set ${sql.raw(key)} = ${sql.lit(value)}`.execute(adminDb)
  pool.on('connect', (client: PoolClient) => follow(client, transactions))
  // Open connections have the old settings; the pool replaces them.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and pid <> pg_backend_pid()`.execute(adminDb)
  await emptied(pool)
  return transactions
}

function follow(client: PoolClient, transactions: TakenLocks[]): void {
  const texts = new Set<string>()
  let isOpen = false
  let taken: string[] = []
  /** The locks of statements within the one that runs. */
  let within: string[] = []
  let beforeTrial = 0

  client.on('notice', ({ message = '' }) => {
    const start = message.indexOf('{')
    if (!message.startsWith('duration:') || start === -1) return
    const explained: Explained = JSON.parse(message.slice(start))
    const { advisory, rows } = locksOf(explained)
    if (!texts.has(explained['Query Text'])) within.push(...advisory, ...rows)
    else {
      // A statement is reported after those of the functions that it calls, which follow its advisory locks.
      taken.push(...advisory, ...within, ...rows)
      within = []
    }
  })
  const query = client.query.bind(client) as (...sent: unknown[]) => Promise<unknown>
  const statement = async (...sent: unknown[]) => {
    const [first] = sent as [string | { text: string }]
    const text = typeof first === 'string' ? first : first.text
    texts.add(text)
    if (text === 'savepoint trial') beforeTrial = taken.length
    if (/^(begin|start transaction)/.test(text)) isOpen = true
    try {
      return await query(...sent)
    } finally {
      // Locks since a savepoint are released with it.
      if (text === 'rollback to savepoint trial') taken = taken.slice(0, beforeTrial)
      if (/(^|;) ?(commit|rollback)$/.test(text)) isOpen = false
      if (!isOpen) {
        const all = [...taken, ...within]
        if (all.length > 0) transactions.push([...new Set(all)])
        taken = []
        within = []
      }
    }
  }
  client.query = ((...sent: unknown[]) => {
    const [first] = sent
    // A COPY is a stream, and takes no locks of rows.
    const isStream = typeof first === 'object' && first !== null && 'submit' in first
    return isStream ? query(...sent) : statement(...sent)
  }) as typeof client.query
}

function locksOf({ 'Query Text': text, 'Query Parameters': parameters = '', Plan }: Explained) {
  const nodes = nodesOf(Plan)
  const values = new Map(
    [...parameters.matchAll(/\$(\d+) = '([^']*)'/g)].map(([, place, value]) => [place!, value!]),
  )
  const advisory = nodes.flatMap(({ Output = [] }) =>
    Output.flatMap((output) => {
      const key = ADVISORY.exec(output)?.[1]
      return key === undefined
        ? []
        : [advisoryName(key.replace(/\$(\d+)/g, (_, place) => values.get(place) ?? '?'))]
    }),
  )
  const rows = nodes.flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': relation, Operation } = node
    if (!node.Plans?.some((child) => child['Actual Rows'] > 0)) return []
    if (type === 'LockRows' && !FOREIGN_KEY.test(text)) return relationsOf(node)
    if (type !== 'ModifyTable') return []
    // A posting holds its day, by an expression of ledger_enter_day that has no plan.
    if (relation === 'ledger_entries') return ['lday']
    return [Operation === 'Insert' ? `+${relation}` : relation!]
  })
  return { advisory, rows }
}

/** Returns the nodes of a plan, the inner ones first. */
const nodesOf = (node: PlanNode): PlanNode[] => [...(node.Plans ?? []).flatMap(nodesOf), node]

const relationsOf = (node: PlanNode): string[] =>
  nodesOf(node).flatMap(({ 'Relation Name': relation }) => relation ?? [])

/** Returns the name of an advisory lock: `hashtextextended(price/AMC, ...)` is `price`, and a number its letters. */
function advisoryName(key: string): string {
  const named = /hashtextextended\(['"]?([a-z-]+)\//.exec(key)?.[1]
  if (named !== undefined) return named
  const number = BigInt(/\d+/.exec(key)![0])
  if (number === ADMIN_LOG) return 'admin_seals'
  const high = number >> 32n
  return Buffer.from((high === 0n ? number : high).toString(16).padStart(8, '0'), 'hex').toString('latin1')
}
