import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'

const MAX_AMOUNT = 2n ** 63n - 1n

/** The statement that posts paid orders. Constant, so that it is prepared once per connection. */
const POST_EACH_SQL = 'select ledger_post_each($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as posted'

/** A transaction; `JournalEntry` in the service describes it. */
interface Entry {
  readonly key: string
  readonly kind: string
  readonly cause: { readonly type: string; readonly id: string }
  readonly accountingDay: string
  readonly at: Date
  readonly lines: readonly {
    readonly memberId: bigint
    readonly asset: string
    readonly source: string
    readonly destination: string
    readonly amountMicros: bigint
  }[]
}

/** A step of a member. Each of its postings has a key. */
export interface StepOfMember {
  readonly memberId: bigint
  readonly key: string
}

/**
 * Posts transactions of paid orders in one round trip, as `post` would one by one. All have the same
 * accounting day and time. The caller has locked the pools and heads. Throws INVALID_AMOUNT, and the
 * database's error if one cannot be posted or was posted before: then none is posted, and the open
 * transaction is aborted.
 */
export async function postEach(dbTx: Db, entries: readonly Entry[]): Promise<void> {
  const [first] = entries
  if (first === undefined) return
  const lines = entries.flatMap((entry, index) => entry.lines.map((line) => ({ ...line, place: index + 1 })))
  if (lines.some(({ amountMicros }) => amountMicros <= 0n || amountMicros > MAX_AMOUNT))
    throw new AppError('INVALID_AMOUNT')
  if (entries.some(({ accountingDay, at }) => accountingDay !== first.accountingDay || at !== first.at))
    throw new Error('transactions that are posted together have one day and one time')
  await dbTx.executeQuery(
    CompiledQuery.raw(POST_EACH_SQL, [
      entries.map(({ key }) => key),
      entries.map(({ kind }) => kind),
      entries.map(({ cause }) => cause.type),
      entries.map(({ cause }) => cause.id),
      first.accountingDay,
      first.at,
      lines.map(({ place }) => place),
      lines.map(({ memberId }) => memberId),
      lines.map(({ asset }) => asset),
      lines.map(({ source }) => source),
      lines.map(({ destination }) => destination),
      lines.map(({ amountMicros }) => amountMicros),
    ]),
  )
}

/**
 * Returns the keys of the steps' next postings, in order, as `nextKey` does. The caller holds the heads of
 * their members.
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
