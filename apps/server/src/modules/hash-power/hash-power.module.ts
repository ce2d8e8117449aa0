import type { DepsOf } from '../../lib/deps.ts'
import { createHashPowerGrants } from './hash-power.grants.service.ts'
import { createHashPowerService } from './hash-power.service.ts'

/** Creates the services of hash power. Rules, section 11. */
export function createHashPower(
  deps: DepsOf<typeof createHashPowerGrants> & DepsOf<typeof createHashPowerService>,
) {
  return { hashPower: createHashPowerService(deps), hashPowerGrants: createHashPowerGrants(deps) }
}
