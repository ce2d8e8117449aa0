import { addDays, type Day, dayOf, type Micros, nextDay, type Plan, startOfDay } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import { addRow, createRows, type Rows } from '../day/columns.ts'
import { loadTree, type NumberOf } from '../day/day.ts'
import type { TreeMembers } from '../day/tree.ts'
import * as repository from './books.repository.ts'

/** Paid orders as facts, in order of payment; times in milliseconds. */
export type Sales = Rows<{
  buyer: Int32Array
  level: Uint8Array
  discount: BigInt64Array
  amcPrice: BigInt64Array
  quotedAt: BigInt64Array
  collectedAt: BigInt64Array
}>

/** The amounts that members put into savings and took out, by day. */
export type SavingMoves = Rows<{
  day: Int32Array
  member: Int32Array
  isAmc: Uint8Array
  in: BigInt64Array
  out: BigInt64Array
}>

/**
 * The facts from the first day on, without their consequences: everything that rewards depend on and that
 * members, the operator and the chain caused. `replay` computes the results under a plan.
 */
export interface ReplayedBooks {
  /** In the order of joining; all invalid and without carries. Each run takes a copy. */
  readonly tree: TreeMembers
  readonly days: readonly repository.SettledDay[]
  readonly sales: Sales
  readonly savings: SavingMoves
  readonly funding: readonly repository.Funding[]
  /** Returns the members who had paused the management award at the end of a day. */
  pausedAt(day: Day): ReadonlySet<number>
  /** The pairing caps of members' own at the end of a day. */
  ownDayCapsAt(day: Day): ReadonlyMap<number, Micros>
  /** The plan that was in force on a day. */
  planAt(day: Day): Plan
  /** The amounts due and paid by the books. */
  readonly paid: readonly repository.PaidClassOfDay[]
}

/** The first day, from which days in columns are counted. */
const EPOCH: Day = '2000-01-01'

export const dayNumber = (number: number): Day => addDays(EPOCH, number)

/** Reads the books from the first day to the end of a settled one, in one snapshot. */
export async function loadBooks(
  snapshot: Db,
  { plans, to }: { plans: Pick<PlansService, 'history'>; to: Day },
): Promise<ReplayedBooks> {
  const { members: tree, numberOf } = await loadTree(snapshot)
  const days = await repository.settledDays(snapshot, to)
  const until = days.at(-1)?.fixedAt ?? new Date(0)
  const versions = await plans.history(snapshot)
  const paused = settings(await repository.switches(snapshot), numberOf)
  const caps = settings(await repository.dayCaps(snapshot), numberOf)
  return {
    tree,
    days,
    sales: await loadSales(snapshot, until, numberOf),
    savings: await loadSavings(snapshot, to, numberOf),
    funding: await repository.funding(snapshot, to),
    pausedAt: (day) => new Set([...paused(day)].flatMap(([member, value]) => (value ? member : []))),
    ownDayCapsAt: (day) =>
      new Map([...caps(day)].flatMap(([member, cap]) => (cap === null ? [] : [[member, cap] as const]))),
    planAt: (day) => versions.findLast(({ effectiveDay }) => effectiveDay <= day)!.plan,
    paid: await repository.paidClasses(snapshot, to),
  }
}

async function loadSales(snapshot: Db, until: Date, numberOf: NumberOf): Promise<Sales> {
  const micros = () => new BigInt64Array()
  const sales: Sales = createRows({
    buyer: new Int32Array(),
    level: new Uint8Array(),
    discount: micros(),
    amcPrice: micros(),
    quotedAt: micros(),
    collectedAt: micros(),
  })
  await repository.eachSale(snapshot, until, (row) => {
    const place = addRow(sales)
    sales.buyer[place] = numberOf(row.int())
    sales.level[place] = row.int()
    sales.discount[place] = row.micros()
    sales.amcPrice[place] = row.micros()
    sales.quotedAt[place] = row.micros()
    sales.collectedAt[place] = row.micros()
  })
  return sales
}

async function loadSavings(snapshot: Db, to: Day, numberOf: NumberOf): Promise<SavingMoves> {
  const moves: SavingMoves = createRows({
    day: new Int32Array(),
    member: new Int32Array(),
    isAmc: new Uint8Array(),
    in: new BigInt64Array(),
    out: new BigInt64Array(),
  })
  await repository.eachSaving(snapshot, to, (row) => {
    const place = addRow(moves)
    moves.day[place] = row.int()
    moves.member[place] = numberOf(row.int())
    moves.isAmc[place] = row.int()
    moves.in[place] = row.micros()
    moves.out[place] = row.micros()
  })
  return moves
}

/** Returns a function that returns the settings in force at the end of a day. */
function settings<T>(rows: readonly repository.MemberSetting<T>[], numberOf: NumberOf) {
  return (day: Day): ReadonlyMap<number, T> => {
    const end = startOfDay(nextDay(day))
    const values = new Map<number, T>()
    for (const { memberId, value, at } of rows) {
      if (at.getTime() < end) values.set(numberOf(Number(memberId)), value)
    }
    return values
  }
}

/** Returns the UTC day of a time in a column. */
export const dayOfTime = (ms: bigint): Day => dayOf(Number(ms))
