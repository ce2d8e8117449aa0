import type { Locale, StatementFormat, StatementKind } from '@rif/api-schema'
import type { Day } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The member or the admin who requested a file. */
export type Owner = { readonly memberId: bigint } | { readonly admin: string }

/** The content of a file to make; both days are included. */
export interface StatementTerms {
  readonly kind: StatementKind
  readonly format: StatementFormat
  readonly locale: Locale
  readonly from: Day
  readonly to: Day
  /** The member of a customer statement. */
  readonly customerId: bigint | null
}

export interface StatementRow extends StatementTerms {
  readonly statementId: bigint
  readonly memberId: bigint | null
  readonly admin: string | null
  readonly step: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly attempts: number
  readonly requestedAt: Date
  readonly entriesDone: bigint
  readonly entries: bigint | null
  readonly failure: string | null
  readonly finishedAt: Date | null
  readonly expiresAt: Date | null
  readonly filename: string | null
  readonly sizeBytes: bigint | null
  readonly chunks: number | null
  readonly digest: Buffer | null
}

const STATEMENT = sql`s.statement_id as "statementId", s.member_id as "memberId", s.admin, s.customer_id as "customerId",
  s.kind, s.format, s.locale, s.from_day as "from", s.to_day as "to", s.step, s.attempts, s.requested_at as "requestedAt",
  s.entries_done as "entriesDone", s.entries, s.failure, s.finished_at as "finishedAt", s.expires_at as "expiresAt"`
const FILE = sql`case when s.step = 'done' then f.filename end as filename,
  case when s.step = 'done' then f.size_bytes end as "sizeBytes", case when s.step = 'done' then f.chunks end as chunks,
  case when s.step = 'done' then f.digest end as digest`

const ownedBy = (owner: Owner): RawBuilder<unknown> =>
  'memberId' in owner ? sql`s.member_id = ${owner.memberId}` : sql`s.admin = ${owner.admin}`

/** Locks the requests of an owner until the transaction ends. */
export async function lockOwner(dbTx: Db, owner: Owner): Promise<void> {
  const name = 'memberId' in owner ? `member/${owner.memberId}` : owner.admin
  await sql`select pg_advisory_xact_lock(hashtextextended(${`statements/${name}`}, 0))`.execute(dbTx)
}

export async function insertStatement(
  dbTx: Db,
  owner: Owner,
  terms: StatementTerms,
  at: Date,
): Promise<bigint> {
  const memberId = 'memberId' in owner ? owner.memberId : null
  const admin = 'admin' in owner ? owner.admin : null
  const { rows } = await sql<{ statementId: bigint }>`
    insert into statements (member_id, admin, customer_id, kind, format, locale, from_day, to_day, requested_at, beat_at)
    values (${memberId}, ${admin}, ${terms.customerId}, ${terms.kind}, ${terms.format}, ${terms.locale}, ${terms.from},
      ${terms.to}, ${at}, ${at})
    returning statement_id as "statementId"`.execute(dbTx)
  return rows[0]!.statementId
}

/** Returns the files of an owner, newest first, without cancelled ones. */
export async function list(db: Db, owner: Owner, limit: number): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select ${STATEMENT}, ${FILE} from statements as s left join statement_files as f using (statement_id)
    where ${ownedBy(owner)} and s.step <> 'cancelled' order by s.statement_id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns a file of an owner that was not cancelled. */
export async function find(db: Db, owner: Owner, statementId: bigint): Promise<StatementRow | undefined> {
  const { rows } = await sql<StatementRow>`
    select ${STATEMENT}, ${FILE} from statements as s left join statement_files as f using (statement_id)
    where ${ownedBy(owner)} and s.statement_id = ${statementId} and s.step <> 'cancelled'`.execute(db)
  return rows[0]
}

/** Cancels a file that is not complete. */
export async function cancelStatement(dbTx: Db, statementId: bigint, at: Date): Promise<void> {
  await sql`
    update statements set step = 'cancelled', finished_at = ${at}
    where statement_id = ${statementId} and step in ('waiting', 'running')`.execute(dbTx)
}

/** Deletes files with all their content. */
export async function removeStatement(dbTx: Db, statementIds: readonly bigint[]): Promise<void> {
  await sql`delete from statement_files where statement_id = any(${statementIds}::bigint[])`.execute(dbTx)
  await sql`delete from statement_chunks where statement_id = any(${statementIds}::bigint[])`.execute(dbTx)
  await sql`delete from statements where statement_id = any(${statementIds}::bigint[])`.execute(dbTx)
}

