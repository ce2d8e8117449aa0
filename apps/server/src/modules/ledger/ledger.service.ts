import { type Asset, type MemberAccount, PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Read, read, readMember } from '../../db/read.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import {
  LEDGER_SLOTS,
  type LedgerAccount,
  type PoolAccount,
  type TransactionKind,
} from './ledger.accounts.ts'
import { closeParts, divideReserve, postBatches } from './ledger.batches.ts'
import type { PostCall } from './ledger.calls.ts'
import { closeChain, eachHeldAtEndOf, heldAtEndOf, lastChainDay, owed } from './ledger.chain.ts'
import { nextKeys, postEach } from './ledger.each.ts'
import { accountsAtEndOf, accountsNow, flows, flowTable, foldFlows, turnover } from './ledger.flows.ts'
import { type Cause, changesSince, history, lastSeq, seqBounds } from './ledger.history.ts'
import { refusing } from './ledger.refusals.ts'
import * as repository from './ledger.repository.ts'

export type { PoolPart } from './ledger.batches.ts'
export type { Owed, OwedSum } from './ledger.chain.ts'

export interface LedgerLine {
  readonly memberId: bigint
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amountMicros: bigint
}

/** The accounting day of a transaction (a UTC day, rules section 1) and the time of posting. */
export interface PostingTime {
  readonly accountingDay: string
  readonly at: Date
}

export interface JournalEntry extends PostingTime {
  /** Unique for ever. Posting the same content again under the same key has no effect. */
  readonly key: string
  readonly kind: TransactionKind
  readonly cause: Cause
  /** Applied member by member in ascending order, and in the given order within a member. */
  readonly lines: readonly LedgerLine[]
}

/** A transaction for each of many members, all with the same key. */
export interface BulkEntry extends Omit<JournalEntry, 'lines'> {
  /** A query of (place, member_id, asset, source, destination, amount); places order the lines of a member. */
  readonly lines: RawBuilder<unknown>
  readonly fromReserve: boolean
}

export type { AccountSum, Flow, Turnover } from './ledger.flows.ts'
export type { Cause, HistoryEntry, HistoryMatch } from './ledger.history.ts'
export type { PostedLine } from './ledger.repository.ts'

/** The balances of a member in micro-units; zero if nothing was ever posted. */
export type MemberBalances = Readonly<Record<Asset, Readonly<Record<MemberAccount, bigint>>>>

/** A posting in a member's books. */
export interface LedgerEntry {
  readonly seq: bigint
  readonly line: number
  readonly kind: string
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amountMicros: bigint
  readonly cause: Cause
  readonly accountingDay: string
  readonly postedAt: Date
}

export type LedgerService = ReturnType<typeof createLedgerService>

const MAX_AMOUNT = 2n ** 63n - 1n
const MAX_LINES = 2 ** 15 - 1

/**
 * Creates the double-entry ledger (rules, section 2). Every function takes the database or transaction to
 * work in. docs/invariants.md has the order of locks. A transaction that calls `post` more than once takes its
 * locks first with `lock`.
 */
export function createLedgerService() {
  return {
    postEach: (dbTx: Db, entries: readonly JournalEntry[]): Promise<void> => postEach(dbTx, entries),
    ...{
      post,
      postMany,
      postBatches,
      reserve,
      divideReserve,
      closeParts,
      reverse,
      lock,
    },
    openCustody,
    ...{ balances, balancesRead, poolBalances, sharesHeld, entries },
    ...{
      history,
      seqBounds,
      changesSince,
      lastSeq,
      transaction,
      transactionOf,
      nextKey,
      nextKeys,
      standingKey,
    },
    ...{
      flows,
      flowTable,
      accountsAtEndOf,
      accountsNow,
      reversalDay,
      postedHere: repository.postedHere,
      turnover,
      foldFlows,
    },
    ...{ owed, chain: { close: closeChain, last: lastChainDay, eachHeldAtEndOf, heldAtEndOf } },
  }
}

/**
 * Posts a transaction in one round trip; `posted` is false if the same transaction was posted before. Like
 * any error of PostgreSQL, a refusal aborts the open transaction. Throws INSUFFICIENT_BALANCE (a member's
 * account or a pool has too little), INVALID_AMOUNT (not above zero, or an amount or balance beyond 64 bits)
 * and IDEMPOTENCY_CONFLICT (the key was used for other content). A flow outside the flow table is a defect
 * and throws the database's error.
 */
async function post(db: Db, entry: JournalEntry): Promise<{ posted: boolean }> {
  return { posted: await refusing(repository.callPost(db, postCallOf(entry))) }
}

