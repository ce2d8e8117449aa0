import type { WithdrawalStatus } from '@rif/rules'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { noteChange, OPERATORS } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import type { UnmatchedClaims, Withdrawals } from '../../../db/types.gen.ts'

/** A stored withdrawal; the schema describes the columns. */
export type WithdrawalRow = Selectable<Withdrawals>

export async function insertWithdrawal(
  dbTx: Db,
  withdrawal: Insertable<Withdrawals>,
): Promise<WithdrawalRow> {
  noteWithdrawal(dbTx, withdrawal)
  return dbTx.insertInto('withdrawals').values(withdrawal).returningAll().executeTakeFirstOrThrow()
}

/** Operators review withdrawals, so their queue is notified too. */
function noteWithdrawal(dbTx: Db, { member_id }: Pick<Insertable<Withdrawals>, 'member_id'>): void {
  noteChange(dbTx, BigInt(member_id), 'withdrawal')
  noteChange(dbTx, OPERATORS, 'queue')
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

/** Returns the wallets that a member's withdrawals went to, in lower case. */
export async function receiversOf(
  db: Db,
  memberId: bigint,
  withdrawalIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (withdrawalIds.length === 0) return new Map()
  const { rows } = await sql<{ withdrawalId: bigint; address: string }>`
    select withdrawal_id as "withdrawalId", to_address as address from withdrawals
    where member_id = ${memberId} and withdrawal_id = any(${withdrawalIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.withdrawalId, row.address]))
}

/** Returns a member's withdrawals that the claim with a hash paid. */
export async function paidBy(db: Db, memberId: bigint, txHash: string): Promise<bigint[]> {
  const { rows } = await sql<{ withdrawalId: bigint }>`
    select withdrawal_id as "withdrawalId" from withdrawals
    where tx_hash = ${txHash} and member_id = ${memberId}`.execute(db)
  return rows.map(({ withdrawalId }) => withdrawalId)
}

/** Changes a withdrawal; the caller holds the member's head. */
export async function updateWithdrawal(
  dbTx: Db,
  withdrawal: Pick<WithdrawalRow, 'member_id' | 'withdrawal_id'>,
  changes: Updateable<Withdrawals>,
): Promise<WithdrawalRow> {
  noteWithdrawal(dbTx, withdrawal)
  return dbTx
    .updateTable('withdrawals')
    .set(changes)
    .where('member_id', '=', withdrawal.member_id)
    .where('withdrawal_id', '=', withdrawal.withdrawal_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The values of a withdrawal that the signer does not refuse. */
export const NOT_REFUSED = { signer_refusal: null, signer_refused_at: null } as const

/** Returns a member's withdrawals, newest first, up to `limit` + 1. */
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

/** The withdrawals that the signer refuses. */
export interface Refused {
  readonly count: number
  /** USDT worth. */
  readonly worthMicros: bigint
  readonly oldestAt: Date | null
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

export async function refused(db: Db): Promise<Refused> {
  const { rows } = await sql<{ reason: string; count: number; worthMicros: bigint; oldestAt: Date }>`
    select signer_refusal as reason, count(*)::integer as count, sum(worth_micros)::bigint as "worthMicros",
      min(signer_refused_at) as "oldestAt"
    from withdrawals where signer_refusal is not null and status = 'Withdrawable'
    group by signer_refusal order by signer_refusal`.execute(db)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    worthMicros: rows.reduce((sum, { worthMicros }) => sum + worthMicros, 0n),
    oldestAt: rows.reduce<Date | null>(
      (first, { oldestAt }) => (first && first < oldestAt ? first : oldestAt),
      null,
    ),
    reasons: rows.map(({ reason, count }) => ({ reason, count })),
  }
}

/** Returns withdrawals that wait for an admin, oldest first. */
export async function auditingWithdrawals(db: Db, limit: number): Promise<WithdrawalRow[]> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('status', '=', 'Auditing')
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** The number of newest withdrawals from which a usual time is computed. */
const MEASURED = 2_000

/**
 * Returns the median time from the request to the review over the newest reviewed withdrawals; null if there
 * are none.
 */
export async function usualReviewMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from reviewed_at - created_at) * 1000) as ms
    from (select created_at, reviewed_at from withdrawals order by withdrawal_id desc limit ${MEASURED}) as newest
    where reviewed_at is not null`.execute(db)
  return rows[0]?.ms ?? null
}

/** Records a claim without an open withdrawal, once. */
export async function insertUnmatchedClaim(dbTx: Db, claim: Insertable<UnmatchedClaims>): Promise<void> {
  await dbTx
    .insertInto('unmatched_claims')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['member_id', 'tx_hash', 'log_index']).doNothing())
    .execute()
}

/** Deletes an unmatched claim whose event was undone. */
export async function deleteUnmatchedClaim(
  dbTx: Db,
  { txHash, logIndex }: { txHash: string; logIndex: number },
): Promise<void> {
  await sql`select delete_undone_claim(${txHash}, ${logIndex})`.execute(dbTx)
}

/** Returns the amounts that members have claimed from the bank since a time, by member and asset. */
export async function claimedSince(
  db: Db,
  memberIds: readonly bigint[],
  since: Date,
): Promise<{ memberId: bigint; asset: string; micros: bigint }[]> {
  const { rows } = await sql<{ memberId: bigint; asset: string; micros: bigint }>`
    select member_id as "memberId", asset, sum(amount_micros - fee_micros)::bigint as micros from withdrawals
    where member_id = any (${memberIds}) and status = 'Success' and claimed_at >= ${since}
    group by member_id, asset order by member_id, asset`.execute(db)
  return rows
}
