import type { DepsOf } from '../../lib/deps.ts'
import { createDeparturesOperated } from './departures.service.ts'
import { createFundProductsOperated } from './fund-products.service.ts'
import { createOperations } from './operations.service.ts'
import { createOrderAudit } from './order-audit.service.ts'
import { createReorganisation } from './reorganisation.service.ts'
import { createRevenueDeposits } from './revenue-deposits.service.ts'

type Deps = DepsOf<typeof createOperations> &
  DepsOf<typeof createDeparturesOperated> &
  DepsOf<typeof createOrderAudit> &
  DepsOf<typeof createRevenueDeposits> &
  DepsOf<typeof createFundProductsOperated> &
  DepsOf<typeof createReorganisation>

/** Creates the services of the operator's pages. Rules, section 12. */
export function createOperationServices(deps: Deps) {
  return {
    operations: createOperations(deps),
    departures: createDeparturesOperated(deps),
    orderAudit: createOrderAudit(deps),
    revenueDeposits: createRevenueDeposits(deps),
    fundProducts: createFundProductsOperated(deps),
    reorganisation: createReorganisation(deps),
  }
}
