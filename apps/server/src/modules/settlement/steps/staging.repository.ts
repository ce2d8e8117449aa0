import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import { type CopyColumn, copyIn } from '../../../db/copy.ts'
import type { Db } from '../../../db/database.ts'
import type { DayColumn } from '../day/columns.ts'
import type { DayBatch, DayWork } from '../day/day.ts'
import type { DividendWork } from '../day/dividends.ts'
import type { InterestWork } from '../day/interest.ts'

/** The number of the range in which a member is posted. */
export type RangeOf = (member: number) => number

/**
 * Stores a day's results for each member, and the ranges of this many members in which they are posted.
 * Returns the range of a member.
 */
export async function stageDay(dbTx: Db, day: Day, work: DayWork, rangeMembers: number): Promise<RangeOf> {
  const touched = new Uint8Array(work.members.count)
  await stageMembers(dbTx, work, touched)
  for (const batch of work.batches) await stageRewards(dbTx, work, batch, touched)
  for (const interest of work.interest) await stageInterest(dbTx, work, interest, touched)
  if (work.dividends !== null) await stageDividends(dbTx, work, work.dividends, touched)
  return stageRanges(dbTx, day, touched, work, rangeMembers)
}

/** Creates a column of amounts or ids: the value of a row is at `places[row]`, or without `places` at the number of the row. */
function bigint(name: string, values: DayColumn, places?: Int32Array): CopyColumn {
  return { name, type: 'bigint', value: places ? (row) => values[places[row]!]! : (row) => values[row]! }
}

async function stageMembers(dbTx: Db, { members, released }: DayWork, touched: Uint8Array) {
  const written = new Int32Array(members.count)
  let count = 0
  for (let member = 0; member < members.count; member++) {
    if (members.isWritten[member] === 0 && released[member] === 0n) continue
    touched[member] = 1
    written[count++] = member
  }
  await copyIn(
    dbTx,
    'settlement_members',
    [
      bigint('member_id', members.ids, written),
      { name: 'level', type: 'smallint', value: (row) => members.level[written[row]!]! },
      bigint('carry_left_micros', members.carryLeft, written),
      bigint('carry_right_micros', members.carryRight, written),
      bigint('manage_base_micros', members.manageBase, written),
      bigint('release_micros', members.release, written),
      bigint('released_micros', released, written),
    ],
    count,
  )
}

async function stageRewards(dbTx: Db, { members }: DayWork, batch: DayBatch, touched: Uint8Array) {
  const { dues, payouts } = batch
  for (let place = 0; place < dues.count; place++) touched[dues.member[place]!] = 1
  await copyIn(
    dbTx,
    'settlement_rewards',
    [
      bigint('member_id', members.ids, dues.member),
      { name: 'class', type: 'text', value: batch.class },
      bigint('order_id', dues.orderId),
      { name: 'level', type: 'smallint', value: (row) => dues.level[row]! },
      bigint('base_micros', dues.base),
      { name: 'ratio_ppm', type: 'integer', value: (row) => dues.ratioPpm[row]! },
      bigint('value_micros', dues.value),
      bigint('flushed_micros', dues.flushed),
      bigint('paid_micros', payouts.paid),
      bigint('usdt_micros', payouts.usdt),
      bigint('amc_micros', payouts.amc),
    ],
    dues.count,
  )
}

async function stageInterest(dbTx: Db, { members }: DayWork, interest: InterestWork, touched: Uint8Array) {
  const { member, principal, due, paid } = interest
  for (const place of member) touched[place] = 1
  await copyIn(
    dbTx,
    'settlement_interest',
    [
      bigint('member_id', members.ids, member),
      { name: 'asset', type: 'text', value: interest.asset },
      bigint('principal_micros', principal),
      bigint('due_micros', due),
      bigint('paid_micros', paid),
    ],
    member.length,
  )
}

async function stageDividends(
  dbTx: Db,
  { members }: DayWork,
  { member, div, usdt, amc }: DividendWork,
  touched: Uint8Array,
) {
  for (const place of member) touched[place] = 1
  await copyIn(
    dbTx,
    'settlement_dividends',
    [
      bigint('member_id', members.ids, member),
      bigint('div_micros', div),
      bigint('usdt_micros', usdt),
      bigint('amc_micros', amc),
    ],
    member.length,
  )
}

/**
 * Writes ranges of members in the order of joining, without those that have no affected member. Returns the range
 * of a member.
 */
async function stageRanges(
  dbTx: Db,
  day: Day,
  touched: Uint8Array,
  { members }: DayWork,
  rangeMembers: number,
): Promise<RangeOf> {
  const firsts: bigint[] = []
  const lasts: bigint[] = []
  const rangeOf = new Int32Array(Math.ceil(members.count / rangeMembers))
  for (let start = 0; start < members.count; start += rangeMembers) {
    const end = Math.min(start + rangeMembers, members.count)
    if (!touched.subarray(start, end).includes(1)) continue
    firsts.push(members.ids[start]!)
    rangeOf[start / rangeMembers] = lasts.push(members.ids[end - 1]!)
  }
  await sql`
    insert into settlement_ranges (day, range_id, first_member_id, last_member_id)
    select ${day}::date, range_id, first, last
    from unnest(${firsts}::bigint[], ${lasts}::bigint[]) with ordinality as ranges (first, last, range_id)`.execute(
    dbTx,
  )
  return (member) => rangeOf[Math.floor(member / rangeMembers)]!
}
