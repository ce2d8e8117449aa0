import { runJobQueue } from '../db/job-queue.ts'
import type { Job } from '../lib/job.ts'
import type { Logger } from '../lib/logger.ts'
import type { JobHandler } from './jobs.service.ts'

const RECOVERY_INTERVAL_MS = 5_000

/** Runs queued jobs, one of each kind at a time. `stop` resolves when the running ones have ended. */
export function runQueuedJobs(options: { url: string; handlers: readonly JobHandler[]; log: Logger }) {
  return runJobQueue({ ...options, tasks: tasksOf(options.handlers) })
}

/**
 * Returns the standing work that requeues the jobs of dead workers. Any number of processes may run it at the
 * same time.
 */
export function recoveryJobs(handlers: readonly JobHandler[]): Job[] {
  const run = () => Promise.all(handlers.map((handler) => handler.recover()))
  return [{ name: 'queue the jobs of dead workers again', everyMs: RECOVERY_INTERVAL_MS, run }]
}

/** Returns a task for the queue per handler. */
export function tasksOf(handlers: readonly JobHandler[]) {
  const tasks = handlers.map(({ kind, run }) => {
    const task = async (payload: unknown) => void (await run(BigInt((payload as { job_id: string }).job_id)))
    return [kind, task] as const
  })
  return Object.fromEntries(tasks)
}
