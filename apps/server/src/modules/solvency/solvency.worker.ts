import type { Job } from '../../lib/job.ts'
import type { createSolvency } from './solvency.module.ts'

const INTERVAL_MS = 10_000

/** Builds the reports of settled days. Any number of processes may do it at the same time. */
export function solvencyJobs({
  solvencySnapshots,
}: Pick<ReturnType<typeof createSolvency>, 'solvencySnapshots'>): Job[] {
  return [{ name: 'build solvency reports', everyMs: INTERVAL_MS, run: () => solvencySnapshots.catchUp() }]
}
