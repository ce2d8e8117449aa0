import type { AuditedWithdrawal, RiskReason } from '@rif/api-schema'
import { type AuditReason, formatMicros, looksLike, type Micros, type PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { MEMBERS } from '../members/members.relations.ts'

/** An account younger than this is fresh. */
const FRESH_MS = 7 * 24 * 60 * 60_000
/** This many times the most that was ever paid to the member at once is sudden. */
const SUDDEN_TIMES = 3n

interface Row {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly asset: PaymentAsset
  readonly amount: Micros
  readonly fee: Micros
  readonly worth: Micros
  readonly to: string
  readonly level: number
  readonly reasons: readonly AuditReason[]
  readonly createdAt: Date
}
interface MemberFacts {
  readonly memberId: bigint
  readonly address: string
  readonly joinedAt: Date
  readonly frozen: boolean
}
interface Paid {
  readonly memberId: bigint
  readonly count: number
  readonly most: Micros
  readonly addresses: readonly string[]
}

/** A queued withdrawal without what other modules know of it. */
export type QueuedWithdrawal = Omit<AuditedWithdrawal, 'proposal_id' | 'bulk'> & {
  readonly worthMicros: Micros
}

/** How many wait. */
export async function countAudited(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from withdrawals where status = 'Auditing'`.execute(db)
  return rows[0]!.waiting
}

/**
 * Withdrawals under audit after a place in the queue, oldest first, at most `limit`, with all that makes them risky. A few
 * statements however many there are.
 */
export async function auditedWithdrawals(
  db: Db,
  {
    after,
    limit,
  }: { after: readonly [createdAtMs: bigint, withdrawalId: bigint] | undefined; limit: number },
): Promise<QueuedWithdrawal[]> {
  const from = after === undefined ? null : new Date(Number(after[0]))
  const { rows } = await sql<Row>`
    select member_id as "memberId", withdrawal_id as "withdrawalId", asset, amount_micros as amount,
      fee_micros as fee, worth_micros as worth, to_address as "to", level, reasons, created_at as "createdAt"
    from withdrawals
    where status = 'Auditing'
      and (${from}::timestamptz is null
        or (date_trunc('milliseconds', created_at), withdrawal_id) > (${from}, ${after?.[1] ?? 0n}))
    order by date_trunc('milliseconds', created_at), withdrawal_id limit ${limit}`.execute(db)
  const memberIds = [...new Set(rows.map(({ memberId }) => memberId))]
  const [members, paid] = await Promise.all([factsOf(db, memberIds), paidTo(db, memberIds)])
  return rows.map((row) => view(row, members.get(row.memberId)!, paid.get(row.memberId)))
}

async function factsOf(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, MemberFacts>> {
  const { rows } = await sql<MemberFacts>`
    select member_id as "memberId", address, joined_at as "joinedAt", state = 'deactivated' as frozen
    from ${MEMBERS} as members where member_id = any (${memberIds})`.execute(db)
  return new Map(rows.map((row) => [row.memberId, row]))
}

async function paidTo(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Paid>> {
  const { rows } = await sql<Paid>`
    select member_id as "memberId", count(*)::integer as count, max(worth_micros) as most,
      array_agg(distinct to_address) as addresses
    from withdrawals where status = 'Success' and member_id = any (${memberIds}) group by member_id`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.memberId, row]))
}

function view(row: Row, member: MemberFacts, paid: Paid | undefined): QueuedWithdrawal {
  const known = [member.address, ...(paid?.addresses ?? [])]
  const alike = looksLike(row.to, known)
  const reasons: RiskReason[] = [...row.reasons]
  if (paid !== undefined && row.worth > paid.most * SUDDEN_TIMES) reasons.push('sudden_amount')
  if (row.createdAt.getTime() - member.joinedAt.getTime() < FRESH_MS) reasons.push('fresh_account')
  if (alike !== null) reasons.push('look_alike')
  if (member.frozen) reasons.push('frozen')
  const shown = (address: string) => getAddress(address as Hex)
  return {
    withdraw_id: `${row.withdrawalId}`,
    member_id: `${row.memberId}`,
    member_address: shown(member.address),
    asset: row.asset,
    amount: formatMicros(row.amount),
    fee: formatMicros(row.fee),
    worth_usdt: formatMicros(row.worth),
    to: shown(row.to),
    looks_like: alike === null ? null : shown(alike),
    reasons,
    level: row.level,
    joined_at: member.joinedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    paid_count: paid?.count ?? 0,
    paid_most_usdt: formatMicros(paid?.most ?? 0n),
    worthMicros: row.worth,
  }
}
