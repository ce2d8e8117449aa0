import { createHash } from 'node:crypto'
import type { Headline, ProposalPayload } from '@rif/api-schema'
import {
  type DecidedDeparture,
  dayOf,
  departureItem,
  departureSummary,
  formatMicros,
  type Micros,
  max,
  type PaymentAsset,
} from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { REVERSIBLE_KINDS } from '../books/ledger/accounts.ts'
import type { LedgerLine, LedgerService } from '../books/ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import { type Amount, change, type Kind, type Preview, says } from '../proposal-kind.ts'
import {
  SEVERAL_TRANSFERS,
  SEVERAL_WITHDRAWALS,
  transferSubject,
  withdrawalSubject,
} from '../proposal-subjects.ts'
import type { LeavingService } from './leaving.service.ts'
import type { TransferReview, TransfersService } from './transfers/transfers.service.ts'
import type { WithdrawalReview } from './withdrawals/withdrawals.service.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
}

/** A withdrawal or transfer under audit, as a proposal describes it. */
interface Held extends DecidedDeparture {
  readonly subject: string
  readonly asset: PaymentAsset
  readonly worthMicros: Micros
  /**
   * The sum that left the member within 24 hours, this one included, so that a split sum counts as a whole.
   */
  readonly recentMicros: Micros
  readonly status: string
}

/** The words for a kind of departure. */
interface Words {
  readonly noun: 'withdrawal' | 'transfer'
  readonly field: string
  readonly several: string
  readonly headline: 'release' | 'transfer'
  readonly approved: string
  readonly effect: string
}

const WITHDRAWALS: Words = {
  noun: 'withdrawal',
  field: 'withdrawals',
  several: SEVERAL_WITHDRAWALS,
  headline: 'release',
  approved: 'Withdrawable',
  effect: 'may_be_claimed',
}

const TRANSFERS: Words = {
  noun: 'transfer',
  field: 'transfers',
  several: SEVERAL_TRANSFERS,
  headline: 'transfer',
  approved: 'Success',
  effect: 'arrives',
}

/** Withdrawals under audit, one or several small ones together. Rules, sections 7 and 10. */
export function withdrawalsKind(
  deps: Deps & { readonly review: WithdrawalReview },
): Kind<ProposalPayload<'withdrawals'>> {
  const { ledger, review } = deps
  const idsOf = ({ withdrawals }: ProposalPayload<'withdrawals'>) =>
    withdrawals.map(({ member_id, withdraw_id }) => ({
      memberId: BigInt(member_id),
      withdrawalId: BigInt(withdraw_id),
    }))
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    askedByMembers: true,
    async preview(db, payload) {
      const departures = (await review.find(db, idsOf(payload))).map(
        (row): Held => ({
          id: row.withdrawal_id,
          memberId: row.member_id,
          asset: row.asset,
          to: row.to_address,
          amountMicros: row.amount_micros,
          worthMicros: row.worth_micros,
          status: row.status,
          subject: withdrawalSubject(row.member_id, row.withdrawal_id),
          recentMicros: row.recent_micros,
        }),
      )
      return previewOf(deps, db, { departures, approve: payload.approve, words: WITHDRAWALS })
    },
    async apply(dbTx, payload, { decidedBy, reason }) {
      const ids = idsOf(payload).sort(byMember)
      await ledger.lock(dbTx, { memberIds: [...new Set(ids.map(({ memberId }) => memberId))] })
      for (const departure of ids) {
        await review.decide(dbTx, { ...departure, approve: payload.approve, actor: decidedBy, reason })
      }
      return { decided: ids.length }
    },
  }
}

/** Transfers that are held for review, one or several small ones together. Rules, section 10. */
export function transfersKind(
  deps: Deps & { readonly review: TransferReview; readonly members: MembersService },
): Kind<ProposalPayload<'transfers'>> {
  const { ledger, review, members } = deps
  const idsOf = ({ transfers }: ProposalPayload<'transfers'>) =>
    transfers.map(({ member_id, transfer_id }) => ({
      memberId: BigInt(member_id),
      transferId: BigInt(transfer_id),
    }))
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    askedByMembers: true,
    async preview(db, payload) {
      const rows = await review.find(db, idsOf(payload))
      const receivers = await members.addresses(db, [...new Set(rows.map((row) => row.counterpart_id))])
      const departures = rows.map(
        (row): Held => ({
          id: row.transfer_id,
          memberId: row.member_id,
          asset: row.asset,
          status: row.status,
          amountMicros: row.amount_micros,
          worthMicros: row.worth_micros,
          subject: transferSubject(row.member_id, row.transfer_id),
          recentMicros: row.recent_micros,
          to: receivers.get(row.counterpart_id)!,
        }),
      )
      return previewOf(deps, db, { departures, approve: payload.approve, words: TRANSFERS })
    },
    async apply(dbTx, payload, { decidedBy, reason }) {
      const ids = idsOf(payload).sort(byMember)
      const rows = await review.find(dbTx, ids)
      const memberIds = rows.flatMap((row) => [row.member_id, row.counterpart_id])
      await ledger.lock(dbTx, { memberIds: [...new Set(memberIds)] })
      for (const departure of ids) {
        await review.decide(dbTx, { ...departure, approve: payload.approve, actor: decidedBy, reason })
      }
      return { decided: ids.length }
    },
  }
}

