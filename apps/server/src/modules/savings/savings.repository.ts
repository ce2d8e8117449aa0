import type { Day, Micros, PaymentAsset, Ppm } from '@rif/rules'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { nextIdRead, type Read, read } from '../../db/read.ts'
import { insertNumbered } from '../../db/rows.ts'
import type { SavingsBatches, SavingsTransfers, StandingSavings } from '../../db/types.gen.ts'

export type Direction = 'in' | 'out'

/** A stored transfer; the schema describes the columns. */
export type SavingsTransferRow = Selectable<SavingsTransfers>

/** The interest paid for a day, with the batch's coverage. */
export interface InterestRow {
  readonly asset: PaymentAsset
  readonly day: Day
  readonly principalMicros: Micros
  readonly dueMicros: Micros
  readonly paidMicros: Micros
  readonly ratePpm: Ppm
  readonly coveragePpm: Ppm
}

/** The interest of an asset over some days, for all members. */
export interface InterestSum {
  readonly asset: PaymentAsset
  readonly dueMicros: Micros
  readonly paidMicros: Micros
}

/** 'savi' as a number: no other advisory lock of this database uses it. */
const SAVINGS_LOCK = 0x73617669

/** Takes the shared lock that marks a transfer in progress, until the transaction ends. */
export async function lockShared(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${SAVINGS_LOCK})`.execute(dbTx)
}

/** Waits for all transfers in progress, and blocks new ones until the transaction ends. */
export async function lockAlone(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SAVINGS_LOCK})`.execute(dbTx)
}

/** Returns the read of the number of the next transfer. */
export const nextSavingsTransferRead = nextIdRead('savings_transfers', 'transfer_id')

/** Stores a transfer under a number of `nextTransferRead`. */
export async function insertTransfer(dbTx: Db, row: SavingsTransferRow): Promise<void> {
  await insertNumbered(dbTx, 'savings_transfers', { ...row })
}

/**
 * Returns the read of the USDT worth of a member's transfers out of savings after a time, in both assets; null
 * if one had no known price.
 */
export const recentOutRead = (after: Date): Read<Micros | null> =>
  read<{ worth: string | null }, Micros | null>(
    (memberIds) => sql`
      select member_id, json_build_object(
        'worth', case when bool_and(worth_micros is not null) then sum(worth_micros)::text end) as value
      from savings_transfers
      where member_id = any(${memberIds}) and direction = 'out' and created_at > ${after} group by member_id`,
    (out) => (out === undefined ? 0n : out.worth === null ? null : BigInt(out.worth)),
  )

/** Returns a transfer that has not arrived yet; the caller holds the member's head. */
export async function findLeaving(
  dbTx: Db,
  memberId: bigint,
  transferId: bigint,
): Promise<SavingsTransferRow | undefined> {
  return dbTx
    .selectFrom('savings_transfers')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('transfer_id', '=', transferId)
    .where('arrived_at', 'is', null)
    .executeTakeFirst()
}

/** Marks a transfer as arrived; the caller holds the member's head. */
export async function markArrived(
  dbTx: Db,
  { member_id, transfer_id }: SavingsTransferRow,
  at: Date,
): Promise<void> {
  await dbTx
    .updateTable('savings_transfers')
    .set({ arrived_at: at })
    .where('member_id', '=', member_id)
    .where('transfer_id', '=', transfer_id)
    .execute()
}

/** Returns the arrival time of the next pending transfer; null if there is none. */
export async function nextArrival(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('savings_transfers')
    .select('arrives_at')
    .where('arrived_at', 'is', null)
    .orderBy('arrives_at')
    .limit(1)
    .executeTakeFirst()
  return row?.arrives_at ?? null
}

