import { randomBytes } from 'node:crypto'
import {
  type Proposal,
  type ProposalContent,
  type ProposalKind,
  type ProposalListItem,
  type ProposalPayload,
  type ProposalState,
  proposalState,
} from '@rif/api-schema'
import { decisionStatement, roleAllows } from '@rif/rules'
import type { Hex } from 'viem'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import type { Admin, AdminsService } from '../admins/admins.service.ts'
import type { AuthService } from '../auth/auth.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { WithdrawalReview } from '../withdrawals/withdrawals.service.ts'
import type { Kind, Kinds, Preview } from './proposals.kinds.ts'
import { areOnePerson } from './proposals.persons.ts'
import type { ProposalRow } from './proposals.repository.ts'
import * as repository from './proposals.repository.ts'
import { listItem, proposalView } from './proposals.view.ts'

export * from './proposals.subjects.ts'

/** A proposal as an admin prepares it. */
export interface ProposalDraft<K extends ProposalKind = ProposalKind> {
  readonly kind: K
  readonly payload: ProposalPayload<K>
  readonly reason: string
  readonly delayMs: number
}

export type ProposalsService = ReturnType<typeof createProposals>

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly adminLog: AdminLogService
  readonly admins: Pick<AdminsService, 'find'>
  readonly members: Pick<MembersService, 'findByAddress' | 'byAddresses'>
  readonly withdrawalReview: Pick<WithdrawalReview, 'wasPaidTo'>
  readonly kinds: Kinds
  readonly auth: Pick<AuthService, 'isStatementSigned'>
  /** Where signed statements hold. */
  readonly domain: { readonly chainId: number; readonly bank: string }
}

/** How long a proposal waits for a decision. */
const VALIDITY_MS = 72 * 60 * 60_000
/** How long a statement may take to be signed. */
const STATEMENT_VALIDITY_MS = 10 * 60_000
const RETENTION_MS = 24 * 60 * 60_000
const CLEAN_UP_ROWS = 20
const DUE_AT_A_TIME = 50

/** Thrown to undo what was tried. */
class DryRunDone extends Error {}

/**
 * The one way in which two people decide (rules, section 12): one prepares, the exact difference and effect are shown,
 * somebody else approves or refuses with a signature of just that, and it is carried out once.
 */
