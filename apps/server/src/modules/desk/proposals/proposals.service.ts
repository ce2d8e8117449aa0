import { randomBytes } from 'node:crypto'
import type { Proposal, ProposalKind } from '@rif/api-schema'
import { decisionStatement, roleAllows } from '@rif/rules'
import type { Hex } from 'viem'
import { type Signatures, typedDataJson } from '../../../chain/signature.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { createProposalReading, type ReadingDeps } from './proposals.reading.service.ts'
import type { ProposalRow } from './proposals.repository.ts'
import * as repository from './proposals.repository.ts'
import { createProposalSteps, type ProposalDraft, type StepDeps } from './proposals.steps.service.ts'
import { hashesOf, type StatementHashes } from './statement-hashes.ts'

export * from '../../proposal-subjects.ts'
export { departuresOf } from './proposals.risks.service.ts'
export type { ProposalDraft } from './proposals.steps.service.ts'

export type ProposalsService = ReturnType<typeof createProposals>

interface Deps extends StepDeps, ReadingDeps {
  readonly db: Db
  readonly log: Logger
  readonly signatures: Pick<Signatures, 'isStatementSigned'>
  /** The chain and the bank contract for which signed statements are valid. */
  readonly domain: { readonly chainId: number; readonly bank: string }
}

/** The time limit for deciding a proposal. */
const VALIDITY_MS = 72 * 60 * 60_000
/** The time limit for signing a statement. */
const STATEMENT_VALIDITY_MS = 10 * 60_000
const RETENTION_MS = 24 * 60 * 60_000
const CLEAN_UP_ROWS = 20
const DUE_AT_A_TIME = 50

/**
 * Creates the service of proposals (rules, section 12): one admin prepares, the exact difference and effect
 * are shown, another approves or refuses by signing exactly these, and the proposal is applied once.
 */
