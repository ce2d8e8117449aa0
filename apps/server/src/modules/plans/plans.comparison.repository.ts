import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A comparison as it is stored; the migration says what the columns mean. */
export interface ComparisonRow {
  readonly runId: bigint
  readonly figures: Record<string, unknown>
  readonly from: Day
  readonly to: Day
  readonly step: 'waiting' | 'reading' | 'working' | 'done' | 'failed' | 'cancelled'
  readonly progressPpm: number
  readonly requestedBy: string
  readonly requestedAt: Date
  readonly watchedAt: Date
  readonly finishedAt: Date | null
  readonly failure: string | null
  readonly result: unknown
}

const RUN = sql`run_id as "runId", figures, from_day as "from", to_day as "to", step, progress_ppm as "progressPpm",
  requested_by as "requestedBy", requested_at as "requestedAt", watched_at as "watchedAt",
  finished_at as "finishedAt", failure, result`

export async function lastRun(db: Db): Promise<ComparisonRow | undefined> {
  const { rows } = await sql<ComparisonRow>`
    select ${RUN} from plan_comparisons order by run_id desc limit 1`.execute(db)
  return rows[0]
}

/** The last one that was done of a plan with that text. */
export async function lastOf(db: Db, figures: string): Promise<ComparisonRow | undefined> {
  const { rows } = await sql<ComparisonRow>`
    select ${RUN} from plan_comparisons
    where figures_digest = sha256(convert_to(${figures}, 'UTF8')) and step = 'done'
    order by run_id desc limit 1`.execute(db)
  return rows[0]
}

/** Asks for a comparison, unless one is waiting or running; tells whether it did. */
export async function insertRun(
  dbTx: Db,
  run: { figures: string; from: Day; to: Day; requestedBy: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into plan_comparisons (figures, figures_digest, from_day, to_day, requested_by, requested_at, watched_at)
    values (${run.figures}::jsonb, sha256(convert_to(${run.figures}, 'UTF8')), ${run.from}, ${run.to},
      ${run.requestedBy}, ${run.at}, ${run.at})
    on conflict do nothing returning run_id`.execute(dbTx)
  return rows.length === 1
}

/** Takes the run that waits, or that somebody took and has said nothing of since `quietSince`. Of two at once one gets it. */
export async function takeRun(db: Db, at: Date, quietSince: Date): Promise<ComparisonRow | undefined> {
  const { rows } = await sql<ComparisonRow>`
    update plan_comparisons set step = 'reading', started_at = ${at}, beat_at = ${at}, progress_ppm = 0
    where finished_at is null and (step = 'waiting' or beat_at < ${quietSince})
    returning ${RUN}`.execute(db)
  return rows[0]
}

/** Tells how far a run is; false when it has been ended meanwhile, or nobody has watched it since `watchedSince`. */
export async function beat(
  db: Db,
  runId: bigint,
  { progressPpm, at, watchedSince }: { progressPpm: number; at: Date; watchedSince: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update plan_comparisons set beat_at = ${at}, progress_ppm = ${progressPpm},
      step = case when ${progressPpm}::integer > 0 then 'working' else step end
    where run_id = ${runId} and finished_at is null and watched_at >= ${watchedSince}
    returning run_id`.execute(db)
  return rows.length === 1
}

/** Notes that somebody watches the open run, not more often than once in some seconds. */
export async function watch(db: Db, at: Date, notSince: Date): Promise<void> {
  await sql`
    update plan_comparisons set watched_at = ${at}
    where finished_at is null and watched_at < ${notSince}`.execute(db)
}

/** Ends a run with its result or with what went wrong; the first to end it counts. */
export async function finishRun(
  db: Db,
  runId: bigint,
  outcome: { result: unknown } | { failure: string } | 'cancelled',
  at: Date,
): Promise<void> {
  const isDone = typeof outcome === 'object' && 'result' in outcome
  const failure = typeof outcome === 'object' && 'failure' in outcome ? outcome.failure : null
  const step = isDone ? 'done' : failure === null ? 'cancelled' : 'failed'
  await sql`
    update plan_comparisons set step = ${step}, finished_at = ${at}, failure = ${failure},
      result = ${isDone ? JSON.stringify(outcome.result) : null}::jsonb
    where run_id = ${runId} and finished_at is null`.execute(db)
}