export function createProposals(deps: Deps) {
  const { db, now, log, adminLog, members, auth, domain } = deps
  const kindOf = (kind: ProposalKind) => deps.kinds[kind] as Kind<unknown>

  /**
   * Works a proposal out, and tries whether it could be carried out now: by carrying it out and undoing it, so that it is
   * refused for the very reasons for which it would fail later.
   */
  async function workOut({
    kind,
    payload,
    reason,
    delayMs,
  }: ProposalDraft): Promise<ProposalContent & Preview> {
    const preview = await kindOf(kind).preview(db, payload)
    const actors = { preparedBy: 'dry-run:1', decidedBy: 'dry-run:2', reason }
    await inDbTx(db, async (dbTx) => {
      await kindOf(kind).apply(dbTx, payload, actors)
      throw new DryRunDone()
    }).catch((error: unknown) => {
      if (!(error instanceof DryRunDone)) throw error
    })
    const { subject, summary, difference, effects = [], memberIds = [] } = preview
    return {
      ...{ kind, subject, summary, reason, delay_minutes: Math.round(delayMs / 60_000), payload },
      ...{ difference: [...difference], effects: [...effects], memberIds },
    }
  }

  const textOf = ({ memberIds: _, ...content }: ProposalContent & Preview): string => JSON.stringify(content)
  /** What was signed is what is carried out: nothing of a proposal is kept but its text. */
  const contentOf = (row: ProposalRow) => JSON.parse(row.content) as ProposalContent

  /** Why an admin may not decide on a proposal, or refuse one before it takes effect; null when nothing stands against it. */
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

  /** As `hindrance`, and whether the admin is one of the members it is about; what is approved for later can only be refused. */
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

  /** What a proposal would do by now. One that can no longer be carried out is none (null) to whoever refuses it. */
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

  /**
   * What one person prepares and signs at once is left open when the wallet did not sign: whoever begins anew takes its
   * place, so that nobody has to look for it first, in an emergency.
   */
  async function giveUpUnsigned(dbTx: Db, admin: Admin, kind: ProposalKind, subject: string): Promise<void> {
    const unsigned = await repository.lockOpen(dbTx, kind, subject)
    if (unsigned === undefined) return
    const withdrawn = await repository.moveProposal(dbTx, unsigned.proposalId, { state: 'Withdrawn' })
    await record(dbTx, withdrawn, admin.address, 'withdraw')
  }

  async function view(on: Db, row: ProposalRow, admin: Admin): Promise<Proposal> {
    return proposalView(row, await hindrance(on, row, admin))
  }

  async function found(row: Promise<ProposalRow | undefined>): Promise<ProposalRow> {
    const proposal = await row
    if (proposal === undefined) throw new AppError('NOT_FOUND')
    return proposal
  }

  return {
    /** What a proposal would change, as text; nothing is stored. Throws what makes it impossible, and FORBIDDEN. */
    async preview(admin: Admin, draft: ProposalDraft): Promise<string> {
      if (!roleAllows(admin.role, kindOf(draft.kind).prepare)) throw new AppError('FORBIDDEN')
      return textOf(await workOut(draft))
    },

    /** Throws what makes the proposal impossible now, FORBIDDEN, and PROPOSAL_OPEN when another about the same thing waits. */
    async prepare(dbTx: Db, admin: Admin, draft: ProposalDraft): Promise<Proposal> {
      if (!roleAllows(admin.role, kindOf(draft.kind).prepare)) throw new AppError('FORBIDDEN')
      const content = await workOut(draft)
      const at = now()
      if (kindOf(draft.kind).people === 1) await giveUpUnsigned(dbTx, admin, draft.kind, content.subject)
      const row = await repository.insertProposal(dbTx, {
        ...{ kind: draft.kind, subject: content.subject, content: textOf(content) },
        ...{ reason: draft.reason, delayMs: BigInt(draft.delayMs) },
        ...{ preparedBy: admin.address, preparedPerson: admin.person, preparedAt: at },
        expiresAt: new Date(at.getTime() + VALIDITY_MS),
      })
      if (row === undefined) throw new AppError('PROPOSAL_OPEN')
      await record(dbTx, row, admin.address, 'prepare', draft.reason)
      return view(dbTx, row, admin)
    },

    /** Throws NOT_FOUND. */
    async get(admin: Admin, proposalId: bigint): Promise<Proposal> {
      return view(db, await found(repository.findProposal(db, proposalId)), admin)
    },

    /** A page of proposals, newest first. */
    async list(
      admin: Admin,
      query: { show: Show; kind?: ProposalKind | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: ProposalListItem[]; next: string | null; open: number }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const mine = query.show === 'mine'
      const decidable = Object.keys(deps.kinds) as ProposalKind[]
      const kinds = query.kind
        ? [query.kind]
        : mine
          ? decidable.filter((kind) => roleAllows(admin.role, kindOf(kind).decide))
          : null
      const rows = await repository.listProposals(db, {
        ...{ states: STATES[query.show], kinds, before, limit: query.limit },
        notByPerson: mine ? admin.person : undefined,
      })
      const against = new Map(
        await Promise.all(
          rows.map(async (row) => [row.proposalId, await hindrance(db, row, admin)] as const),
        ),
      )
      const page = toPage(
        rows,
        query.limit,
        (row) => listItem(row, against.get(row.proposalId) ?? null),
        (row) => encodeCursor(row.proposalId),
      )
      return { ...page, open: await repository.countOpen(db) }
    },

    /** Takes an own open proposal back. Throws NOT_FOUND, FORBIDDEN, PROPOSAL_FINAL. */
    async withdraw(dbTx: Db, admin: Admin, proposalId: bigint): Promise<Proposal> {
      const row = await found(repository.lockProposal(dbTx, proposalId))
      if (row.preparedBy !== admin.address) throw new AppError('FORBIDDEN')
      if (row.state !== 'Open') throw new AppError('PROPOSAL_FINAL')
      const withdrawn = await repository.moveProposal(dbTx, proposalId, { state: 'Withdrawn' })
      await record(dbTx, withdrawn, admin.address, 'withdraw')
      return view(dbTx, withdrawn, admin)
    },

    /** Nonce and deadline of the statement to sign for a decision. Throws NOT_FOUND, PROPOSAL_FINAL, FORBIDDEN, OWN_PROPOSAL. */
    async statement(
      admin: Admin,
      proposalId: bigint,
      { approve, reason }: { approve: boolean; reason: string },
    ): Promise<{ nonce: string; deadline: number }> {
      const row = await found(repository.findProposal(db, proposalId))
      await requireMayDecide(db, row, admin, { approve, preview: await previewOf(db, row, approve) })
      const at = now().getTime()
      const deadline = Math.floor((at + STATEMENT_VALIDITY_MS) / 1000)
      const nonce = `0x${randomBytes(32).toString('hex')}`
      await repository.insertStatement(db, {
        ...{ nonce, address: admin.address, proposalId, approve, reason },
        deadline: new Date(deadline * 1000),
      })
      await repository.deleteOldStatements(db, new Date(at - RETENTION_MS), CLEAN_UP_ROWS)
      return { nonce, deadline }
    },

    /** Checks a signed statement before any transaction is open: it may ask the chain. Throws NONCE_INVALID, SIGNATURE_INVALID. */
    async checkSignature(
      admin: Admin,
      proposalId: bigint,
      { nonce, signature }: { nonce: string; signature: Hex },
    ): Promise<void> {
      const statement = await repository.findStatement(db, nonce)
      const isOpen =
        statement !== undefined &&
        statement.address === admin.address &&
        statement.proposalId === proposalId &&
        statement.usedAt === null &&
        statement.deadline > now()
      if (!isOpen) throw new AppError('NONCE_INVALID')
      const row = await found(repository.findProposal(db, proposalId))
      const { approve, reason, deadline } = statement
      const typedData = decisionStatement(
        {
          ...{ proposalId: `${proposalId}`, kind: row.kind, subject: row.subject },
          ...{ summary: contentOf(row).summary, digest: row.digest, approve, reason, nonce },
          deadline: deadline.getTime() / 1000,
        },
        domain,
      )
      const isSigned = await auth.isStatementSigned({ address: admin.address as Hex, typedData, signature })
      if (!isSigned) throw new AppError('SIGNATURE_INVALID')
    },

    /**
     * Decides with a statement whose signature was checked: refuses, or approves and carries out, at once or after its
     * delay. Throws NONCE_INVALID, NOT_FOUND, PROPOSAL_FINAL, FORBIDDEN, OWN_PROPOSAL, PROPOSAL_CHANGED when what it
     * changes is no longer as it was shown, and whatever refuses to be carried out.
     */
    async decide(
      dbTx: Db,
      admin: Admin,
      proposalId: bigint,
      { nonce, signature }: { nonce: string; signature: Hex },
    ): Promise<Proposal> {
      const row = await found(repository.lockProposal(dbTx, proposalId))
      const at = now()
      if (!(await repository.useStatement(dbTx, nonce, at))) throw new AppError('NONCE_INVALID')
      const { approve, reason } = (await repository.findStatement(dbTx, nonce))!
      const preview = await previewOf(dbTx, row, approve)
      await requireMayDecide(dbTx, row, admin, { approve, preview })
      const decision = { decidedBy: admin.address, decidedAt: at, decisionReason: reason, signature }
      if (!approve) {
        const refused = await repository.moveProposal(dbTx, proposalId, { state: 'Refused', ...decision })
        await record(dbTx, refused, admin.address, 'refuse', reason)
        return view(dbTx, refused, admin)
      }
      const isAsShown = JSON.stringify(preview?.difference) === JSON.stringify(contentOf(row).difference)
      if (!isAsShown) throw new AppError('PROPOSAL_CHANGED')
      await record(dbTx, row, admin.address, 'approve', reason)
      if (row.delayMs === 0n) {
        return view(dbTx, await carryOut(dbTx, row, admin.address, decision), admin)
      }
      const applyAfter = new Date(at.getTime() + Number(row.delayMs))
      const approved = await repository.moveProposal(dbTx, proposalId, {
        state: 'Approved',
        ...decision,
        applyAfter,
      })
      return view(dbTx, approved, admin)
    },

    /** The open proposals of a kind by what they are about. */
    openBySubject: repository.openBySubject,
    openPayloads: repository.openPayloads,

    /**
     * Carries out what was approved to take effect by now, and lets expire what nobody decided on. Each is one transaction:
     * whoever is killed leaves it as it was, and of two at once the second finds it done.
     */
    async runDue(): Promise<void> {
      for (const proposalId of await repository.dueProposals(db, now(), DUE_AT_A_TIME)) {
        await inDbTx(db, (dbTx) => this.settle(dbTx, proposalId)).catch((error: unknown) =>
          inDbTx(db, (dbTx) => fail(dbTx, proposalId, error)),
        )
      }
    },

    /** One of `runDue`. */
    async settle(dbTx: Db, proposalId: bigint): Promise<void> {
      const row = await repository.lockProposal(dbTx, proposalId)
      const at = now()
      if (row?.state === 'Open' && row.expiresAt <= at) {
        const expired = await repository.moveProposal(dbTx, proposalId, { state: 'Expired' })
        await record(dbTx, expired, WORKER, 'expire')
      }
      if (row?.state === 'Approved' && row.applyAfter! <= at) {
        await carryOut(dbTx, row, row.decidedBy!)
      }
    },
  }

  /** A refusal ends the proposal and stays visible; anything else is tried again. */
  async function fail(dbTx: Db, proposalId: bigint, error: unknown): Promise<void> {
    if (!(error instanceof AppError)) throw error
    const row = await repository.lockProposal(dbTx, proposalId)
    if (row?.state !== 'Approved') return
    const failed = await repository.moveProposal(dbTx, proposalId, { state: 'Failed', failure: error.code })
    await record(dbTx, failed, WORKER, 'fail', error.code)
    log.error(
      { proposalId: `${proposalId}`, code: error.code },
      'an approved proposal could not be carried out',
    )
  }
}

type Show = 'open' | 'mine' | 'ended' | 'all'
const STATES: Readonly<Record<Show, readonly ProposalState[]>> = {
  open: ['Open', 'Approved'],
  mine: ['Open'],
  ended: ['Applied', 'Refused', 'Withdrawn', 'Expired', 'Failed'],
  all: proposalState.options,
}
const WORKER = 'worker'
