import { type Day, isLastDayOfMonth, type Micros, type Plan } from '@rif/rules'
import type { CopiedRow } from '../../../db/copy.ts'
import type { Db } from '../../../db/database.ts'
import * as repository from '../settlement.repository.ts'
import type { Payouts, SettledClass } from './batches.ts'
import { addRow } from './columns.ts'
import {
  createDividendHoldings,
  type DividendPool,
  type DividendWork,
  dividendsOf,
  type Holdings,
} from './dividends.ts'
import {
  addManagementBases,
  addStaticDue,
  createDues,
  type Dues,
  managementDues,
  pairingDues,
} from './dues.ts'
import {
  addInterest,
  type CoverInterest,
  createInterest,
  type Interest,
  type InterestWork,
  interestOf,
} from './interest.ts'
import { collectReleases } from './releases.ts'
import {
  addOrders,
  attach,
  createMembers,
  createOrders,
  firstMembers,
  NOBODY,
  type Orders,
  type TreeMembers,
} from './tree.ts'

/**
 * All inputs of a day's settlement except the pools, as of the end of that day. What depends on one row alone
 * (releases, static rewards, interest) is computed as the row is read, so that rows are not kept.
 */
export interface DayInput {
  readonly day: Day
  readonly plan: Plan
  readonly members: TreeMembers
  readonly orders: Orders
  /** The static rewards due on packages paid before the day. */
  readonly staticDues: Dues
  /** The AMC released on the day, by member. */
  readonly released: BigInt64Array
  readonly paused: ReadonlySet<number>
  /** The savings interest due. */
  readonly interest: Interest
  readonly holdings: Holdings
  /** The members' own pairing caps. */
  readonly ownDayCaps: ReadonlyMap<number, Micros>
}

/** A fully computed batch. */
export interface DayBatch {
  readonly class: SettledClass
  readonly dues: Dues
  readonly payouts: Payouts
}

/** The result of a day: the members after it, the AMC released by member, the batches, the interest and the dividends. */
export interface DayWork {
  readonly members: TreeMembers
  readonly released: BigInt64Array
  readonly batches: readonly DayBatch[]
  readonly interest: readonly InterestWork[]
  readonly dividends: DividendWork | null
}

/** Finds the terms of a batch and computes it; called for the batches in order of payment. */
export type PayBatch = (rewardClass: SettledClass, dues: Dues) => DayBatch

/** Reads the inputs of a day. They are immutable once the day has ended, so they can be read again. */
export async function loadDay(dbTx: Db, day: Day, plan: Plan): Promise<DayInput> {
  const { members, numberOf } = await loadMembers(dbTx)
  const orders = await loadOrders(dbTx, day, day, numberOf)
  const staticDues = createDues()
  await repository.eachPackage(dbTx, day, (row) => {
    const paid = {
      member: numberOf(row.int()),
      orderId: row.micros(),
      level: row.int(),
      priceMicros: row.micros(),
      paidSoFarMicros: row.micros(),
    }
    addStaticDue(staticDues, paid, plan)
  })
  const paused = isLastDayOfMonth(day) ? await repository.pausedMembers(dbTx, day) : []
  const caps = await repository.ownDayCaps(dbTx, day)
  return {
    day,
    plan,
    members,
    orders,
    staticDues,
    released: await loadReleases(dbTx, day, members, numberOf),
    paused: new Set(paused.map((memberId) => numberOf(Number(memberId)))),
    interest: await loadInterest(dbTx, day, plan, numberOf),
    holdings: await loadHoldings(dbTx, day, numberOf),
    ownDayCaps: new Map(caps.map(({ memberId, capMicros }) => [numberOf(Number(memberId)), capMicros])),
  }
}

/** Returns the AMC released on a day by member, and adds and removes the daily parts that begin and end. */
async function loadReleases(
  dbTx: Db,
  day: Day,
  members: TreeMembers,
  numberOf: NumberOf,
): Promise<BigInt64Array> {
  const releases = collectReleases(members)
  const reward = (row: CopiedRow) => {
    return { member: numberOf(row.int()), amcMicros: row.micros(), parts: row.int() }
  }
  await repository.eachLocked(dbTx, { begins: day }, (row) => releases.begin(reward(row)))
  await repository.eachLocked(dbTx, { ends: day }, (row) => releases.end(reward(row)))
  return releases.released()
}