function postCallOf(entry: JournalEntry): PostCall {
  if (entry.lines.length < 1 || entry.lines.length > MAX_LINES) {
    throw new Error(`a transaction has 1 to ${MAX_LINES} lines, not ${entry.lines.length}`)
  }
  if (entry.lines.some((line) => line.amountMicros <= 0n || line.amountMicros > MAX_AMOUNT)) {
    throw new AppError('INVALID_AMOUNT')
  }
  return {
    key: entry.key,
    kind: entry.kind,
    causeType: entry.cause.type,
    causeId: entry.cause.id,
    accountingDay: entry.accountingDay,
    at: entry.at,
    memberIds: entry.lines.map((line) => line.memberId),
    assets: entry.lines.map((line) => line.asset),
    sources: entry.lines.map((line) => line.source),
    destinations: entry.lines.map((line) => line.destination),
    amounts: entry.lines.map((line) => line.amountMicros),
    reversesKey: null,
  }
}

/**
 * Posts one transaction for each of many members in one round trip, all under one key and kind: the lines of
 * a member are that member's transaction. `posted` is their number, or 0 if the same ones were posted before.
 * With `fromReserve`, pools pay from the part that `reserve` set aside. Throws the errors of `post`; a
 * member's debits are compared with the balance before the call.
 */
async function postMany(db: Db, entry: BulkEntry): Promise<{ posted: bigint }> {
  const { cause, ...call } = entry
  return {
    posted: await refusing(
      repository.callPostMany(db, { ...call, causeType: cause.type, causeId: cause.id }),
    ),
  }
}

/**
 * Reserves pool money for a batch that is paid later. Locks the pool. Throws INSUFFICIENT_BALANCE if less is
 * free.
 */
async function reserve(
  dbTx: Db,
  account: PoolAccount,
  amounts: Readonly<Record<PaymentAsset, bigint>>,
): Promise<void> {
  for (const asset of PAYMENT_ASSETS) {
    if (amounts[asset] > 0n) await refusing(repository.callReserve(dbTx, account, asset, amounts[asset]))
  }
}

/**
 * Posts the transaction `key` in the opposite direction, once, under the key `<key>:reversal`. Needs all
 * members of the transaction. Throws NOT_FOUND, and INSUFFICIENT_BALANCE if the credited amount was spent.
 */
async function reverse(
  db: Db,
  reversal: PostingTime & {
    readonly key: string
    readonly memberIds: readonly bigint[]
    readonly cause: Cause
  },
): Promise<{ posted: boolean }> {
  const original = await repository.findTransaction(db, reversal.key, reversal.memberIds)
  if (!original) throw new AppError('NOT_FOUND')
  if (!original.complete) throw new Error(`transaction ${reversal.key} has more members than were named`)
  const call = {
    key: `${reversal.key}:reversal`,
    kind: `${original.kind}:reversal`,
    causeType: reversal.cause.type,
    causeId: reversal.cause.id,
    accountingDay: reversal.accountingDay,
    at: reversal.at,
    // In reverse order, so that money that passed through an account passes back through it.
    memberIds: original.member_ids.toReversed(),
    assets: original.assets.toReversed(),
    sources: original.destinations.toReversed(),
    destinations: original.sources.toReversed(),
    amounts: original.amounts.toReversed(),
    reversesKey: reversal.key,
  }
  return { posted: await refusing(repository.callPost(db, call)) }
}

/** A posted transaction with the lines of the given members. */
export interface Posted {
  readonly key: string
  readonly kind: string
  readonly causeId: string
  readonly isReversed: boolean
  readonly lines: readonly LedgerLine[]
}

/** Returns a member's transaction by its number, with the lines of the other given members. */
function transaction(
  db: Db,
  memberId: bigint,
  seq: bigint,
  others: readonly bigint[] = [],
): Promise<Posted | undefined> {
  return repository.findPosted(db, memberId, seq, others)
}

/** Returns the lines of the transaction `key` in the books of members; undefined if none of them has it. */
async function transactionOf(
  db: Db,
  key: string,
  memberIds: readonly bigint[],
): Promise<{ lines: readonly LedgerLine[]; accountingDay: string } | undefined> {
  const found = await repository.findTransaction(db, key, memberIds)
  if (found === undefined) return undefined
  const lines = found.member_ids.map((memberId, index) => ({
    memberId,
    asset: found.assets[index] as Asset,
    source: found.sources[index] as LedgerAccount,
    destination: found.destinations[index] as LedgerAccount,
    amountMicros: found.amounts[index]!,
  }))
  return { lines, accountingDay: found.accounting_day }
}

