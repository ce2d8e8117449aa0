import { sql } from 'kysely'
import { type Database, inTx } from '../../apps/server/src/db/database.ts'

/** The last settled day of the books, and the days over which first packages were bought. */
const LAST_DAY = '2026-06-30'
const HISTORY_DAYS = 500

/**
 * Fills an empty database with members. Nine of ten have a package, and a third of these have a second one.
 * Each has a reward every ten days since, and half of them have commissions.
 */
export async function fillBooks(database: Database, members: number): Promise<void> {
  await inTx(database.db, async (dbTx) => {
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await sql`
      insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
      select '0x' || lpad(to_hex(n), 40, '0'), upper(translate(lpad(to_hex(n), 8, '0'), '01', 'gh')), nullif(n - 1, 0),
        case when n > 1 then 'left' end, case when n > 1 then 1 end, date '2024-12-01' from generate_series(1, ${members}::integer) as n`.execute(
      dbTx,
    )
    await sql`
      insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
        full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, collected_at,
        paid_sequence, tx_hash)
      select n, level, 'Launch', level, '0x' || lpad(to_hex(n), 40, '0'), '0x' || repeat('1', 40), price, 500000, price, 0,
        false, 'Paid', at, at, at, at, n * 2 + again, '0x' || md5('o' || n || again) || md5('p' || n)
      from generate_series(1, ${members}::integer) as n, generate_series(0, 1) as again,
        lateral (select (1 + (n + again) % 5)::smallint as level) as levels,
        lateral (select (array[100, 500, 1000, 5000, 10000])[level] * 1000000::bigint as price) as prices,
        lateral (select ${LAST_DAY}::date - n % ${HISTORY_DAYS}::integer * (2 - again) / 2 + interval '1 hour' as at) as times
      where n % 10 > 0 and (again = 0 or n % 3 = 0)`.execute(dbTx)
    await sql`
      insert into reward_days (member_id, day, type, paid_micros, usdt_micros, amc_micros)
      select n, ${LAST_DAY}::date - age, type, 1000000 + n % 7 * 900000, 700000, 600000
      from generate_series(1, ${members}::integer) as n, unnest(array['Interest', 'ReferralReward']) as type,
        generate_series(0, n % ${HISTORY_DAYS}::integer, 10) as age
      where n % 10 > 0 and (type = 'Interest' or n % 2 = 0)`.execute(dbTx)
    await sql`
      insert into reward_totals (member_id, type, paid_micros, usdt_micros, amc_micros)
      select member_id, type, sum(paid_micros), sum(usdt_micros), sum(amc_micros) from reward_days group by 1, 2`.execute(
      dbTx,
    )
    await sql`
      insert into settlement_days (day, state, amc_price_micros, fixed_at, settled_at)
      values (${LAST_DAY}, 'settled', 500000, now(), now())`.execute(dbTx)
  })
  await database.pool.query('vacuum analyze')
}

/** Settles the day that is so many days after the last one, and that has no orders. */
export async function addDay({ db }: Database, days: number): Promise<void> {
  await inTx(db, async (dbTx) => {
    // The settlement of the day is not part of the measurement.
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await sql`
      insert into settlement_days (day, state, amc_price_micros, fixed_at, settled_at)
      values (${LAST_DAY}::date + ${days}::integer, 'settled', 500000, now(), now())`.execute(dbTx)
  })
}