/** The dividend rights at the end of the day. */
async function loadHoldings(dbTx: Db, day: Day, numberOf: NumberOf): Promise<Holdings> {
  const holdings = createDividendHoldings()
  await repository.eachHolding(dbTx, day, (row) => {
    const place = addRow(holdings)
    holdings.member[place] = numberOf(row.int())
    holdings.div[place] = row.micros()
  })
  return holdings
}

/** Returns the interest due on the savings at the end of the day before, less the amounts taken out on the day. */
async function loadInterest(dbTx: Db, day: Day, plan: Plan, numberOf: NumberOf): Promise<Interest> {
  const interest = createInterest()
  await repository.eachSaved(dbTx, day, (row) => {
    const member = numberOf(row.int())
    const asset = row.int() === 0 ? 'USDT' : 'AMC'
    addInterest(interest, { member, asset, savedMicros: row.micros(), outMicros: row.micros() }, plan)
  })
  return interest
}

/** Returns the number of a member by id; 0 is no member's id. */
export type NumberOf = (memberId: number) => number

/** Loads the tree without levels and carries, and returns the number of each member by id. */
export async function loadTree(dbTx: Db): Promise<{ members: TreeMembers; numberOf: NumberOf }> {
  // Space for every number: a sign-up that commits later may have a lower number than existing ones.
  const highest = await repository.highestMember(dbTx)
  const members = createMembers(Number(highest))
  const numbers = new Int32Array(Number(highest) + 1).fill(NOBODY)
  const numberOf: NumberOf = (memberId) => numbers[memberId]!
  let next = 0
  await repository.eachMember(dbTx, highest, (row) => {
    const member = next++
    const memberId = row.int()
    numbers[memberId] = member
    members.ids[member] = BigInt(memberId)
    members.sponsor[member] = numberOf(row.int())
    const parent = numberOf(row.int())
    const side = row.int() === 0 ? 'left' : 'right'
    if (parent !== NOBODY) attach(members, member, parent, side)
  })
  return { members: firstMembers(members, next), numberOf }
}

/** Returns the members as of the last settled day, and the number of each by id. */
export async function loadMembers(dbTx: Db): Promise<{ members: TreeMembers; numberOf: NumberOf }> {
  const { members, numberOf } = await loadTree(dbTx)
  await repository.eachStanding(dbTx, (row) => {
    const member = numberOf(row.int())
    members.level[member] = row.int()
    members.carryLeft[member] = row.micros()
    members.carryRight[member] = row.micros()
    members.manageBase[member] = row.micros()
    members.release[member] = row.micros()
  })
  return { members, numberOf }
}

/** Returns the orders paid from a day on to the end of another, in order of payment. */
export async function loadOrders(dbTx: Db, from: Day, to: Day, numberOf: NumberOf): Promise<Orders> {
  const orders = createOrders()
  await repository.eachOrder(dbTx, from, to, (row) => {
    const place = addRow(orders)
    orders.buyer[place] = numberOf(row.int())
    orders.level[place] = row.int()
    orders.base[place] = row.micros()
  })
  return orders
}

/**
 * Computes a day whose releases are applied, in the order of the rules (section 6): pairing; management if it
 * ends a month; static; savings interest; dividends. Pure except for `members`, which it advances from the end
 * of the previous day to the end of this one.
 */
export function workOutDay(
  input: DayInput,
  payBatch: PayBatch,
  coverInterest: CoverInterest,
  dividendPool: DividendPool,
): DayWork {
  const { day, plan, members } = input
  const batches: DayBatch[] = []
  function pay(rewardClass: SettledClass, dues: Dues): void {
    if (dues.count > 0) batches.push(payBatch(rewardClass, dues))
  }

  addOrders(members, input.orders)
  pay('pairing', pairingDues(members, input.ownDayCaps, plan))
  const pairing = batches[0]
  if (pairing !== undefined) {
    for (let place = 0; place < pairing.dues.count; place++) {
      addManagementBases(members, pairing.dues.member[place]!, pairing.payouts.paid[place]!, plan)
    }
  }
  if (isLastDayOfMonth(day)) pay('management', managementDues(members, input.paused, plan))
  pay('static', input.staticDues)
  const interest = interestOf(input.interest, plan, coverInterest)
  const dividends = dividendsOf(input.holdings, dividendPool)
  return { members, released: input.released, batches, interest, dividends }
}