/**
 * Returns the key for a step's next posting: `key` at first, and `<key>/2`, `<key>/3` ... after each reversal
 * of the step, because a key can be posted only once. The caller holds the member's head.
 */
async function nextKey(dbTx: Db, memberId: bigint, key: string): Promise<string> {
  const reversals = await repository.countReversals(dbTx, memberId, key)
  return reversals === 0 ? key : `${key}/${reversals + 1}`
}

/** Returns the key of a step's unreversed posting; undefined if it was not posted or was reversed. */
async function standingKey(db: Db, memberId: bigint, key: string): Promise<string | undefined> {
  const next = await nextKey(db, memberId, key)
  return (await repository.hasKey(db, memberId, next)) ? next : undefined
}

/**
 * Returns the accounting day of a reversal on `today`: the original day, or today if settlement of that day
 * has begun.
 */
function reversalDay(db: Db, original: string, today: string): Promise<string> {
  return repository.reversalDay(db, original, today)
}

/**
 * Locks pools and the heads of members until the transaction ends, in the fixed order. The next statement sees
 * the writes of earlier holders; read the clock after it.
 */
async function lock(
  dbTx: Db,
  locks: { readonly pools?: readonly PoolAccount[]; readonly memberIds: readonly bigint[] },
): Promise<void> {
  await repository.callLock(dbTx, locks.pools ?? [], locks.memberIds)
}

/** Creates the custody of a new fund product. */
async function openCustody(dbTx: Db, productId: bigint): Promise<void> {
  await repository.callOpenCustody(dbTx, productId)
}

/** Returns the balances of a member. */
function balances(db: Db, memberId: bigint): Promise<MemberBalances> {
  return readMember(db, memberId, balancesRead)
}

/** Returns the read of `balances`. */
const balancesRead: Read<MemberBalances> = read(repository.balancesOf, toBalances)

function toBalances(micros: readonly (string | null)[] | undefined): MemberBalances {
  const nothing = (): Record<MemberAccount, bigint> => ({
    available: 0n,
    locked: 0n,
    withdrawing: 0n,
    savings: 0n,
    savings_leaving: 0n,
    fund_income: 0n,
  })
  const balances = { USDT: nothing(), AMC: nothing(), RIF: nothing(), VC: nothing(), DIV: nothing() }
  if (micros === undefined) return balances
  LEDGER_SLOTS.forEach(([asset, account], slot) => {
    balances[asset][account] = BigInt(micros[slot] ?? 0)
  })
  return balances
}

/** Returns the free balances of a pool in micro-units, or those at the end of an accounting day (rules, section 1). */
async function poolBalances(
  db: Db,
  account: PoolAccount,
  day?: string,
): Promise<Readonly<Record<PaymentAsset, bigint>>> {
  const rows =
    day === undefined
      ? await repository.findPool(db, account)
      : await repository.findPoolAtEndOf(db, account, day)
  return Object.assign({ USDT: 0n, AMC: 0n }, Object.fromEntries(rows.map((row) => [row.asset, row.balance])))
}

/** Returns the dividend rights and VC of all members, in micro-units. */
async function sharesHeld(db: Db): Promise<Readonly<Record<'DIV' | 'VC', bigint>>> {
  const rows = await repository.findSharesHeld(db)
  return Object.assign(
    { DIV: 0n, VC: 0n },
    Object.fromEntries(rows.map((row) => [row.asset, BigInt(row.held)])),
  )
}

/** Returns a page of a member's postings, newest first. Throws VALIDATION_FAILED on an invalid cursor. */
async function entries(
  db: Db,
  memberId: bigint,
  page: {
    readonly cursor?: string | undefined
    readonly limit: number
    readonly asset?: Asset | undefined
    readonly kinds?: readonly TransactionKind[] | undefined
  },
): Promise<{ items: LedgerEntry[]; next: string | null }> {
  const cursor = decodeCursor(page.cursor, 2)
  const rows = await repository.findEntries(db, memberId, {
    before: cursor && [cursor[0]!, cursor[1]!],
    limit: page.limit + 1,
    asset: page.asset,
    kinds: page.kinds,
  })
  return toPage(rows, page.limit, toEntry, (row) => encodeCursor(row.seq, row.line))
}

function toEntry(row: repository.EntryRow): LedgerEntry {
  return {
    seq: row.seq,
    line: row.line,
    kind: row.kind,
    asset: row.asset,
    source: row.source,
    destination: row.destination,
    amountMicros: row.amount,
    cause: { type: row.cause_type, id: row.cause_id },
    accountingDay: row.accounting_day,
    postedAt: row.posted_at,
  }
}
