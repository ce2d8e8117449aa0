import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import * as repository from './ledger.repository.ts'

/** A step of a member. Each of its postings has a key. */
export interface StepOfMember {
  readonly memberId: bigint
  readonly key: string
}

/**
 * Returns the keys of the steps' next postings, in order: `key` at first, and `<key>/2`, `<key>/3` ... after each
 * reversal of the step, because a key can be posted only once. The caller holds the heads of their members.
 */
export async function nextKeys(dbTx: Db, steps: readonly StepOfMember[]): Promise<string[]> {
  const { rows } = await sql<StepOfMember>`
    select member_id as "memberId", idempotency_key as key from ledger_transactions
    where member_id = any (${steps.map(({ memberId }) => memberId)}::bigint[]) and reverses_seq is not null`.execute(
    dbTx,
  )
  return steps.map(({ memberId, key }) => {
    const isOfStep = (row: StepOfMember) =>
      row.memberId === memberId &&
      (row.key === `${key}:reversal` || (row.key.startsWith(`${key}/`) && /\/[0-9]+:reversal$/.test(row.key)))
    const reversals = rows.filter(isOfStep).length
    return reversals === 0 ? key : `${key}/${reversals + 1}`
  })
}

/** Returns the key of a step's next posting, as `nextKeys`. */
export async function nextKey(dbTx: Db, memberId: bigint, key: string): Promise<string> {
  return (await nextKeys(dbTx, [{ memberId, key }]))[0]!
}

/** Returns the key of a step's unreversed posting; undefined if it was not posted or was reversed. */
export async function standingKey(db: Db, memberId: bigint, key: string): Promise<string | undefined> {
  const next = await nextKey(db, memberId, key)
  return (await repository.hasKey(db, memberId, next)) ? next : undefined
}

/**
 * Returns the accounting day of a reversal on `today`: the original day, or today if settlement of that day
 * has begun.
 */
export function reversalDay(db: Db, original: string, today: string): Promise<string> {
  return repository.readReversalDay(db, original, today)
}