/** Returns transfers due to arrive by a time, after a given one, in the order of their times. */
export async function dueTransfers(
  db: Db,
  by: Date,
  after: SavingsTransferRow | undefined,
  limit: number,
): Promise<SavingsTransferRow[]> {
  let query = db
    .selectFrom('savings_transfers')
    .selectAll()
    .where('arrived_at', 'is', null)
    .where('arrives_at', '<=', by)
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(arrives_at, member_id, transfer_id) > (${after.arrives_at}, ${after.member_id}, ${after.transfer_id})`,
    )
  }
  return query.orderBy('arrives_at').orderBy('member_id').orderBy('transfer_id').limit(limit).execute()
}

/** Returns a member's transfers, newest first, up to `limit` + 1. */
export async function listSavingsTransfers(
  db: Db,
  memberId: bigint,
  filter: {
    direction?: Direction | undefined
    leaving?: boolean | undefined
    before?: bigint | undefined
    limit: number
  },
): Promise<SavingsTransferRow[]> {
  let query = db.selectFrom('savings_transfers').selectAll().where('member_id', '=', memberId)
  if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction)
  if (filter.leaving) query = query.where('arrived_at', 'is', null)
  if (filter.before !== undefined) query = query.where('transfer_id', '<', filter.before)
  return query
    .orderBy('transfer_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** A stored standing transfer. */
export type StandingRow = Selectable<StandingSavings>

export async function listStanding(db: Db, memberId: bigint): Promise<StandingRow[]> {
  return db
    .selectFrom('standing_savings')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('asset', 'desc')
    .execute()
}

/** Creates a standing transfer, or replaces the one of this asset. */
export async function upsertStanding(dbTx: Db, standing: Insertable<StandingSavings>): Promise<void> {
  const { member_id, asset, ...changes } = standing
  await dbTx
    .insertInto('standing_savings')
    .values(standing)
    .onConflict((conflict) => conflict.columns(['member_id', 'asset']).doUpdateSet(changes))
    .execute()
}

export async function deleteStanding(dbTx: Db, memberId: bigint, asset: PaymentAsset): Promise<void> {
  await dbTx
    .deleteFrom('standing_savings')
    .where('member_id', '=', memberId)
    .where('asset', '=', asset)
    .execute()
}

/** Returns standing transfers that are due on a day and come after one of them, in a fixed order. */
export async function dueStanding(
  db: Db,
  day: Day,
  after: StandingRow | undefined,
  limit: number,
): Promise<StandingRow[]> {
  let query = db.selectFrom('standing_savings').selectAll().where('next_day', '<=', day)
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(next_day, member_id, asset) > (${after.next_day}::date, ${after.member_id}, ${after.asset})`,
    )
  }
  return query.orderBy('next_day').orderBy('member_id').orderBy('asset').limit(limit).execute()
}

/**
 * Locks a standing transfer that is still due on a day; undefined if it was executed, changed or ended in the
 * meantime.
 */
