import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { BatchWork, DayWork } from './settlement.day.ts'

const ROWS_PER_INSERT = 10_000

/** Writes down what a day brings each member, and the ranges of so many members in which that is posted. */
export async function stageDay(dbTx: Db, day: Day, work: DayWork, rangeMembers: number): Promise<void> {
  const touched = new Uint8Array(work.members.count)
  await stageMembers(dbTx, work, touched)
  for (const batch of work.batches) await stageRewards(dbTx, work, batch, touched)
  await stageRanges(dbTx, day, touched, work, rangeMembers)
}

async function stageMembers(dbTx: Db, { members, before, released }: DayWork, touched: Uint8Array) {
  const places: number[] = []
  for (let member = 0; member < members.count; member++) {
    const changed =
      members.level[member] !== before.level[member] ||
      members.carryLeft[member] !== before.carryLeft[member] ||
      members.carryRight[member] !== before.carryRight[member] ||
      members.manageBase[member] !== before.manageBase[member] ||
      members.release[member] !== before.release[member] ||
      released[member] !== 0n
    if (!changed) continue
    touched[member] = 1
    places.push(member)
  }
  for (let start = 0; start < places.length; start += ROWS_PER_INSERT) {
    const chunk = places.slice(start, start + ROWS_PER_INSERT)
    const column = (values: Column) => arrayText(chunk, values)
    await sql`
      insert into settlement_members (member_id, level, carry_left_micros, carry_right_micros, manage_base_micros,
        release_micros, released_micros)
      select * from unnest(${column(members.ids)}::bigint[], ${column(members.level)}::smallint[],
        ${column(members.carryLeft)}::bigint[], ${column(members.carryRight)}::bigint[],
        ${column(members.manageBase)}::bigint[], ${column(members.release)}::bigint[],
        ${column(released)}::bigint[])`.execute(dbTx)
  }
}

async function stageRewards(dbTx: Db, work: DayWork, batch: BatchWork, touched: Uint8Array) {
  const { dues, payouts } = batch
  const ids = work.members.ids
  for (let start = 0; start < dues.count; start += ROWS_PER_INSERT) {
    const end = Math.min(start + ROWS_PER_INSERT, dues.count)
    const places = Array.from({ length: end - start }, (_, index) => start + index)
    for (const place of places) touched[dues.member[place]!] = 1
    const column = (values: Column) => arrayText(places, values)
    const memberIds = `{${places.map((place) => ids[dues.member[place]!]).join(',')}}`
    await sql`
      insert into settlement_rewards (member_id, class, order_id, level, base_micros, ratio_ppm, value_micros,
        flushed_micros, paid_micros, usdt_micros, amc_micros)
      select member_id, ${batch.class}, order_id, level, base, ratio, value, flushed, paid, usdt, amc
      from unnest(${memberIds}::bigint[], ${column(dues.orderId)}::bigint[], ${column(dues.level)}::smallint[],
        ${column(dues.base)}::bigint[], ${column(dues.ratioPpm)}::integer[], ${column(dues.value)}::bigint[],
        ${column(dues.flushed)}::bigint[], ${column(payouts.paid)}::bigint[], ${column(payouts.usdt)}::bigint[],
        ${column(payouts.amc)}::bigint[])
        as staged (member_id, order_id, level, base, ratio, value, flushed, paid, usdt, amc)`.execute(dbTx)
  }
}

/** Runs of members in the order of joining; those with nobody touched are left out. */
async function stageRanges(
  dbTx: Db,
  day: Day,
  touched: Uint8Array,
  { members }: DayWork,
  rangeMembers: number,
): Promise<void> {
  const firsts: bigint[] = []
  const lasts: bigint[] = []
  for (let start = 0; start < members.count; start += rangeMembers) {
    const end = Math.min(start + rangeMembers, members.count)
    if (!touched.subarray(start, end).includes(1)) continue
    firsts.push(members.ids[start]!)
    lasts.push(members.ids[end - 1]!)
  }
  await sql`
    insert into settlement_ranges (day, range_id, first_member_id, last_member_id)
    select ${day}::date, range_id, first, last
    from unnest(${firsts}::bigint[], ${lasts}::bigint[]) with ordinality as ranges (first, last, range_id)`.execute(
    dbTx,
  )
}

type Column = BigInt64Array | Int32Array | Uint8Array

/** Some places of a column as the text of a PostgreSQL array. */
function arrayText(places: readonly number[], values: Column): string {
  return `{${places.map((place) => values[place]).join(',')}}`
}
