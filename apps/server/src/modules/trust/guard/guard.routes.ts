import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { AuditRuns } from './guard.runs.service.ts'

/** `admin/solvency/audit`. */
export function guardRoutes(app: FastifyInstance, { auditRuns }: { auditRuns: AuditRuns }): void {
  register(app, 'auditRun', () => auditRuns.last())
  register(app, 'startAudit', ({ admin }) => auditRuns.request(admin.address))
}
