import { type Day, type MemberAccount, PAYMENT_ASSETS, type PaymentAsset, REWARD_POOL } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Dividends } from '../../exchange/exchange.dividends.service.ts'
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

/** The reward type of each class, which determines the pool. */
export const TYPE_OF_CLASS = {
  pairing: 'PairingReward',
  management: 'ManagementReward',
  static: 'Interest',
} as const satisfies Record<SettledClass, keyof typeof REWARD_POOL>

/** The key of a day's batch, and of every posting of it. */
export const batchKey = (day: Day, rewardClass: SettledClass): string => `${dayKey(day)}/${rewardClass}`

/** The key of a day's reserves. */
export const dayKey = (day: Day): string => `settlement/${day}`

/**
 * Posts the next range of a staged day that no other process is posting, in one transaction with its
 * watermark; if all remaining ones are in progress, waits for one. Returns false if none is left.
 */
export async function postNextRange(
  deps: PostingDeps,
  db: Db,
  day: DayRow,
  releaseParts: number,
): Promise<boolean> {
  return inTx(db, async (dbTx) => {
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

/** Returns the batches of a day in order of payment, with the flows that lines refer to by number. */
const DAY_BATCHES = [
  { name: 'release', kind: 'release', flows: [{ asset: 'AMC', source: 'locked', destination: 'available' }] },
  ...CLASSES.map((name) => {
    const source = REWARD_POOL[TYPE_OF_CLASS[name]]
    return { name, kind: name, flows: paid(source, { USDT: 'available', AMC: 'locked' }) }
  }),
  {
    name: 'savings',
    kind: 'savings_interest',
    flows: paid('savings_pool', { USDT: 'savings', AMC: 'savings' }),
  },
  {
    name: 'dividend',
    kind: 'dividend',
    flows: paid('dividend_pool', { USDT: 'available', AMC: 'available' }),
  },
] as const

function paid(source: SettledPool, to: Readonly<Record<PaymentAsset, MemberAccount>>) {
  return PAYMENT_ASSETS.map((asset) => ({ asset, source, destination: to[asset] }))
}

/** Returns the number of the USDT flow of a batch; that of AMC is the next one. */
const flowOf = (name: (typeof DAY_BATCHES)[number]['name']): number => {
  const place = DAY_BATCHES.findIndex((batch) => batch.name === name)
  return 1 + DAY_BATCHES.slice(0, place).reduce((sum, { flows }) => sum + flows.length, 0)
}
const FLOW_OF_CLASS = sql.raw(
  `case class ${CLASSES.map((name) => `when '${name}' then ${flowOf(name)}`).join(' ')} end`,
)
const SAVINGS_FLOW = sql.lit(flowOf('savings'))
const DIVIDEND_FLOW = sql.lit(flowOf('dividend'))

async function postRange(
  { now, ledger, bulkRewards, savingsInterest, dividends }: PostingDeps,
  dbTx: Db,
  { day, fixedAt }: DayRow,
  range: Range,
  releaseParts: number,
): Promise<void> {
  const inRange = sql`member_id between ${range.firstMemberId} and ${range.lastMemberId}`
  await ledger.postBatches(dbTx, {
    cause: { type: 'settlement', id: day },
    accountingDay: day,
    at: now(),
    batches: DAY_BATCHES.map(({ name, kind, flows }) => ({ key: `settlement/${day}/${name}`, kind, flows })),
    reserve: { batch: dayKey(day), part: range.rangeId },
    lines: sql`
      select member_id, ${sql.lit(flowOf('release'))} as flow, released_micros as amount
      from settlement_members where ${inRange} and released_micros > 0
      union all
      select member_id, ${FLOW_OF_CLASS} + asset, sum(amount)::bigint
      from settlement_rewards, lateral (values (0, usdt_micros), (1, amc_micros)) as line (asset, amount)
      where ${inRange} and amount > 0 group by member_id, class, asset
      union all
      select member_id, ${SAVINGS_FLOW} + (asset = 'AMC')::integer, paid_micros
      from settlement_interest where ${inRange} and paid_micros > 0
      union all
      select member_id, ${DIVIDEND_FLOW} + asset, amount
      from settlement_dividends, lateral (values (0, usdt_micros), (1, amc_micros)) as line (asset, amount)
      where ${inRange} and amount > 0`,
  })
  await bulkRewards.record(dbTx, {
    batches: CLASSES.map((name) => ({ batch: batchKey(day, name), type: TYPE_OF_CLASS[name] })),
    releaseParts,
    rows: sql`select * from settlement_rewards where ${inRange}`,
  })
  await savingsInterest.record(dbTx, day, sql`select * from settlement_interest where ${inRange}`)
  await dividends.record(dbTx, { day, at: fixedAt }, sql`select * from settlement_dividends where ${inRange}`)
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
