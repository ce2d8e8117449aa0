import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A request to settle a day again. */
export interface RerunRow {
  readonly rerunId: bigint
  readonly day: Day
  readonly step: 'waiting' | 'running' | 'done' | 'failed'
  readonly requestedBy: string
  readonly requestedAt: Date
  readonly finishedAt: Date | null
  readonly failure: string | null
}

export async function lastRerun(db: Db): Promise<RerunRow | undefined> {
  const { rows } = await sql<RerunRow>`
    select rerun_id as "rerunId", day, step, requested_by as "requestedBy", requested_at as "requestedAt",
      finished_at as "finishedAt", failure
    from settlement_reruns order by rerun_id desc limit 1`.execute(db)
  return rows[0]
}

/** Asks for one, unless one is waiting or running; tells whether it did. */
export async function insertRerun(
  dbTx: Db,
  rerun: { day: Day; requestedBy: string; requestedAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into settlement_reruns (day, requested_by, requested_at)
    values (${rerun.day}, ${rerun.requestedBy}, ${rerun.requestedAt})
    on conflict do nothing returning rerun_id`.execute(dbTx)
  return rows.length === 1
}

/** Takes the one that waits, or that somebody took and has said nothing of since `quietSince`. Of two at once one gets it. */
export async function takeRerun(
  db: Db,
  at: Date,
  quietSince: Date,
): Promise<{ rerunId: bigint; day: Day } | undefined> {
  const { rows } = await sql<{ rerunId: bigint; day: Day }>`
    update settlement_reruns set step = 'running', beat_at = ${at}
    where finished_at is null and (step = 'waiting' or beat_at < ${quietSince})
    returning rerun_id as "rerunId", day`.execute(db)
  return rows[0]
}

export async function beat(db: Db, rerunId: bigint, at: Date): Promise<void> {
  await sql`
    update settlement_reruns set beat_at = ${at} where rerun_id = ${rerunId} and finished_at is null`.execute(
    db,
  )
}

/** Ends one, with what went wrong or null; false when somebody else ended it before. */
export async function finishRerun(
  dbTx: Db,
  rerunId: bigint,
  failure: string | null,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update settlement_reruns set step = ${failure === null ? 'done' : 'failed'}, failure = ${failure},
      finished_at = ${at}
    where rerun_id = ${rerunId} and finished_at is null returning rerun_id`.execute(dbTx)
  return rows.length === 1
}
