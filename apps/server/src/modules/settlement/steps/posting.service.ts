import { type Day, REWARD_POOL } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inDbTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Dividends } from '../../exchange/exchange.dividends.service.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { BulkRewards } from '../../rewards/rewards.bulk.service.ts'
import type { SavingsInterestBook } from '../../savings/savings.interest.service.ts'
import { addStaticPaid } from '../../shop/shop.service.ts'
import { CLASSES, type SettledClass } from '../day/batches.ts'
import type { DayRow } from '../settlement.repository.ts'

export interface PostingDeps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly bulkRewards: BulkRewards
  readonly savingsInterest: SavingsInterestBook
  readonly dividends: Dividends
}

/** The pools that a settlement pays from. */
export const SETTLED_POOLS = ['commission_pool', 'dividend_pool', 'savings_pool', 'yield_pool'] as const
export type SettledPool = (typeof SETTLED_POOLS)[number]

interface Range {
  readonly rangeId: number
  readonly firstMemberId: bigint
  readonly lastMemberId: bigint
}

/** The reward type of each class, which decides the pool. */
export const TYPE_OF_CLASS = {
  pairing: 'PairingReward',
  management: 'ManagementReward',
  static: 'Interest',
} as const satisfies Record<SettledClass, keyof typeof REWARD_POOL>

/** The key of a day's batch, and of every posting of it. */
export const batchKey = (day: Day, rewardClass: SettledClass): string => `settlement/${day}/${rewardClass}`

/**
 * Posts the next range of a staged day that nobody else is posting, in one transaction with its watermark; when all that
 * are left are being posted, waits for one. Returns false when none is left.
 */
export async function postNextRange(
  deps: PostingDeps,
  db: Db,
  day: DayRow,
  releaseParts: number,
): Promise<boolean> {
  return inDbTx(db, async (dbTx) => {
    const range =
      (await nextRange(dbTx, day.day, sql`skip locked`)) ?? (await nextRange(dbTx, day.day, sql``))
    if (range === undefined) return false
    await postRange(deps, dbTx, day, range, releaseParts)
    await sql`
      update settlement_ranges set posted_at = ${day.fixedAt}
      where day = ${day.day} and range_id = ${range.rangeId}`.execute(dbTx)
    return true
  })
}

async function nextRange(dbTx: Db, day: Day, wait: RawBuilder<unknown>): Promise<Range | undefined> {
  const { rows } = await sql<Range>`
    select range_id as "rangeId", first_member_id as "firstMemberId", last_member_id as "lastMemberId"
    from settlement_ranges where day = ${day} and posted_at is null
    order by range_id limit 1 for update ${wait}`.execute(dbTx)
  return rows[0]
}

async function postRange(
  { now, ledger, bulkRewards, savingsInterest, dividends }: PostingDeps,
  dbTx: Db,
  { day, fixedAt }: DayRow,
  range: Range,
  releaseParts: number,
): Promise<void> {
  const inRange = sql`member_id between ${range.firstMemberId} and ${range.lastMemberId}`
  const posting = { cause: { type: 'settlement', id: day }, accountingDay: day, at: now() }
  await ledger.lock(dbTx, { pools: SETTLED_POOLS, memberIds: [] })
  await ledger.postMany(dbTx, {
    ...{ ...posting, key: `settlement/${day}/release`, kind: 'release', fromReserve: false },
    lines: sql`
      select member_id as place, member_id, 'AMC' as asset, 'locked' as source, 'available' as destination,
        released_micros as amount
      from settlement_members where ${inRange} and released_micros > 0`,
  })
  for (const rewardClass of CLASSES) {
    const type = TYPE_OF_CLASS[rewardClass]
    const key = batchKey(day, rewardClass)
    const batch = await bulkRewards.find(dbTx, key)
    if (batch === undefined) continue
    const staged = sql`settlement_rewards where ${inRange} and class = ${rewardClass}`
    await ledger.postMany(dbTx, {
      ...{ ...posting, key, kind: rewardClass, fromReserve: true },
      lines: sql`
        select row_number() over (order by member_id, asset desc) as place, member_id, asset,
          ${REWARD_POOL[type]}::text as source, destination, sum(amount)::bigint as amount
        from (select * from ${staged}) as staged,
          lateral (values ('USDT', 'available', usdt_micros), ('AMC', 'locked', amc_micros))
            as line (asset, destination, amount)
        where amount > 0 group by member_id, asset, destination`,
    })
    await bulkRewards.record(dbTx, { batch, type, releaseParts, rows: sql`select * from ${staged}` })
  }
  const interest = sql`settlement_interest where ${inRange}`
  await ledger.postMany(dbTx, {
    ...{ ...posting, key: `settlement/${day}/savings`, kind: 'savings_interest', fromReserve: true },
    lines: sql`
      select row_number() over (order by member_id, asset desc) as place, member_id, asset, 'savings_pool' as source,
        'savings' as destination, paid_micros as amount
      from ${interest} and paid_micros > 0`,
  })
  await savingsInterest.record(dbTx, day, sql`select * from ${interest}`)
  const shared = sql`settlement_dividends where ${inRange}`
  await ledger.postMany(dbTx, {
    ...{ ...posting, key: `settlement/${day}/dividend`, kind: 'dividend', fromReserve: true },
    lines: sql`
      select row_number() over (order by member_id, asset desc) as place, member_id, asset,
        'dividend_pool' as source, 'available' as destination, amount
      from (select * from ${shared}) as shared,
        lateral (values ('USDT', usdt_micros), ('AMC', amc_micros)) as line (asset, amount)
      where amount > 0`,
  })
  await dividends.record(dbTx, { day, at: fixedAt }, sql`select * from ${shared}`)
  await addStaticPaid(
    dbTx,
    sql`select member_id, order_id, paid_micros from settlement_rewards
      where ${inRange} and class = 'static' and paid_micros > 0`,
  )
  await bulkRewards.keepStandings(
    dbTx,
    sql`select member_id, level, carry_left_micros, carry_right_micros, manage_base_micros, release_micros
      from settlement_members where ${inRange}`,
  )
}
