import type { FastifyInstance } from 'fastify'
import { registerCsv } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import { DEPARTURE_COLUMNS } from './csv.ts'
import type { DeparturesOperated } from './departures.service.ts'
import type { FundProductsOperated } from './fund-products.service.ts'
import type { OperationsService } from './operations.service.ts'
import type { OrderAuditService } from './order-audit.service.ts'
import type { ReorganisationService } from './reorganisation.service.ts'
import type { RevenueDeposits } from './revenue-deposits.service.ts'

/**
 * `admin/withdrawals`, `admin/orders`, `admin/members/...`, `admin/emergency`, `admin/deposits`,
 * `admin/fund/products`, and the public state of pauses.
 */
export function operationRoutes(
  app: FastifyInstance,
  services: {
    operations: OperationsService
    departures: DeparturesOperated
    orderAudit: OrderAuditService
    revenueDeposits: RevenueDeposits
    fundProducts: FundProductsOperated
    reorganisation: ReorganisationService
  },
): void {
  const { operations, departures, orderAudit, revenueDeposits, fundProducts, reorganisation } = services
  register(app, 'auditQueue', ({ query }) => departures.auditQueue(query))
  registerCsv(app, 'auditQueue', DEPARTURE_COLUMNS, (_who, query) => departures.auditQueue(query))
  register(app, 'orderAudit', ({ query }) => orderAudit.queues(query))
  register(app, 'memberHold', ({ params }) => operations.hold(BigInt(params.member_id)))
  register(app, 'freezeMember', ({ admin, params, body }) =>
    operations.freeze(admin, BigInt(params.member_id), body.reason),
  )
  register(app, 'flagMember', ({ admin, params, body }) =>
    operations.flag(admin, BigInt(params.member_id), body.reason),
  )
  register(app, 'revenueDeposits', ({ query }) => revenueDeposits.list(query))
  register(app, 'adminFundProducts', () => fundProducts.list())
  register(app, 'adminFundDesk', ({ params }) => fundProducts.desk(BigInt(params.product_id)))
  register(app, 'emergency', ({ admin }) => operations.emergency(admin))
  register(app, 'reorganisation', () => reorganisation.view())
  register(app, 'announceBankCall', ({ admin, body }) => operations.announceBankCall(admin, body))
  register(app, 'pauses', () => operations.stopped())
}
