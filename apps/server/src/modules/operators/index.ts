import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import { adminLogRoutes } from './admin-log/admin-log.routes.ts'
import { createAdminLogService } from './admin-log/admin-log.service.ts'
import { ADMIN_CHECKS } from './admin-log/audit.ts'
import { adminRoutes } from './admins/admins.routes.ts'
import { createAdminsService } from './admins/admins.service.ts'
import { roleKind } from './proposal-kind.ts'

export type Operators = ServicesOf<typeof operators>

/** The persons who operate the product, their roles, and the sealed log of what they did. Rules, section 12. */
export const operators = capability({
  create({ now, webhookEvents }: Ground) {
    const adminLog = webhookEvents.ofAdminLog(createAdminLogService({ now }))
    return { adminLog, admins: createAdminsService({ now, adminLog }) }
  },
  routes(app, services) {
    adminRoutes(app, services)
    adminLogRoutes(app, services)
  },
  proposalKinds: (services) => ({ role: roleKind(services) }),
  audits: ADMIN_CHECKS,
})
