import type { AuditedDeparture, RiskReason } from '@rif/api-schema'
import { dayOf, formatMicros, looksLike, type Micros, type Plan, withdrawalRisks } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import * as repository from './leaving.repository.ts'

type ListedMember = Awaited<ReturnType<MembersService['listed']>>[number]

export type { DepartureFilter, DeparturePlace } from './leaving.repository.ts'

/** A departure without the fields of other modules. */
export type QueuedDeparture = Omit<AuditedDeparture, 'proposal_id' | 'bulk'> & {
  readonly recentMicros: Micros
}

export type DepartureQueue = ReturnType<typeof createDepartureQueue>

/** Creates the lists of withdrawals and transfers that operators work with. */
export function createDepartureQueue({
  now,
  members,
  plans,
}: {
  now: Now
  members: MembersService
  plans: PlansService
}) {
  async function views(db: Db, rows: readonly repository.DepartureRow[]): Promise<QueuedDeparture[]> {
    const memberIds = [...new Set(rows.flatMap((row) => [row.memberId, row.counterpartId ?? row.memberId]))]
    const [listed, sent, plan] = await Promise.all([
      members.listed(db, memberIds),
      repository.sentBefore(db, memberIds),
      plans.planAt(db, dayOf(now().getTime())),
    ])
    const byId = new Map(listed.map((member) => [member.memberId, member]))
    return rows.map((row) => {
      const to = row.to ?? byId.get(row.counterpartId!)!.address
      const before = sent.filter(({ memberId }) => memberId === row.memberId)
      return view({ ...row, to }, byId.get(row.memberId)!, { before, plan })
    })
  }

  return {
    countWaiting: repository.countHeld,
    readySum: repository.readySum,

    /**
     * Returns a page of departures with their risks and list positions. The number of statements does not
     * depend on the number of entries.
     */
    async page(
      db: Db,
      page: Parameters<typeof repository.departuresPage>[1],
    ): Promise<{ readonly departure: QueuedDeparture; readonly place: repository.DeparturePlace }[]> {
      const rows = await repository.departuresPage(db, page)
      const shown = await views(db, rows)
      return shown.map((departure, index) => ({ departure, place: rows[index]!.place }))
    },

    /** Returns some withdrawals or transfers in any state with their risks, in the order of the keys. */
    async of(
      db: Db,
      is: repository.DepartureKind,
      keys: readonly { memberId: bigint; id: bigint }[],
    ): Promise<QueuedDeparture[]> {
      return views(db, await repository.departureRows(db, is, keys))
    },
  }
}

function view(
  row: repository.DepartureRow & { readonly to: string },
  member: ListedMember,
  { before, plan }: { readonly before: readonly repository.SentBefore[]; readonly plan: Plan },
): QueuedDeparture {
  const knownAddresses = [member.address, ...before.flatMap(({ addresses }) => addresses)]
  const alike = looksLike(row.to, knownAddresses)
  const same = before.find((item) => item.is === row.is)
  const departure = {
    worthMicros: row.worth,
    recentMicros: row.recent,
    paidMostMicros: same?.most ?? null,
    looksAlike: alike !== null,
    joinedAtMs: member.joinedAt.getTime(),
    requestedAtMs: row.createdAt.getTime(),
  }
  const risks = withdrawalRisks(departure, plan)
  const reasons: RiskReason[] = [
    ...row.reasons,
    ...risks,
    ...(member.state === 'deactivated' ? (['frozen'] as const) : []),
  ]
  const shown = (address: string) => getAddress(address as Hex)
  return {
    is: row.is,
    id: `${row.id}`,
    member_id: `${row.memberId}`,
    member_address: shown(member.address),
    asset: row.asset,
    amount: formatMicros(row.amount),
    fee: formatMicros(row.fee),
    worth_usdt: formatMicros(row.worth),
    recent_usdt: formatMicros(row.recent),
    to: shown(row.to),
    looks_like: alike === null ? null : shown(alike),
    reasons,
    level: row.level,
    joined_at: member.joinedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    status: row.status,
    ended_at: row.endedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    tx_hash: row.txHash,
    reviewed_by: row.reviewedBy,
    review_reason: row.reviewReason,
    paid_count: same?.count ?? 0,
    paid_most_usdt: formatMicros(same?.most ?? 0n),
    recentMicros: row.recent,
  }
}
