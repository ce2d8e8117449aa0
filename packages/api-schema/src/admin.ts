import { z } from 'zod'
import { address, time } from './primitives.ts'

/** viewer reads; operator prepares; approver decides; owner does all of this, and roles, plan and emergency. Rules, section 12. */
export const adminRole = z.enum(['viewer', 'operator', 'approver', 'owner'])
export type AdminRole = z.infer<typeof adminRole>
export const ADMIN_ROLES = adminRole.options

/** An admin's wallet. `person`: who it belongs to; two wallets of one person never approve each other's proposals. */
export const admin = z.object({ address, role: adminRole, person: z.string() })

/** All admins, owners first. */
export const adminRoles = z.object({ items: z.array(admin.extend({ since: time })) })
export type AdminEntry = z.infer<typeof adminRoles>['items'][number]

/** Who is asking. */
export const adminMe = admin.extend({ member: z.boolean(), since: time })
