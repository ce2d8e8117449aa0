import { type Selectable, sql } from 'kysely'
import { noteChange, OPERATORS } from '../db/changes.ts'
import type { Db } from '../db/database.ts'
import type { Jobs } from '../db/types.gen.ts'

/** A requested job, and its outcome. */
export interface StoredJob<Request, Result> {
  readonly jobId: bigint
  readonly request: Request
  readonly step: Selectable<Jobs>['step']
  readonly progressPpm: number
  readonly requestedBy: string
  readonly requestedAt: Date
  readonly finishedAt: Date | null
  /** The error code, or INTERNAL. */
  readonly failure: string | null
  readonly result: Result | null
}

export type JobKind = Jobs['kind']

export interface Ending<Result> {
  readonly step: 'done' | 'failed' | 'cancelled'
  readonly result?: Result
  readonly failure?: string
}

const DONE_PPM = 1_000_000
const JOB = sql`job_id as "jobId", request, step, progress_ppm as "progressPpm", requested_by as "requestedBy",
  requested_at as "requestedAt", finished_at as "finishedAt", failure, result`

/** Stores and queues a job, unless one of its kind is open. Reports whether it did. */
export async function insertJob(
  dbTx: Db,
  kind: JobKind,
  { subject, request, actor, at }: { subject: string; request: unknown; actor: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with made as (
      insert into jobs (kind, subject, request, requested_by, requested_at, beat_at, watched_at)
      values (${kind}, ${subject}, ${JSON.stringify(request)}::jsonb, ${actor}, ${at}, ${at}, ${at})
      on conflict do nothing returning job_id, kind
    )
    select jobs_enqueue(job_id, kind) from made`.execute(dbTx)
  return rows.length === 1
}

/** Takes an open job that no worker has reported on since `quietSince`; undefined if there is none. */
export async function takeJob<Request, Result>(
  db: Db,
  jobId: bigint,
  { at, quietSince }: { at: Date; quietSince: Date },
): Promise<StoredJob<Request, Result> | undefined> {
  const { rows } = await sql<StoredJob<Request, Result>>`
    update jobs set step = 'running', beat_at = ${at}, progress_ppm = 0
    where job_id = ${jobId} and finished_at is null and (step = 'waiting' or beat_at < ${quietSince})
    returning ${JOB}`.execute(db)
  return rows[0]
}

/** Returns a taken job to waiting. */
export async function releaseJob(db: Db, jobId: bigint, at: Date): Promise<void> {
  await sql`
    update jobs set step = 'waiting', beat_at = ${at}, progress_ppm = 0
    where job_id = ${jobId} and finished_at is null`.execute(db)
}

/** Queues a job for any worker. */
export async function enqueue(db: Db, jobId: bigint, kind: JobKind): Promise<void> {
  await sql`select jobs_enqueue(${jobId}, ${kind})`.execute(db)
}

/** Queues the open job of a kind again when no worker has reported on it since `quietSince`. */
export async function enqueueQuiet(
  db: Db,
  kind: JobKind,
  { at, quietSince }: { at: Date; quietSince: Date },
): Promise<void> {
  await sql`
    with quiet as (
      update jobs set step = 'waiting', beat_at = ${at}
      where kind = ${kind} and finished_at is null and beat_at < ${quietSince} returning job_id, kind
    )
    select jobs_enqueue(job_id, kind) from quiet`.execute(db)
}

/** Records that a worker runs a job. Returns false when the job has ended, or nobody has read it since `watchedSince`. */
export async function beatJob(
  db: Db,
  jobId: bigint,
  { at, progressPpm, watchedSince }: { at: Date; progressPpm: number; watchedSince: Date | null },
): Promise<boolean> {
  const { rows } = await sql`
    update jobs set beat_at = ${at}, progress_ppm = ${progressPpm}
    where job_id = ${jobId} and finished_at is null
      and (${watchedSince}::timestamptz is null or watched_at >= ${watchedSince})
    returning job_id`.execute(db)
  noteChange(db, OPERATORS, 'job')
  return rows.length === 1
}

/** Ends a job. Only the first call takes effect; reports whether it was this one. */
export async function endJob(
  dbTx: Db,
  jobId: bigint,
  { step, result, failure }: Ending<unknown>,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update jobs set step = ${step}, finished_at = ${at}, failure = ${failure ?? null},
      progress_ppm = case when ${step} = 'done' then ${DONE_PPM} else progress_ppm end,
      result = ${result === undefined ? null : JSON.stringify(result)}::jsonb
    where job_id = ${jobId} and finished_at is null returning job_id`.execute(dbTx)
  noteChange(dbTx, OPERATORS, 'job')
  return rows.length === 1
}

/** Returns the newest job of a kind. */
export async function lastJob<Request, Result>(
  db: Db,
  kind: JobKind,
): Promise<StoredJob<Request, Result> | undefined> {
  const { rows } = await sql<StoredJob<Request, Result>>`
    select ${JOB} from jobs where kind = ${kind} order by job_id desc limit 1`.execute(db)
  return rows[0]
}

/** Returns the newest job of a kind that was completed for a subject. */
export async function lastDone<Request, Result>(
  db: Db,
  kind: JobKind,
  subject: string,
): Promise<StoredJob<Request, Result> | undefined> {
  const { rows } = await sql<StoredJob<Request, Result>>`
    select ${JOB} from jobs where kind = ${kind} and subject = ${subject} and step = 'done'
    order by job_id desc limit 1`.execute(db)
  return rows[0]
}

/** Records that an admin reads the open job of a kind, unless that was recorded since `watchedSince`. */
export async function watch(
  db: Db,
  kind: JobKind,
  { at, watchedSince }: { at: Date; watchedSince: Date },
): Promise<void> {
  await sql`
    update jobs set watched_at = ${at}
    where kind = ${kind} and finished_at is null and watched_at < ${watchedSince}`.execute(db)
}
