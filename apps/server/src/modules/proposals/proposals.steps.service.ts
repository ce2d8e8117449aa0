import type { ProposalContent, ProposalKind, ProposalListItem, ProposalPayload } from '@rif/api-schema'
import { roleAllows } from '@rif/rules'
import { type Db, inTrial } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { Admin, AdminsService } from '../admins/admins.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { WithdrawalReview } from '../withdrawals/withdrawals.service.ts'
import type { Kind, Kinds, Preview } from './proposals.kinds.ts'
import { areOnePerson } from './proposals.persons.ts'
import type { ProposalRow } from './proposals.repository.ts'
import * as repository from './proposals.repository.ts'

/** A proposal as an admin prepares it. */
export interface ProposalDraft<K extends ProposalKind = ProposalKind> {
  readonly kind: K
  readonly payload: ProposalPayload<K>
  readonly reason: string
  readonly delayMs: number
}

export interface StepDeps {
  readonly now: Now
  readonly adminLog: AdminLogService
  readonly admins: Pick<AdminsService, 'find'>
  readonly members: Pick<MembersService, 'findByAddress' | 'byAddresses'>
  readonly withdrawalReview: Pick<WithdrawalReview, 'wasPaidTo'>
  readonly kinds: Kinds
}

/** Creates the steps of which the calls about proposals consist. Rules, section 12. */
export function createProposalSteps(deps: StepDeps) {
  const { now, adminLog, members } = deps
  const kindOf = (kind: ProposalKind) => deps.kinds[kind] as Kind<unknown>

  /**
   * Computes the content of a proposal. Applies it and rolls back, so that it is refused now for every reason for which it
   * would fail later.
   */
  async function workOut(
    dbTx: Db,
    { kind, payload, reason, delayMs }: ProposalDraft,
  ): Promise<ProposalContent & Preview> {
    const preview = await kindOf(kind).preview(dbTx, payload)
    const actors = { preparedBy: 'dry-run:1', decidedBy: 'dry-run:2', reason }
    await inTrial(dbTx, (trial) => kindOf(kind).apply(trial, payload, actors))
    const { subject, summary, difference, effects = [], memberIds = [] } = preview
    return {
      ...{ kind, subject, summary, reason, delay_minutes: Math.round(delayMs / 60_000), payload },
      ...{ difference: [...difference], effects: [...effects], memberIds },
    }
  }

  const textOf = ({ memberIds: _, ...content }: ProposalContent & Preview): string => JSON.stringify(content)
  /** Returns the content that is signed and applied: only its text is stored. */
  const contentOf = (row: ProposalRow) => JSON.parse(row.content) as ProposalContent

  /** Returns the reason why an admin may neither approve nor refuse a proposal; null for none. */
  async function hindrance(on: Db, row: ProposalRow, admin: Admin): Promise<ProposalListItem['hindrance']> {
    const kind = kindOf(row.kind)
    if (!(row.state === 'Approved' || (row.state === 'Open' && row.expiresAt > now()))) return 'final'
    if (!roleAllows(admin.role, kind.decide)) return 'role'
    if (kind.people === 2) {
      const isOwn =
        row.preparedPerson === admin.person || (await areOnePerson(deps, on, row.preparedBy, admin.address))
      if (isOwn) return 'own'
    }
    return null
  }

  /**
   * Throws PROPOSAL_FINAL, FORBIDDEN or OWN_PROPOSAL by `hindrance`, and OWN_PROPOSAL for an admin who is one of the members
   * concerned. A proposal that is approved for later can only be refused.
   */
  async function requireMayDecide(
    on: Db,
    row: ProposalRow,
    admin: Admin,
    { approve, preview }: { approve: boolean; preview: Preview | null },
  ): Promise<void> {
    const against = await hindrance(on, row, admin)
    if (against === 'final' || (approve && row.state !== 'Open')) throw new AppError('PROPOSAL_FINAL')
    if (against === 'role') throw new AppError('FORBIDDEN')
    if (against === 'own') throw new AppError('OWN_PROPOSAL')
    const own = await members.findByAddress(on, admin.address)
    if (own !== undefined && preview?.memberIds?.includes(own.memberId)) throw new AppError('OWN_PROPOSAL')
  }

  /** Returns the present effect of a proposal. Returns null for one that is refused and could no longer be applied. */
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
      ...{ actor, action: `proposal.${step}`, subject: row.subject },
      ...(reason && { reason }),
      after: { proposal: `${row.proposalId}`, kind: row.kind, summary, digest: row.digest, difference },
    })
  }

  async function carryOut(
    dbTx: Db,
    row: ProposalRow,
    decidedBy: string,
    decision: Omit<repository.Step, 'state'> = {},
  ): Promise<ProposalRow> {
    const { preparedBy, reason } = row
    const { payload } = contentOf(row)
    const result = await kindOf(row.kind).apply(dbTx, payload, { preparedBy, decidedBy, reason })
    const applied = await repository.moveProposal(dbTx, row.proposalId, {
      ...decision,
      state: 'Applied',
      appliedAt: now(),
      result: result ?? {},
    })
    await record(dbTx, applied, decidedBy, 'apply')
    return applied
  }

  return {
    ...{ kindOf, workOut, textOf, contentOf },
    ...{ hindrance, requireMayDecide, previewOf, record, carryOut },
  }
}
