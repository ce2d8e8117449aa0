import type { Asset, MemberAccount } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { type Read, read, readMember } from '../../../db/read.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import {
  LEDGER_SLOTS,
  type LedgerAccount,
  type LedgerLine,
  type PoolAccount,
  type TransactionKind,
} from './accounts.ts'
import { closeParts, divideReserve } from './batches.ts'
import { closeChain, eachHeldAtEndOf, heldAtEndOf, lastChainDay, owed } from './chain.ts'
import { accountsAtEndOf, accountsNow, flows, flowTable, foldFlows, turnover } from './flows.ts'
import { type Cause, changesSince, history, lastSeq, seqBounds } from './history.ts'
import * as repository from './ledger.repository.ts'
import { openCustody, poolBalances, reserve } from './pools.ts'
import { createPosting, type PostingListener } from './posting.ts'
import { nextKey, nextKeys, reversalDay, standingKey } from './steps.ts'

export type { LedgerLine } from './accounts.ts'
export type { PoolPart } from './batches.ts'
export type { Owed, OwedSum } from './chain.ts'
export type { AccountSum, Flow, Turnover } from './flows.ts'
export type { Cause, HistoryEntry, HistoryMatch } from './history.ts'
export type { PostedLine } from './ledger.repository.ts'
export type { JournalEntry, Posting, PostingListener, PostingTime } from './posting.ts'

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

/**
 * Creates the double-entry ledger (rules, section 2). Every function takes the database or transaction to work in. docs/invariants.md has
 * the order of locks. A transaction that posts more than once takes its locks first with `lock`. `listeners` hear of every transaction that
 * is posted, reversals and settlements included, whichever function posts it.
 */
export function createLedgerService(listeners: readonly PostingListener[] = []) {
  return {
    ...createPosting(listeners),
    lock,
    balances,
    balancesRead,
    sharesHeld,
    pools: { balances: poolBalances, openCustody, reserve, divideReserve, closeParts },
    steps: { nextKey, nextKeys, standingKey, reversalDay },
    history: { page: history, entries, seqBounds, changesSince, lastSeq, transaction, transactionOf },
    flows: {
      list: flows,
      table: flowTable,
      accountsAtEndOf,
      accountsNow,
      turnover,
      fold: foldFlows,
      postedHere: repository.postedHere,
    },
    chain: { close: closeChain, last: lastChainDay, eachHeldAtEndOf, heldAtEndOf, owed },
  }
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
  return repository.findTransaction(db, key, memberIds)
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

/** Returns the dividend rights and VC of all members, in micro-units. */
async function sharesHeld(db: Db): Promise<Readonly<Record<'DIV' | 'VC', bigint>>> {
  const rows = await repository.findSharesHeld(db)
  return Object.assign(
    { DIV: 0n, VC: 0n },
    Object.fromEntries(rows.map((row) => [row.asset, BigInt(row.total)])),
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
