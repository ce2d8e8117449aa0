import {
  type Hex,
  type PublicClient,
  type Transaction,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { sameAddress } from '../provider.ts'
import type { PendingTx } from './flow-state.ts'

/** The outcome of a transaction. `replaced`: another one took its nonce (sped up, cancelled); the chain's state shows its effect. */
export type TxOutcome = 'mined' | 'reverted' | 'replaced'

export interface FollowOptions {
  signal: AbortSignal
  /** Called when the chain shows another nonce than the assumed one, so that it can be stored. */
  onNonce: (nonce: number) => void
}

const POLL_MS = 1000
/**
 * A node may show a new transaction with a delay. A transaction that is missing this often while its nonce is
 * used has been replaced.
 */
const MISSING_POLLS = 3

/**
 * Tracks a sent transaction until its end, however long that takes, also one from before a reload. It has
 * been replaced when its nonce is used, it has no receipt, and the node no longer has it. Throws the signal's
 * reason when it is cancelled.
 */
export async function followTx(
  client: PublicClient,
  { hash, from, nonce: presumed }: Pick<PendingTx, 'from' | 'nonce'> & { hash: Hex },
  { signal, onNonce }: FollowOptions,
): Promise<TxOutcome> {
  let nonce = presumed
  let missing = 0
  for (;;) {
    const outcome = await receiptOutcome(client, hash)
    if (outcome !== null) return outcome
    const shown = await nonceOf(client, hash)
    missing = shown === null ? missing + 1 : 0
    if (shown !== null && shown !== nonce) {
      nonce = shown
      onNonce(shown)
    }
    if (
      missing >= MISSING_POLLS &&
      (await client.getTransactionCount({ address: from, blockTag: 'latest' })) > nonce
    ) {
      // It may have been mined between the reads.
      return (await receiptOutcome(client, hash)) ?? 'replaced'
    }
    await pause(POLL_MS, signal)
  }
}

/** A call of a contract in a transaction that was sent. */
interface SentCall {
  hash: Hex
  from: Hex
  nonce: number
  to: string
  data: Hex
}

/**
 * Like `followTx`, for a call whose effect is not read from the chain: the same call in the transaction that took its nonce, as wallets
 * send it to raise the fee, has its outcome.
 */
export async function followCall(
  client: PublicClient,
  sent: SentCall,
  signal: AbortSignal,
): Promise<TxOutcome> {
  let { nonce } = sent
  const onNonce = (shown: number) => {
    nonce = shown
  }
  const outcome = await followTx(client, sent, { signal, onNonce })
  if (outcome !== 'replaced') return outcome
  const other = await minedTx(client, sent.from, nonce)
  if (other === null || !sameAddress(other.to, sent.to) || other.input !== sent.data) return 'replaced'
  return (await receiptOutcome(client, other.hash)) ?? 'replaced'
}

/**
 * Returns the transaction of an account that used a nonce, or null when the node has lost the state of its block. The first block after
 * which the nonce is used is found by halves.
 */
async function minedTx(client: PublicClient, from: Hex, nonce: number): Promise<Transaction | null> {
  const isUsedAt = async (blockNumber: bigint) =>
    (await client.getTransactionCount({ address: from, blockNumber })) > nonce
  try {
    let used = await client.getBlockNumber({ cacheTime: 0 })
    let unused = used - 1n
    for (let step = 2n; unused > 0n && (await isUsedAt(unused)); step *= 2n) {
      used = unused
      unused = used > step ? used - step : 0n
    }
    while (used - unused > 1n) {
      const middle = (used + unused) / 2n
      if (await isUsedAt(middle)) used = middle
      else unused = middle
    }
    const { transactions } = await client.getBlock({ blockNumber: used, includeTransactions: true })
    return (
      transactions.find(
        (transaction) => transaction.nonce === nonce && sameAddress(transaction.from, from),
      ) ?? null
    )
  } catch {
    return null
  }
}

async function receiptOutcome(client: PublicClient, hash: Hex): Promise<'mined' | 'reverted' | null> {
  try {
    const receipt = await client.getTransactionReceipt({ hash })
    return receipt.status === 'success' ? 'mined' : 'reverted'
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

async function nonceOf(client: PublicClient, hash: Hex): Promise<number | null> {
  try {
    return (await client.getTransaction({ hash })).nonce
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}

/** Waits; rejects with the signal's reason when it is cancelled. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, delayMs)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
