import { type Hash, type Hex, hexToBigInt, hexToNumber, numberToHex, type PublicClient } from 'viem'
import { checkHeader, type RpcHeader } from '../proof.ts'
import type { ChainNode } from './node.ts'
import {
  ChainMovedError,
  isAnswer,
  lineOf,
  MAX_LAG_BLOCKS,
  type Nodes,
  NoQuorumError,
  ProofError,
} from './nodes.ts'

/** A block with a verified hash. */
export interface AgreedBlock {
  readonly number: bigint
  readonly hash: Hash
  readonly header: RpcHeader
}

const MAX_SURVEY_MS = 5_000

/**
 * Surveys the nodes and determines what a quorum of them agrees on. All later reads of the chain are proven
 * from the hash of an agreed block. For the indexer: one process surveys at a time.
 */
export function createSurvey(nodes: Nodes) {
  const { all, quorum } = nodes
  const timeoutMs = Math.min(nodes.timeoutMs, MAX_SURVEY_MS)
  /** The nodes that passed the last survey, with the numbers of their newest blocks. */
  let heads = new Map<ChainNode, AgreedBlock>()
  let newest = 0n

  /**
   * Returns the nodes to query: the healthy ones, and those set aside whose pause is over. If that is no
   * quorum, all of them, because the caller waits with its own growing pause.
   */
  function candidates(): ChainNode[] {
    const due = all.filter((node) => node.state() === 'healthy' || node.isDue())
    return due.length >= quorum ? due : [...all]
  }

  /**
   * Queries nodes in parallel. Sets aside those that do not answer in time, or answer for another chain or
   * with a wrong proof.
   */
  async function ask<T>(
    askedNodes: Iterable<ChainNode>,
    read: (client: PublicClient) => Promise<T>,
  ): Promise<Map<ChainNode, T>> {
    const answers = new Map<ChainNode, T>()
    await Promise.all(
      [...askedNodes].map(async (node) => {
        try {
          answers.set(node, await inTime(read(node.client), timeoutMs))
        } catch (error) {
          node.setAside(stateOf(error), lineOf(error))
        }
      }),
    )
    return answers
  }

  function needQuorum(count: number): void {
    if (count >= quorum) return
    const faults = nodes
      .report()
      .flatMap(({ host, reason }) => (reason === null ? [] : [`${host}: ${reason}`]))
    throw new NoQuorumError(
      `${count} of ${all.length} chain nodes can be used, ${quorum} are needed${faults.map((fault) => `; ${fault}`).join('')}`,
    )
  }

  /**
   * Returns the block that a quorum reports, and sets the others aside. Throws NoQuorumError if there is
   * none.
   */
  function agree(blocks: ReadonlyMap<ChainNode, AgreedBlock>): AgreedBlock {
    needQuorum(blocks.size)
    const counts = new Map<Hash, number>()
    for (const { hash } of blocks.values()) counts.set(hash, (counts.get(hash) ?? 0) + 1)
    const agreed = [...blocks.values()].find(({ hash }) => counts.get(hash)! >= quorum)
    for (const [node, { hash, number }] of blocks) {
      if (hash === agreed?.hash) continue
      heads.delete(node)
      const other = agreed === undefined ? 'another node' : 'the quorum'
      node.setAside('disagrees', `has another block ${number} than ${other}`)
    }
    if (agreed === undefined) throw new NoQuorumError('the chain nodes disagree, and no block has a quorum')
    return agreed
  }

  async function agreedBlock(number: bigint): Promise<AgreedBlock> {
    const reaching = [...heads].filter(([, head]) => head.number >= number)
    const blocks = new Map(reaching.filter(([, head]) => head.number === number))
    const others = reaching.filter(([, head]) => head.number > number).map(([node]) => node)
    for (const [node, block] of await ask(others, (client) => readBlock(client, number)))
      blocks.set(node, block)
    return agree(blocks)
  }

  return {
    /**
     * Requests chain and newest block from the nodes, judges them, and returns the newest block that a quorum
     * has. Throws NoQuorumError.
     */
    async head(): Promise<AgreedBlock> {
      nodes.noteSurvey()
      heads = await ask(candidates(), async (client) => {
        const [chainId, head] = await Promise.all([client.getChainId(), readBlock(client, 'latest')])
        if (chainId !== nodes.chainId) throw new WrongChainError(`answers for chain ${chainId}`)
        return head
      })
      for (const [node, { header, number }] of heads)
        node.noteHead({ number, at: new Date(hexToNumber(header.timestamp) * 1000) })
      const numbers = descending([...heads.values()].map(({ number }) => number))
      // As many nodes as the quorum can spare may claim a head that does not exist.
      const reference = max(newest, numbers[all.length - quorum] ?? numbers.at(-1) ?? 0n)
      for (const [node, { number }] of [...heads]) {
        if (number + MAX_LAG_BLOCKS >= reference) continue
        heads.delete(node)
        node.setAside('lagging', `is ${reference - number} blocks behind`)
      }
      needQuorum(heads.size)
      const reached = descending([...heads.values()].map(({ number }) => number))[quorum - 1]!
      const head = await agreedBlock(reached)
      newest = max(newest, head.number)
      return head
    },

    /** Returns the block of that number that a quorum has, after `head`. Throws NoQuorumError. */
    block: agreedBlock,

    /** Returns the newest block that a quorum calls `finalized`: final on L1. After `head`. Throws NoQuorumError. */
    async finalised(): Promise<AgreedBlock> {
      const blocks = await ask(heads.keys(), (client) => readBlock(client, 'finalized'))
      needQuorum(blocks.size)
      return agreedBlock(descending([...blocks.values()].map(({ number }) => number))[quorum - 1]!)
    },

    /**
     * Reads proven data from one of the surveyed nodes, and continues with the next if one does not answer or
     * fails the proof. Throws the last error.
     */
    async readFromAny<T>(read: (client: PublicClient) => Promise<T>): Promise<T> {
      let lastError: unknown = new NoQuorumError('no chain node can be used')
      const candidates = all.filter((node) => heads.has(node))
      const isTrusted = (node: ChainNode) => node.state() === 'healthy'
      for (const node of [
        ...candidates.filter(isTrusted),
        ...candidates.filter((item) => !isTrusted(item)),
      ]) {
        try {
          return await read(node.client)
        } catch (error) {
          lastError = error
          if (!isAnswer(error) && !(error instanceof ChainMovedError)) {
            heads.delete(node)
            node.setAside(stateOf(error), lineOf(error))
          }
        }
      }
      throw lastError
    },

    /** Ends the trial of the nodes that agreed with the quorum and proved all data read since `head`. */
    acquit(): void {
      for (const node of heads.keys()) if (node.state() !== 'healthy') node.restore()
    },
  }
}

class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
}

function stateOf(error: unknown): 'wrong-chain' | 'disagrees' | 'unreachable' {
  if (error instanceof WrongChainError) return 'wrong-chain'
  return error instanceof ProofError ? 'disagrees' : 'unreachable'
}

/** Reads a block and checks that its fields hash to its hash. Throws ProofError, and Error when the node lacks the block. */
export async function readBlock(
  client: PublicClient,
  number: bigint | 'latest' | 'finalized',
): Promise<AgreedBlock> {
  const tag = typeof number === 'string' ? number : numberToHex(number)
  const block = await client.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
  if (block?.hash == null || block.number == null) throw new Error(`does not have block ${number}`)
  const header = block as unknown as RpcHeader
  checkHeader(header)
  const actual = hexToBigInt(block.number as Hex)
  if (typeof number === 'bigint' && actual !== number)
    throw new ProofError(`gave block ${actual} instead of ${number}`)
  return { number: actual, hash: block.hash, header }
}

function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`did not answer within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

function descending(numbers: bigint[]): bigint[] {
  return numbers.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
