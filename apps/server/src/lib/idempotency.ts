import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
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
  await sql`select pg_advisory_xact_lock(hashtextextended(${`key/${memberId}/${key}`}, 0))`.execute(dbTx)
  const stored = await storedAnswer<Answer>(dbTx, request, inputHash)
  if (stored) return stored.answer
  const answer = await run()
  await sql`
    insert into idempotency_keys (member_id, key, operation, input_hash, created_at, answer)
    values (${memberId}, ${key}, ${operation}, ${inputHash}, ${at}, ${JSON.stringify(answer)}::jsonb)`.execute(
    dbTx,
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
