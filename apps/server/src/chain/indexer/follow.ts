import type { Db } from '../../db/database.ts'
import type { ChainReader, ProvenHeader } from './reader.ts'
import { findAncestor, rewind } from './rewind.ts'
import { type ChainPosition, loadPosition, storeFinalised, storeWindow, tipOf } from './store.ts'

/** The result of one poll of the chain. `behind`: more blocks can be read at once. */
export type FollowResult =
  | { readonly kind: 'ok'; readonly head: bigint; readonly behind: boolean }
  /** Final blocks were replaced above the last one that L1 has finalised: the cursor was set back. */
  | { readonly kind: 'rewound'; readonly head: bigint; readonly to: bigint; readonly missing: number }
  /** A block that L1 had finalised is no longer in the chain; nothing was stored. */
  | { readonly kind: 'halted'; readonly head: bigint; readonly reason: string }

export type FollowerDeps = {
  readonly db: Db
  readonly chainId: number
  readonly reader: ChainReader
  /** The number of blocks, itself included, after which a block is final. At least 1. */
  readonly confirmations: number
  /** The number of blocks read and stored in one step. */
  readonly rangeBlocks: number
}

/**
 * The number of ranges per poll, so that a long catch-up still reports its progress and lets the handlers
 * work.
 */
const RANGES_PER_LOOK = 20

/**
 * Brings the database up to `head`, on which a quorum of the nodes agrees. Blocks with enough confirmations
 * are read as ranges and become final; later ones are kept as a window linked by parent hash, which a
 * reorganisation replaces from the fork on. All state is in the database, so a restarted or another process
 * continues after the last committed transaction.
 */
export function createFollower(deps: FollowerDeps): { follow(head: ProvenHeader): Promise<FollowResult> } {
  const { db, chainId, reader } = deps

  /**
   * Sets the cursor back to the last common block of both branches, or halts if that is below L1 finality.
   */
  async function goBack(head: ProvenHeader, position: ChainPosition): Promise<FollowResult> {
    const ancestor = await findAncestor(db, chainId, reader, head)
    if (ancestor !== undefined) {
      const missing = await rewind(db, chainId, position, ancestor)
      return { kind: 'rewound', head: head.number, to: ancestor.number, missing }
    }
    reader.acquit()
    const { number, hash } = position.finalised
    const reason = `block ${number} was final as ${hash}, but the chain now has another one, and so does L1`
    return { kind: 'halted', head: head.number, reason }
  }

  async function follow(head: ProvenHeader): Promise<FollowResult> {
    const position = await loadPosition(db, chainId)
    const { finalised } = position
    if (head.number < finalised.number) {
      // The nodes agree and answer: whoever asks must not be told that they do not.
      reader.acquit()
      throw new Error(`the node is at block ${head.number}, but block ${finalised.number} was already final`)
    }
    const target = head.number - BigInt(deps.confirmations) + 1n
    const caughtUp = target > finalised.number ? await finaliseUpTo(position, head, target) : position
    if (caughtUp === 'forked') return goBack(head, position)
    const behind = caughtUp.finalised.number < target
    if (!behind && (await followWindow(caughtUp, head)) === 'forked') return goBack(head, caughtUp)
    reader.acquit()
    return { kind: 'ok', head: head.number, behind }
  }

  /** Reads the next range while the last one is stored. */
  async function finaliseUpTo(
    start: ChainPosition,
    head: ProvenHeader,
    target: bigint,
  ): Promise<ChainPosition | 'forked'> {
    const read = (after: bigint) => {
      const last = after + BigInt(deps.rangeBlocks)
      const range = readRange(head, after + 1n, last < target ? last : target)
      // It is awaited below, but a failure of the store must not leave a second, unhandled one behind.
      range.catch(() => {})
      return range
    }
    let position = start
    let next = read(position.finalised.number)
    for (let ranges = 1; ; ranges++) {
      const range = await next
      if (range.blocks[0]!.parentHash !== position.finalised.hash) return 'forked'
      const { number } = range.blocks.at(-1)!
      const isEnough = number === target || ranges === RANGES_PER_LOOK
      if (!isEnough) next = read(number)
      position = await storeFinalised(db, chainId, position, range)
      if (isEnough) return position
    }
  }

  async function readRange(head: ProvenHeader, first: bigint, last: bigint) {
    const blocks = await reader.lineage(await reader.blockAt(head, last), first)
    return { blocks, events: await reader.eventsOf(blocks) }
  }

  async function followWindow(position: ChainPosition, head: ProvenHeader): Promise<'ok' | 'forked'> {
    if (head.hash === tipOf(position).hash) return 'ok'
    const fork = await findFork(position, head)
    if (fork === undefined) return 'forked'
    // There is nothing above a known block: the nodes lag. Only another block at the same height replaces a
    // block.
    if (fork.branch.length === 0) return 'ok'
    await storeWindow(db, chainId, position, {
      after: fork.after,
      blocks: fork.branch,
      events: await reader.eventsOf(fork.branch),
    })
    return 'ok'
  }

  /**
   * Goes down from the head to the last known block. Returns that block's number and the blocks above it in
   * ascending order, or undefined if even the final block is not below the head.
   */
  async function findFork(
    position: ChainPosition,
    head: ProvenHeader,
  ): Promise<{ after: bigint; branch: ProvenHeader[] } | undefined> {
    const hashes = new Map(
      [position.finalised, ...position.window].map((block) => [block.number, block.hash]),
    )
    if (hashes.get(head.number) === head.hash) return { after: head.number, branch: [] }
    if (head.number === position.finalised.number) return undefined
    const lineage = await reader.lineage(head, position.finalised.number + 1n)
    const start = lineage.findLastIndex(({ number, parentHash }) => hashes.get(number - 1n) === parentHash)
    return start < 0 ? undefined : { after: lineage[start]!.number - 1n, branch: lineage.slice(start) }
  }

  return { follow }
}
