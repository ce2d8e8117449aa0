import { Logger, runOnce } from 'graphile-worker'
import { openQueuePool } from '../../db/job-queue.ts'
import type { JobHandler } from '../jobs.service.ts'
import { tasksOf } from '../jobs.worker.ts'

/** Runs the waiting jobs, like a worker that starts and then stops. Reports whether it ran one. */
export async function runWaiting(databaseUrl: string, handler: JobHandler): Promise<boolean> {
  let ran = false
  await handler.recover()
  const counted: JobHandler = {
    ...handler,
    async run(jobId) {
      const isRun = await handler.run(jobId)
      ran ||= isRun
      return isRun
    },
  }
  // graphile-worker's own pool would throw if the test drops its database before the last connection is
  // closed.
  const pgPool = openQueuePool(databaseUrl, 'rif-test-jobs', 2)
  try {
    await runOnce({
      pgPool,
      taskList: tasksOf([counted]),
      noHandleSignals: true,
      logger: new Logger(() => () => undefined),
    })
  } finally {
    await pgPool.end()
  }
  return ran
}
