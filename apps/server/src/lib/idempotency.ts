import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { executeWithNext } from '../db/held.ts'
import { constantRead, type Read } from '../db/read.ts'
import { insertOf, type RowWrite } from '../db/rows.ts'
import { AppError } from './errors.ts'

/**
 * The time for which a response is kept, longer than clients retry: the app retries while its page is open,
 * and a client that stores its requests has two weeks.
 */
export const ANSWERS_KEPT_MS = 14 * 86_400_000

/** A request under the client's Idempotency-Key: its member, operation and input. */
export interface IdempotentRequest {
  readonly memberId: bigint
  readonly key: string
  readonly operation: string
  /** Plain JSON. The order of its fields matters; a schema fixes it. */
  readonly input: unknown
}

/**
 * Runs an operation at most once per key, inside its transaction: the response is stored together with the
 * operation, so a crash leaves both or neither. The same input gets the same response; of two concurrent
 * requests, the second waits for the first. Without a key the operation just runs. `run` returns plain JSON.
 * A refusal rolls back and leaves the key free. Call it before any other lock is taken: equal requests wait
 * for each other by an advisory lock, and the row of the key is written last, so that nobody who holds a head
 * waits for it. Throws IDEMPOTENCY_CONFLICT if the key was used for another request.
 */
export async function idempotent<Answer>(
  dbTx: Db,
  request: IdempotentRequest | undefined,
  at: Date,
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (request === undefined) return run()
  const { memberId, key, operation } = request
  const inputHash = hashOf(request)
  await executeWithNext(
    dbTx,
    sql`select pg_advisory_xact_lock(hashtextextended(${`key/${memberId}/${key}`}, 0))`,
  )
  const stored = await storedAnswer<Answer>(dbTx, request, inputHash)
  if (stored) return stored.answer
  const answer = await run()
  await executeWithNext(
    dbTx,
    sql`
    insert into idempotency_keys (member_id, key, operation, input_hash, created_at, answer)
    values (${memberId}, ${key}, ${operation}, ${inputHash}, ${at}, ${JSON.stringify(answer)}::jsonb)`,
  )
  return answer
}

async function storedAnswer<Answer>(
  dbTx: Db,
  { memberId, key, operation }: IdempotentRequest,
  inputHash: Buffer,
): Promise<{ answer: Answer } | undefined> {
  const { rows } = await sql<{ operation: string; input_hash: Buffer; answer: Answer }>`
    select operation, input_hash, answer from idempotency_keys
    where member_id = ${memberId} and key = ${key}`.execute(dbTx)
  const stored = rows[0]
  if (stored && (stored.operation !== operation || !stored.input_hash.equals(inputHash)))
    throw new AppError('IDEMPOTENCY_CONFLICT')
  return stored
}

/** The stored response to a request. */
export interface Answered {
  readonly answer: unknown
}

/**
 * Returns the read of the earlier response to a request; undefined if it is new. Together with `keptAnswer`
 * it replaces `idempotent` for an operation that reads once under its member's ledger head and writes once:
 * of two equal concurrent requests, the second waits for the head and then reads the result of the first.
 * Throws IDEMPOTENCY_CONFLICT if the key was used for another request.
 */
export function answeredRead(request: IdempotentRequest | undefined): Read<Answered | undefined> {
  if (request === undefined) return constantRead(undefined)
  const { memberId, key, operation } = request
  const known = `${operation} ${hashOf(request).toString('hex')} `
  return {
    rows: () => sql`
      select null::bigint as member_id, operation || ' ' || encode(input_hash, 'hex') || ' ' || coalesce(answer::text, 'null') as value
      from idempotency_keys where member_id = ${memberId} and key = ${key}`,
    parse(value) {
      if (value === undefined) return undefined
      if (!value.startsWith(known)) throw new AppError('IDEMPOTENCY_CONFLICT')
      return { answer: JSON.parse(value.slice(known.length)) }
    },
  }
}

/**
 * Returns the write of the response to a request that `answeredRead` found to be new; nothing without a
 * request.
 */
export function keptAnswer(request: IdempotentRequest | undefined, answer: object, at: Date): RowWrite[] {
  if (request === undefined) return []
  const { memberId, key, operation } = request
  return [
    insertOf('idempotency_keys', [
      { member_id: memberId, key, operation, input_hash: hashOf(request), created_at: at, answer },
    ]),
  ]
}

const hashOf = ({ input }: IdempotentRequest): Buffer =>
  createHash('sha256').update(JSON.stringify(input)).digest()

/**
 * Deletes the responses of requests that started longer ago than `ANSWERS_KEPT_MS` and returns their number.
 * A running request has no row that other transactions see, and is not affected.
 */
export async function forgetAnswers(db: Db, at: Date): Promise<bigint> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where created_at < ${new Date(at.getTime() - ANSWERS_KEPT_MS)}`.execute(db)
  return numAffectedRows ?? 0n
}
