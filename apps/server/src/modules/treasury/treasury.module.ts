import type { DepsOf } from '../../lib/deps.ts'
import { createDepositEvents } from './treasury.deposits.service.ts'
import { createDestinations } from './treasury.destinations.service.ts'
import { createExitEvents } from './treasury.events.service.ts'
import { createExits } from './treasury.exits.service.ts'
import { createTreasuryService } from './treasury.service.ts'
import { createExitSteps } from './treasury.steps.service.ts'

type Deps = DepsOf<typeof createExitSteps> &
  DepsOf<typeof createDepositEvents> &
  DepsOf<typeof createDestinations> &
  Omit<DepsOf<typeof createExits>, 'steps' | 'destinations'> &
  Omit<DepsOf<typeof createExitEvents>, 'steps'> &
  Omit<DepsOf<typeof createTreasuryService>, 'exitDestinations'>

/** Creates the services of exits and of the treasury. Rules, section 2. */
export function createTreasury(deps: Deps) {
  const steps = createExitSteps(deps)
  const exitDestinations = createDestinations(deps)
  return {
    exitDestinations,
    exits: createExits({ ...deps, steps, destinations: exitDestinations }),
    depositEvents: createDepositEvents(deps),
    exitEvents: { ...createExitEvents({ ...deps, steps }), ...exitDestinations.handlers },
    treasury: createTreasuryService({ ...deps, exitDestinations }),
  }
}
