/** Rules, section 12. */
export type AdminRole = 'viewer' | 'operator' | 'approver' | 'owner'

const ALLOWED: Readonly<Record<AdminRole, readonly AdminRole[]>> = {
  viewer: ['viewer'],
  operator: ['viewer', 'operator'],
  approver: ['viewer', 'approver'],
  owner: ['viewer', 'operator', 'approver', 'owner'],
}

/**
 * Whether who has a role may do what another role is for: a viewer reads, an operator prepares, an approver decides; all of
 * them read, and an owner stands in for each. Rules, section 12.
 */
export function roleAllows(role: AdminRole, needed: AdminRole): boolean {
  return ALLOWED[role].includes(needed)
}
