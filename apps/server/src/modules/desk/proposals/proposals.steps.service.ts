import type { ProposalContent, ProposalKind, ProposalListItem, ProposalPayload } from '@rif/api-schema'
import { approversNeeded, dayOf, MICRO, type Micros, max, roleAllows, worth } from '@rif/rules'
import { type Db, inTrial } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import type { Amount, Kind, Kinds, Preview } from '../../proposal-kind.ts'
import { type PersonDeps, type PersonWallets, paysPerson, walletsOfPerson } from './persons.ts'
import type { ProposalRow } from './proposals.repository.ts'
import * as repository from './proposals.repository.ts'

/** A proposal as prepared by an admin. */
export interface ProposalDraft<K extends ProposalKind = ProposalKind> {
  readonly kind: K
  readonly payload: ProposalPayload<K>
  readonly reason: string
  readonly delayMs: number
}

export interface StepDeps extends PersonDeps {
  readonly now: Now
  readonly adminLog: AdminLogService
  readonly plans: Pick<PlansService, 'planAt'>
  readonly pricing: Pick<PricingService, 'priceAt'>
  readonly kinds: () => Kinds
}

/** The content of a proposal, and its payments. */
export interface WorkedOut {
  readonly content: ProposalContent
  /** The content in its signed form. */
  readonly text: string
  readonly preview: Preview
  /** The wallets that it pays or concerns, in lower case. */
  readonly payees: readonly string[]
  /** The USDT worth of its payments; null without a price. */
  readonly worthMicros: Micros | null
}

/** The position of a proposal among those that pay: earlier ones count with it. */
interface PayingPlace {
  /** Undefined for a proposal that is about to be stored. */
  readonly proposalId?: bigint
  readonly preparedBy: string
  readonly preparedAt: Date
}

