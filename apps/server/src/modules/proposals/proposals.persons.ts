import type { Db } from '../../db/database.ts'
import type { AdminsService } from '../admins/admins.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { WithdrawalReview } from '../withdrawals/withdrawals.service.ts'

interface Deps {
  readonly admins: Pick<AdminsService, 'find'>
  readonly members: Pick<MembersService, 'byAddresses'>
  readonly withdrawalReview: Pick<WithdrawalReview, 'wasPaidTo'>
}

/**
 * Reports whether two admins' wallets are known to belong to one person: the owners recorded the same person for both,
 * or one of them, as a member's wallet, was paid a withdrawal of the other's. Addresses in lower case.
 */
export async function areOnePerson(
  { admins, members, withdrawalReview }: Deps,
  db: Db,
  a: string,
  b: string,
): Promise<boolean> {
  if (a === b) return true
  const [first, second] = await Promise.all([admins.find(db, a), admins.find(db, b)])
  if (first !== undefined && first.person === second?.person) return true
  for (const [address, memberId] of await members.byAddresses(db, [a, b])) {
    if (await withdrawalReview.wasPaidTo(db, memberId, address === a ? b : a)) return true
  }
  return false
}