/** Returns some files to delete: expired ones, and others that ended before a time. */
export async function overdue(
  db: Db,
  { at, endedBefore, limit }: { at: Date; endedBefore: Date; limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ statementId: bigint }>`
    select statement_id as "statementId" from statements
    where finished_at is not null
      and (expires_at <= ${at} or step in ('failed', 'cancelled') and finished_at < ${endedBefore})
    order by finished_at limit ${limit}`.execute(db)
  return rows.map((row) => row.statementId)
}

/** Takes the oldest file that is waiting, or whose worker has not reported since `quietSince`. */
export async function takeStatement(
  db: Db,
  { at, quietSince }: { at: Date; quietSince: Date },
): Promise<StatementRow | undefined> {
  const { rows } = await sql<StatementRow>`
    update statements as s set step = 'running', attempts = s.attempts + 1, beat_at = ${at}, entries_done = 0, entries = null
    where s.statement_id = (
      select statement_id from statements
      where step in ('waiting', 'running') and (step = 'waiting' or beat_at < ${quietSince})
      order by statement_id limit 1 for update skip locked
    )
    returning ${STATEMENT}, null as filename, null as "sizeBytes", null as chunks, null as digest`.execute(db)
  return rows[0]
}

/**
 * Records that a worker makes a file, and its progress. Returns false if the file was cancelled or has ended.
 */
export async function beatStatement(
  db: Db,
  { statementId, attempts }: StatementRow,
  { at, done, entries }: { at: Date; done: number; entries: number | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update statements set beat_at = ${at}, entries_done = ${done}, entries = ${entries}
    where statement_id = ${statementId} and step = 'running' and attempts = ${attempts}`.execute(db)
  return numAffectedRows === 1n
}

/** Returns a file to the queue, unless another worker has taken it. */
export async function releaseStatement(db: Db, { statementId, attempts }: StatementRow): Promise<void> {
  await sql`
    update statements set step = 'waiting'
    where statement_id = ${statementId} and step = 'running' and attempts = ${attempts}`.execute(db)
}

export async function fail(
  db: Db,
  { statementId, attempts }: StatementRow,
  { failure, at }: { failure: string; at: Date },
): Promise<void> {
  await sql`
    update statements set step = 'failed', failure = ${failure}, finished_at = ${at}
    where statement_id = ${statementId} and step = 'running' and attempts = ${attempts}`.execute(db)
}

/** Reports whether the file is complete. */
export async function hasFile(db: Db, statementId: bigint): Promise<boolean> {
  const { rows } = await sql`select from statement_files where statement_id = ${statementId}`.execute(db)
  return rows.length === 1
}

/** Offers a complete file to its owner, unless it was cancelled. */
export async function finishStatement(
  db: Db,
  statementId: bigint,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update statements as s set step = 'done', finished_at = ${at}, expires_at = ${expiresAt}, entries = f.entries,
      entries_done = f.entries
    from statement_files as f
    where s.statement_id = ${statementId} and f.statement_id = s.statement_id and s.step in ('waiting', 'running')`.execute(
    db,
  )
}

export async function insertChunk(
  dbTx: Db,
  statementId: bigint,
  position: number,
  content: Buffer,
): Promise<void> {
  await sql`
    insert into statement_chunks (statement_id, position, content)
    values (${statementId}, ${position}, ${content})`.execute(dbTx)
}

export async function insertFile(
  dbTx: Db,
  file: {
    readonly statementId: bigint
    readonly filename: string
    readonly sizeBytes: number
    readonly entries: number
    readonly chunks: number
    readonly digest: Buffer
  },
): Promise<void> {
  await sql`
    insert into statement_files (statement_id, filename, size_bytes, entries, chunks, digest)
    values (${file.statementId}, ${file.filename}, ${file.sizeBytes}, ${file.entries}, ${file.chunks},
      ${file.digest})`.execute(dbTx)
}

/** Returns a chunk of a file, compressed; undefined if the file was deleted. */
export async function findChunk(db: Db, statementId: bigint, position: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from statement_chunks
    where statement_id = ${statementId} and position = ${position}`.execute(db)
  return rows[0]?.content
}
