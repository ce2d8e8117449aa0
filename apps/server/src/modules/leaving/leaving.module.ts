import type { DepsOf } from '../../lib/deps.ts'
import { createAddressesService } from './leaving.addresses.service.ts'
import { createConsentsService } from './leaving.consents.service.ts'
import { createOneWayService } from './leaving.one-way.service.ts'
import { createDepartureQueue } from './leaving.queue.service.ts'
import { createLeavingService } from './leaving.service.ts'

type Deps = DepsOf<typeof createLeavingService> &
  Omit<DepsOf<typeof createAddressesService>, 'consents'> &
  DepsOf<typeof createConsentsService> &
  DepsOf<typeof createDepartureQueue>

/** Creates the services of all movements that leave a member at the member's request. Rules, section 10. */
export function createLeaving(deps: Deps) {
  const consents = createConsentsService(deps)
  const contacts = createAddressesService({ ...deps, consents })
  const leaving = createLeavingService(deps)
  const oneWay = createOneWayService({ consents, membersSign: deps.membersSign })
  return { consents, contacts, leaving, oneWay, departureQueue: createDepartureQueue(deps) }
}
