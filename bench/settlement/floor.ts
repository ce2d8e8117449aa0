import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../apps/server/src/db/database.ts'
import { MEASURED_DAY } from './books.ts'

/**
 * The rows that a day adds to the ledger, and the amount that each kind of transaction adds to each balance.
 */
const ROWS = {
  floor_transactions: `select member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id, accounting_day, posted_at
    from ledger_transactions where accounting_day = '${MEASURED_DAY}' and member_id > 0 order by kind desc, member_id`,
  floor_postings: `select member_id, seq, line, kind, asset, source, destination, amount, accounting_day
    from ledger_postings where accounting_day = '${MEASURED_DAY}' and member_id > 0 order by kind desc, member_id, line`,
  floor_balances: `select kind, member_id, asset, account, sum(delta)::bigint as delta
    from ledger_postings, lateral (values (source, -amount), (destination, amount)) as side (account, delta)
    where accounting_day = '${MEASURED_DAY}' and member_id > 0
    group by kind, member_id, asset, account order by kind desc, member_id, asset, account`,
} as const

const TABLES = [
  `create unlogged table floor_transactions (member_id bigint, seq bigint, kind text, idempotency_key text,
    content_digest bytea, cause_type text, cause_id text, accounting_day date, posted_at timestamptz)`,
  `create unlogged table floor_postings (member_id bigint, seq bigint, line smallint, kind text, asset text, source text,
    destination text, amount bigint, accounting_day date)`,
  `create unlogged table floor_balances (kind text, member_id bigint, asset text collate "C", account text collate "C",
    delta bigint)`,
  `create table books_transactions (member_id bigint, seq bigint, kind text not null, idempotency_key text collate "C" not null,
    content_digest bytea not null, cause_type text not null, cause_id text not null, accounting_day date not null,
    posted_at timestamptz not null, primary key (member_id, seq), unique (member_id, idempotency_key))`,
  `create table books_postings (member_id bigint, seq bigint, line smallint, kind text not null, asset text not null,
    source text not null, destination text not null, amount bigint not null, accounting_day date not null,
    primary key (member_id, seq, line))`,
  `create table books_balances (member_id bigint, asset text collate "C", account text collate "C", balance bigint not null,
    primary key (member_id, asset, account)) with (fillfactor = 50)`,
  `insert into books_balances
    select member_id, asset, account, sum(delta) from ledger_postings,
      lateral (values (source, -amount), (destination, amount)) as side (account, delta)
    group by member_id, asset, account order by member_id, asset, account`,
]

const INSERTS = [
  'insert into books_transactions select * from floor_transactions',
  'insert into books_postings select * from floor_postings',
]
/** Adds to the existing balances, and creates the others: both statements see the table as it was before. */
const BALANCES = `
  with changed as (
    update books_balances as b set balance = b.balance + f.delta from floor_balances as f
    where f.kind = $1 and b.member_id = f.member_id and b.asset = f.asset and b.account = f.account
  )
  insert into books_balances (member_id, asset, account, balance)
  select member_id, asset, account, delta from floor_balances as f
  where f.kind = $1 and not exists (select from books_balances as b
    where b.member_id = f.member_id and b.asset = f.asset and b.account = f.account)`

/** The rows of a day, which can be written without the product. */
export interface FloorRows {
  /** Writes them into a database in which the day is not settled. Returns the duration in seconds. */
  measure(database: Database): Promise<number>
  remove(): Promise<void>
}

/** Copies the rows that a settled day added to the ledger. */
export async function takeFloorRows({ pool }: Database): Promise<FloorRows> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-bench-rows-'))
  // The server may run as another user.
  await chmod(dir, 0o777)
  const file = (name: string) => `'${join(dir, name)}'`
  for (const [name, query] of Object.entries(ROWS)) await pool.query(`copy (${query}) to ${file(name)}`)
  return {
    measure: (database) => measureFloor(database, file),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/**
 * Writes the rows by set-based inserts and updates: transactions, postings and balances in one table each,
 * with a primary key and the unique key, and no other part of the product. Each kind changes the balances
 * once, because the kinds are posted one after the other.
 */
async function measureFloor({ pool }: Database, file: (name: string) => string): Promise<number> {
  for (const statement of TABLES) await pool.query(statement)
  for (const name of Object.keys(ROWS)) await pool.query(`copy ${name} from ${file(name)}`)
  await pool.query('analyze floor_transactions, floor_postings, floor_balances, books_balances')
  const { rows: kinds } = await pool.query<{ kind: string }>(
    'select distinct kind from floor_balances order by kind desc',
  )
  await pool.query('checkpoint')
  const begun = performance.now()
  for (const statement of INSERTS) await pool.query(statement)
  for (const { kind } of kinds) await pool.query(BALANCES, [kind])
  return (performance.now() - begun) / 1_000
}
