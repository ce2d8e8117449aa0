import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import { memberRoutes } from './members.routes.ts'
import { createMembersService } from './members.service.ts'
import { MEMBERS_MESSAGES } from './messages.ts'
import { PLACEMENT_CHECKS } from './placement/audit.ts'
import { createPlacementService } from './placement/placement.service.ts'
import { REACH_MESSAGES } from './reach/messages.ts'
import { reachKind } from './reach/proposal-kind.ts'
import { reachRoutes } from './reach/reach.routes.ts'
import { createReach } from './reach/reach.service.ts'

export type Members = ServicesOf<typeof members>

/** The members, their place in the team, and the countries and addresses that the product does not serve. Rules, section 3. */
export const members = capability({
  create(needs: Ground & Books) {
    const placement = createPlacementService(needs)
    return {
      placement,
      members: createMembersService({ now: needs.now, placement }),
      reach: createReach(needs),
    }
  },
  routes(app, services, { publicUrl, knowsCountry }) {
    memberRoutes(app, { ...services, publicUrl })
    reachRoutes(app, services, { knowsCountry })
  },
  proposalKinds: (services) => ({ reach: reachKind(services) }),
  audits: PLACEMENT_CHECKS,
  messages: { ...MEMBERS_MESSAGES, ...REACH_MESSAGES },
})
