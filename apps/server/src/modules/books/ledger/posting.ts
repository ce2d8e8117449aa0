import { CompiledQuery } from 'kysely'
import { type Db, inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerLine, TransactionKind } from './accounts.ts'
import type { BatchesEntry } from './batches.ts'
import { callPostBatches } from './batches.ts'
import type { Cause } from './history.ts'
import * as repository from './ledger.repository.ts'
import { refusing } from './refusals.ts'

/** The accounting day of a transaction (a UTC day, rules section 1) and the time of posting. */
export interface PostingTime {
  readonly accountingDay: string
  readonly at: Date
}

/** The kind of a transaction, or of one that reverses another. */
export type PostedKind = TransactionKind | `${TransactionKind}:reversal`

export interface JournalEntry extends PostingTime {
  /** Unique for ever. Posting the same content again under the same key has no effect. */
  readonly key: string
  readonly kind: TransactionKind
  readonly cause: Cause
  /** Applied member by member in ascending order, and in the given order within a member. */
  readonly lines: readonly LedgerLine[]
}

/** Transactions of one kind that were posted. */
export interface Posting {
  readonly kind: PostedKind
  readonly cause: Cause
  readonly accountingDay: string
  /** The number of transactions: one for each member of a settled range, otherwise one. */
  readonly count: number
  /** The lines of the transaction; null for a settled range, which has many thousands. */
  readonly lines: readonly LedgerLine[] | null
}

/**
 * Hears of transactions in the database transaction that posts them, in the order of posting. Whatever it throws undoes
 * them.
 */
export type PostingListener = (dbTx: Db, postings: readonly Posting[]) => Promise<void> | void

/** An entry, or the reversal of one. */
interface Transaction extends Omit<JournalEntry, 'kind'> {
  readonly kind: PostedKind
  readonly reversesKey: string | null
}

const MAX_AMOUNT = 2n ** 63n - 1n
const MAX_LINES = 2 ** 15 - 1

/** The statement that posts. Constant, so that it is prepared once per connection. */
const POST = 'select ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as posted'

/** Creates the functions that post. Every transaction that they post is told to all of `listeners`. */
export function createPosting(listeners: readonly PostingListener[]) {
  async function tell(dbTx: Db, postings: readonly Posting[]): Promise<void> {
    if (postings.length > 0) for (const listener of listeners) await listener(dbTx, postings)
  }

  function postTransactions(db: Db, transactions: readonly Transaction[]): Promise<readonly boolean[]> {
    if (transactions.length === 0) return Promise.resolve([])
    transactions.forEach(check)
    return inTx(db, async (dbTx) => {
      const posted = await refusing(call(dbTx, transactions))
      await tell(
        dbTx,
        transactions
          .filter((_, index) => posted[index])
          .map(({ kind, cause, accountingDay, lines }) => ({ kind, cause, accountingDay, count: 1, lines })),
      )
      return posted
    })
  }

  const postAll = (db: Db, entries: readonly JournalEntry[]) =>
    postTransactions(
      db,
      entries.map((entry) => ({ ...entry, reversesKey: null })),
    )

  return {
    /**
     * Posts a transaction; `posted` is false if the same transaction was posted before. Like any error of PostgreSQL, a refusal aborts the
     * open transaction. Throws INSUFFICIENT_BALANCE (a member's account or a pool has too little), INVALID_AMOUNT (not above zero, or an
     * amount or balance beyond 64 bits) and IDEMPOTENCY_CONFLICT (the key was used for other content). A flow outside the flow table is a
     * defect and throws the database's error.
     */
    async post(db: Db, entry: JournalEntry): Promise<{ posted: boolean }> {
      const [posted] = await postAll(db, [entry])
      return { posted: posted! }
    },

    /**
     * Posts transactions of one day and time in one round trip, as `post` would one after the other, and returns for each whether it was
     * posted. Throws the errors of `post`: then none is posted.
     */
    postAll,

    /**
     * Posts the transactions of several batches for many members in one round trip. Pools pay from a part of their reserve; their rows are
     * not locked. `posted` is the number of transactions, or 0 if the same ones were posted before. Throws the errors of `post`; a member's
     * debits are compared with the balance before the call.
     */
    async postBatches(dbTx: Db, entry: BatchesEntry): Promise<{ posted: bigint }> {
      const { cause, accountingDay } = entry
      const counts = await refusing(callPostBatches(dbTx, entry))
      const postings = entry.batches.flatMap(({ kind }, index) => {
        const count = Number(counts[index] ?? 0n)
        return count > 0 ? [{ kind, cause, accountingDay, count, lines: null }] : []
      })
      await tell(dbTx, postings)
      return { posted: counts.reduce((sum, count) => sum + count, 0n) }
    },

    /**
     * Posts the transaction `key` in the opposite direction, once, under the key `<key>:reversal`. Needs all
     * members of the transaction. Throws NOT_FOUND, and INSUFFICIENT_BALANCE if the credited amount was spent.
     */
    async reverse(
      db: Db,
      {
        key,
        memberIds,
        cause,
        accountingDay,
        at,
      }: PostingTime & { readonly key: string; readonly memberIds: readonly bigint[]; readonly cause: Cause },
    ): Promise<{ posted: boolean }> {
      const original = await repository.findTransaction(db, key, memberIds)
      if (!original) throw new AppError('NOT_FOUND')
      if (!original.complete) throw new Error(`transaction ${key} has more members than were named`)
      // In reverse order, so that money that passed through an account passes back through it.
      const lines = original.lines.toReversed().map(({ source, destination, ...line }) => ({
        ...line,
        source: destination,
        destination: source,
      }))
      const kind = `${original.kind}:reversal` as const
      const reversal = { key: `${key}:reversal`, kind, cause, accountingDay, at, lines, reversesKey: key }
      const [posted] = await postTransactions(db, [reversal])
      return { posted: posted! }
    },
  }
}

function check({ lines }: Transaction): void {
  if (lines.length < 1 || lines.length > MAX_LINES)
    throw new Error(`a transaction has 1 to ${MAX_LINES} lines, not ${lines.length}`)
  if (lines.some(({ amountMicros }) => amountMicros <= 0n || amountMicros > MAX_AMOUNT))
    throw new AppError('INVALID_AMOUNT')
}

async function call(dbTx: Db, transactions: readonly Transaction[]): Promise<readonly boolean[]> {
  const { accountingDay, at } = transactions[0]!
  if (
    transactions.some(
      (transaction) =>
        transaction.accountingDay !== accountingDay || transaction.at.getTime() !== at.getTime(),
    )
  )
    throw new Error('transactions that are posted together have one day and one time')
  const lines = transactions.flatMap((transaction, index) =>
    transaction.lines.map((line) => ({ ...line, entry: index + 1 })),
  )
  const { rows } = await dbTx.executeQuery<{ posted: boolean[] }>(
    CompiledQuery.raw(POST, [
      transactions.map(({ key }) => key),
      transactions.map(({ kind }) => kind),
      transactions.map(({ cause }) => cause.type),
      transactions.map(({ cause }) => cause.id),
      transactions.map(({ reversesKey }) => reversesKey),
      accountingDay,
      at,
      lines.map(({ entry }) => entry),
      lines.map(({ memberId }) => memberId),
      lines.map(({ asset }) => asset),
      lines.map(({ source }) => source),
      lines.map(({ destination }) => destination),
      lines.map(({ amountMicros }) => amountMicros),
    ]),
  )
  return rows[0]!.posted
}
