import { z } from 'zod'
import { address, time } from './primitives.ts'

/** A viewer reads, an operator prepares, an approver decides, an owner does all of this and manages roles, plan and emergencies. Rules, section 12. */
export const adminRole = z.enum(['viewer', 'operator', 'approver', 'owner'])
export type AdminRole = z.infer<typeof adminRole>
export const ADMIN_ROLES = adminRole.options

/** Reports whether a call requires an admin role. */
export function isAdminRole(access: string | undefined): access is AdminRole {
  return (ADMIN_ROLES as readonly (string | undefined)[]).includes(access)
}

/** The wallet of an admin. `person` is its owner; wallets of one person cannot approve each other's proposals. */
export const admin = z.object({ address, role: adminRole, person: z.string() })

/** All admins, owners first. */
export const adminRoles = z.object({ items: z.array(admin.extend({ since: time })) })
export type AdminEntry = z.infer<typeof adminRoles>['items'][number]

/** The admin role of the caller. */
export const adminMe = admin.extend({ member: z.boolean(), since: time })
