/** The newest block that is known, and how many confirmations make a block final. */
export interface ChainHead {
  readonly number: bigint
  readonly confirmationsNeeded: number
}

/** Returns the number of confirmations of an event's block, at most the required number; 0 when nothing was seen yet. */
export function confirmationsOf(seenBlock: bigint | null, final: boolean, head: ChainHead): number {
  if (final) return head.confirmationsNeeded
  if (seenBlock === null) return 0
  const count = Number(head.number - seenBlock) + 1
  return Math.max(0, Math.min(count, head.confirmationsNeeded))
}
