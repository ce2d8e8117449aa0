import type { AuditedWithdrawal, RiskReason } from '@rif/api-schema'
import { formatMicros, looksLike, type Micros, withdrawalRisks } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import type { MembersService } from '../members/members.service.ts'
import {
  type AuditedRow,
  auditedRows,
  countAudited,
  type PaidBefore,
  paidTo,
} from './withdrawals.queue.repository.ts'

type ListedMember = Awaited<ReturnType<MembersService['listed']>>[number]

/** A queued withdrawal without the fields of other modules. */
export type QueuedWithdrawal = Omit<AuditedWithdrawal, 'proposal_id' | 'bulk'> & {
  readonly worthMicros: Micros
}

/** Creates the queue of withdrawals under audit. */
export function createWithdrawalQueue({ members }: { members: MembersService }) {
  return {
    countWaiting: countAudited,

    /**
     * Returns a page of withdrawals under audit, oldest first, with their risks. The number of statements does not depend
     * on the number of withdrawals.
     */
    async page(db: Db, page: Parameters<typeof auditedRows>[1]): Promise<QueuedWithdrawal[]> {
      const rows = await auditedRows(db, page)
      const memberIds = [...new Set(rows.map(({ memberId }) => memberId))]
      const [listed, paid] = await Promise.all([members.listed(db, memberIds), paidTo(db, memberIds)])
      const byId = new Map(listed.map((member) => [member.memberId, member]))
      return rows.map((row) => view(row, byId.get(row.memberId)!, paid.get(row.memberId)))
    },
  }
}

function view(row: AuditedRow, member: ListedMember, paid: PaidBefore | undefined): QueuedWithdrawal {
  const known = [member.address, ...(paid?.addresses ?? [])]
  const alike = looksLike(row.to, known)
  const risks = withdrawalRisks({
    ...{ worthMicros: row.worth, paidMostMicros: paid?.most ?? null, looksAlike: alike !== null },
    ...{ joinedAtMs: member.joinedAt.getTime(), requestedAtMs: row.createdAt.getTime() },
  })
  const reasons: RiskReason[] = [
    ...row.reasons,
    ...risks,
    ...(member.state === 'deactivated' ? (['frozen'] as const) : []),
  ]
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
