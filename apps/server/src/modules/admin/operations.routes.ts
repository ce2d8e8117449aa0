import type { FastifyInstance } from 'fastify'
import { register } from '../../plugins/route.ts'
import type { OperationsService } from './operations.service.ts'

/** `admin/withdrawals`, `admin/members/...`, `admin/emergency`, and what everybody is told of a pause. */
export function operationRoutes(
  app: FastifyInstance,
  { operations }: { operations: OperationsService },
): void {
  register(app, 'auditQueue', ({ query }) => operations.auditQueue(query))
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
