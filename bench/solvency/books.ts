import { sql } from 'kysely'
import { type Database, inTx } from '../../apps/server/src/db/database.ts'

export const FIRST_DAY = '2026-11-20'
export const DAY = '2026-11-21'
/** The number of transactions with one posting that each member has, in both assets and on both days. */
export const POSTINGS = 4

/** The number of ranges of members whose transactions and postings are inserted concurrently. */
const RANGES = 3

/**
 * Fills an empty database with members who have `POSTINGS` postings each on two settled days, as the ledger
 * would have written them: digests, balances, heads and daily sums agree. Data that the solvency code does
 * not read is left out.
 */
export async function fillBooks(database: Database, members: number): Promise<void> {
  const run = (statements: readonly string[], first = 1, last = members) =>
    inTx(database.db, async (dbTx) => {
      // A million rows in several tables need no foreign-key checks.
      await sql`set local session_replication_role = replica`.execute(dbTx)
      for (const statement of statements)
        await sql.raw(statement.replaceAll(':first', `${first}`).replaceAll(':last', `${last}`)).execute(dbTx)
    })
  await run(['alter table ledger_entries drop constraint ledger_entries_flow', MEMBERS, DAYS])
  const size = Math.ceil(members / RANGES)
  await Promise.all(
    Array.from({ length: RANGES }, (_, range) => [
      1 + range * size,
      Math.min(members, (range + 1) * size),
    ]).map(([first, last]) => run([ENTRIES, HEADS], first, last)),
  )
  await run([FLOWS, ADD_FLOW_CHECK])
  await database.pool.query('vacuum analyze')
}

/** Adds 89 reports of earlier days, which the public page lists, without leaves. */
export async function addEarlierReports({ db }: Database): Promise<void> {
  await sql`
    insert into solvency_days
    select (day - n)::date, chain_id, bank, format, salt_key_id, leaves, tree, members_usdt, members_amc, members_fund, other_usdt,
      other_amc, fund_cash, fund_invested, ledger_head, operators_head, sha256(int4send(n)), held_usdt, held_amc, built_at
    from solvency_days, generate_series(1, 89) as n
    where day = (select max(day) from solvency_days) on conflict do nothing`.execute(db)
  await sql`
    insert into solvency_publications
    select bank, day, root, ledger_head, operators_head, 0, 0, 0, '0x' || repeat('12', 32), 1, built_at, true
    from solvency_days on conflict do nothing`.execute(db)
}

const ADDRESS = "'0x' || lpad(to_hex(n - 1), 40, '0')"
/** Returns the SQL of the amounts that transaction `s` of member `n` moves. */
const LINE = `lateral (values (
  case when s % 2 = 1 then 'USDT' else 'AMC' end, n * 1009 % 900000000 + s * 1000,
  case when s <= 2 then '${FIRST_DAY}' else '${DAY}' end::date)) as line (asset, amount, day)`
const EACH = `generate_series(:first::bigint, :last) as n, generate_series(1, ${POSTINGS}) as s, ${LINE}`

const MEMBERS = `
  insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
  select ${ADDRESS}, upper(translate(lpad(to_hex(n), 8, '0'), '01', 'gh')), nullif(n / 2, 0),
    case when n > 1 then 'left' end, case when n > 1 then 1 + n % 2 end, '2026-01-01Z'
  from generate_series(:first::bigint, :last) as n order by n`
const ENTRIES = `
  insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination,
    idempotency_key, content_digest, cause_type, cause_id, posted_at)
  select n, s, amount, day, 1, 'grant', asset, 'external', 'available', format('grant/%s/%s', n, s),
    ledger_content_digest('grant', 'bench', '1', array[n], array[asset], array['external'], array['available'], array[amount]),
    'bench', '1', day + interval '10 hours'
  from ${EACH} order by n, s`
/** The balances are those of \`available\`, the first of USDT and of AMC. */
const HEADS = `
  insert into ledger_heads
  select n, ${POSTINGS}, array[sum(amount) filter (where asset = 'USDT'), 0, 0, 0, 0, 0,
    sum(amount) filter (where asset = 'AMC'), 0, 0, 0, 0, 0, 0, 0, 0, 0]::bigint[]
  from ${EACH} group by n order by n`
const ADD_FLOW_CHECK = `
  alter table ledger_entries add constraint ledger_entries_flow
  check (ledger_entry_allowed(kind, asset, source, destination, amount, reverses_seq, idempotency_key)) not valid`
const FLOWS = `
  insert into ledger_flow_days select accounting_day, kind, asset, source, destination, sum(amount), count(*)
  from ledger_postings group by 1, 2, 3, 4, 5`
const DAYS = `
  with start as (insert into settlement_start values ('${FIRST_DAY}'))
  insert into settlement_days (day, state, fixed_at, settled_at)
  select day, 'settled', day + interval '1 day', day + interval '1 day' from (values (date '${FIRST_DAY}'), ('${DAY}')) as days (day)`
