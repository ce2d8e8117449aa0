import { type Db, inTx } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { Ending, JobKind, StoredJob } from './jobs.repository.ts'
import * as repository from './jobs.repository.ts'

export type { JobKind, StoredJob } from './jobs.repository.ts'

interface Terms {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly kind: JobKind
  /** A job whose worker has not reported for this long is queued again. */
  readonly quietMs: number
  /** A job that no admin has read for this long is cancelled; if absent, never. */
  readonly unwatchedMs?: number
  /** Retries a failed job every `quietMs` until it succeeds. */
  readonly untilDone?: boolean
}

/** The tools that a running job gets besides its request. */
export interface JobContext {
  /** Stores the progress, in ppm, for readers of the job. */
  reportProgress(progressPpm: number): Promise<void>
  /** Aborts when the job is cancelled or given up. */
  readonly signal: AbortSignal
}

/** The interface of a kind of job for workers. */
export interface JobHandler {
  readonly kind: JobKind
  /** Runs a job. Returns false when another worker runs it or it has ended. */
  run(jobId: bigint): Promise<boolean>
  /** Queues the open job again when its worker has stopped reporting. */
  recover(): Promise<void>
}

/** Thrown by work that must stop before its end: the job is queued again, and the next worker restarts it. */
export const INTERRUPTED = new Error('interrupted')

const BEAT_MS = 1_000
const WATCH_EVERY_MS = 10_000

/**
 * Creates the jobs of one kind, of which only one is open at a time. A job commits with the transaction that
 * requests it. A worker takes it, reports every second that it is running, and ends it. If the worker dies,
 * another one restarts the job, so its work must be safe to restart.
 */
export function createJobs<Request, Result>({ db, now, log, kind, ...terms }: Terms) {
  const { quietMs, unwatchedMs, untilDone = false } = terms
  type Job = StoredJob<Request, Result>

  const before = (ms: number) => new Date(now().getTime() - ms)
  const quiet = () => ({ at: now(), quietSince: before(quietMs) })

  /** Runs a job that was taken. Returns undefined when another attempt must follow. */
  async function carryOut(
    { jobId, request }: Job,
    work: (request: Request, context: JobContext) => Promise<Result>,
  ): Promise<Ending<Result> | undefined> {
    const givenUp = new AbortController()
    let progressPpm = 0
    async function report(): Promise<void> {
      const watchedSince = unwatchedMs === undefined ? null : before(unwatchedMs)
      const goesOn = await repository.beatJob(db, jobId, { at: now(), progressPpm, watchedSince })
      if (!goesOn) givenUp.abort()
    }
    const tryReport = () =>
      report().catch((error: unknown) => log.warn({ err: error, kind }, 'a beat failed'))
    const beats = setInterval(() => void tryReport(), BEAT_MS)
    function reportProgress(ppm: number): Promise<void> {
      progressPpm = ppm
      return tryReport()
    }
    try {
      return { step: 'done', result: await work(request, { reportProgress, signal: givenUp.signal }) }
    } catch (error) {
      if (error === INTERRUPTED) return undefined
      if (givenUp.signal.aborted) return { step: 'cancelled' }
      if (error instanceof AppError && !untilDone) return { step: 'failed', failure: error.code }
      log.error({ err: error, kind, request }, 'a job failed')
      return untilDone ? undefined : { step: 'failed', failure: 'INTERNAL' }
    } finally {
      clearInterval(beats)
    }
  }

  return {
    /** Returns the newest job. */
    last: (on: Db): Promise<Job | undefined> => repository.lastJob(on, kind),

    /** Returns the newest job that was completed for a subject. */
    lastDone: (on: Db, subject: string): Promise<Job | undefined> => repository.lastDone(on, kind, subject),

    /** Requests a job, unless one is waiting or running. Reports whether it did. */
    request: (dbTx: Db, job: { subject: string; request: Request; actor: string }): Promise<boolean> =>
      repository.insertJob(dbTx, kind, { ...job, at: now() }),

    /** Records that an admin reads the open job, at most once in some seconds. */
    watch: (): Promise<void> =>
      repository.watch(db, kind, { at: now(), watchedSince: before(WATCH_EVERY_MS) }),

    /** Cancels the open job. */
    async cancel(): Promise<void> {
      const open = await repository.lastJob(db, kind)
      if (open !== undefined) await repository.endJob(db, open.jobId, { step: 'cancelled' }, now())
    },

    /**
     * Returns the handler with which workers run these jobs. `onEnded` is called in the transaction that ends a job, with
     * the code of its failure or null.
     */
    handler(
      work: (request: Request, context: JobContext) => Promise<Result>,
      onEnded: (dbTx: Db, request: Request, failure: string | null) => Promise<void> = async () => undefined,
    ): JobHandler {
      return {
        kind,
        recover: () => repository.enqueueQuiet(db, kind, quiet()),
        async run(jobId) {
          const job = await repository.takeJob<Request, Result>(db, jobId, quiet())
          if (job === undefined) return false
          const ending = await carryOut(job, work)
          if (ending === undefined) {
            await repository.releaseJob(db, jobId, now())
            if (!untilDone) await repository.enqueue(db, jobId, kind)
            return true
          }
          await inTx(db, async (dbTx) => {
            if (await repository.endJob(dbTx, jobId, ending, now()))
              await onEnded(dbTx, job.request, ending.failure ?? null)
          })
          return true
        },
      }
    },
  }
}
