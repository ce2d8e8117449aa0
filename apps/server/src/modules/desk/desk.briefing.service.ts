import type { ProposalBriefing, ProposalContent, ProposalPayload } from '@rif/api-schema'
import { formatMicros, type Micros, PAYMENT_ASSETS, type PaymentAsset, parseMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import type { DepartureQueue, QueuedDeparture } from '../leaving/leaving.queue.service.ts'
import type { MembersService } from '../members/members.service.ts'
import { owedMicros, ratioPpm, type SolvencyService } from '../trust/solvency/solvency.service.ts'
import * as repository from './desk.repository.ts'
import { departuresOf, type ProposalsService } from './proposals/proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly members: Pick<MembersService, 'listed'>
  readonly departureQueue: Pick<DepartureQueue, 'of'>
  readonly solvency: Pick<SolvencyService, 'positionAtBlock'>
  readonly proposals: Pick<ProposalsService, 'content'>
}

/** The number of withdrawals or transfers of a proposal that are listed. */
const DEPARTURES_SHOWN = 20
/** The longest time to wait for the chain. */
const CHAIN_WAIT_MS = 700

/**
 * The amount of an asset that leaves the bank contract, and the decrease of its liabilities, in micro-units.
 */
type Leaving = Readonly<Record<PaymentAsset, { readonly heldMicros: Micros; readonly owed: Micros }>>

/**
 * Creates the reader of the facts behind a proposal: risks, the member's history, and the bank contract
 * afterwards.
 */
export function createBriefing({ db, members, departureQueue, solvency, proposals }: Deps) {
  async function memberView(memberId: bigint): Promise<ProposalBriefing['member']> {
    const [[member], history] = await Promise.all([
      members.listed(db, [memberId]),
      repository.memberHistory(db, memberId),
    ])
    if (member === undefined) return null
    return {
      member_id: `${memberId}`,
      address: getAddress(member.address as Hex),
      level: member.level,
      joined_at: member.joinedAt.toISOString(),
      state: member.state,
      rewards: formatMicros(history.rewardsMicros),
      received: formatMicros(history.receivedMicros),
      sent: formatMicros(history.sentMicros),
      withdrawn: formatMicros(history.withdrawnMicros),
      withdrawals_done: history.done,
      withdrawals_rejected: history.rejected,
    }
  }

  async function bankView(leaving: Leaving | null): Promise<ProposalBriefing['bank']> {
    if (leaving === null) return []
    const { position } = await solvency.positionAtBlock(CHAIN_WAIT_MS)
    return PAYMENT_ASSETS.filter((asset) => leaving[asset].heldMicros > 0n).map((asset) => {
      const [heldMicros, owed] = [position[asset].heldMicros, owedMicros(position[asset])]
      const after = {
        heldMicros: heldMicros && heldMicros - leaving[asset].heldMicros,
        owed: owed - leaving[asset].owed,
      }
      return {
        asset,
        held:
          heldMicros === null
            ? null
            : { before: formatMicros(heldMicros), after: formatMicros(after.heldMicros!) },
        owed: { before: formatMicros(owed), after: formatMicros(after.owed) },
        ratio_ppm: { before: ratioPpm(heldMicros, owed), after: ratioPpm(after.heldMicros, after.owed) },
      }
    })
  }

  return {
    /** Returns the facts behind a proposal of any state. Throws NOT_FOUND. */
    async briefing(proposalId: bigint): Promise<ProposalBriefing> {
      const content = await proposals.content(proposalId)
      const departures = departuresOf(content)
      const all = departures === null ? [] : await departureQueue.of(db, departures.is, departures.keys)
      const [memberId, ...others] = membersOf(content, all)
      const [member, bank] = await Promise.all([
        memberId === undefined || others.length > 0 ? null : memberView(memberId),
        bankView(leavingOf(content, all)),
      ])
      const shown = all.slice(0, DEPARTURES_SHOWN).map(({ recentMicros, ...departure }) => departure)
      return { departures: shown, departures_count: all.length, member, bank }
    },
  }
}

/** Returns the members that a proposal concerns, by its subject or its withdrawals and transfers. */
function membersOf({ subject }: ProposalContent, departures: readonly QueuedDeparture[]): bigint[] {
  const [, named] = /^member\/(\d+)/.exec(subject) ?? []
  const ids = named === undefined ? departures.map((departure) => departure.member_id) : [named]
  return [...new Set(ids)].map(BigInt)
}

/**
 * Returns the amounts that leave the bank contract once a proposal is executed and claimed; null for none.
 */
function leavingOf(
  { kind, payload }: ProposalContent,
  departures: readonly QueuedDeparture[],
): Leaving | null {
  if (kind === 'withdrawals' && (payload as ProposalPayload<'withdrawals'>).approve) {
    const sum = (asset: PaymentAsset, field: 'amount' | 'fee') =>
      departures
        .filter((departure) => departure.asset === asset)
        .reduce((total, departure) => total + parseMicros(departure[field]), 0n)
    const of = (asset: PaymentAsset) => ({
      heldMicros: sum(asset, 'amount') - sum(asset, 'fee'),
      owed: sum(asset, 'amount'),
    })
    return { USDT: of('USDT'), AMC: of('AMC') }
  }
  const none = { heldMicros: 0n, owed: 0n }
  if (kind === 'treasury_payout') {
    const { asset, amount } = payload as ProposalPayload<'treasury_payout'>
    return { USDT: none, AMC: none, [asset]: { heldMicros: parseMicros(amount), owed: 0n } }
  }
  if (kind === 'fund_invest') {
    const amount = parseMicros((payload as ProposalPayload<'fund_invest'>).amount)
    return { USDT: { heldMicros: amount, owed: amount }, AMC: none }
  }
  return null
}
