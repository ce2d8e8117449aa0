import type { NotedKind, SendStatus, Transaction } from '@rif/api-schema'
import type { Address, Hex, PublicClient } from 'viem'
import { type ChainHead, confirmationsOf } from '../../chain/confirmations.ts'
import type { ChainProgress } from '../../chain/progress.ts'
import { unlessMissing } from '../../chain/unless-missing.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Fund } from '../fund/fund.service.ts'
import type { LocalWalletService } from '../local-wallet/local-wallet.service.ts'
import type { Shop } from '../shop/shop.service.ts'
import type { WithdrawalsService } from '../withdrawals/withdrawals.service.ts'
import type { TransactionRow } from './transactions.repository.ts'
import * as repository from './transactions.repository.ts'

/** A member and the wallet that signs. */
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
  readonly client: Pick<PublicClient, 'getTransaction' | 'getTransactionCount' | 'getTransactionReceipt'>
  readonly progress: ChainProgress
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

export type TransactionsService = ReturnType<typeof createTransactionsService>

/** Creates the service of the transactions of members' wallets from all devices. For display only: no money depends on it. */
export function createTransactionsService(deps: Deps) {
  const { now, client, progress, shop, withdrawals, fund, localWallet } = deps

  /** Returns the current state of a transaction on chain. Throws viem's error when the node does not respond. */
  async function look(row: TransactionRow, sender: Sender, head: ChainHead): Promise<Standing> {
    const receipt = await unlessMissing(client.getTransactionReceipt({ hash: row.tx_hash as Hex }))
    if (receipt !== null) {
      const confirmations = confirmationsOf(receipt.blockNumber, false, head)
      if (receipt.status === 'reverted') return { state: 'failed', confirmations }
      const isFinal = confirmations >= head.confirmationsNeeded
      return { state: isFinal ? 'done' : 'confirming', confirmations }
    }
    const isOld = now().getTime() - row.sent_at.getTime() > MISSING_AFTER_MS
    if (!isOld || (await unlessMissing(client.getTransaction({ hash: row.tx_hash as Hex }))) !== null)
      return { state: 'pending', confirmations: 0 }
    const next = await client.getTransactionCount({ address: sender.address as Address })
    return { state: BigInt(next) > row.nonce ? 'replaced' : 'pending', confirmations: 0 }
  }

  async function standingOf(db: Db, row: TransactionRow, sender: Sender, head: ChainHead): Promise<Standing> {
    if (row.outcome !== null) return { state: row.outcome, confirmations: head.confirmationsNeeded }
    try {
      const standing = await look(row, sender, head)
      const { state, confirmations } = standing
      if ((state === 'done' || state === 'failed') && confirmations >= head.confirmationsNeeded)
        await repository.setOutcome(db, row, state)
      return standing
    } catch {
      // The node does not respond, so the state is unknown.
      return { state: 'pending', confirmations: 0 }
    }
  }

  /** Returns the payments and claims seen on chain, including those that no device reported. */
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
        ...{ tx_hash: first_hash, kind: 'send', subject_id: null, sent_at: told_at },
        ...{ state: STATE_OF_SEND[status], confirmations, confirmations_needed: head.confirmationsNeeded },
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
      const noted = await Promise.all(
        rows.map(async (row): Promise<Transaction> => {
          const standing = await standingOf(db, row, sender, head)
          return { ...viewOf(row), ...standing, confirmations_needed: head.confirmationsNeeded }
        }),
      )
      const known = new Set(rows.map((row) => row.tx_hash))
      return [...shown.filter(({ tx_hash }) => !known.has(tx_hash)), ...sends, ...noted].sort((one, other) =>
        other.sent_at.localeCompare(one.sent_at),
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
  // Only after a week, when the list no longer contains it.
  Lost: 'failed',
}

type Standing = Pick<Transaction, 'state' | 'confirmations'>

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
