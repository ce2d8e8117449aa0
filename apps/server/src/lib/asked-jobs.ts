import { sql } from 'kysely'
import { type Db, inDbTx } from '../db/database.ts'
import type { Now } from './clock.ts'
import { AppError } from './errors.ts'
import type { Logger } from './logger.ts'

/** What an admin asked for, and what came of it. */
export interface AskedJob<Request, Result> {
  readonly jobId: bigint
  readonly request: Request
  readonly step: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly progressPpm: number
  readonly requestedBy: string
  readonly requestedAt: Date
  readonly finishedAt: Date | null
  /** The code of what stopped it, or INTERNAL. */
  readonly failure: string | null
  readonly result: Result | null
}

interface Terms {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly kind: 'dry_run' | 'rerun' | 'comparison'
  /** A job whose worker has said nothing for this long is taken again. */
  readonly quietMs: number
  /** A job at which nobody has looked for this long is given up; without it none is. */
  readonly unwatchedMs?: number
}

/** What the work of a job gets besides its request. */
export interface AtWork {
  /** Tells how far it is; whoever looks sees it at once. */
  told(progressPpm: number): Promise<void>
  /** Says that the job was given up. */
  readonly signal: AbortSignal
}

/** Work that must stop itself throws this: the next worker does the job anew. */
export const INTERRUPTED = new Error('interrupted')

const BEAT_MS = 1_000
const WATCH_EVERY_MS = 10_000
const DONE_PPM = 1_000_000

/**
 * Jobs of one kind that admins ask for and workers do in the background, one at a time. A worker takes the one that waits,
 * tells that it is at work, and ends it; whoever dies in it leaves it to the next, so work must be safe to begin anew.
 */
export function createAskedJobs<Request, Result>({ db, now, log, kind, quietMs, unwatchedMs }: Terms) {
  type Job = AskedJob<Request, Result>
  type Ending = { step: 'done' | 'failed' | 'cancelled'; result?: Result; failure?: string }

  const before = (ms: number) => new Date(now().getTime() - ms)

  async function take(): Promise<Job | undefined> {
    const { rows } = await sql<Job>`
      update asked_jobs set step = 'running', beat_at = ${now()}, progress_ppm = 0
      where kind = ${kind} and finished_at is null and (step = 'waiting' or beat_at < ${before(quietMs)})
      returning ${JOB}`.execute(db)
    return rows[0]
  }

  /** Says that a job is being done; false when it has been ended meanwhile, or nobody looks any more. */
  async function beat(jobId: bigint, progressPpm: number): Promise<boolean> {
    const watchedSince = unwatchedMs === undefined ? null : before(unwatchedMs)
    const { rows } = await sql`
      update asked_jobs set beat_at = ${now()}, progress_ppm = ${progressPpm}
      where job_id = ${jobId} and finished_at is null
        and (${watchedSince}::timestamptz is null or watched_at >= ${watchedSince})
      returning job_id`.execute(db)
    return rows.length === 1
  }

  /** The first to end a job counts; tells whether it was this one. */
  async function end(dbTx: Db, jobId: bigint, { step, result, failure }: Ending): Promise<boolean> {
    const { rows } = await sql`
      update asked_jobs set step = ${step}, finished_at = ${now()}, failure = ${failure ?? null},
        progress_ppm = case when ${step} = 'done' then ${DONE_PPM} else progress_ppm end,
        result = ${result === undefined ? null : JSON.stringify(result)}::jsonb
      where job_id = ${jobId} and finished_at is null returning job_id`.execute(dbTx)
    return rows.length === 1
  }

  /** Works one out that was taken; undefined when it is left to the next worker. */
  async function carryOut(
    { jobId, request }: Job,
    work: (request: Request, at: AtWork) => Promise<Result>,
  ): Promise<Ending | undefined> {
    const givenUp = new AbortController()
    let progressPpm = 0
    const tell = async () => {
      if (!(await beat(jobId, progressPpm))) givenUp.abort()
    }
    const quietly = () => tell().catch((error: unknown) => log.warn({ err: error, kind }, 'a beat failed'))
    const beats = setInterval(() => void quietly(), BEAT_MS)
    const told = (ppm: number) => {
      progressPpm = ppm
      return quietly()
    }
    try {
      return { step: 'done', result: await work(request, { told, signal: givenUp.signal }) }
    } catch (error) {
      if (error === INTERRUPTED) return undefined
      if (givenUp.signal.aborted) return { step: 'cancelled' }
      if (error instanceof AppError) return { step: 'failed', failure: error.code }
      log.error({ err: error, kind, request }, 'a job that was asked for failed')
      return { step: 'failed', failure: 'INTERNAL' }
    } finally {
      clearInterval(beats)
    }
  }

  async function last(on: Db): Promise<Job | undefined> {
    const { rows } = await sql<Job>`
      select ${JOB} from asked_jobs where kind = ${kind} order by job_id desc limit 1`.execute(on)
    return rows[0]
  }

  return {
    /** The last one that was asked for. */
    last,

    /** The last one that was done about a subject. */
    async lastDone(on: Db, subject: string): Promise<Job | undefined> {
      const { rows } = await sql<Job>`
        select ${JOB} from asked_jobs where kind = ${kind} and subject = ${subject} and step = 'done'
        order by job_id desc limit 1`.execute(on)
      return rows[0]
    },

    /** Asks for a job, unless one is waiting or running; tells whether it did. */
    async ask(dbTx: Db, asked: { subject: string; request: Request; actor: string }): Promise<boolean> {
      const at = now()
      const { rows } = await sql`
        insert into asked_jobs (kind, subject, request, requested_by, requested_at, watched_at)
        values (${kind}, ${asked.subject}, ${JSON.stringify(asked.request)}::jsonb, ${asked.actor}, ${at}, ${at})
        on conflict do nothing returning job_id`.execute(dbTx)
      return rows.length === 1
    },

    /** Notes that somebody looks at the open job, not more often than once in some seconds. */
    async watch(): Promise<void> {
      await sql`
        update asked_jobs set watched_at = ${now()}
        where kind = ${kind} and finished_at is null and watched_at < ${before(WATCH_EVERY_MS)}`.execute(db)
    },

    /** Gives the open job up. */
    async cancel(): Promise<void> {
      const open = await last(db)
      if (open !== undefined) await end(db, open.jobId, { step: 'cancelled' })
    },

    /**
     * Does the job that was asked for, if one was; tells whether. `ended` is called in the transaction that ends it, with
     * the code of what stopped it or null.
     */
    async runWaiting(
      work: (request: Request, at: AtWork) => Promise<Result>,
      ended: (dbTx: Db, request: Request, failure: string | null) => Promise<void> = async () => undefined,
    ): Promise<boolean> {
      const job = await take()
      if (job === undefined) return false
      const ending = await carryOut(job, work)
      if (ending === undefined) return true
      await inDbTx(db, async (dbTx) => {
        if (await end(dbTx, job.jobId, ending)) await ended(dbTx, job.request, ending.failure ?? null)
      })
      return true
    },
  }
}

const JOB = sql`job_id as "jobId", request, step, progress_ppm as "progressPpm", requested_by as "requestedBy",
  requested_at as "requestedAt", finished_at as "finishedAt", failure, result`
