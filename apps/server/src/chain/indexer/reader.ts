import { getAddress, type Hash, hexToNumber, isAddressEqual, type PublicClient } from 'viem'
import { followedContracts } from '../banks.ts'
import type { Chain } from '../client.ts'
import { ChainMovedError, isAnswer, ProofError } from '../nodes/nodes.ts'
import { type AgreedBlock, createSurvey, readBlock } from '../nodes/survey.ts'
import { checkReceipts, createBloomCheck, type RpcReceipt } from '../proof.ts'
import { provenHashes, type RpcTransaction } from '../transaction-hashes.ts'
import { type ChainEvent, decodeLog, type EventArgs, eventSelectors, isKnownSelector } from './events.ts'

/** The position of a block in the chain. */
export type BlockHeader = {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  readonly blockAt: Date
}

/** A verified header, with the roots that prove the events of its block. */
export type ProvenHeader = BlockHeader & {
  readonly receiptsRoot: Hash
  readonly transactionsRoot: Hash
  /** False if the bloom rules out events of our contracts. */
  readonly mayHoldEvents: boolean
}

/**
 * Reads headers and our contracts' events. A quorum of the nodes agrees on the hash of one block; everything
 * else is proven from that hash, so that any node can provide it: headers by their own hashes and the links
 * to their parents, events by the headers' blooms and the roots of the receipts, and the hashes of their
 * transactions by the roots of the transactions. An event can thus be neither hidden nor invented. Throws
 * NoQuorumError, ProofError or viem's errors; retry when the nodes recover.
 */
export type ChainReader = {
  /** Surveys the nodes. Returns the newest block that a quorum has. Call it first in each poll. */
  head(): Promise<ProvenHeader>
  /** Returns the newest block that a quorum calls `finalized` (on L1). Call it after `head`. */
  finalised(): Promise<ProvenHeader>
  /** Returns the block of that number in the chain of `head`. */
  blockAt(head: ProvenHeader, number: bigint): Promise<ProvenHeader>
  /** Returns `last` and its ancestors down to `first`, in ascending order, each linked to the next by its hash. */
  lineage(last: ProvenHeader, first: bigint): Promise<ProvenHeader[]>
  /** Returns the events of blocks, in chain order. */
  eventsOf(blocks: readonly ProvenHeader[]): Promise<ChainEvent[]>
  /**
   * Reports that all data read since `head` is consistent, which ends the trial of nodes that were set aside.
   */
  acquit(): void
}

/** Down to this depth a block is found by the links from the head; below, by a quorum. */
const MAX_LINKED_DEPTH = 256n
/** The number of blocks kept in memory, so that those of the window become final without being read again. */
const KEPT_BLOCKS = 1_024
/** The number of headers per step, so that a long range does not send hundreds of requests at once. */
const HEADERS_PER_STEP = 400
const RECEIPTS_PER_STEP = 200

