import type { Database } from '../../apps/server/src/db/database.ts'

/** `random`: sponsors at random, a balanced binary tree. `one-leg`: everybody below the one before, on the left. */
export type TreeShape = 'random' | 'one-leg'

/** The day that sets the stage, in which nine of ten members have a package already, and the one that is measured. */
export const FIRST_DAY = '2026-01-05'
export const MEASURED_DAY = '2026-01-06'

/**
 * Fills an empty database with members who have one paid package each, one of ten of them paid on the measured day, and
 * the pools with enough for some of what is due. Only what settlement reads is made: positions on legs are invented.
 */
export async function fillBooks({ pool }: Database, members: number, shape: TreeShape): Promise<void> {
  const client = await pool.connect()
  try {
    // Inventing a million rows of several tables needs no checks of keys between them.
    await client.query('set session_replication_role = replica')
    const oneLeg = shape === 'one-leg'
    await client.query(MEMBERS, [members, oneLeg])
    await client.query(PLACEMENTS, [members, oneLeg])
    await client.query(ORDERS, [members, `${FIRST_DAY}T00:00:00Z`, `${MEASURED_DAY}T00:00:00Z`])
    await client.query(
      "insert into prices (asset, price_micros, valid_from, published_at, published_by) values ('AMC', 500000, '2026-01-01Z', '2026-01-01Z', 'bench')",
    )
    await client.query('set session_replication_role = origin')
    for (const [key, kind, account] of POOLS) {
      await client.query(FILL_POOL, [key, kind, account, FIRST_DAY, `${BigInt(members) * 2_000_000n}`])
      await client.query(FILL_POOL, [
        `${key}/2`,
        kind,
        account,
        MEASURED_DAY,
        `${BigInt(members) * 2_000_000n}`,
      ])
    }
  } finally {
    client.release()
  }
  await pool.query('vacuum analyze')
}

const POOLS = [
  ['bench/commission', 'order_payment', 'commission_pool'],
  ['bench/yield', 'attested_revenue', 'yield_pool'],
] as const

const FILL_POOL = `
  select ledger_post($1, $2, 'bench', '1', $4, '2026-01-05T10:00:00Z', '{0,0}', '{USDT,AMC}',
    '{external,external}', array[$3, $3]::text[], array[$5, $5]::bigint[])`

/** Half of all were invited by one of the hundred members before them, the others by anybody before them. */
const MEMBERS = `
  insert into members (address, invite_code, sponsor_id, section, level, valid_at, joined_at)
  select '0x' || lpad(to_hex(n), 40, '0'), upper(translate(lpad(to_hex(n), 8, '0'), '01', 'gh')),
    case when n > 1 then
      case when $2 then n - 1
        when hashint8(n) % 2 = 0 then greatest(1, n - 1 - abs(hashint8(n + 1)) % 100)
        else 1 + abs(hashint8(n + 2)::bigint) % (n - 1) end
    end,
    case when n > 1 then 'left' end, 0, null, '2026-01-01Z'
  from generate_series(1::bigint, $1::bigint) as n order by n`

const PLACEMENTS = `
  insert into placements (member_id, parent_id, side, leg_id, position, cross_leg_id, path)
  select n, case when n > 1 then case when $2 then n - 1 else n / 2 end end,
    case when $2 or n % 2 = 0 or n = 1 then 'left' else 'right' end, n, case when n > 1 then 1 else 0 end, n,
    array[n::integer]
  from generate_series(1::bigint, $1::bigint) as n`

const ORDERS = `
  insert into orders (member_id, package_id, package_name, level, payer, price_micros, amc_price_micros,
    full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, collected_at,
    paid_sequence)
  select n, level, 'Launch', level, '0x', price, 500000, price * 7 / 10, price * 6 / 10, false, 'Paid', at, at, at, at, n
  from generate_series(1::bigint, $1::bigint) as n,
    lateral (select (1 + abs(hashint8(n)) % 5)::smallint as level) as levels,
    lateral (select (array[100, 500, 1000, 5000, 10000])[level] * 1000000::bigint as price) as prices,
    lateral (select case when n % 10 = 0 then $3::timestamptz else $2::timestamptz - interval '1 day' end as at) as times
  order by n`
