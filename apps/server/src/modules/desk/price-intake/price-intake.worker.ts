import type { Job } from '../../../lib/job.ts'
import type { PriceIntake } from './price-intake.service.ts'

const READ_INTERVAL_MS = 15_000
const PROPOSE_INTERVAL_MS = 5_000

/**
 * Returns the periodic reading of oracles and preparing of proposals. Any number of processes may run them at
 * the same time.
 */
export function priceIntakeJobs({ priceIntake }: { priceIntake: PriceIntake }): Job[] {
  return [
    { name: 'read the price oracles', everyMs: READ_INTERVAL_MS, run: () => priceIntake.readOracles() },
    { name: 'propose waiting prices', everyMs: PROPOSE_INTERVAL_MS, run: () => priceIntake.proposeWaiting() },
  ]
}
