import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Locale, Statement, StatementFormat, StatementKind, Statements } from '@rif/api-schema'
import { type Day, dayOf } from '@rif/rules'
import type { Alarms } from '../../../alarms/alarms.ts'
import { noteChange } from '../../../db/changes.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { createStatementMaker, type MakerDeps, PDF_LIMIT } from './maker.ts'
import type { Owner, StatementRow } from './statements.repository.ts'
import * as repository from './statements.repository.ts'

export type { Owner } from './statements.repository.ts'

interface Deps extends MakerDeps {
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'once'>
  readonly adminLog: Pick<AdminLogService, 'record'>
  readonly members: MakerDeps['members'] & Pick<MembersService, 'get'>
}

/** A request for a file; days are UTC and both are included. */
export interface StatementRequest {
  readonly kind: StatementKind
  readonly format: StatementFormat
  readonly from: Day
  readonly to: Day
  readonly locale: Locale
  /** The member of a customer statement. */
  readonly customerId?: bigint | undefined
}

/** The maximum number of an owner's open requests, and of files kept for an owner. */
const OPEN_LIMIT = 3
const KEPT = 20
const KEPT_MS = 7 * 86_400_000
/** The time for which a failed or cancelled file is shown. */
const ENDED_MS = 86_400_000
const BEAT_MS = 1_000
/** A file whose worker has not reported for this long is made again. */
const QUIET_MS = 60_000
const MOST_ATTEMPTS = 3
const REMOVED_AT_ONCE = 50

/** Thrown to stop a file that was cancelled or taken by another worker. */
const STOPPED = new Error('the file is no longer wanted')

export type StatementsService = ReturnType<typeof createStatements>

