import type { NotedKind, SendStatus, Transaction } from '@rif/api-schema'
import type { Address, Hex, PublicClient } from 'viem'
import { type ChainHead, confirmationsOf } from '../../../chain/confirmations.ts'
import { blocksOfTransactions } from '../../../chain/indexer/tx-blocks.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { ReadBudget } from '../../../chain/read-budget.ts'
import { unlessMissing } from '../../../chain/unless-missing.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { LocalWalletService } from '../../leaving/local-wallet/local-wallet.service.ts'
import type { WithdrawalsService } from '../../leaving/withdrawals/withdrawals.service.ts'
import type { Shop } from '../../shop/shop.service.ts'
import type { TransactionRow } from './transactions.repository.ts'
import * as repository from './transactions.repository.ts'

/** A member and the signing wallet. */
export interface Sender {
  readonly memberId: bigint
  readonly address: string
}

export interface SentTransaction {
  readonly txHash: string
  readonly kind: NotedKind
  readonly subjectId?: bigint | undefined
  readonly nonce: number
}

interface Deps {
  readonly now: Now
  readonly untrustedClient: Pick<
    PublicClient,
    'getTransaction' | 'getTransactionCount' | 'getTransactionReceipt'
  >
  readonly chainId: number
  readonly progress: ChainProgress
  readonly readBudget: ReadBudget
  readonly shop: Pick<Shop, 'list'>
  readonly withdrawals: Pick<WithdrawalsService, 'list'>
  readonly fund: Pick<Fund['orders'], 'list'>
  readonly localWallet: Pick<LocalWalletService, 'newest'>
}

const SHOWN = 20
const SHOWN_FOR_MS = 24 * 60 * 60_000
const KEPT_PER_MEMBER = 100
/** A node may show a new transaction late: a missing one counts as pending up to this age. */
const MISSING_AFTER_MS = 30_000
/** The maximum number of look-ups per call, and the calls to a node for each. */
const MAX_LOOKS = 5
const CALLS_PER_LOOK = 2
const FIRST_LOOK_MS = 2_000
const LAST_LOOK_MS = 600_000
const LOOKS_PER_AGE = 10
const NEVER = new Date(8.64e15)

export type TransactionsService = ReturnType<typeof createTransactionsService>

/**
 * Creates the service of the transactions of members' wallets from all devices. For display only: no money
 * depends on it.
 */
