import type { BlockPlace, UsualWaits } from './l1-finality.ts'

/** The newest known block, and the number of confirmations that makes a block final. */
export interface ChainHead {
  readonly number: bigint
  readonly confirmationsNeeded: number
}

/** The newest block, the last one that is final on L1, and members' usual waits for both. */
export interface ChainPace extends ChainHead, UsualWaits {
  /** Null before the indexer first ran. */
  readonly l1FinalNumber: bigint | null
  /** The block of the last hand-over of a bank. */
  readonly handOver: BlockPlace | null
  /** Set while the bank does not accept the claim key: when a queued one can be appointed, null if none is queued. */
  readonly keyChange: { readonly executableAt: Date | null } | null
}

/** Returns a wait in whole seconds, rounded up, in the API's format. */
export function secondsOf(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.ceil(waitMs / 1_000)
}

/**
 * Returns the number of confirmations of an event's block, at most the required number; 0 if it was not seen
 * yet.
 */
export function confirmationsOf(seenBlock: bigint | null, final: boolean, head: ChainHead): number {
  if (final) return head.confirmationsNeeded
  if (seenBlock === null) return 0
  const count = Number(head.number - seenBlock) + 1
  return Math.max(0, Math.min(count, head.confirmationsNeeded))
}
