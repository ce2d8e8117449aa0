import type { Day } from '@rif/rules'
import type { Db } from '../../../db/database.ts'

interface NewPlan {
  readonly effective_day: Day
  readonly plan: string
  readonly created_at: Date
  readonly created_by: string
}

export async function versionAt(
  db: Db,
  day: Day,
): Promise<{ version: bigint; effectiveDay: Day } | undefined> {
  return db
    .selectFrom('plans')
    .select(['version', 'effective_day as effectiveDay'])
    .where('effective_day', '<=', day)
    .orderBy('effective_day', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function planJson(db: Db, version: bigint): Promise<unknown> {
  const row = await db
    .selectFrom('plans')
    .select('plan')
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return row.plan
}

/** A version as it is stored. */
export interface StoredPlan {
  readonly version: bigint
  readonly effectiveDay: Day
  readonly createdAt: Date
  readonly createdBy: string
}

/** Returns all versions, ordered by day. */
export async function versions(db: Db): Promise<StoredPlan[]> {
  return db
    .selectFrom('plans')
    .select([
      'version',
      'effective_day as effectiveDay',
      'created_at as createdAt',
      'created_by as createdBy',
    ])
    .orderBy('effective_day')
    .execute()
}

/** Stores a version. Returns false if one for that day exists. */
export async function insertPlan(db: Db, plan: NewPlan): Promise<boolean> {
  const result = await db
    .insertInto('plans')
    .values(plan)
    .onConflict((conflict) => conflict.column('effective_day').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}
