import type { Job } from '../../../lib/job.ts'
import type { createSolvency } from './solvency.ts'

type Services = Pick<ReturnType<typeof createSolvency>, 'solvencySnapshots' | 'solvencyPublishing'>

const BUILD_INTERVAL_MS = 10_000
const PUBLISH_INTERVAL_MS = 30_000

/** Builds and publishes the reports of settled days. Any number of processes may run it at the same time. */
export function solvencyJobs({ solvencySnapshots, solvencyPublishing }: Services): Job[] {
  return [
    { name: 'build solvency reports', everyMs: BUILD_INTERVAL_MS, run: () => solvencySnapshots.catchUp() },
    { name: 'publish solvency reports', everyMs: PUBLISH_INTERVAL_MS, run: () => solvencyPublishing.step() },
  ]
}
