/** A side of the binary tree. Rules, section 3. */
export type Side = 'left' | 'right'

/** The side that an invite link can ask for. */
export const SIDE_CHOICES = ['left', 'right', 'auto'] as const
export type SideChoice = (typeof SIDE_CHOICES)[number]

/**
 * The sponsor's side under which a new member is placed, as the last node going down that same side. Auto is the side
 * with the smaller team, all members counted, left on a tie. Rules, section 3.
 */
export function placementSide(choice: SideChoice, leftTeamSize: number, rightTeamSize: number): Side {
  if (choice !== 'auto') return choice
  return leftTeamSize <= rightTeamSize ? 'left' : 'right'
}

/** A member's level after paying a package: that of the most expensive one paid; prices rise with levels. Rules, section 3. */
export function levelAfterPayment(level: number, packageLevel: number): number {
  return Math.max(level, packageLevel)
}