async function previewOf(
  { now, plans }: Deps,
  db: Db,
  { departures, approve, words }: { departures: readonly Held[]; approve: boolean; words: Words },
): Promise<Preview> {
  const plan = await plans.planAt(db, dayOf(now().getTime()))
  const isBulk = departures.length > 1
  const tooLarge = departures.find((item) => item.recentMicros > plan.withdrawal.auditAboveMicros)
  if (isBulk && tooLarge !== undefined) {
    throw new AppError('VALIDATION_FAILED', {
      field: words.field,
      problem: `${tooLarge.id} is too large to be decided on together with others`,
    })
  }
  const after = approve ? words.approved : 'Rejected'
  const worth = formatMicros(departures.reduce((sum, { worthMicros }) => sum + worthMicros, 0n))
  const [first] = departures
  const what = isBulk
    ? `${departures.length} ${words.field}, ${worth} USDT worth in all`
    : departureSummary(words.noun, first!)
  const names = departures.map(({ subject }) => subject)
  const sentence: Headline['name'] = `${words.headline}${isBulk ? '_several' : ''}${approve ? '' : '_rejected'}`
  return {
    subject: isBulk ? `${words.several}${shortDigest(names.join())}` : names[0]!,
    summary: `${approve ? 'Approve' : 'Reject'} ${what}`,
    headline: {
      name: sentence,
      values: isBulk
        ? { count: `${departures.length}`, worth }
        : {
            amount: formatMicros(first!.amountMicros),
            asset: first!.asset,
            to: getAddress(first!.to as Hex),
          },
    },
    difference: departures.map((item) => change('status', item.status, after, departureItem(item))),
    effects: [{ name: approve ? words.effect : 'amount_returns', values: { worth } }],
    memberIds: [...new Set(departures.map(({ memberId }) => memberId))],
    payees: [...new Set(departures.map(({ to }) => to))],
    amounts: approve ? departures.map(({ asset, amountMicros }) => ({ asset, micros: amountMicros })) : [],
    worthMicros: approve ? departures.reduce((most, { recentMicros }) => max(most, recentMicros), 0n) : 0n,
  }
}

const byMember = (a: { memberId: bigint }, b: { memberId: bigint }) =>
  a.memberId < b.memberId ? -1 : a.memberId > b.memberId ? 1 : 0

/** Returns the first 16 hexadecimal digits of the SHA-256 of a text. */
const shortDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

export function unflagKind(deps: { leaving: LeavingService }): Kind<ProposalPayload<'unflag'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { member_id }) {
      if (!(await deps.leaving.isFlagged(db, BigInt(member_id)))) throw new AppError('NOT_FOUND')
      return {
        subject: `member/${member_id}`,
        summary: `Withdrawals and transfers of member ${member_id} are no longer held for review`,
        headline: says('unflag', { member: member_id }),
        difference: [change('risk_flag', 'held', 'free', `member ${member_id}`)],
        memberIds: [BigInt(member_id)],
      }
    },
    apply: (dbTx, { member_id }, { decidedBy, reason }) =>
      deps.leaving.flag(dbTx, { memberId: BigInt(member_id), flagged: false, actor: decidedBy, reason }),
  }
}

/** Corrects a mistake: reverses a posted transaction in full, never below zero. Rules, section 2. */
export function reversalKind(deps: {
  now: Now
  ledger: LedgerService
  transfers: Pick<TransfersService, 'counterpart'>
}): Kind<ProposalPayload<'reversal'>> {
  const { now, ledger, transfers } = deps
  async function find(db: Db, { member_id, seq }: ProposalPayload<'reversal'>) {
    const memberId = BigInt(member_id)
    const own = await ledger.history.transaction(db, memberId, BigInt(seq))
    if (own === undefined) throw new AppError('NOT_FOUND')
    const isShared = own.kind === 'transfer'
    const others = isShared ? [await transfers.counterpart(db, memberId, BigInt(own.causeId))] : []
    const posted = isShared ? (await ledger.history.transaction(db, memberId, BigInt(seq), others))! : own
    if (!REVERSIBLE_KINDS.includes(posted.kind)) throw new AppError('NOT_REVERSIBLE', { kind: posted.kind })
    if (posted.isReversed) throw new AppError('NOTHING_TO_REVIEW')
    return posted
  }
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const posted = await find(db, payload)
      return {
        subject: `ledger/${posted.key}`,
        summary: `Reverse transaction ${payload.seq} of member ${payload.member_id} (${posted.kind} ${posted.key})`,
        headline: says('reversal', { seq: payload.seq, member: payload.member_id }),
        difference: posted.lines.map(({ memberId, asset, source, destination, amountMicros }) =>
          change(
            'posting',
            `${formatMicros(amountMicros)} ${asset}: ${source} -> ${destination}`,
            `${formatMicros(amountMicros)} ${asset}: ${destination} -> ${source}`,
            `member ${memberId}`,
          ),
        ),
        memberIds: [...new Set(posted.lines.map(({ memberId }) => memberId))],
        amounts: movedBy(posted.lines),
      }
    },
    async apply(dbTx, payload, { decidedBy }) {
      const { key, lines } = await find(dbTx, payload)
      const at = now()
      await ledger.reverse(dbTx, {
        key,
        memberIds: [...new Set(lines.map(({ memberId }) => memberId))],
        cause: { type: 'correction', id: decidedBy },
        at,
        accountingDay: dayOf(at.getTime()),
      })
    },
  }
}

/** Returns the amounts of a transaction; the halves of a movement between members count once. */
function movedBy(lines: readonly LedgerLine[]): Amount[] {
  return lines.flatMap(({ asset, destination, amountMicros }) =>
    destination === 'clearing' ? [] : [{ asset, micros: amountMicros }],
  )
}
