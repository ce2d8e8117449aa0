import { runJobQueue } from '../../../db/job-queue.ts'
import type { Job } from '../../../lib/job.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Webhooks } from './webhooks.service.ts'

const KEEP_UP_INTERVAL_MS = 15_000
/** Slow endpoints occupy only these slots, and none of the jobs that admins request. */
const DELIVERIES_AT_ONCE = 4

/** Runs the deliveries of webhooks. `stop` resolves when the running ones have ended. */
export function runWebhooks({ url, webhooks, log }: { url: string; webhooks: Webhooks; log: Logger }) {
  const webhook = (payload: unknown) =>
    webhooks.deliver(BigInt((payload as { delivery_id: string }).delivery_id))
  return runJobQueue({ url, log, tasks: { webhook }, concurrency: DELIVERIES_AT_ONCE })
}

/** Returns the periodic maintenance of deliveries. Any number of processes may run it at the same time. */
export function webhookJobs({ webhooks }: { webhooks: Webhooks }): Job[] {
  return [{ name: 'keep up the deliveries of webhooks', everyMs: KEEP_UP_INTERVAL_MS, run: webhooks.keepUp }]
}
