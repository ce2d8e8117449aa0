import type { FastifyInstance } from 'fastify'
import { register } from '../../plugins/route.ts'
import type { OperationsService } from './operations.service.ts'
import type { OrderAuditService } from './order-audit.service.ts'

/** `admin/withdrawals`, `admin/orders`, `admin/members/...`, `admin/emergency`, and what everybody is told of a pause. */
export function operationRoutes(
  app: FastifyInstance,
  { operations, orderAudit }: { operations: OperationsService; orderAudit: OrderAuditService },
): void {
  register(app, 'auditQueue', ({ query }) => operations.auditQueue(query))
  register(app, 'orderAudit', () => orderAudit.queues())
  register(app, 'memberHold', ({ params }) => operations.hold(BigInt(params.member_id)))
  register(app, 'freezeMember', ({ admin, params, body }) =>
    operations.freeze(admin, BigInt(params.member_id), body.reason),
  )
  register(app, 'flagMember', ({ admin, params, body }) =>
    operations.flag(admin, BigInt(params.member_id), body.reason),
  )
  register(app, 'emergency', () => operations.emergency())
  register(app, 'pauses', async () => ({ paused: await operations.paused() }))
}
