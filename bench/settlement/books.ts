import { sql } from 'kysely'
import { copyIn } from '../../apps/server/src/db/copy.ts'
import { type Database, type Db, inTx } from '../../apps/server/src/db/database.ts'
import { postAttested } from '../../apps/server/src/modules/rewards/attested-revenue/testing/post-attested.ts'
import { type Forest, growForest, type TreeShape } from './forest.ts'

/** The number of members posted in one transaction, as in the product. */
export const RANGE_MEMBERS = 4_000

/** The preparatory day, on which nine of ten members already have a package, and the measured day. */
export const FIRST_DAY = '2026-01-05'
export const MEASURED_DAY = '2026-01-06'

/**
 * Fills an empty database with members who have one paid package each, one of ten of them paid on the
 * measured day. The pools cover a part of what is due on each of the days. Data that settlement does not read is left out.
 */
export async function fillBooks(
  database: Database,
  members: number,
  shape: TreeShape,
  days: readonly string[] = [FIRST_DAY, MEASURED_DAY],
): Promise<void> {
  await inTx(database.db, async (dbTx) => {
    // A million invented rows in several tables need no foreign-key checks.
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await fillTrees(dbTx, members, shape)
  })
  const { db, pool } = database
  await pool.query(ORDERS, [members, `${FIRST_DAY}T00:00:00Z`, `${MEASURED_DAY}T00:00:00Z`])
  await pool.query(
    "insert into prices (asset, price_micros, valid_from, published_at, published_by, source, approved_by) values ('AMC', 500000, '2026-01-01Z', '2026-01-01Z', 'bench', 'operator', 'bench')",
  )
  const amount = `${BigInt(members) * 2_000_000n}`
  for (const accountingDay of days) {
    await pool.query(FILL_POOL, [`bench/commission/${accountingDay}`, accountingDay, amount])
    for (const asset of ['USDT', 'AMC'] as const) {
      const money = { destination: 'yield_pool', asset, amountMicros: BigInt(amount) } as const
      await postAttested(db, { ...money, accountingDay, at: new Date(`${accountingDay}T10:00:00Z`) })
    }
  }
  await pool.query('vacuum analyze')
}

/**
 * Creates the members and their places. The temporary table `forest` exists until the end of the transaction.
 */
export async function fillTrees(dbTx: Db, members: number, shape: TreeShape): Promise<Forest> {
  const forest = growForest(members, shape)
  await sql`create temporary table forest (member_id bigint, sponsor_id bigint, parent_id bigint, side integer,
    leg_id bigint, position integer) on commit drop`.execute(dbTx)
  await copyIn(
    dbTx,
    'forest',
    [
      { name: 'member_id', type: 'bigint', value: (row) => row + 1 },
      { name: 'sponsor_id', type: 'bigint', value: (row) => forest.sponsor[row + 1]! },
      { name: 'parent_id', type: 'bigint', value: (row) => forest.parent[row + 1]! },
      { name: 'side', type: 'integer', value: (row) => forest.side[row + 1]! },
      { name: 'leg_id', type: 'bigint', value: (row) => forest.leg[row + 1]! },
      { name: 'position', type: 'integer', value: (row) => forest.position[row + 1]! },
    ],
    members,
  )
  await sql`
    insert into members (address, invite_code, sponsor_id, section, invited_no, level, valid_at, joined_at)
    select '0x' || lpad(to_hex(member_id), 40, '0'), upper(translate(lpad(to_hex(member_id), 8, '0'), '01', 'gh')),
      nullif(sponsor_id, 0), case when sponsor_id > 0 then 'left' end,
      case when sponsor_id > 0 then row_number() over (partition by sponsor_id order by member_id) end, 0, null, '2026-01-01Z'
    from forest order by member_id`.execute(dbTx)
  await sql`
    insert into placements (member_id, parent_id, side, leg_id, position, path)
    select member_id, nullif(parent_id, 0), case side when 0 then 'left' else 'right' end, leg_id, position,
      array[position]
    from forest`.execute(dbTx)
  return forest
}

const FILL_POOL = `
  select ledger_post(array[$1], '{order_payment}', '{bench}', '{1}', '{null}', $2, '2026-01-05T10:00:00Z', '{1,1}', '{0,0}', '{USDT,AMC}',
    '{external,external}', '{commission_pool,commission_pool}', array[$3, $3]::bigint[])`

const ORDERS = `
  insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
    full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, collected_at,
    paid_sequence)
  select n, level, 'Launch', level, '0x', '0x', price, 500000, price * 7 / 10, price * 6 / 10, false, 'Paid', at, at, at, at, n
  from generate_series(1::bigint, $1::bigint) as n,
    lateral (select (1 + abs(hashint8(n)) % 5)::smallint as level) as levels,
    lateral (select (array[100, 500, 1000, 5000, 10000])[level] * 1000000::bigint as price) as prices,
    lateral (select case when n % 10 = 0 then $3::timestamptz else $2::timestamptz - interval '1 day' end as at) as times
  order by n`
