import { type Hex, type PublicClient, TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'
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
  { hash, from, nonce: presumed }: PendingTx & { hash: Hex },
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
