import type { DepsOf } from '../../../lib/deps.ts'
import { createSnapshots } from './snapshot/snapshot.service.ts'
import { createPublicationEvents } from './solvency.events.service.ts'
import { createProofs } from './solvency.proofs.service.ts'
import { createPublishedReports } from './solvency.published.service.ts'
import { createSolvencyPublishing } from './solvency.publishing.service.ts'
import { createSolvencyService } from './solvency.service.ts'

type Deps = DepsOf<typeof createSolvencyPublishing> &
  DepsOf<typeof createSnapshots> &
  DepsOf<typeof createProofs> &
  DepsOf<typeof createPublishedReports> &
  DepsOf<typeof createSolvencyService>

/** Creates the services of solvency. Rules, section 13. */
export function createSolvency(deps: Deps) {
  return {
    solvency: createSolvencyService(deps),
    solvencyProofs: createProofs(deps),
    solvencySnapshots: createSnapshots(deps),
    solvencyPublishing: createSolvencyPublishing(deps),
    publishedReports: createPublishedReports(deps),
    solvencyEvents: createPublicationEvents(),
  }
}
