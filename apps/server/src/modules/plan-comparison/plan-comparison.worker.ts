import type { Job } from '../../lib/job.ts'
import type { PlanComparisons, RunComparison } from './plan-comparison.service.ts'

/** An admin looks at the page and waits. */
const INTERVAL_MS = 1_000

/** Does the comparisons of plans that admins ask for, each by `run`. */
export function comparisonJobs(comparisons: PlanComparisons, run: RunComparison): Job[] {
  return [{ name: 'plan comparison', everyMs: INTERVAL_MS, run: () => comparisons.runWaiting(run) }]
}
