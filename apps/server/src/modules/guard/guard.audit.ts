import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Returns the time of the last settlement; null before the first. */
export async function lastSettledAt(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(settled_at) as at from settlement_days`.execute(db)
  return rows[0]!.at
}
