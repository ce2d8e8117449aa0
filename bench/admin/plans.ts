import pg from 'pg'
import type { Database } from '../../apps/server/src/db/database.ts'

/** A statement as it was sent to the database. */
export interface Statement {
  readonly text: string
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** The query plan of a statement: the kinds of its nodes, and the tables that it scans sequentially. */
export interface Plan {
  readonly nodes: readonly string[]
  readonly wholeTables: readonly string[]
}

/** Tables with more rows than this must not be scanned from end to end. */
const BIG_ROWS = 20_000

/** Records the statements that are sent to the database while `work` runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen = new Map<string, Statement>()
  const { prototype } = pg.Client
  const query = prototype.query as (...args: unknown[]) => unknown
  prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    if (text !== undefined && /^[\s(]*(select|with)\b/i.test(text)) seen.set(text, { text })
    return query.apply(this, args)
  } as typeof prototype.query
  try {
    await work()
  } finally {
    prototype.query = query as typeof prototype.query
  }
  return [...seen.values()]
}

/** Explains statements as the product's connections plan them: with one generic plan for all values. */
export async function plansOf(database: Database, statements: readonly Statement[]): Promise<Plan> {
  const big = await bigTables(database)
  const nodes = new Set<string>()
  const whole = new Set<string>()
  for (const { text } of statements) {
    const { rows } = await database.pool.query(`explain (generic_plan, format json) ${text}`)
    const [{ Plan: root }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    visit(root, (node) => {
      nodes.add(node['Node Type'])
      const table = node['Relation Name']
      if (node['Node Type'] === 'Seq Scan' && table !== undefined && big.has(table)) whole.add(table)
    })
  }
  return { nodes: [...nodes].sort(), wholeTables: [...whole].sort() }
}

function visit(node: PlanNode, use: (node: PlanNode) => void): void {
  use(node)
  for (const child of node.Plans ?? []) visit(child, use)
}

async function bigTables({ pool }: Database): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > $1`,
    [BIG_ROWS],
  )
  return new Set(rows.map(({ name }) => name))
}
