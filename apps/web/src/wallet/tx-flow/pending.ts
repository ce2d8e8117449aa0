import type { Hex } from 'viem'
import { kept } from '../../lib/storage.ts'
import type { StepId } from './flow-state.ts'

/** A transaction that was sent and whose outcome this browser has not seen: kept, so that a reload follows it on. */
export interface PendingTx {
  step: StepId
  from: Hex
  hash: Hex | null
  /** Tells a replacement from a wait. Presumed at sending, known when the chain has shown the transaction. */
  nonce: number
  /** Instead of a hash: the id of a batch (EIP-5792). */
  callsId: string | null
}

/** What a pending transaction belongs to. */
export type FlowKey = `order:${string}` | `fund:${string}` | `withdrawal:${string}` | `approval:${string}`

const storageKey = (key: FlowKey) => `pending_tx:${key}`

/** The pending transaction of an order, a purchase of the fund or a withdrawal, or null. */
export function readPending(key: FlowKey): PendingTx | null {
  try {
    const value = JSON.parse(kept.get(storageKey(key)) ?? 'null')
    return typeof value?.step === 'string' && typeof value.from === 'string' ? value : null
  } catch {
    return null
  }
}

/** Keeps a pending transaction; null forgets it. */
export function writePending(key: FlowKey, pending: PendingTx | null) {
  kept.set(storageKey(key), pending === null ? null : JSON.stringify(pending))
}