/** Creates a reader for the banks and the transfer contract of `chain`. Makes no request. */
export function createChainReader(chain: Chain): ChainReader {
  const mayHoldEvents = createBloomCheck(followedContracts(chain), eventSelectors)
  const survey = createSurvey(chain.nodes)
  const keptBlocks = new Map<Hash, { header: ProvenHeader; events?: readonly ChainEvent[] }>()

  function keep(header: ProvenHeader, events?: readonly ChainEvent[]): void {
    keptBlocks.delete(header.hash)
    keptBlocks.set(header.hash, events === undefined ? { header } : { header, events })
    if (keptBlocks.size > KEPT_BLOCKS) keptBlocks.delete(keptBlocks.keys().next().value!)
  }

  function provenHeader({ number, hash, header }: AgreedBlock): ProvenHeader {
    const { parentHash, receiptsRoot, transactionsRoot, timestamp, logsBloom } = header
    return {
      number,
      hash,
      parentHash,
      receiptsRoot,
      transactionsRoot,
      blockAt: new Date(hexToNumber(timestamp) * 1000),
      mayHoldEvents: mayHoldEvents(logsBloom),
    }
  }

  /** Reads the ancestors of a block down to `first` from one node, in descending order. Throws ProofError. */
  async function readAncestors(
    client: PublicClient,
    child: ProvenHeader,
    first: bigint,
  ): Promise<ProvenHeader[]> {
    const count = Number(child.number - first)
    const numbers = Array.from({ length: count }, (_, index) => child.number - 1n - BigInt(index))
    const headers: ProvenHeader[] = []
    let { parentHash } = child
    for (let start = 0; start < count; start += HEADERS_PER_STEP) {
      const step = numbers.slice(start, start + HEADERS_PER_STEP)
      for (const block of await Promise.all(step.map((number) => readBlock(client, number)))) {
        if (block.hash !== parentHash) await blameFork(client, child, block.number)
        const header = provenHeader(block)
        parentHash = header.parentHash
        headers.push(header)
      }
    }
    return headers
  }

  async function lineage(last: ProvenHeader, first: bigint): Promise<ProvenHeader[]> {
    const headers = [last]
    for (;;) {
      const lowest = headers.at(-1)!
      if (lowest.number <= first) return headers.reverse()
      const parent = keptBlocks.get(lowest.parentHash)
      if (parent !== undefined) {
        headers.push(parent.header)
        continue
      }
      const read = await survey.readFromAny((client) =>
        readAncestors(client, lowest, firstUnknown(lowest, first)),
      )
      for (const header of read) {
        keep(header)
        headers.push(header)
      }
    }
  }

  /**
   * Returns the lowest number to read below a block: above the newest block in memory that may be its
   * ancestor.
   */
  function firstUnknown(block: ProvenHeader, first: bigint): bigint {
    let newest = first - 1n
    for (const { header } of keptBlocks.values())
      if (header.number < block.number && header.number > newest) newest = header.number
    // A block in memory of another branch ends the step too early, and the next step continues below it.
    return newest + 1n < block.number ? newest + 1n : block.number - 1n
  }

  async function eventsOfBlock(block: ProvenHeader): Promise<readonly ChainEvent[]> {
    const kept = keptBlocks.get(block.hash)?.events
    if (kept !== undefined) return kept
    const content = await survey.readFromAny((client) => readContent(client, block))
    const events = eventsIn(block, content, chain)
    keep(block, events)
    return events
  }

  return {
    async head() {
      const head = provenHeader(await survey.head())
      if (!keptBlocks.has(head.hash)) keep(head)
      return head
    },
    finalised: async () => provenHeader(await survey.finalised()),
    async blockAt(head, number) {
      if (head.number - number > MAX_LINKED_DEPTH) return provenHeader(await survey.block(number))
      return (await lineage(head, number))[0]!
    },
    lineage,
    async eventsOf(blocks) {
      const matching = blocks.filter((block) => block.mayHoldEvents)
      const events: ChainEvent[] = []
      for (let start = 0; start < matching.length; start += RECEIPTS_PER_STEP) {
        const step = matching.slice(start, start + RECEIPTS_PER_STEP)
        events.push(...(await Promise.all(step.map(eventsOfBlock))).flat())
      }
      return events
    },
    acquit: survey.acquit,
  }
}

/**
 * Throws ChainMovedError if the node has left the branch that was read, and ProofError if its headers do not
 * link.
 */
async function blameFork(client: PublicClient, child: ProvenHeader, number: bigint): Promise<never> {
  const now = await readBlock(client, child.number)
  if (now.hash !== child.hash) throw new ChainMovedError('the chain moved while it was read')
  throw new ProofError(`block ${number} is not the parent of the next one`)
}

/** The proven content of a block: all receipts, and the hashes of their transactions in the same order. */
interface BlockContent {
  readonly receipts: readonly RpcReceipt[]
  readonly hashes: readonly Hash[]
}

/**
 * Reads the transactions and receipts of a block, the receipts one by one if the node cannot return them
 * together, and proves both. Throws ProofError.
 */
async function readContent(client: PublicClient, block: ProvenHeader): Promise<BlockContent> {
  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
  const [body, whole] = await Promise.all([
    request({ method: 'eth_getBlockByHash', params: [block.hash, true] }),
    request({ method: 'eth_getBlockReceipts', params: [block.hash] }).catch((error) => {
      if (isAnswer(error)) return null
      throw error
    }),
  ])
  if (body === null) throw new Error(`does not have block ${block.number}`)
  const hashes = provenHashes(block, (body as { transactions: RpcTransaction[] }).transactions)
  const receipts = (whole ??
    (await Promise.all(
      hashes.map((hash) => request({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ))) as RpcReceipt[]
  checkReceipts(block, receipts)
  return { receipts, hashes }
}

/**
 * Returns the events of our contracts in a block's content. The index of a log counts all logs of the block.
 */
function eventsIn(block: ProvenHeader, { receipts, hashes }: BlockContent, chain: Chain): ChainEvent[] {
  const ours = new Set(followedContracts(chain).map((followedContract) => followedContract.toLowerCase()))
  const logs = receipts.flatMap(({ logs }, index) => logs.map((log) => ({ log, txHash: hashes[index]! })))
  return logs.flatMap(({ log, txHash }, logIndex): ChainEvent[] => {
    if (!ours.has(log.address.toLowerCase()) || !isKnownSelector(log.topics[0])) return []
    const event = {
      ...decodeLog(log),
      blockNumber: block.number,
      blockHash: block.hash,
      blockAt: block.blockAt,
      txHash,
      logIndex,
      contract: getAddress(log.address),
    } as ChainEvent
    return isRelevant(event, chain) ? [event] : []
  })
}

/** Anybody can send any token through the transfer contract; only our tokens are stored. */
function isRelevant(event: ChainEvent, chain: Chain): boolean {
  if (event.name !== 'Transferred') return true
  const { token } = event.args as EventArgs['Transferred']
  return isAddressEqual(token, chain.contracts.usdt) || isAddressEqual(token, chain.contracts.amc)
}
