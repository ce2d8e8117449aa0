import pg from 'pg'

interface Day {
  readonly day: string
  readonly fixedAt: string
}

/** The rewards of a day: what they are called, their pool, and whether they have a package. */
const CLASSES = [
  { name: 'pairing', type: 'PairingReward', pool: 'commission_pool' },
  { name: 'static', type: 'Interest', pool: 'yield_pool' },
] as const

/**
 * Posts a staged day range by range with SQL alone: the set-based statements that a settlement comes down to, each range in
 * one transaction with its mark. Nothing of the product runs but the functions of its database.
 */
export async function postBySql(url: string, { day, fixedAt }: Day): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c plan_cache_mode=force_generic_plan' })
  await client.connect()
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  try {
    const { rows: ranges } = await client.query<{ id: number; first: string; last: string }>(
      'select range_id as id, first_member_id as first, last_member_id as last from settlement_ranges where day = $1 order by 1',
      [day],
    )
    for (const { id, first, last } of ranges) {
      await client.query('begin')
      await client.query("select ledger_lock('{commission_pool,yield_pool}', '{}')")
      await run('release', RELEASE, [day, fixedAt, first, last])
      for (const { name, type, pool } of CLASSES) {
        await run('pay', PAY, [day, fixedAt, first, last, name, pool])
        await run('record', RECORD, [day, fixedAt, first, last, name, type])
        await run('days', DAYS, [day, first, last, name, type])
        await run('totals', TOTALS, [first, last, name, type])
      }
      await run('packages', PACKAGES, [first, last])
      await run('standings', STANDINGS, [first, last])
      await run('mark', 'update settlement_ranges set posted_at = $1 where day = $2 and range_id = $3', [
        ...[fixedAt, day, id],
      ])
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

const ARRAYS = `array_agg(member_id order by place), array_agg(asset order by place), array_agg(source order by place),
  array_agg(destination order by place), array_agg(amount order by place)`

const RELEASE = `
  select ledger_post_many('settlement/' || $1 || '/release', 'release', 'settlement', $1, $1::date, $2::timestamptz,
    members, assets, sources, destinations, amounts, false)
  from (
    select ${ARRAYS}
    from (
      select member_id as place, member_id, 'AMC' as asset, 'locked' as source, 'available' as destination,
        released_micros as amount
      from settlement_members where member_id between $3 and $4 and released_micros > 0
    ) as lines
  ) as arrays (members, assets, sources, destinations, amounts) where members is not null`

const PAY = `
  select ledger_post_many('settlement/' || $1 || '/' || $5, $5, 'settlement', $1, $1::date, $2::timestamptz,
    members, assets, sources, destinations, amounts, true)
  from (
    select ${ARRAYS}
    from (
      select row_number() over (order by member_id, asset desc) as place, member_id, asset, $6::text as source,
        destination, sum(amount)::bigint as amount
      from settlement_rewards,
        lateral (values ('USDT', 'available', usdt_micros), ('AMC', 'locked', amc_micros)) as line (asset, destination, amount)
      where member_id between $3 and $4 and class = $5 and amount > 0 group by member_id, asset, destination
    ) as lines
  ) as arrays (members, assets, sources, destinations, amounts) where members is not null`

const RECORD = `
  insert into rewards (member_id, type, batch, day, created_at, order_id, level, base_micros, ratio_ppm, value_micros,
    flushed_micros, coverage_ppm, usdt_share_ppm, amc_share_ppm, paid_micros, usdt_micros, amc_micros, release_parts)
  select member_id, $6, batch, $1::date, $2::timestamptz, nullif(order_id, 0), level, base_micros, ratio_ppm,
    r.value_micros, flushed_micros, coverage_ppm, usdt_share_ppm, amc_share_ppm, r.paid_micros, usdt_micros, amc_micros, 30
  from settlement_rewards as r
  join reward_batches on batch = 'settlement/' || $1 || '/' || $5
  where member_id between $3 and $4 and r.class = $5 order by member_id, order_id`

const SUMS = 'sum(paid_micros), sum(usdt_micros), sum(amc_micros)'
const ADD = `paid_micros = kept.paid_micros + excluded.paid_micros,
  usdt_micros = kept.usdt_micros + excluded.usdt_micros, amc_micros = kept.amc_micros + excluded.amc_micros`

const DAYS = `
  insert into reward_days as kept (member_id, day, type, paid_micros, usdt_micros, amc_micros)
  select member_id, $1::date, $5, ${SUMS} from settlement_rewards
  where member_id between $2 and $3 and class = $4 group by member_id order by member_id
  on conflict (member_id, day, type) do update set ${ADD}`

const TOTALS = `
  insert into reward_totals as kept (member_id, type, paid_micros, usdt_micros, amc_micros)
  select member_id, $4, ${SUMS} from settlement_rewards
  where member_id between $1 and $2 and class = $3 group by member_id order by member_id
  on conflict (member_id, type) do update set ${ADD}`

const PACKAGES = `
  update orders set static_paid_micros = static_paid_micros + paid_micros from settlement_rewards as r
  where r.member_id between $1 and $2 and r.class = 'static' and paid_micros > 0
    and orders.member_id = r.member_id and orders.order_id = r.order_id`

const STANDINGS = `
  insert into member_standings (member_id, level, carry_left_micros, carry_right_micros, manage_base_micros, release_micros)
  select member_id, level, carry_left_micros, carry_right_micros, manage_base_micros, release_micros
  from settlement_members where member_id between $1 and $2
  on conflict (member_id) do update set level = excluded.level, carry_left_micros = excluded.carry_left_micros,
    carry_right_micros = excluded.carry_right_micros, manage_base_micros = excluded.manage_base_micros,
    release_micros = excluded.release_micros`
