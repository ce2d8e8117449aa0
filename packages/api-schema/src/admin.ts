import { z } from 'zod'
import { address, time } from './primitives.ts'

/** viewer reads; operator prepares; approver decides; owner does all of this, and roles, plan and emergency. Rules, section 12. */
export const adminRole = z.enum(['viewer', 'operator', 'approver', 'owner'])
export type AdminRole = z.infer<typeof adminRole>
export const ADMIN_ROLES = adminRole.options

/** Whether what a call asks for is a role of the operator's side. */
export function isAdminRole(access: string | undefined): access is AdminRole {
  return (ADMIN_ROLES as readonly (string | undefined)[]).includes(access)
}

/** An admin's wallet. `person`: who it belongs to; two wallets of one person never approve each other's proposals. */
export const admin = z.object({ address, role: adminRole, person: z.string() })

/** All admins, owners first. */
export const adminRoles = z.object({ items: z.array(admin.extend({ since: time })) })
export type AdminEntry = z.infer<typeof adminRoles>['items'][number]

/** Who is asking. */
export const adminMe = admin.extend({ member: z.boolean(), since: time })
