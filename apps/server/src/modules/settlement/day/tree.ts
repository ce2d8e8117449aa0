import { levelAfterPayment, type Side } from '@rif/rules'
import { createRows, type DayColumn, firstOf, type Rows } from './columns.ts'

/**
 * The members in the order they joined, as columns: a million of them fit into some tens of megabytes. A
 * member's number is its place here; members above joined earlier, so they have lower numbers. -1 stands for
 * nobody.
 */
export interface TreeMembers {
  readonly count: number
  readonly ids: BigInt64Array
  readonly sponsor: Int32Array
  readonly parent: Int32Array
  readonly left: Int32Array
  readonly right: Int32Array
  /** The level, 0 for an invalid member; and the other state that members carry from day to day. */
  readonly level: Uint8Array
  readonly carryLeft: BigInt64Array
  readonly carryRight: BigInt64Array
  readonly manageBase: BigInt64Array
  readonly release: BigInt64Array
  /** 1 for a member whose state was written since it was loaded, perhaps with the same value. */
  readonly isWritten: Uint8Array
}

/** Paid orders, in order of payment. */
export type Orders = Rows<{ buyer: Int32Array; level: Uint8Array; base: BigInt64Array }>

export const NOBODY = -1

export const createOrders = (): Orders =>
  createRows({ buyer: new Int32Array(), level: new Uint8Array(), base: new BigInt64Array() })

/** Creates the columns for this many members, all unconnected and invalid. */
export function createMembers(count: number): TreeMembers {
  const nobody = () => new Int32Array(count).fill(NOBODY)
  return {
    count,
    ids: new BigInt64Array(count),
    sponsor: nobody(),
    parent: nobody(),
    left: nobody(),
    right: nobody(),
    ...createStates(count),
  }
}

/** Creates the states of this many invalid members, none of them written. */
export function createStates(count: number) {
  const micros = () => new BigInt64Array(count)
  return {
    level: new Uint8Array(count),
    carryLeft: micros(),
    carryRight: micros(),
    manageBase: micros(),
    release: micros(),
    isWritten: new Uint8Array(count),
  }
}

/** Returns the columns of the first `count` members. */
export function firstMembers(members: TreeMembers, count: number): TreeMembers {
  const first = <C extends DayColumn>(column: C) => firstOf(column, count)
  return {
    count,
    ids: first(members.ids),
    sponsor: first(members.sponsor),
    parent: first(members.parent),
    left: first(members.left),
    right: first(members.right),
    level: first(members.level),
    carryLeft: first(members.carryLeft),
    carryRight: first(members.carryRight),
    manageBase: first(members.manageBase),
    release: first(members.release),
    isWritten: first(members.isWritten),
  }
}

/** Places a member below its parent. */
export function attach({ parent, left, right }: TreeMembers, member: number, to: number, side: Side): void {
  parent[member] = to
  const children = side === 'left' ? left : right
  children[to] = member
}

/**
 * Adds the bases of a day's orders, in order of payment, to the carries of their side of every ancestor valid
 * at that moment, and raises the buyers' levels. Takes one pass over the tree whatever its shape, and a
 * logarithm for each order. Rules, section 5.3.
 */
export function addOrders(members: TreeMembers, orders: Orders): void {
  if (orders.count === 0) return
  const { count, level, left, right, carryLeft, carryRight, isWritten } = members
  const size = teamSizes(members)
  const place = preorder(members, size)
  const sums = createPrefixSums(count)
  const team = new BigInt64Array(count)
  /** The sales in a child's team before its parent became valid, which are not carried. */
  const missed = new BigInt64Array(count)
  const soldBelow = (child: number) => sums.before(place[child]! + size[child]!) - sums.before(place[child]!)

  for (let order = 0; order < orders.count; order++) {
    const buyer = orders.buyer[order]!
    const baseMicros = orders.base[order]!
    if (level[buyer] === 0) {
      for (const child of [left[buyer]!, right[buyer]!]) {
        if (child !== NOBODY) missed[child] = soldBelow(child)
      }
    }
    level[buyer] = levelAfterPayment(level[buyer]!, orders.level[order]!)
    isWritten[buyer] = 1
    sums.add(place[buyer]!, baseMicros)
    team[buyer] = team[buyer]! + baseMicros
  }

  sumUpwards(members, team)
  const carried = (child: number) => (child === NOBODY ? 0n : team[child]! - missed[child]!)
  for (let member = 0; member < count; member++) {
    if (level[member] === 0) continue
    const [onLeft, onRight] = [carried(left[member]!), carried(right[member]!)]
    if (onLeft === 0n && onRight === 0n) continue
    carryLeft[member] = carryLeft[member]! + onLeft
    carryRight[member] = carryRight[member]! + onRight
    isWritten[member] = 1
  }
}

/** Returns the size of each member's subtree, itself included. */
function teamSizes({ count, parent }: TreeMembers): Int32Array {
  const size = new Int32Array(count).fill(1)
  for (let member = count - 1; member > 0; member--) {
    const above = parent[member]!
    if (above !== NOBODY) size[above]! += size[member]!
  }
  return size
}

/**
 * Returns a numbering in which every subtree is a contiguous range: each member before its left team, and
 * that before its right team.
 */
function preorder({ count, left, right }: TreeMembers, size: Int32Array): Int32Array {
  const place = new Int32Array(count)
  for (let member = 0; member < count; member++) {
    const [onLeft, onRight] = [left[member]!, right[member]!]
    if (onLeft !== NOBODY) place[onLeft] = place[member]! + 1
    if (onRight !== NOBODY) place[onRight] = place[member]! + 1 + (onLeft === NOBODY ? 0 : size[onLeft]!)
  }
  return place
}

/** Replaces each member's amount by the sum over its subtree, itself included. */
function sumUpwards({ count, parent }: TreeMembers, sums: BigInt64Array): void {
  for (let member = count - 1; member > 0; member--) {
    const above = parent[member]!
    if (above !== NOBODY && sums[member] !== 0n) sums[above] = sums[above]! + sums[member]!
  }
}

/** Creates prefix sums over this many places, to which amounts can be added (a Fenwick tree). */
function createPrefixSums(count: number) {
  const nodes = new BigInt64Array(count + 1)
  return {
    add(place: number, amount: bigint): void {
      for (let node = place + 1; node <= count; node += node & -node) nodes[node] = nodes[node]! + amount
    },
    /** Returns the sum over all lower places. */
    before(place: number): bigint {
      let sum = 0n
      for (let node = place; node > 0; node -= node & -node) sum += nodes[node]!
      return sum
    },
  }
}
