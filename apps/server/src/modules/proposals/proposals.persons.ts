import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * Whether two admins' wallets are one person's, as far as the system knows: the owners recorded the same person for
 * both, or one of them, as a member's wallet, was paid a withdrawal of the other's. Addresses in lower case.
 */
export async function areOnePerson(db: Db, a: string, b: string): Promise<boolean> {
  if (a === b) return true
  const { rows: persons } = await sql<{ persons: number; wallets: number }>`
    select count(distinct person)::integer as persons, count(*)::integer as wallets from admins
    where address in (${a}, ${b})`.execute(db)
  if (persons[0]!.wallets === 2 && persons[0]!.persons === 1) return true
  const { rows: members } = await sql<{ memberId: bigint; address: string }>`
    select member_id as "memberId", address from members where address in (${a}, ${b})`.execute(db)
  for (const { memberId, address } of members) {
    const other = address === a ? b : a
    const { rows } = await sql`
      select from withdrawals where member_id = ${memberId} and to_address = ${other} and status = 'Success'
      limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}
