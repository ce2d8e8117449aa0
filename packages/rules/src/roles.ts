/** The roles of admins. Rules, section 12. */
export type AdminRole = 'viewer' | 'operator' | 'approver' | 'owner'

const ALLOWED: Readonly<Record<AdminRole, readonly AdminRole[]>> = {
  viewer: ['viewer'],
  operator: ['viewer', 'operator'],
  approver: ['viewer', 'approver'],
  owner: ['viewer', 'operator', 'approver', 'owner'],
}

/**
 * Reports whether a role includes the rights of another. A viewer reads, an operator also prepares, an approver also decides, and
 * an owner has all rights. Rules, section 12.
 */
export function roleAllows(role: AdminRole, needed: AdminRole): boolean {
  return ALLOWED[role].includes(needed)
}