/** Creates the service of statements, tax files and operators' exports. Rules, section 14. */
export function createStatements(deps: Deps) {
  const { now, log, alarms, members, adminLog } = deps
  const make = createStatementMaker(deps)

  async function read(db: Db, owner: Owner, statementId: bigint): Promise<StatementRow> {
    const row = await repository.find(db, owner, statementId)
    if (row === undefined) throw new AppError('NOT_FOUND')
    return row
  }

  /**
   * Throws VALIDATION_FAILED if a range contains days that have not begun or, for a tax file, is not a
   * calendar year.
   */
  function checkRange({ kind, format, from, to }: StatementRequest): void {
    const refuse = (field: string) => new AppError('VALIDATION_FAILED', { field })
    const today = dayOf(now().getTime())
    const year = from.slice(0, 4)
    if (from > to) throw refuse('to')
    if (from > today) throw refuse('from')
    if (kind === 'tax' && (from !== `${year}-01-01` || to !== `${year}-12-31`)) throw refuse('to')
    if (kind === 'journal' && format !== 'csv') throw refuse('format')
  }

  async function makeTaken(db: Db, row: StatementRow): Promise<void> {
    let reached: { done: number; entries: number | null } = { done: 0, entries: null }
    let isWanted = true
    const report = () =>
      repository
        .beatStatement(db, row, { at: now(), ...reached })
        .then((isOurs) => {
          isWanted &&= isOurs
          noteStatement(db, row)
        })
        .catch((err: unknown) => log.warn({ err }, 'a beat failed'))
    const beats = setInterval(() => void report(), BEAT_MS)
    try {
      if (!(await repository.hasFile(db, row.statementId)))
        await make(db, row, (done, entries) => {
          reached = { done, entries }
          if (!isWanted) throw STOPPED
        })
      const at = now()
      await repository.finishStatement(db, row.statementId, {
        at,
        expiresAt: new Date(at.getTime() + KEPT_MS),
      })
    } catch (error) {
      if (error === STOPPED) return
      const failure = error instanceof AppError ? error.code : 'INTERNAL'
      if (failure === 'INTERNAL')
        await alarms.once('statement_failed', { err: error }, { subject: `${row.statementId}` })
      if (failure === 'INTERNAL' && row.attempts < MOST_ATTEMPTS) await repository.releaseStatement(db, row)
      else await repository.fail(db, row, { failure, at: now() })
    } finally {
      clearInterval(beats)
      noteStatement(db, row)
    }
  }

  return {
    /** Returns the files of an owner, newest first. */
    async list(db: Db, owner: Owner): Promise<Statements> {
      const rows = await repository.list(db, owner, KEPT + OPEN_LIMIT)
      return { items: rows.map(view), open_limit: OPEN_LIMIT, pdf_limit: PDF_LIMIT }
    },

    /** Returns a file of an owner. Throws NOT_FOUND. */
    get: async (db: Db, owner: Owner, statementId: bigint): Promise<Statement> =>
      view(await read(db, owner, statementId)),

    /**
     * Requests a file. A request equal to one that is waiting or being made returns that one. The oldest file
     * above the maximum is deleted. Admins' requests are logged. Throws VALIDATION_FAILED, STATEMENTS_OPEN
     * and MEMBER_NOT_FOUND.
     */
    request: (db: Db, owner: Owner, request: StatementRequest): Promise<Statement> =>
      inTx(db, async (dbTx) => {
        checkRange(request)
        const customerId = request.kind === 'customer' ? (request.customerId ?? null) : null
        if (request.kind === 'customer') {
          if (customerId === null) throw new AppError('VALIDATION_FAILED', { field: 'member_id' })
          await members.get(dbTx, customerId)
        }
        await repository.lockOwner(dbTx, owner)
        const rows = await repository.list(dbTx, owner, KEPT + OPEN_LIMIT)
        const open = rows.filter(({ step }) => step === 'waiting' || step === 'running')
        const same = open.find(
          (row) =>
            row.kind === request.kind &&
            row.format === request.format &&
            row.from === request.from &&
            row.to === request.to &&
            row.locale === request.locale &&
            row.customerId === customerId,
        )
        if (same !== undefined) return view(same)
        if (open.length >= OPEN_LIMIT) throw new AppError('STATEMENTS_OPEN')
        const ended = rows.filter((row) => !open.includes(row))
        await repository.removeStatement(
          dbTx,
          ended.slice(KEPT - 1).map((row) => row.statementId),
        )
        const statementId = await repository.insertStatement(dbTx, owner, { ...request, customerId }, now())
        if ('admin' in owner)
          await adminLog.record(dbTx, {
            actor: owner.admin,
            action: 'statement.request',
            subject: customerId === null ? `statement/${request.kind}` : `member/${customerId}`,
            after: { kind: request.kind, format: request.format, from: request.from, to: request.to },
          })
        return view(await read(dbTx, owner, statementId))
      }),

    /** Cancels a file that is not complete, and deletes one that has ended. Throws NOT_FOUND. */
    remove: (db: Db, owner: Owner, statementId: bigint): Promise<void> =>
      inTx(db, async (dbTx) => {
        await repository.lockOwner(dbTx, owner)
        const { step } = await read(dbTx, owner, statementId)
        if (step === 'waiting' || step === 'running')
          await repository.cancelStatement(dbTx, statementId, now())
        else await repository.removeStatement(dbTx, [statementId])
      }),

    /** Returns the content of a file as a stream. Throws NOT_FOUND unless it is complete. */
    async open(
      db: Db,
      owner: Owner,
      statementId: bigint,
    ): Promise<{ filename: string; mediaType: string; content: Readable }> {
      const row = await read(db, owner, statementId)
      if (row.filename === null || row.chunks === null) throw new AppError('NOT_FOUND')
      const content = createGunzip()
      // An error destroys the content, which ends the download.
      pipeline(Readable.from(chunksOf(db, statementId, row.chunks)), content, () => undefined)
      const mediaType = row.format === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8'
      return { filename: row.filename, mediaType, content }
    },

    /** Makes the next file that is waiting or whose worker has died. Returns false if there is none. */
    async makeNext(db: Db): Promise<boolean> {
      const at = now()
      const quietSince = new Date(at.getTime() - QUIET_MS)
      const row = await repository.takeStatement(db, { at, quietSince })
      if (row === undefined) return false
      // A worker that dies repeatedly must not block the files behind.
      if (row.attempts > MOST_ATTEMPTS) await repository.fail(db, row, { failure: 'INTERNAL', at })
      else await makeTaken(db, row)
      return true
    },

    /** Deletes expired files. Returns their number. */
    async removeOverdue(db: Db): Promise<number> {
      const at = now()
      const endedBefore = new Date(at.getTime() - ENDED_MS)
      const overdue = await repository.overdue(db, { at, endedBefore, limit: REMOVED_AT_ONCE })
      if (overdue.length > 0) await inTx(db, (dbTx) => repository.removeStatement(dbTx, overdue))
      return overdue.length
    },
  }
}

/**
 * Reads the compressed chunks of a file one by one. Throws NOT_FOUND if the file is deleted in the meantime.
 */
async function* chunksOf(db: Db, statementId: bigint, chunks: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < chunks; position++) {
    const chunk = await repository.findChunk(db, statementId, position)
    if (chunk === undefined) throw new AppError('NOT_FOUND')
    yield chunk
  }
}

function view(row: StatementRow): Statement {
  const { filename, sizeBytes, digest } = row
  const entries = row.entries === null ? null : Number(row.entries)
  return {
    statement_id: `${row.statementId}`,
    kind: row.kind,
    format: row.format,
    from: row.from,
    to: row.to,
    step: row.step,
    requested_at: row.requestedAt.toISOString(),
    entries_done: Number(row.entriesDone),
    entries,
    failure: row.failure,
    finished_at: row.finishedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    file:
      filename === null || sizeBytes === null || digest === null
        ? null
        : { filename, size: Number(sizeBytes), hash: `0x${digest.toString('hex')}` },
  }
}

/** Notifies the owner of a file of its progress. */
function noteStatement(db: Db, { memberId, admin }: StatementRow): void {
  noteChange(db, memberId ?? (admin!.toLowerCase() as `0x${string}`), 'statement')
}