export function createTransactionsService(deps: Deps) {
  const {
    now,
    untrustedClient: client,
    chainId,
    progress,
    readBudget,
    shop,
    withdrawals,
    fund,
    localWallet,
  } = deps

  /** Looks up a transaction on the chain. Throws viem's error if no node responds. */
  async function look(row: TransactionRow, nextNonce: () => Promise<number>): Promise<Found> {
    const receipt = await unlessMissing(client.getTransactionReceipt({ hash: row.tx_hash as Hex }))
    if (receipt !== null) {
      return {
        found: receipt.status === 'reverted' ? 'failed' : 'confirming',
        found_block: receipt.blockNumber,
      }
    }
    const isOld = now().getTime() - row.sent_at.getTime() > MISSING_AFTER_MS
    const isReplaced =
      isOld &&
      (await unlessMissing(client.getTransaction({ hash: row.tx_hash as Hex }))) === null &&
      BigInt(await nextNonce()) > row.nonce
    return { found: isReplaced ? 'replaced' : 'pending', found_block: null }
  }

  /**
   * Looks up the transactions that are due, a few per call and within the member's budget, and stores the
   * results for this call and later ones. A transaction that no node has is due again after a tenth of its
   * age.
   */
  async function lookForDue(
    db: Db,
    rows: readonly TransactionRow[],
    sender: Sender,
    head: ChainHead,
  ): Promise<TransactionRow[]> {
    const due = rows
      .filter((row) => row.outcome === null && (row.look_at <= now() || isConfirmed(row, head)))
      .sort((row, other) => row.look_at.getTime() - other.look_at.getTime())
      .slice(0, MAX_LOOKS)
    if (due.length === 0) return [...rows]
    if (!(await readBudget.take(db, sender.memberId, due.length * CALLS_PER_LOOK + 1))) return [...rows]
    let nonce: Promise<number> | undefined
    const nextNonce = () => (nonce ??= client.getTransactionCount({ address: sender.address as Address }))
    const looked = await Promise.all(
      due.map(async (row): Promise<TransactionRow> => {
        // If no node responds, the state remains unchanged.
        const chainState = await look(row, nextNonce).catch(() => ({}))
        const changes = { ...chainState, look_at: nextLook(row) }
        const changed = { ...row, ...changes }
        const outcome = isConfirmed(changed, head) ? outcomeOf(changed) : null
        await repository.updateTransaction(db, row, { ...changes, outcome })
        return { ...changed, outcome }
      }),
    )
    return rows.map((row) => looked.find(({ tx_hash }) => tx_hash === row.tx_hash) ?? row)
  }

  /** Returns the time of the next look-up, by the age of a transaction. */
  function nextLook({ sent_at }: TransactionRow): Date {
    const at = now().getTime()
    const pauseMs = Math.max(0, at - sent_at.getTime()) / LOOKS_PER_AGE
    return new Date(at + Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, pauseMs)))
  }

  /** Returns the rows with the information from our own record of the chain. */
  async function withEvents(db: Db, rows: readonly TransactionRow[]): Promise<TransactionRow[]> {
    const open = rows.filter(({ outcome }) => outcome === null).map(({ tx_hash }) => tx_hash)
    const blocks = await blocksOfTransactions(db, chainId, open)
    return Promise.all(
      rows.map(async (row): Promise<TransactionRow> => {
        const event = blocks.get(row.tx_hash)
        if (event === undefined) return row
        if (event.isFinal) await repository.updateTransaction(db, row, { outcome: 'done' })
        const outcome = event.isFinal ? 'done' : row.outcome
        // Not due, because the indexer follows it.
        return { ...row, found: 'confirming', found_block: event.block, outcome, look_at: NEVER }
      }),
    )
  }

  /** Returns the payments and claims seen on chain, including unreported ones. */
  async function shownByChain(db: Db, memberId: bigint): Promise<Transaction[]> {
    const [orders, claims, purchases] = await Promise.all([
      shop.list(db, memberId, { status: 'Processing', limit: SHOWN }),
      withdrawals.list(db, memberId, { status: 'Withdrawable', limit: SHOWN }),
      fund.list(db, memberId, { tab: 'Pending', limit: SHOWN }),
    ])
    return [
      ...orders.items.flatMap((order) =>
        transactionOf('pay', order.order_id, order.paid_at ?? order.created_at, order),
      ),
      ...claims.items.flatMap((claim) => transactionOf('claim', claim.withdraw_id, claim.created_at, claim)),
      ...purchases.items.flatMap((order) =>
        transactionOf('payFund', order.order_id, order.paid_at ?? order.created_at, order),
      ),
    ]
  }

  /** Returns the wallet's sends since `since`. */
  async function sent(db: Db, memberId: bigint, since: Date, head: ChainHead): Promise<Transaction[]> {
    const sends = await localWallet.newest(db, memberId, SHOWN)
    return sends
      .filter(({ told_at }) => new Date(told_at) >= since)
      .map(({ first_hash, status, confirmations, told_at }) => ({
        tx_hash: first_hash,
        kind: 'send',
        subject_id: null,
        sent_at: told_at,
        state: STATE_OF_SEND[status],
        confirmations,
        confirmations_needed: head.confirmationsNeeded,
      }))
  }

  return {
    /** Records a transaction of a member's wallet, once. */
    async note(db: Db, { memberId }: Pick<Sender, 'memberId'>, sent: SentTransaction): Promise<void> {
      await repository.insertTransaction(db, {
        member_id: memberId,
        tx_hash: sent.txHash.toLowerCase(),
        kind: sent.kind,
        subject_id: sent.subjectId ?? null,
        nonce: BigInt(sent.nonce),
        sent_at: now(),
      })
      await repository.keepNewest(db, memberId, KEPT_PER_MEMBER)
    },

    /** Returns the member's transactions of the last day with their state, newest first. */
    async list(db: Db, sender: Sender): Promise<Transaction[]> {
      const since = new Date(now().getTime() - SHOWN_FOR_MS)
      const head = await progress.head(db)
      const [rows, shown, sends] = await Promise.all([
        repository.newestTransactions(db, sender.memberId, since, SHOWN),
        shownByChain(db, sender.memberId),
        sent(db, sender.memberId, since, head),
      ])
      const looked = await lookForDue(db, await withEvents(db, rows), sender, head)
      const noted = looked.map(
        (row): Transaction => ({
          ...viewOf(row),
          ...standingOf(row, head),
          confirmations_needed: head.confirmationsNeeded,
        }),
      )
      const hashes = new Set(rows.map((row) => row.tx_hash))
      return [...shown.filter(({ tx_hash }) => !hashes.has(tx_hash)), ...sends, ...noted].sort(
        (transaction, other) => other.sent_at.localeCompare(transaction.sent_at),
      )
    },
  }
}

const STATE_OF_SEND: Readonly<Record<SendStatus, Transaction['state']>> = {
  Sent: 'pending',
  Confirming: 'confirming',
  Success: 'done',
  Failed: 'failed',
  Replaced: 'replaced',
  // Only after a week, when it is no longer listed.
  Lost: 'failed',
}

type Standing = Pick<Transaction, 'state' | 'confirmations'>
type Found = Pick<TransactionRow, 'found' | 'found_block'>

function standingOf(row: TransactionRow, head: ChainHead): Standing {
  if (row.outcome !== null)
    return { state: row.outcome as 'done' | 'failed', confirmations: head.confirmationsNeeded }
  return {
    state: row.found as Transaction['state'],
    confirmations: confirmationsOf(row.found_block, false, head),
  }
}

/** Reports whether the block found has the required confirmations, so that its contents are final. */
function isConfirmed(row: Found, head: ChainHead): boolean {
  return confirmationsOf(row.found_block, false, head) >= head.confirmationsNeeded
}

const outcomeOf = ({ found: state }: Found) => (state === 'failed' ? 'failed' : 'done')

function viewOf(row: TransactionRow): Pick<Transaction, 'tx_hash' | 'kind' | 'subject_id' | 'sent_at'> {
  return {
    tx_hash: row.tx_hash,
    kind: row.kind,
    subject_id: row.subject_id === null ? null : `${row.subject_id}`,
    sent_at: row.sent_at.toISOString(),
  }
}

interface Followed {
  readonly tx_hash: string | null
  readonly confirmations: number
  readonly confirmations_needed: number
}

function transactionOf(
  kind: NotedKind,
  subjectId: string,
  at: string,
  { tx_hash, confirmations, confirmations_needed }: Followed,
): Transaction[] {
  if (tx_hash === null) return []
  const state = confirmations === 0 ? 'pending' : 'confirming'
  return [{ tx_hash, kind, subject_id: subjectId, state, confirmations, confirmations_needed, sent_at: at }]
}
