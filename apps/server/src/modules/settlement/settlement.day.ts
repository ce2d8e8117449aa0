import { type Day, isLastDayOfMonth, type Plan } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Payouts, SettledClass } from './settlement.batches.ts'
import {
  addManagementBases,
  createPackages,
  type Dues,
  type Locked,
  managementDues,
  type Packages,
  pairingDues,
  settleReleases,
  staticDues,
} from './settlement.dues.ts'
import * as repository from './settlement.repository.ts'
import { addOrders, attach, createMembers, type Members, NOBODY, type PaidOrder } from './settlement.tree.ts'

/** Everything that the settlement of a day depends on but the pools, as of the end of that day. */
export interface DayInput {
  readonly day: Day
  readonly plan: Plan
  readonly members: Members
  readonly orders: readonly PaidOrder[]
  readonly packages: Packages
  readonly begun: readonly Locked[]
  readonly ending: readonly Locked[]
  readonly paused: ReadonlySet<number>
}

/** A batch worked out whole. */
export interface BatchWork {
  readonly class: SettledClass
  readonly dues: Dues
  readonly payouts: Payouts
}

/** What a day brings: the members as they are after it and as they were before, what is released, and the batches. */
export interface DayWork {
  readonly members: Members
  readonly before: Pick<Members, 'level' | 'carryLeft' | 'carryRight' | 'manageBase' | 'release'>
  readonly released: BigInt64Array
  readonly batches: readonly BatchWork[]
}

/** Finds the terms of a batch and works it out; called for one batch after the other, in the order of payment. */
export type PayBatch = (rewardClass: SettledClass, dues: Dues) => BatchWork

/** Reads what a day depends on. All of it stays as it is once the day has ended, so it can be read again. */
export async function loadDay(dbTx: Db, day: Day, plan: Plan): Promise<DayInput> {
  const { members, numberOf } = await loadMembers(dbTx)
  const orders = await loadOrders(dbTx, day, day, numberOf)
  const packages = createPackages(await repository.countPackages(dbTx, day))
  await repository.eachPackage(dbTx, day, (paid) => {
    const place = packages.count++
    packages.member[place] = numberOf(paid.memberId)
    packages.orderId[place] = paid.orderId
    packages.level[place] = paid.level
    packages.price[place] = paid.priceMicros
    packages.paidSoFar[place] = paid.paidSoFarMicros
  })
  const locked = async (which: Parameters<typeof repository.eachLocked>[1]): Promise<Locked[]> => {
    const found: Locked[] = []
    await repository.eachLocked(dbTx, which, ({ memberId, ...lock }) => {
      found.push({ ...lock, member: numberOf(memberId) })
    })
    return found
  }
  const paused = isLastDayOfMonth(day) ? await repository.pausedMembers(dbTx, day) : []
  return {
    ...{ day, plan, members, orders, packages },
    begun: await locked({ begins: day }),
    ending: await locked({ ends: day }),
    paused: new Set(paused.map(numberOf)),
  }
}

/** The members as of the last settled day, and the number of each by id. */
export async function loadMembers(
  dbTx: Db,
): Promise<{ members: Members; numberOf: (memberId: bigint) => number }> {
  const { count, highest } = await repository.countMembers(dbTx)
  const members = createMembers(count)
  const numbers = new Int32Array(Number(highest) + 1).fill(NOBODY)
  const numberOf = (memberId: bigint | null) => (memberId === null ? NOBODY : numbers[Number(memberId)]!)
  let next = 0
  await repository.eachMember(dbTx, highest, ({ memberId, sponsorId, parentId, side }) => {
    const member = next++
    numbers[Number(memberId)] = member
    members.ids[member] = memberId
    members.sponsor[member] = numberOf(sponsorId)
    if (parentId !== null) attach(members, member, numberOf(parentId), side)
  })
  await repository.eachStanding(dbTx, (standing) => {
    const member = numberOf(standing.memberId)
    members.level[member] = standing.level
    members.carryLeft[member] = standing.carryLeftMicros
    members.carryRight[member] = standing.carryRightMicros
    members.manageBase[member] = standing.manageBaseMicros
    members.release[member] = standing.releaseMicros
  })
  return { members, numberOf }
}

/** The orders paid from a day on to the end of another, in the order of payment. */
export async function loadOrders(
  dbTx: Db,
  from: Day,
  to: Day,
  numberOf: (memberId: bigint) => number,
): Promise<PaidOrder[]> {
  const orders: PaidOrder[] = []
  await repository.eachOrder(dbTx, from, to, ({ memberId, level, baseMicros }) => {
    orders.push({ buyer: numberOf(memberId), packageLevel: level, baseMicros })
  })
  return orders
}

/**
 * Works a day out, in the order of the rules (section 6): releases; pairing; management if it ends a month; static. Pure
 * but for the members, which it takes from the end of the day before to the end of this one.
 */
export function workOutDay(input: DayInput, payBatch: PayBatch): DayWork {
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
  pay('pairing', pairingDues(members, plan))
  const pairing = batches[0]
  if (pairing !== undefined) {
    for (let place = 0; place < pairing.dues.count; place++) {
      addManagementBases(members, pairing.dues.member[place]!, pairing.payouts.paid[place]!, plan)
    }
  }
  if (isLastDayOfMonth(day)) pay('management', managementDues(members, input.paused, plan))
  pay('static', staticDues(input.packages, plan))
  return { members, before, released, batches }
}
