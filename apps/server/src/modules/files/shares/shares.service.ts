import { createHash, randomBytes } from 'node:crypto'
import type { Share, Shared, ShareRequest, Shares, SolvencyProof, Statement } from '@rif/api-schema'
import type { Day } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import type { Session } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { StatementsService } from '../statements/statements.service.ts'
import type { SharedSubject, ShareRow } from './shares.repository.ts'
import * as repository from './shares.repository.ts'

interface Deps {
  readonly now: Now
  readonly members: Pick<MembersService, 'get'>
  readonly statements: Pick<StatementsService, 'get' | 'list' | 'open'>
  readonly solvencyProofs: {
    proof(member: { memberId: bigint; address: string }, day: Day): Promise<SolvencyProof>
  }
}

/** The maximum number of open links of a member. */
const OPEN_LIMIT = 10
const TOKEN_BYTES = 32
const DAY_MS = 86_400_000
/** The time for which a link is kept after its end, so that the export of personal data still includes it. */
const ENDED_MS = 30 * DAY_MS

/** Tokens are random, so an unkeyed, unsalted hash cannot be searched. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export type SharesService = ReturnType<typeof createShares>

/** Creates the service of links that let a stranger read one proof or statement of a member. Decision 44. */
export function createShares({ now, members, statements, solvencyProofs }: Deps) {
  /** Returns the link of a token with its member. Throws SHARE_OVER: expired, ended, unknown, or of a frozen member. */
  async function openLink(db: Db, token: string): Promise<{ link: ShareRow; address: string }> {
    const link = await repository.findOpen(db, hashOf(token), now())
    if (link === undefined) throw new AppError('SHARE_OVER')
    const { state, address } = await members.get(db, link.memberId).catch(over)
    if (state !== 'active') throw new AppError('SHARE_OVER')
    return { link, address }
  }

  /**
   * Returns the record that a request would show, and its deletion time. Throws NOT_FOUND, and the errors of
   * the proof.
   */
  async function subjectOf(
    db: Db,
    maker: Pick<Session, 'memberId' | 'address'>,
    request: ShareRequest,
  ): Promise<{ subject: SharedSubject; goneAt: string | null }> {
    if (request.kind === 'proof') {
      await solvencyProofs.proof(maker, request.day)
      return { subject: { kind: 'proof', day: request.day, statementId: null }, goneAt: null }
    }
    const statementId = BigInt(request.statement_id)
    const { file, expires_at } = await statements.get(db, { memberId: maker.memberId }, statementId)
    if (file === null) throw new AppError('NOT_FOUND')
    return { subject: { kind: 'statement', day: null, statementId }, goneAt: expires_at }
  }

  async function list(db: Db, memberId: bigint): Promise<Shares> {
    const [rows, { items }] = await Promise.all([
      repository.listOpen(db, memberId, now()),
      statements.list(db, { memberId }),
    ])
    return { items: rows.map((row) => view(row, items)), limit: OPEN_LIMIT }
  }

  return {
    /** Returns a member's open links, without their tokens. */
    list,

    /**
     * Creates a link and returns its token, which is shown only now. A statement's link ends with its file.
     * Throws NOT_FOUND, NOT_IN_REPORT and SHARES_FULL.
     */
    async make(
      db: Db,
      maker: Pick<Session, 'memberId' | 'address'>,
      request: ShareRequest,
    ): Promise<{ share: Share; token: string }> {
      const { memberId } = maker
      const { subject, goneAt } = await subjectOf(db, maker, request)
      const createdAt = now()
      const wanted = createdAt.getTime() + request.days * DAY_MS
      const expiresAt = new Date(goneAt === null ? wanted : Math.min(wanted, Date.parse(goneAt)))
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const row = { memberId, ...subject, createdAt, expiresAt }
      const shareId = await inTx(db, async (dbTx) => {
        await repository.lockSharesOf(dbTx, memberId)
        const open = await repository.listOpen(dbTx, memberId, createdAt)
        if (open.length >= OPEN_LIMIT) throw new AppError('SHARES_FULL')
        return repository.insertShare(dbTx, { ...row, tokenHash: hashOf(token) })
      })
      const { items } = await statements.list(db, { memberId })
      return { share: view({ ...row, shareId }, items), token }
    },

    /** Ends a link. Throws NOT_FOUND unless it is an open one of the member. */
    async revoke(db: Db, memberId: bigint, shareId: bigint): Promise<Shares> {
      if (!(await repository.revokeShare(db, memberId, shareId, now()))) throw new AppError('NOT_FOUND')
      return list(db, memberId)
    },

    /** Returns the record of a link. Throws SHARE_OVER, also if that record is deleted. */
    async read(db: Db, token: string): Promise<Shared> {
      const { link, address } = await openLink(db, token)
      const { memberId, expiresAt } = link
      const expires_at = expiresAt.toISOString()
      if (link.kind === 'proof') {
        const proof = await solvencyProofs.proof({ memberId, address }, link.day).catch(over)
        return { expires_at, proof, statement: null }
      }
      const made = await statements.get(db, { memberId }, link.statementId).catch(over)
      const { kind, format, from, to, entries, finished_at, file } = made
      return { expires_at, proof: null, statement: { kind, format, from, to, entries, finished_at, file } }
    },

    /** Returns the file of a link to a statement as a stream. Throws SHARE_OVER. */
    async openFile(db: Db, token: string): ReturnType<StatementsService['open']> {
      const { link } = await openLink(db, token)
      if (link.kind !== 'statement') throw new AppError('SHARE_OVER')
      return statements.open(db, { memberId: link.memberId }, link.statementId).catch(over)
    },

    /** Deletes links that ended long ago. */
    removeEnded: (db: Db): Promise<void> =>
      repository.removeExpired(db, new Date(now().getTime() - ENDED_MS)),
  }
}

/** Gives a stranger the same response for every refusal; passes failures on. */
function over(error: unknown): never {
  const isAbsent =
    error instanceof AppError && ['NOT_FOUND', 'NOT_IN_REPORT', 'MEMBER_NOT_FOUND'].includes(error.code)
  throw isAbsent ? new AppError('SHARE_OVER') : error
}

function view(row: ShareRow, statements: readonly Statement[]): Share {
  const statement = statements.find(({ statement_id }) => statement_id === `${row.statementId}`)
  return {
    share_id: `${row.shareId}`,
    kind: row.kind,
    day: row.day,
    statement: statement ?? null,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}
