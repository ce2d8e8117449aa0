import { sql } from 'kysely'
import { type Database, inTx } from '../../apps/server/src/db/database.ts'

/**
 * A member with a number of entries: transactions with one posting each, and rewards that are paid into
 * `available` and `locked`.
 */
export interface BenchMember {
  readonly memberId: number
  readonly entries: number
}

export const FIRST_DAY = '2026-01-01'
export const LAST_DAY = '2026-12-30'

/** Fills an empty database with the books of some members, as the ledger would have written them. */
export async function fillBooks(database: Database, members: readonly BenchMember[]): Promise<void> {
  await inTx(database.db, async (dbTx) => {
    // Millions of rows need neither foreign-key checks nor a check of each flow.
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await sql`alter table ledger_entries drop constraint ledger_entries_flow`.execute(dbTx)
    await sql`
      insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
      select '0x' || lpad(to_hex(n), 40, '0'), '2222222' || (n + 1), nullif(n - 1, 0),
        case when n > 1 then 'left' end, case when n > 1 then 1 end, '2025-12-31Z' from generate_series(1, ${members.length}) as n`.execute(
      dbTx,
    )
    for (const { memberId, entries } of members) await fillMember(dbTx, memberId, entries)
    await sql`
      insert into ledger_flow_days
      select accounting_day, kind, asset, source, destination, sum(amount), count(*)
      from ledger_postings group by 1, 2, 3, 4, 5`.execute(dbTx)
    await sql`insert into prices (asset, price_micros, valid_from, published_at, published_by, source, approved_by)
      values ('AMC', 500000, '2025-12-31Z', '2025-12-31Z', 'bench', 'operator', 'bench')`.execute(dbTx)
  })
  await database.pool.query('vacuum analyze')
}

async function fillMember(
  dbTx: Parameters<Parameters<typeof inTx>[1]>[0],
  memberId: number,
  entries: number,
): Promise<void> {
  const each = sql`generate_series(1, ${entries}::bigint) as s,
    lateral (values (timestamptz '2026-01-01Z' + s * (interval '363 days' / ${entries}::double precision))) as at (time)`
  await sql`
    insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination,
      idempotency_key, content_digest, cause_type, cause_id, posted_at)
    select ${memberId}, s, s * 1009 % 9000000 + 1, (time at time zone 'UTC')::date, 1, 'static',
      case when s % 2 = 1 then 'USDT' else 'AMC' end, 'yield_pool', case when s % 2 = 1 then 'available' else 'locked' end,
      format('settle/%s/%s', ${memberId}::integer, s), '\\x00', 'settlement', s::text, time
    from ${each}`.execute(dbTx)
  await sql`
    insert into ledger_heads
    select ${memberId}, ${entries}, array_agg(coalesce(held.balance, 0) order by slot)
    from unnest(ledger_slots()) with ordinality as l (name, slot)
    left join (select asset || ' ' || destination as name, sum(amount)::bigint as balance from ledger_entries
      where member_id = ${memberId} group by 1) as held using (name)`.execute(dbTx)
}