/** Creates the common steps of the calls about proposals. Rules, section 12. */
export function createProposalSteps(deps: StepDeps) {
  const { now, adminLog, members, plans, pricing } = deps
  const kindOf = (kind: ProposalKind) => deps.kinds()[kind] as Kind<unknown>
  const ofPreparer = () =>
    (Object.keys(deps.kinds()) as ProposalKind[]).filter((kind) => !kindOf(kind).askedByMembers)

  /**
   * Computes the content of a proposal. Applies it and rolls back, so that every later failure is detected
   * now.
   */
  async function workOut(dbTx: Db, { kind, payload, reason, delayMs }: ProposalDraft): Promise<WorkedOut> {
    const preview = await kindOf(kind).preview(dbTx, payload)
    const actors = { proposalId: null, preparedBy: 'dry-run:1', decidedBy: 'dry-run:2', reason }
    await inTrial(dbTx, (trial) => kindOf(kind).apply(trial, payload, actors))
    const { subject, summary, headline, difference, effects = [] } = preview
    const content = {
      kind,
      subject,
      summary,
      headline,
      reason,
      delay_minutes: Math.round(delayMs / 60_000),
      payload,
      difference: [...difference],
      effects: [...effects],
    }
    const [payees, worthMicros] = [await payeesOf(dbTx, preview), await worthOf(dbTx, preview.amounts ?? [])]
    return { content, text: JSON.stringify(content), preview, payees, worthMicros }
  }

  /** Returns the USDT worth of amounts; null if one has no price. */
  async function worthOf(on: Db, amounts: readonly Amount[]): Promise<Micros | null> {
    let total = 0n
    for (const { asset, micros } of amounts) {
      const isPriced = asset === 'AMC' || asset === 'RIF'
      const price = isPriced ? (await pricing.priceAt(on, asset, now()))?.priceMicros : MICRO
      if (price === undefined) return null
      total += worth(micros, price)
    }
    return total
  }

  /**
   * Returns the number of persons who must approve. Adds to a proposal's payments those prepared within 24
   * hours before by the same person (unless members requested them) and those to the same wallets. Rules,
   * section 12.
   */
  async function approversFor(
    on: Db,
    kind: Kind<unknown>,
    preview: Preview,
    { proposalId, preparedBy, preparedAt: at }: PayingPlace,
  ): Promise<number> {
    const { amounts = [], worthMicros = 0n, approvers = 1 } = preview
    if (kind.people === 1 || (amounts.length === 0 && worthMicros === 0n)) return approvers
    const ownMicros = await worthOf(on, amounts)
    const payees = await payeesOf(on, preview)
    const before = await repository.paidBefore(on, {
      proposalId,
      preparers: await deps.admins.walletsLike(on, preparedBy),
      at,
      payees,
      ofPreparer: ofPreparer(),
    })
    const askedMicros = kind.askedByMembers ? 0n : before.byAsker
    const plan = await plans.planAt(on, dayOf(now().getTime()))
    if (ownMicros === null || askedMicros === null || before.toOne === null)
      return approversNeeded(null, plan)
    return approversNeeded(max(ownMicros + max(askedMicros, before.toOne), worthMicros), plan)
  }

  /** Returns the wallets that a proposal pays or concerns. */
  async function payeesOf(on: Db, { memberIds = [], payees = [] }: Preview): Promise<string[]> {
    const ofMembers = await members.addresses(on, memberIds)
    return [...new Set([...ofMembers.values(), ...payees])]
  }

  /** Throws OWN_PROPOSAL if a proposal names a wallet of its preparer as that of somebody else. */
  async function requireMayPrepare(on: Db, admin: Admin, { notOfPreparer = [] }: Preview): Promise<void> {
    if (notOfPreparer.length === 0) return
    const { own } = await walletsOf(on, admin)
    if (notOfPreparer.some((wallet) => own.has(wallet))) throw new AppError('OWN_PROPOSAL')
  }

  /** Returns the content that is signed and applied: only its text is stored. */
  const contentOf = (row: ProposalRow) => JSON.parse(row.content) as ProposalContent

  /** Returns the reason why an admin may neither approve nor refuse a proposal, or null. */
  function hindrance(
    row: repository.ProposalFacts,
    admin: Admin,
    wallets: PersonWallets,
    payees: readonly string[] = row.payees,
  ): ProposalListItem['hindrance'] {
    const kind = kindOf(row.kind)
    if (!(row.state === 'Approved' || (row.state === 'Open' && row.expiresAt > now()))) return 'final'
    if (!roleAllows(admin.role, kind.decide)) return 'role'
    if (kind.people === 2) {
      if (wallets.own.has(row.preparedBy)) return 'own'
      if (paysPerson(wallets, payees)) return 'about_you'
      const isOne = ({ address }: repository.ApprovalRow) => wallets.own.has(address)
      if (row.state === 'Open' && row.approvals.some(isOne)) return 'approved'
    }
    return null
  }

  const walletsOf = (on: Db, { address }: Admin): Promise<PersonWallets> => walletsOfPerson(deps, on, address)

  /**
   * Throws PROPOSAL_FINAL, FORBIDDEN or OWN_PROPOSAL by `hindrance`, for the current payees and those at
   * preparation. An admin who has approved it may still refuse it. A proposal approved for later can only be
   * refused.
   */
  async function requireMayDecide(
    on: Db,
    row: ProposalRow,
    admin: Admin,
    { approve, preview }: { approve: boolean; preview: Preview | null },
  ): Promise<void> {
    const payees = [...row.payees, ...(preview === null ? [] : await payeesOf(on, preview))]
    const against = hindrance(row, admin, await walletsOf(on, admin), payees)
    if (against === 'approved' && !approve) return
    if (against === 'final' || (approve && row.state !== 'Open')) throw new AppError('PROPOSAL_FINAL')
    if (against === 'role') throw new AppError('FORBIDDEN')
    if (against !== null) throw new AppError('OWN_PROPOSAL')
  }

  /**
   * Returns the current effect of a proposal, or null if it is being refused and could no longer be applied.
   */
  async function previewOf(on: Db, row: ProposalRow, approve: boolean): Promise<Preview | null> {
    try {
      return await kindOf(row.kind).preview(on, contentOf(row).payload)
    } catch (error) {
      if (approve || !(error instanceof AppError)) throw error
      return null
    }
  }

  function record(dbTx: Db, row: ProposalRow, actor: string, step: string, reason?: string): Promise<void> {
    const { summary, difference } = contentOf(row)
    return adminLog.record(dbTx, {
      actor,
      action: `proposal.${step}`,
      subject: row.subject,
      ...(reason && { reason }),
      after: { proposal: `${row.proposalId}`, kind: row.kind, summary, digest: row.digest, difference },
    })
  }

  async function carryOut(
    dbTx: Db,
    row: ProposalRow,
    decidedBy: string,
    decision: Omit<repository.ProposalStep, 'state'> = {},
  ): Promise<ProposalRow> {
    const { proposalId, preparedBy, reason } = row
    const { payload } = contentOf(row)
    const result = await kindOf(row.kind).apply(dbTx, payload, { proposalId, preparedBy, decidedBy, reason })
    const applied = await repository.moveProposal(dbTx, proposalId, {
      ...decision,
      state: 'Applied',
      appliedAt: now(),
      result: result ?? {},
    })
    await record(dbTx, applied, decidedBy, 'apply')
    return applied
  }

  return {
    kindOf,
    workOut,
    contentOf,
    approversFor,
    walletsOf,
    hindrance,
    requireMayPrepare,
    requireMayDecide,
    previewOf,
    record,
    carryOut,
  }
}
