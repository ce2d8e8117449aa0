import { type Day, isLastDayOfMonth, type Micros, type Plan } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import * as repository from '../settlement.repository.ts'
import type { Payouts, SettledClass } from './batches.ts'
import { addRow } from './columns.ts'
import {
  createHoldings,
  type DividendPool,
  type DividendWork,
  dividendsOf,
  type Holdings,
} from './dividends.ts'
import {
  addManagementBases,
  createLocked,
  createPackages,
  type Dues,
  type Locked,
  managementDues,
  type Packages,
  pairingDues,
  settleReleases,
  staticDues,
} from './dues.ts'
import { type CoverInterest, createSaved, type InterestWork, interestOf, type Savings } from './interest.ts'
import {
  addOrders,
  attach,
  createMembers,
  createOrders,
  firstMembers,
  type Members,
  NOBODY,
  type Orders,
} from './tree.ts'

/** All inputs of a day's settlement except the pools, as of the end of that day. */
export interface DayInput {
  readonly day: Day
  readonly plan: Plan
  readonly members: Members
  readonly orders: Orders
  readonly packages: Packages
  readonly begun: Locked
  readonly ending: Locked
  readonly paused: ReadonlySet<number>
  readonly savings: Savings
  readonly holdings: Holdings
  /** The members' own pairing caps. */
  readonly ownDayCaps: ReadonlyMap<number, Micros>
}

/** A fully computed batch. */
export interface BatchWork {
  readonly class: SettledClass
  readonly dues: Dues
  readonly payouts: Payouts
}

/** The result of a day: the members after and before it, the AMC released, the batches, the interest and the dividends. */
export interface DayWork {
  readonly members: Members
  readonly before: Pick<Members, 'level' | 'carryLeft' | 'carryRight' | 'manageBase' | 'release'>
  readonly released: BigInt64Array
  readonly batches: readonly BatchWork[]
  readonly interest: readonly InterestWork[]
  readonly dividends: DividendWork | null
}

/** Finds the terms of a batch and computes it; called for the batches in order of payment. */
export type PayBatch = (rewardClass: SettledClass, dues: Dues) => BatchWork

/** Reads the inputs of a day. They are immutable once the day has ended, so they can be read again. */
export async function loadDay(dbTx: Db, day: Day, plan: Plan): Promise<DayInput> {
  const { members, numberOf } = await loadMembers(dbTx)
  const orders = await loadOrders(dbTx, day, day, numberOf)
  const packages = createPackages()
  await repository.eachPackage(dbTx, day, (row) => {
    const place = addRow(packages)
    packages.member[place] = numberOf(row.int())
    packages.orderId[place] = row.micros()
    packages.level[place] = row.int()
    packages.price[place] = row.micros()
    packages.paidSoFar[place] = row.micros()
  })
  const paused = isLastDayOfMonth(day) ? await repository.pausedMembers(dbTx, day) : []
  const caps = await repository.ownDayCaps(dbTx, day)
  return {
    ...{ day, plan, members, orders, packages },
    begun: await loadLocked(dbTx, { begins: day }, numberOf),
    ending: await loadLocked(dbTx, { ends: day }, numberOf),
    paused: new Set(paused.map((memberId) => numberOf(Number(memberId)))),
    savings: await loadSavings(dbTx, day, numberOf),
    holdings: await loadHoldings(dbTx, day, numberOf),
    ownDayCaps: new Map(caps.map(({ memberId, capMicros }) => [numberOf(Number(memberId)), capMicros])),
  }
}

async function loadLocked(
  dbTx: Db,
  which: Parameters<typeof repository.eachLocked>[1],
  numberOf: NumberOf,
): Promise<Locked> {
  const locked = createLocked()
  await repository.eachLocked(dbTx, which, (row) => {
    const place = addRow(locked)
    locked.member[place] = numberOf(row.int())
    locked.amc[place] = row.micros()
    locked.parts[place] = row.int()
  })
  return locked
}

/** The dividend rights at the end of the day. */
async function loadHoldings(dbTx: Db, day: Day, numberOf: NumberOf): Promise<Holdings> {
  const holdings = createHoldings()
  await repository.eachHolding(dbTx, day, (row) => {
    const place = addRow(holdings)
    holdings.member[place] = numberOf(row.int())
    holdings.div[place] = row.micros()
  })
  return holdings
}

/** Loads the savings at the end of the day before, and the amounts taken out on the day. */
async function loadSavings(dbTx: Db, day: Day, numberOf: NumberOf): Promise<Savings> {
  const savings = { USDT: createSaved(), AMC: createSaved() }
  await repository.eachSaved(dbTx, day, (row) => {
    const member = numberOf(row.int())
    const saved = row.int() === 0 ? savings.USDT : savings.AMC
    const place = addRow(saved)
    saved.member[place] = member
    saved.saved[place] = row.micros()
    saved.out[place] = row.micros()
  })
  return savings
}

/** Returns the number of a member by id; 0 is no member's id. */
export type NumberOf = (memberId: number) => number

/** Loads the tree without levels and carries, and returns the number of each member by id. */
export async function loadTree(dbTx: Db): Promise<{ members: Members; numberOf: NumberOf }> {
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
export async function loadMembers(dbTx: Db): Promise<{ members: Members; numberOf: NumberOf }> {
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
 * Computes a day, in the order of the rules (section 6): releases; pairing; management if it ends a month;
 * static; savings interest; dividends. Pure except for `members`, which it advances from the end of the
 * previous day to the end of this one.
 */
export function workOutDay(
  input: DayInput,
  payBatch: PayBatch,
  coverInterest: CoverInterest,
  dividendPool: DividendPool,
): DayWork {
  const { day, plan, members } = input
  const before = {
    level: members.level.slice(),
    carryLeft: members.carryLeft.slice(),
    carryRight: members.carryRight.slice(),
    manageBase: members.manageBase.slice(),
    release: members.release.slice(),
  }
  const batches: BatchWork[] = []
  function pay(rewardClass: SettledClass, dues: Dues): void {
    if (dues.count > 0) batches.push(payBatch(rewardClass, dues))
  }

  addOrders(members, input.orders)
  const released = settleReleases(members, input.begun, input.ending)
  pay('pairing', pairingDues(members, input.ownDayCaps, plan))
  const pairing = batches[0]
  if (pairing !== undefined) {
    for (let place = 0; place < pairing.dues.count; place++) {
      addManagementBases(members, pairing.dues.member[place]!, pairing.payouts.paid[place]!, plan)
    }
  }
  if (isLastDayOfMonth(day)) pay('management', managementDues(members, input.paused, plan))
  pay('static', staticDues(input.packages, plan))
  const interest = interestOf(input.savings, plan, coverInterest)
  const dividends = dividendsOf(input.holdings, dividendPool)
  return { members, before, released, batches, interest, dividends }
}
