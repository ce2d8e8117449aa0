import { z } from 'zod'
import { address, id, shownText, time } from './primitives.ts'

/** A viewer reads, an operator prepares, an approver decides, an owner does all of this and manages roles, plan and emergencies. Rules, section 12. */
export const adminRole = z.enum(['viewer', 'operator', 'approver', 'owner'])
export type AdminRole = z.infer<typeof adminRole>
export const ADMIN_ROLES = adminRole.options

/** Reports whether a call requires an admin role. */
export function isAdminRole(access: string | undefined): access is AdminRole {
  return (ADMIN_ROLES as readonly (string | undefined)[]).includes(access)
}

/**
 * The person of a wallet: one on record by the number, or a new one. A wallet never changes its person, and a name
 * that looks like one on record is refused.
 */
export const personChoice = z.union([
  z.strictObject({ number: id }),
  z.strictObject({ new_name: shownText(60) }),
])
export type PersonChoice = z.infer<typeof personChoice>

/**
 * The wallet of an admin. `person` is the name of its owner and `person_number` the number, by which two persons are
 * told apart: wallets of one person cannot approve each other's proposals.
 */
export const admin = z.object({ address, role: adminRole, person: z.string(), person_number: id })

/** All admins, owners first, and all persons on record by number, also those without a role now. */
export const adminRoles = z.object({
  items: z.array(admin.extend({ since: time })),
  persons: z.array(z.object({ number: id, name: z.string() })),
})
export type AdminEntry = z.infer<typeof adminRoles>['items'][number]

/** The admin role of the caller. */
export const adminMe = admin.extend({ member: z.boolean(), since: time })
