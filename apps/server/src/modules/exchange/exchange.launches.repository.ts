import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { VcLaunches, VcSubscriptions } from '../../db/types.gen.ts'

/** A stored launch; the schema describes the columns. */
export type LaunchRow = Selectable<VcLaunches>
export type SubscriptionRow = Selectable<VcSubscriptions>

export async function findLaunch(db: Db, launchId: bigint): Promise<LaunchRow | undefined> {
  return db.selectFrom('vc_launches').selectAll().where('launch_id', '=', launchId).executeTakeFirst()
}

/** 'laun' as a number: no other advisory lock of this database begins with it. */
const LAUNCH_LOCKS = 0x6c61756e

/**
 * Locks a launch until the transaction ends, as every writer or dependent reader must, and reads it;
 * `exclusive` waits for all other holders. The row itself is not locked: on a cluster, shared row locks on
 * its copies would wait for each other.
 */
export async function lockLaunch(
  dbTx: Db,
  launchId: bigint,
  how: 'shared' | 'exclusive',
): Promise<LaunchRow | undefined> {
  const lock = sql.raw(`pg_advisory_xact_lock${how === 'shared' ? '_shared' : ''}`)
  await sql`select ${lock}(${LAUNCH_LOCKS}::integer, hashint8(${launchId}::bigint))`.execute(dbTx)
  return findLaunch(dbTx, launchId)
}

/** Returns the approved launches, the last to end first, up to `limit` + 1. */
export async function listLaunches(db: Db, before: bigint | undefined, limit: number): Promise<LaunchRow[]> {
  let select = db.selectFrom('vc_launches').selectAll().where('state', 'in', ['Approved', 'Allocated'])
  if (before !== undefined) select = select.where('launch_id', '<', before)
  return select
    .orderBy('launch_id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Returns the approved launches that had ended by a time, the first to end first. */
export async function endedLaunches(db: Db, at: Date): Promise<bigint[]> {
  const rows = await db
    .selectFrom('vc_launches')
    .select('launch_id')
    .where('state', '=', 'Approved')
    .where('ends_at', '<=', at)
    .orderBy('ends_at')
    .orderBy('launch_id')
    .execute()
  return rows.map((row) => row.launch_id)
}

/** Returns the amounts subscribed to launches whose sum is not stored yet. */
export async function subscribedNow(
  db: Db,
  launchIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const { rows } = await sql<{ launchId: bigint; vc: string }>`
    select launch_id as "launchId", sum(vc_micros)::text as vc from vc_subscriptions
    where launch_id = any (${launchIds}) and allotted_at is null group by launch_id`.execute(db)
  return new Map(rows.map((row) => [row.launchId, BigInt(row.vc)]))
}

/** Returns a member's parts of some launches. */
export async function subscriptionsOf(
  db: Db,
  memberId: bigint,
  launchIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, SubscriptionRow>> {
  const rows = await db
    .selectFrom('vc_subscriptions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('launch_id', '=', sql<bigint>`any (${launchIds})`)
    .execute()
  return new Map(rows.map((row) => [row.launch_id, row]))
}

/** Adds VC to a member's part of a launch and returns the new part. The member's head is locked. */
export async function addSubscription(
  dbTx: Db,
  { memberId, launchId, vcMicros, at }: { memberId: bigint; launchId: bigint; vcMicros: bigint; at: Date },
): Promise<SubscriptionRow> {
  return dbTx
    .insertInto('vc_subscriptions')
    .values({
      member_id: memberId,
      launch_id: launchId,
      vc_micros: vcMicros,
      payments: 1,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'launch_id']).doUpdateSet((old) => ({
        vc_micros: sql<bigint>`${old.ref('vc_subscriptions.vc_micros')} + excluded.vc_micros`,
        payments: sql<number>`${old.ref('vc_subscriptions.payments')} + 1`,
        updated_at: at,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns some parts of a launch that are not allotted yet, by member. */
export async function unallotted(
  db: Db,
  launchId: bigint,
  which: { readonly limit: number } | { readonly memberIds: readonly bigint[] },
): Promise<{ memberId: bigint; vcMicros: bigint }[]> {
  let select = db
    .selectFrom('vc_subscriptions')
    .select(['member_id as memberId', 'vc_micros as vcMicros'])
    .where('launch_id', '=', launchId)
    .where('allotted_at', 'is', null)
    .orderBy('member_id')
  if ('limit' in which) select = select.limit(which.limit)
  else select = select.where('member_id', '=', sql<bigint>`any (${which.memberIds})`)
  return select.execute()
}

/** The columns of an allotment, as parallel arrays. */
export interface Allotments {
  readonly memberIds: readonly bigint[]
  readonly units: readonly bigint[]
  readonly spent: readonly bigint[]
  readonly returned: readonly bigint[]
}

/** Stores the allotments of members, whose heads are locked. */
export async function writeAllotments(
  dbTx: Db,
  launchId: bigint,
  { memberIds, units, spent, returned }: Allotments,
  at: Date,
): Promise<void> {
  await sql`
    update vc_subscriptions as s set units_micros = a.units, spent_micros = a.spent, returned_micros = a.returned,
      allotted_at = ${at}
    from unnest(${memberIds}::bigint[], ${units}::bigint[], ${spent}::bigint[], ${returned}::bigint[])
      as a (member_id, units, spent, returned)
    where s.member_id = a.member_id and s.launch_id = ${launchId}`.execute(dbTx)
}
