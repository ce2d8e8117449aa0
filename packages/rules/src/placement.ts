/** A side of the binary tree. Rules, section 3. */
export type Side = 'left' | 'right'

/** The sides that an invite link can request. */
export const SIDE_CHOICES = ['left', 'right', 'auto'] as const
export type SideChoice = (typeof SIDE_CHOICES)[number]

/**
 * Returns the side of the sponsor on which a new member is placed, below the last node of that side. `auto` selects the smaller
 * team by number of members, left on a tie. Rules, section 3.
 */
export function placementSide(choice: SideChoice, leftTeamSize: number, rightTeamSize: number): Side {
  if (choice !== 'auto') return choice
  return leftTeamSize <= rightTeamSize ? 'left' : 'right'
}

/** Returns the level of a member after the payment of a package: that of the most expensive one paid. Rules, section 3. */
export function levelAfterPayment(level: number, packageLevel: number): number {
  return Math.max(level, packageLevel)
}
