/** A range of blocks, both ends included. */
export interface BlockRange {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** A node may be exchanged for one that allows more. */
const REMEMBERED_MS = 3_600_000

/**
 * Creates the reading of logs (`eth_getLogs`) in ranges that the nodes allow. A refused range is halved, down to one block, and the
 * length that was allowed is remembered for an hour, for all readers of the same nodes.
 */
export function createLogRanges(isRefusal: (error: unknown) => boolean) {
  let allowed: bigint | undefined
  let learntAtMs = 0

  async function part<T>(
    { fromBlock, toBlock }: BlockRange,
    widest: bigint,
    { isNewest, read }: { isNewest: boolean; read: (range: BlockRange) => Promise<T> },
  ): Promise<BlockRange & { readonly answer: T }> {
    if (allowed !== undefined && performance.now() - learntAtMs > REMEMBERED_MS) allowed = undefined
    let length = smallest(toBlock - fromBlock + 1n, widest, allowed ?? widest)
    for (;;) {
      const range = isNewest
        ? { fromBlock: toBlock - length + 1n, toBlock }
        : { fromBlock, toBlock: fromBlock + length - 1n }
      try {
        return { ...range, answer: await read(range) }
      } catch (error) {
        if (length === 1n || !isRefusal(error)) throw error
        length /= 2n
        allowed = length
        learntAtMs = performance.now()
      }
    }
  }

  return {
    /** Reads the newest part of a range, at most `widest` blocks. Throws the error of `read`. */
    newest: <T>(range: BlockRange, widest: bigint, read: (range: BlockRange) => Promise<T>) =>
      part(range, widest, { isNewest: true, read }),
    /** Reads the oldest part of a range, in the same way. */
    oldest: <T>(range: BlockRange, widest: bigint, read: (range: BlockRange) => Promise<T>) =>
      part(range, widest, { isNewest: false, read }),
  }
}

function smallest(...numbers: readonly bigint[]): bigint {
  return [...numbers].sort((a, b) => (a < b ? -1 : 1))[0]!
}
