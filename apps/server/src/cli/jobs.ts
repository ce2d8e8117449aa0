import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../lib/job.ts'
import type { Logger } from '../lib/logger.ts'

/** Runs standing work for ever. `stop` resolves when the current runs have ended. */
export function runJobs(jobs: readonly Job[], log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  // Every job listens to it while it pauses.
  setMaxListeners(jobs.length, signal)
  async function repeat(job: Job): Promise<void> {
    while (!signal.aborted) {
      await job.run().catch((error: unknown) => log.error({ err: error, job: job.name }, 'a job failed'))
      await sleep(job.everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = jobs.map(repeat)
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
