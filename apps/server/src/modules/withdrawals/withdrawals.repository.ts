import type { Day, Micros, WithdrawalStatus } from '@rif/rules'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { RiskFlags, UnmatchedClaims, Withdrawals } from '../../db/types.gen.ts'

/** A withdrawal as it is stored; the migration says what the columns mean. */
export type WithdrawalRow = Selectable<Withdrawals>

export async function insertWithdrawal(
  dbTx: Db,
  withdrawal: Insertable<Withdrawals>,
): Promise<WithdrawalRow> {
  return dbTx.insertInto('withdrawals').values(withdrawal).returningAll().executeTakeFirstOrThrow()
}

export async function findWithdrawal(
  db: Db,
  memberId: bigint,
  withdrawalId: bigint,
): Promise<WithdrawalRow | undefined> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', withdrawalId)
    .executeTakeFirst()
}

/** Changes a withdrawal; the caller holds the member's head. */
export async function updateWithdrawal(
  dbTx: Db,
  withdrawal: Pick<WithdrawalRow, 'member_id' | 'withdrawal_id'>,
  changes: Updateable<Withdrawals>,
): Promise<WithdrawalRow> {
  return dbTx
    .updateTable('withdrawals')
    .set(changes)
    .where('member_id', '=', withdrawal.member_id)
    .where('withdrawal_id', '=', withdrawal.withdrawal_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A member's withdrawals, newest first, one more than `limit`. */
export async function listWithdrawals(
  db: Db,
  memberId: bigint,
  filter: { status?: WithdrawalStatus | undefined; before?: bigint | undefined; limit: number },
): Promise<WithdrawalRow[]> {
  let query = db.selectFrom('withdrawals').selectAll().where('member_id', '=', memberId)
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.before !== undefined) query = query.where('withdrawal_id', '<', filter.before)
  return query
    .orderBy('withdrawal_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** USDT worth requested on a day, without what was cancelled or rejected. */
export async function requestedWorth(db: Db, memberId: bigint, day: Day): Promise<Micros> {
  const row = await db
    .selectFrom('withdrawals')
    .select(sql<bigint>`coalesce(sum(worth_micros), 0)::bigint`.as('worth'))
    .where('member_id', '=', memberId)
    .where('day', '=', day)
    .where('status', 'not in', ['Cancelled', 'Rejected'])
    .executeTakeFirstOrThrow()
  return row.worth
}

/** Reports whether a successful withdrawal of the member went to that address. */
export async function hasPaidTo(db: Db, memberId: bigint, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawals')
    .select('withdrawal_id')
    .where('member_id', '=', memberId)
    .where('to_address', '=', address)
    .where('status', '=', 'Success')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The addresses that successful withdrawals of the member went to. */
export async function paidAddresses(db: Db, memberId: bigint): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('to_address')
    .distinct()
    .where('member_id', '=', memberId)
    .where('status', '=', 'Success')
    .execute()
  return rows.map((row) => row.to_address)
}

export async function isFlagged(db: Db, memberId: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('risk_flags')
    .select('member_id')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row !== undefined
}

/** Flags a member; a flag that stands stays as it is. */
export async function insertFlag(dbTx: Db, flag: Insertable<RiskFlags>): Promise<void> {
  await dbTx
    .insertInto('risk_flags')
    .values(flag)
    .onConflict((conflict) => conflict.column('member_id').doNothing())
    .execute()
}

export async function deleteFlag(dbTx: Db, memberId: bigint): Promise<void> {
  await dbTx.deleteFrom('risk_flags').where('member_id', '=', memberId).execute()
}

/** Withdrawals that wait for an admin, oldest first. */
export async function auditingWithdrawals(db: Db, limit: number): Promise<WithdrawalRow[]> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('status', '=', 'Auditing')
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Keeps a record of a claim that no withdrawal stood open for, once. */
export async function insertUnmatched(dbTx: Db, claim: Insertable<UnmatchedClaims>): Promise<void> {
  await dbTx
    .insertInto('unmatched_claims')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['member_id', 'tx_hash', 'log_index']).doNothing())
    .execute()
}

/** Reports whether a member's withdrawal was ever paid to an address, which is in lower case. */
export async function wasPaidTo(db: Db, memberId: bigint, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from withdrawals where member_id = ${memberId} and to_address = ${address} and status = 'Success'
    limit 1`.execute(db)
  return rows.length > 0
}

/** Deletes an unmatched claim whose event was undone. */
export async function deleteUnmatched(
  dbTx: Db,
  { txHash, logIndex }: { txHash: string; logIndex: number },
): Promise<void> {
  await sql`select delete_undone_claim(${txHash}, ${logIndex})`.execute(dbTx)
}