export function createProposals(deps: Deps) {
  const { db, now, log, signatures, domain } = deps
  const steps = createProposalSteps(deps)
  const { requireFound, view, ...reading } = createProposalReading({ ...deps, steps })
  const { kindOf, workOut, contentOf, approversFor } = steps
  const { requireMayPrepare, requireMayDecide, previewOf, record, carryOut } = steps

  /**
   * Withdraws an open proposal that one person decides alone and whose signature failed. A new one replaces
   * it, so that in an emergency nobody has to find the old one first.
   */
  async function giveUpUnsigned(dbTx: Db, admin: Admin, kind: ProposalKind, subject: string): Promise<void> {
    const unsigned = await repository.lockOpen(dbTx, kind, subject)
    if (unsigned === undefined) return
    const withdrawn = await repository.moveProposal(dbTx, unsigned.proposalId, { state: 'Withdrawn' })
    await record(dbTx, withdrawn, admin.address, 'withdraw')
  }

  const statementOf = (
    row: ProposalRow,
    signed: { approve: boolean; reason: string; nonce: string; deadline: number },
  ) =>
    decisionStatement(
      {
        proposalId: `${row.proposalId}`,
        kind: row.kind,
        subject: row.subject,
        digest: row.digest,
        summary: contentOf(row).summary,
        ...signed,
      },
      domain,
    )

  /** Ends the effects of a proposal's preparation. */
  async function ended(dbTx: Db, row: ProposalRow, decidedBy: string | null): Promise<void> {
    const { preparedBy } = row
    await kindOf(row.kind).ended?.(dbTx, contentOf(row).payload, { preparedBy, decidedBy })
  }

  /** Counts the persons who approved with a wallet that still has the required role. */
  async function countValid(on: Db, { kind, approvals }: ProposalRow): Promise<number> {
    const approvers = await Promise.all(approvals.map(({ address }) => deps.admins.find(on, address)))
    const valid = approvers.filter((item) => item !== undefined && roleAllows(item.role, kindOf(kind).decide))
    return new Set(valid.map((item) => item!.personId)).size
  }

  return {
    /**
     * Collects the chain data for the content. Call it before `preview` and `prepare`, outside transactions.
     * Throws FORBIDDEN, CHAIN_UNAVAILABLE.
     */
    async gather(admin: Admin, { kind, payload }: ProposalDraft): Promise<void> {
      if (!roleAllows(admin.role, kindOf(kind).prepare)) throw new AppError('FORBIDDEN')
      await kindOf(kind).gather?.(db, payload)
    },

    /**
     * Returns the content of a proposal as text without storing it. Throws FORBIDDEN, and the refusal of an
     * impossible one.
     */
    async preview(admin: Admin, draft: ProposalDraft): Promise<string> {
      if (!roleAllows(admin.role, kindOf(draft.kind).prepare)) throw new AppError('FORBIDDEN')
      return inTx(db, async (dbTx) => {
        const { text, preview } = await workOut(dbTx, draft)
        await requireMayPrepare(dbTx, admin, preview)
        return text
      })
    },

    /** Stores a proposal. Throws as `preview`, and PROPOSAL_OPEN while another proposal has the same subject. */
    async prepare(dbTx: Db, admin: Admin, draft: ProposalDraft): Promise<Proposal> {
      if (!roleAllows(admin.role, kindOf(draft.kind).prepare)) throw new AppError('FORBIDDEN')
      const { content, text, preview, payees, worthMicros } = await workOut(dbTx, draft)
      await requireMayPrepare(dbTx, admin, preview)
      await repository.lockPreparing(dbTx)
      const at = now()
      const place = { preparedBy: admin.address, preparedPerson: admin.person, preparedAt: at }
      const approvalsNeeded = await approversFor(dbTx, kindOf(draft.kind), preview, place)
      if (kindOf(draft.kind).people === 1) await giveUpUnsigned(dbTx, admin, draft.kind, content.subject)
      const row = await repository.insertProposal(dbTx, {
        kind: draft.kind,
        subject: content.subject,
        content: text,
        approvalsNeeded,
        payees,
        worthMicros,
        reason: draft.reason,
        delayMs: BigInt(draft.delayMs),
        ...place,
        expiresAt: new Date(at.getTime() + (kindOf(draft.kind).validityMs ?? VALIDITY_MS)),
      })
      if (row === undefined) throw new AppError('PROPOSAL_OPEN')
      await kindOf(draft.kind).prepared?.(dbTx, draft.payload, { preparedBy: admin.address })
      await record(dbTx, row, admin.address, 'prepare', draft.reason)
      return view(dbTx, row, admin)
    },

    ...reading,

    /** Withdraws an own open proposal of the admin. Throws NOT_FOUND, FORBIDDEN, PROPOSAL_FINAL. */
    async withdraw(dbTx: Db, admin: Admin, proposalId: bigint): Promise<Proposal> {
      const row = await requireFound(repository.lockProposal(dbTx, proposalId))
      if (row.preparedBy !== admin.address) throw new AppError('FORBIDDEN')
      if (row.state !== 'Open') throw new AppError('PROPOSAL_FINAL')
      const withdrawn = await repository.moveProposal(dbTx, proposalId, { state: 'Withdrawn' })
      await ended(dbTx, withdrawn, null)
      await record(dbTx, withdrawn, admin.address, 'withdraw')
      return view(dbTx, withdrawn, admin)
    },

    /** Creates the nonce and the deadline of the statement to sign for a decision. Throws NOT_FOUND, PROPOSAL_FINAL, FORBIDDEN, OWN_PROPOSAL. */
    async statement(
      admin: Admin,
      proposalId: bigint,
      { approve, reason }: { approve: boolean; reason: string },
    ): Promise<{ nonce: string; deadline: number } & StatementHashes> {
      const row = await requireFound(repository.findProposal(db, proposalId))
      await requireMayDecide(db, row, admin, { approve, preview: await previewOf(db, row, approve) })
      const at = now().getTime()
      const deadline = Math.floor((at + STATEMENT_VALIDITY_MS) / 1000)
      const nonce = `0x${randomBytes(32).toString('hex')}`
      await repository.insertDecisionStatement(db, {
        nonce,
        address: admin.address,
        proposalId,
        approve,
        reason,
        deadline: new Date(deadline * 1000),
      })
      await repository.deleteOldStatements(db, new Date(at - RETENTION_MS), CLEAN_UP_ROWS)
      return { nonce, deadline, ...hashesOf(statementOf(row, { approve, reason, deadline, nonce })) }
    },

    /** Checks a signed statement. Call it outside transactions: it may call the chain. Throws NONCE_INVALID, SIGNATURE_INVALID. */
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
      const row = await requireFound(repository.findProposal(db, proposalId))
      const { approve, reason, deadline } = statement
      const typedData = statementOf(row, { approve, reason, nonce, deadline: deadline.getTime() / 1000 })
      const signed = { address: admin.address as Hex, typedData, signature }
      const isSigned = await signatures.isStatementSigned(signed)
      if (!isSigned) throw new AppError('SIGNATURE_INVALID')
    },

    /**
     * Decides with a statement whose signature was checked: refuses, or approves and, once enough persons
     * have approved, applies the proposal at once or after the delay. Throws NONCE_INVALID, NOT_FOUND,
     * PROPOSAL_FINAL, FORBIDDEN, OWN_PROPOSAL, PROPOSAL_CHANGED if the difference is no longer the one shown,
     * and the refusal of the kind.
     */
    async decide(
      dbTx: Db,
      caller: Admin,
      proposalId: bigint,
      { nonce, signature }: { nonce: string; signature: Hex },
    ): Promise<Proposal> {
      const row = await requireFound(repository.lockProposal(dbTx, proposalId))
      // The role may have been revoked since the request began, because checking the signature and waiting
      // for the lock take time.
      const admin = await deps.admins.find(dbTx, caller.address)
      if (admin === undefined) throw new AppError('FORBIDDEN')
      const at = now()
      if (!(await repository.useStatement(dbTx, nonce, at))) throw new AppError('NONCE_INVALID')
      const { approve, reason, deadline } = (await repository.findStatement(dbTx, nonce))!
      const preview = await previewOf(dbTx, row, approve)
      await requireMayDecide(dbTx, row, admin, { approve, preview })
      const decision = { decidedBy: admin.address, decidedAt: at, decisionReason: reason, signature }
      if (!approve) {
        const refused = await repository.moveProposal(dbTx, proposalId, { state: 'Refused', ...decision })
        await ended(dbTx, refused, admin.address)
        await record(dbTx, refused, admin.address, 'refuse', reason)
        return view(dbTx, refused, admin)
      }
      const isAsShown = JSON.stringify(preview?.difference) === JSON.stringify(contentOf(row).difference)
      const needed = await approversFor(dbTx, kindOf(row.kind), preview!, row)
      if (!isAsShown || needed > row.approvalsNeeded) throw new AppError('PROPOSAL_CHANGED')
      await record(dbTx, row, admin.address, 'approve', reason)
      const { person, address } = admin
      const approval = { person, address, reason, signature, nonce, deadline, at }
      await repository.insertApproval(dbTx, proposalId, approval)
      if (row.approvalsNeeded > 1) {
        const approved = await requireFound(repository.findProposal(dbTx, proposalId))
        if ((await countValid(dbTx, approved)) < row.approvalsNeeded) return view(dbTx, approved, admin)
      }
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

    /**
     * Has the wallet of an admin sign a decision, and decides. `sign` receives the typed data in the form of
     * `eth_signTypedData_v4`. Throws as `statement` and `decide`.
     */
    async decideWith(
      admin: Admin,
      proposalId: bigint,
      decision: { approve: boolean; reason: string },
      sign: (typedData: string) => Promise<Hex>,
    ): Promise<Proposal> {
      const { nonce, deadline } = await this.statement(admin, proposalId, decision)
      const row = await requireFound(repository.findProposal(db, proposalId))
      const signature = await sign(typedDataJson(statementOf(row, { ...decision, nonce, deadline })))
      await this.checkSignature(admin, proposalId, { nonce, signature })
      return inTx(db, (dbTx) => this.decide(dbTx, admin, proposalId, { nonce, signature }))
    },

    /** Returns the open proposals of a kind by subject. */
    openBySubject: repository.openBySubject,
    openPayloads: repository.openPayloads,

    /**
     * Applies approved proposals that are due and expires undecided ones, each in one transaction. A killed
     * process has no effect; of two concurrent processes the second finds the proposal done.
     */
    async runDue(): Promise<void> {
      for (const proposalId of await repository.dueProposals(db, now(), DUE_AT_A_TIME)) {
        await inTx(db, (dbTx) => this.settle(dbTx, proposalId)).catch((error: unknown) =>
          inTx(db, (dbTx) => fail(dbTx, proposalId, error)),
        )
      }
    },

    /** Processes one proposal of `runDue`. */
    async settle(dbTx: Db, proposalId: bigint): Promise<void> {
      const row = await repository.lockProposal(dbTx, proposalId)
      const at = now()
      if (row?.state === 'Open' && row.expiresAt <= at) {
        const expired = await repository.moveProposal(dbTx, proposalId, { state: 'Expired' })
        await ended(dbTx, expired, null)
        await record(dbTx, expired, WORKER, 'expire')
      }
      if (row?.state === 'Approved' && row.applyAfter! <= at) {
        await carryOut(dbTx, row, row.decidedBy!)
      }
    },
  }

  /** Ends a proposal that was refused; other errors are rethrown, and the worker retries. */
  async function fail(dbTx: Db, proposalId: bigint, error: unknown): Promise<void> {
    if (!(error instanceof AppError)) throw error
    const row = await repository.lockProposal(dbTx, proposalId)
    if (row?.state !== 'Approved') return
    const failed = await repository.moveProposal(dbTx, proposalId, { state: 'Failed', failure: error.code })
    await ended(dbTx, failed, null)
    await record(dbTx, failed, WORKER, 'fail', error.code)
    log.error(
      { proposalId: `${proposalId}`, code: error.code },
      'an approved proposal could not be carried out',
    )
  }
}

const WORKER = 'worker'