export async function lockDueStanding(
  dbTx: Db,
  { member_id, asset }: StandingRow,
  day: Day,
): Promise<StandingRow | undefined> {
  return dbTx
    .selectFrom('standing_savings')
    .selectAll()
    .where('member_id', '=', member_id)
    .where('asset', '=', asset)
    .where('next_day', '<=', day)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateStanding(
  dbTx: Db,
  { member_id, asset }: StandingRow,
  changes: Pick<StandingRow, 'next_day' | 'last_day' | 'last_outcome'>,
): Promise<void> {
  await dbTx
    .updateTable('standing_savings')
    .set(changes)
    .where('member_id', '=', member_id)
    .where('asset', '=', asset)
    .execute()
}

/** Returns a member's interest, newest day first and USDT before AMC, up to `limit` + 1. */
export async function listInterest(
  db: Db,
  memberId: bigint,
  filter: {
    asset?: PaymentAsset | undefined
    before?: readonly [Day, PaymentAsset] | undefined
    limit: number
  },
): Promise<InterestRow[]> {
  const { asset, before } = filter
  const { rows } = await sql<Omit<InterestRow, 'ratePpm' | 'coveragePpm'>>`
    select asset, day, principal_micros as "principalMicros", due_micros as "dueMicros", paid_micros as "paidMicros"
    from savings_interest
    where member_id = ${memberId} and ${asset === undefined ? sql`true` : sql`asset = ${asset}`}
      and ${before === undefined ? sql`true` : sql`(day, asset) < (${before[0]}::date, ${before[1]})`}
    order by day desc, asset desc limit ${filter.limit + 1}`.execute(db)
  const terms = await findBatches(
    db,
    rows.map(({ day }) => day),
  )
  return rows.map((row) => {
    const batch = terms.get(`${row.day} ${row.asset}`)!
    return { ...row, ratePpm: batch.rate_ppm, coveragePpm: batch.coverage_ppm }
  })
}

/** The interest of a member that came due on a day, and the part that was paid. */
export interface InterestDue {
  readonly day: Day
  readonly asset: PaymentAsset
  readonly dueMicros: Micros
  readonly paidMicros: Micros
}

/** Returns a member's interest of some days. */
export async function interestOn(db: Db, memberId: bigint, days: readonly Day[]): Promise<InterestDue[]> {
  if (days.length === 0) return []
  const { rows } = await sql<InterestDue>`
    select day, asset, due_micros as "dueMicros", paid_micros as "paidMicros" from savings_interest
    where member_id = ${memberId} and day = any(${days}::date[])`.execute(db)
  return rows
}

/**
 * Returns the batches of some days, by day and asset. They are stored on the coordinator, so they are not
 * joined.
 */
async function findBatches(
  db: Db,
  days: readonly Day[],
): Promise<ReadonlyMap<string, Selectable<SavingsBatches>>> {
  if (days.length === 0) return new Map()
  const rows = await db
    .selectFrom('savings_batches')
    .selectAll()
    .where('day', 'in', [...new Set(days)])
    .execute()
  return new Map(rows.map((row) => [`${row.day} ${row.asset}`, row]))
}

/** Returns a member's interest of each asset on one day and in total. */
export async function earned(
  db: Db,
  memberId: bigint,
  day: Day,
): Promise<{ asset: PaymentAsset; dayMicros: Micros; totalMicros: Micros }[]> {
  const { rows } = await sql<{ asset: PaymentAsset; dayMicros: Micros; totalMicros: Micros }>`
    select asset, coalesce(sum(paid_micros) filter (where day = ${day}::date), 0)::bigint as "dayMicros",
      sum(paid_micros)::bigint as "totalMicros"
    from savings_interest where member_id = ${memberId} group by asset`.execute(db)
  return rows
}

/** Returns the amounts due and paid of each asset from a day on, day by day. */
export async function batchesFrom(
  db: Db,
  from: Day,
): Promise<(InterestSum & { day: Day; coveragePpm: Ppm })[]> {
  const rows = await db
    .selectFrom('savings_batches')
    .select(['day', 'asset', 'due_micros', 'paid_micros', 'coverage_ppm'])
    .where('day', '>=', from)
    .orderBy('day')
    .orderBy('asset', 'desc')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    asset: row.asset,
    dueMicros: row.due_micros,
    paidMicros: row.paid_micros,
    coveragePpm: row.coverage_ppm,
  }))
}

/** Returns the terms of a day's batches that are fixed already. */
export async function batchesOf(db: Db, day: Day): Promise<{ asset: PaymentAsset; coveragePpm: Ppm }[]> {
  const rows = await db
    .selectFrom('savings_batches')
    .select(['asset', 'coverage_ppm'])
    .where('day', '=', day)
    .execute()
  return rows.map((row) => ({ asset: row.asset, coveragePpm: row.coverage_ppm }))
}

export async function insertSavingsBatch(dbTx: Db, batch: Insertable<SavingsBatches>): Promise<void> {
  await dbTx.insertInto('savings_batches').values(batch).execute()
}

/** Records paid interest; the rows are (member_id, asset, principal_micros, due_micros, paid_micros). */
export async function insertInterest(dbTx: Db, day: Day, rows: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into savings_interest (member_id, asset, day, principal_micros, due_micros, paid_micros)
    select member_id, asset, ${day}::date, principal_micros, due_micros, paid_micros from (${rows}) as paid`.execute(
    dbTx,
  )
}
