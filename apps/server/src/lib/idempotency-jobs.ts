import type { Db } from '../db/database.ts'
import type { Now } from './clock.ts'
import { forgetAnswers } from './idempotency.ts'
import type { Job } from './job.ts'

const HOUR_MS = 3_600_000

/** Keeps the answers to repeated requests from growing for ever. Any number of processes may do it at once. */
export function idempotencyJobs({ db, now }: { readonly db: Db; readonly now: Now }): Job[] {
  return [{ name: 'forget answers', everyMs: HOUR_MS, run: () => forgetAnswers(db, now()) }]
}
