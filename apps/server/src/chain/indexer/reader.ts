import {
  getAddress,
  type Hash,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  numberToHex,
  type RpcLog,
} from 'viem'
import type { Chain } from '../client.ts'
import { type ChainEvent, decodeLog, type EventArgs, eventSelectors } from './events.ts'

/** A block's place in the chain. */
export type BlockHeader = {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  readonly blockAt: Date
}

/**
 * Reads headers and our contracts' events from a node. Throws where answers do not fit together (the chain moved in
 * between, or a balancer asked two nodes): asking again later helps.
 */
export type ChainReader = {
  head(): Promise<BlockHeader>
  /** The last block that is final by the chain's own rules; on an L2, the last one that L1 has finalised. */
  finalised(): Promise<BlockHeader>
  /** In the order of `numbers`. */
  headers(numbers: readonly bigint[]): Promise<BlockHeader[]>
  /**
   * The events of one unfinalised block, asked for by its hash, so that no other branch can answer. In log order.
   * Some nodes answer "none" for a block that they lost: what becomes final is therefore read again as a range.
   */
  eventsOfBlock(block: BlockHeader): Promise<ChainEvent[]>
  /** The events of blocks that are deep enough not to change, in chain order, and the headers at both ends. */
  eventsOfRange(
    from: bigint,
    to: bigint,
  ): Promise<{ events: ChainEvent[]; before: BlockHeader; last: BlockHeader }>
}

type LogFilter = { blockHash: Hash } | { fromBlock: `0x${string}`; toBlock: `0x${string}` }

/** A reader for the bank and the transfer contract of `chain`. */
export function createChainReader(chain: Chain): ChainReader {
  const { client, contracts } = chain
  const address = [contracts.bank, contracts.transfer]
  const getLogs = (filter: LogFilter): Promise<RpcLog[]> =>
    client.request({ method: 'eth_getLogs', params: [{ address, topics: [eventSelectors], ...filter }] })

  const header = async (number: bigint | 'latest' | 'finalized'): Promise<BlockHeader> => {
    const tag = typeof number === 'bigint' ? numberToHex(number) : number
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    if (block?.hash == null || block.number == null) throw new Error(`the node does not have block ${number}`)
    return {
      number: hexToBigInt(block.number),
      hash: block.hash,
      parentHash: block.parentHash,
      blockAt: dateOf(block.timestamp),
    }
  }

  /** Providers limit how much one answer may hold; halves are asked for until each is small enough. */
  const rangeLogs = async (from: bigint, to: bigint): Promise<RpcLog[]> => {
    try {
      return await getLogs({ fromBlock: numberToHex(from), toBlock: numberToHex(to) })
    } catch (error) {
      if (from === to || !isRefusedByNode(error)) throw error
      const middle = (from + to) / 2n
      const lower = await rangeLogs(from, middle)
      return lower.concat(await rangeLogs(middle + 1n, to))
    }
  }

  const toEvents = (logs: readonly RpcLog[], blocks: ReadonlyMap<Hash, BlockHeader>): ChainEvent[] =>
    inChainOrder(logs)
      .map((log) => toEvent(log, blocks))
      .filter((event) => isRelevant(event, chain))

  return {
    head: () => header('latest'),
    finalised: () => header('finalized'),
    headers: (numbers) => Promise.all(numbers.map(header)),
    async eventsOfBlock(block) {
      const logs = await getLogs({ blockHash: block.hash })
      return toEvents(logs, new Map([[block.hash, block]]))
    },
    async eventsOfRange(from, to) {
      // One JSON-RPC batch, so one node: if it has the last block, it has the logs before it.
      const [logs, before, last] = await Promise.all([rangeLogs(from, to), header(from - 1n), header(to)])
      const untimed = logs
        .filter((log) => log.blockTimestamp == null)
        .map((log) => hexToBigInt(log.blockNumber!))
      const blocks = await Promise.all([...new Set(untimed)].map(header))
      return { events: toEvents(logs, new Map(blocks.map((block) => [block.hash, block]))), before, last }
    },
  }
}

/** Sorted by block and index, each log once: nodes behind a balancer have been seen to repeat and to shuffle. */
function inChainOrder(logs: readonly RpcLog[]): RpcLog[] {
  const unique = new Map(
    logs.filter((log) => !log.removed).map((log) => [`${log.blockHash}${log.logIndex}`, log]),
  )
  return [...unique.values()].sort(
    (a, b) =>
      hexToNumber(a.blockNumber!) - hexToNumber(b.blockNumber!) ||
      hexToNumber(a.logIndex!) - hexToNumber(b.logIndex!),
  )
}

function toEvent(log: RpcLog, blocks: ReadonlyMap<Hash, BlockHeader>): ChainEvent {
  const { blockHash, blockNumber, blockTimestamp, transactionHash, logIndex } = log
  if (blockHash == null || blockNumber == null || transactionHash == null || logIndex == null)
    throw new Error('the node sent a log of a pending block')
  const block = blocks.get(blockHash)
  if (block === undefined && blockTimestamp == null)
    throw new Error(`the node sent a log of block ${blockHash}, which is not in the chain`)
  return {
    ...decodeLog(log),
    blockNumber: hexToBigInt(blockNumber),
    blockHash,
    blockAt: block?.blockAt ?? dateOf(blockTimestamp!),
    txHash: transactionHash,
    logIndex: hexToNumber(logIndex),
    contract: getAddress(log.address),
  } as ChainEvent
}

/** Anybody may send any token through the transfer contract; only ours are worth a row. */
function isRelevant(event: ChainEvent, chain: Chain): boolean {
  if (event.name !== 'Transferred') return true
  const { token } = event.args as EventArgs['Transferred']
  return isAddressEqual(token, chain.contracts.usdt) || isAddressEqual(token, chain.contracts.amc)
}

/** Reports whether the node returned a JSON-RPC error, as opposed to no response. */
function isRefusedByNode(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code <= -32000
}

function dateOf(timestamp: `0x${string}`): Date {
  return new Date(hexToNumber(timestamp) * 1000)
}
