import type { Db } from '../../db/database.ts'
import type { BlockHeader, ChainReader } from './reader.ts'
import { loadPosition, type Position, type StoredBlock, storeFinalised, storeWindow, tipOf } from './store.ts'

/** The result of one poll of the chain. `behind`: there is more to read at once. */
export type FollowResult =
  | { readonly kind: 'ok'; readonly head: bigint; readonly behind: boolean }
  /** A block that was final is not in the chain any more; nothing was stored. */
  | { readonly kind: 'halted'; readonly head: bigint; readonly reason: string }

export type FollowerDeps = {
  readonly db: Db
  readonly chainId: number
  readonly reader: ChainReader
  /** A block is final when this many blocks, itself included, are on the chain from it on. At least 1. */
  readonly confirmations: number
  /** The number of blocks per getLogs call. */
  readonly rangeBlocks: number
}

/** Ranges per look, so that a long catch-up still reports its progress and lets the handlers work. */
const RANGES_PER_LOOK = 20
/** The number of consecutive polls that must show a shorter chain, because a node behind a load balancer may lag. */
const SHORTER_CHAIN_LOOKS = 3
const HEADERS_PER_STEP = 32n

/**
 * Brings the database up to the node's head. Blocks with enough confirmations are read as ranges and become
 * final; those above are kept as a window linked by parent hash, which a reorganisation replaces from the fork on.
 * All state is in the database, so a killed process or another one goes on where the last transaction ended.
 */
export function createFollower(deps: FollowerDeps): { follow(): Promise<FollowResult> } {
  const { db, chainId, reader } = deps
  let shorterChainLooks = 0

  const halted = (head: BlockHeader, position: Position): FollowResult => ({
    kind: 'halted',
    head: head.number,
    reason: `block ${position.finalised.number} was final as ${position.finalised.hash}, but the chain now has another one`,
  })

  async function follow(): Promise<FollowResult> {
    const head = await reader.head()
    const position = await loadPosition(db, chainId)
    const { finalised } = position
    if (head.number < finalised.number)
      throw new Error(`the node is at block ${head.number}, but block ${finalised.number} was already final`)
    const target = head.number - BigInt(deps.confirmations) + 1n
    const caughtUp = target > finalised.number ? await finaliseUpTo(position, target) : position
    if (caughtUp === 'forked') return halted(head, position)
    if (caughtUp.finalised.number < target) return { kind: 'ok', head: head.number, behind: true }
    if ((await followWindow(caughtUp, head)) === 'forked') return halted(head, caughtUp)
    return { kind: 'ok', head: head.number, behind: false }
  }

  /** Reads the next range while the last one is stored. */
  async function finaliseUpTo(start: Position, target: bigint): Promise<Position | 'forked'> {
    const read = (after: bigint) => {
      const last = after + BigInt(deps.rangeBlocks)
      const range = reader.eventsOfRange(after + 1n, last < target ? last : target)
      // It is awaited below, but a failure of the store must not leave a second, unhandled one behind.
      range.catch(() => {})
      return range
    }
    let position = start
    let next = read(position.finalised.number)
    for (let ranges = 1; ; ranges++) {
      const range = await next
      if (range.before.hash !== position.finalised.hash) return 'forked'
      const isEnough = range.last.number === target || ranges === RANGES_PER_LOOK
      if (!isEnough) next = read(range.last.number)
      position = await storeFinalised(db, chainId, position, range)
      if (isEnough) return position
    }
  }

  async function followWindow(position: Position, head: BlockHeader): Promise<'ok' | 'forked'> {
    const tip = tipOf(position)
    if (head.hash === tip.hash) {
      shorterChainLooks = 0
      return 'ok'
    }
    const fork = await findFork(position, head)
    if (fork === undefined) return 'forked'
    // Nothing new above a block that we know: the chain went back, or this node has not got that far yet.
    if (fork.branch.length === 0 && ++shorterChainLooks < SHORTER_CHAIN_LOOKS) return 'ok'
    shorterChainLooks = 0
    const events = await Promise.all(fork.branch.map(reader.eventsOfBlock))
    await storeWindow(db, chainId, position, {
      after: fork.after,
      blocks: fork.branch,
      events: events.flat(),
    })
    return 'ok'
  }

  /**
   * Goes down from the head to the last block that we know, checking each link. Gives that block's number and the
   * blocks above it in ascending order, or undefined when even the final block is not below the head.
   */
  async function findFork(
    position: Position,
    head: BlockHeader,
  ): Promise<{ after: bigint; branch: BlockHeader[] } | undefined> {
    const known = new Map([position.finalised, ...position.window].map((block) => [block.number, block.hash]))
    if (known.get(head.number) === head.hash) return { after: head.number, branch: [] }
    if (head.number === position.finalised.number) return undefined
    const branch = [head]
    for (;;) {
      const lowest = branch.at(-1)!
      const below = lowest.number - 1n
      if (known.get(below) === lowest.parentHash) return { after: below, branch: branch.reverse() }
      if (below === position.finalised.number) return undefined
      for (const header of await reader.headers(numbersBelow(lowest.number, position))) {
        if (header.hash !== branch.at(-1)!.parentHash) throw new Error('the chain moved while it was read')
        branch.push(header)
        if (known.get(header.number - 1n) === header.parentHash) break
      }
    }
  }

  return { follow }
}

/** The block numbers to look at next below `above`, descending: first all new ones, then steps into the window. */
function numbersBelow(above: bigint, position: Position): bigint[] {
  const tip: StoredBlock = tipOf(position)
  const step = above > tip.number + 1n ? tip.number + 1n : above - HEADERS_PER_STEP
  const floor = step > position.finalised.number ? step : position.finalised.number + 1n
  return Array.from({ length: Number(above - floor) }, (_, index) => above - 1n - BigInt(index))
}
