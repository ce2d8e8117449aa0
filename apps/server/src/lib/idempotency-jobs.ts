import type { Db } from '../db/database.ts'
import type { Now } from './clock.ts'
import { forgetAnswers } from './idempotency.ts'
import type { Job } from './job.ts'

const HOUR_MS = 3_600_000

/** Deletes old responses to repeated requests. Any number of processes may run it at the same time. */
export function idempotencyJobs({ db, now }: { readonly db: Db; readonly now: Now }): Job[] {
  return [{ name: 'forget answers', everyMs: HOUR_MS, run: () => forgetAnswers(db, now()) }]
}
