import pLimit from 'p-limit'
import { createPublicClient, custom, defineChain, type Hash, HttpRequestError, type PublicClient } from 'viem'
import { ARBITRUM_ONE } from '../arbitrum.ts'
import { createLogRanges } from './log-ranges.ts'
import { type ChainNode, createNode, type NodeReport, type NodeVerdict } from './node.ts'

/** Thrown when too few nodes answer, or too few agree. The message is one line without any address. */
export class NoQuorumError extends Error {
  override readonly name = 'NoQuorumError'
  /** True if a node refused the call, such as a range of blocks that it finds too long. */
  readonly isRefused: boolean

  constructor(message: string, isRefused = false) {
    super(message)
    this.isRefused = isRefused
  }
}

/**
 * Thrown if an answer contradicts its own proof: a block's hash, the link to its parent or the root of its
 * receipts.
 */
export class ProofError extends Error {
  override readonly name = 'ProofError'
}

/** Thrown if a reorganisation intervened, which is not the node's fault. */
export class ChainMovedError extends Error {
  override readonly name = 'ChainMovedError'
}

export type Nodes = ReturnType<typeof createNodes>

/** A block by its height and its hash. */
export interface NamedBlock {
  readonly number: bigint
  readonly hash: Hash
}

export interface QuorumOptions {
  /**
   * False for reads whose answer does not show a node's fault, because a stranger's contract determines it, or the nodes may be a
   * block apart: no node is set aside, and the queue of the indexer is not used.
   */
  readonly blames: boolean
}

export interface NodesSettings {
  /** The JSON-RPC addresses, all of the same chain. */
  readonly rpcUrls: readonly string[]
  readonly chainId: number
  /** The time limit of one JSON-RPC call; default 10 s. */
  readonly timeoutMs?: number
}

const RPC_TIMEOUT_MS = 10_000
const ORDINARY_CALLS_AT_ONCE = 64
/** A node this many blocks behind the others is set aside: ten seconds of Arbitrum. */
export const MAX_LAG_BLOCKS = 40n
/** A surveying process does so every second, or every half a minute while surveys fail. */
const OWN_JUDGEMENT_MS = 60_000

/**
 * Creates the access to all configured nodes of the chain. A quorum is more than half of them: 1 of 1, 2 of
 * 2, 2 of 3, 3 of 4. The state of each node determines which are read; the indexer's survey sets it, other
 * processes take it over with `adopt`. Makes no request.
 */
export function createNodes({ rpcUrls, chainId, timeoutMs = RPC_TIMEOUT_MS }: NodesSettings) {
  const chain = defineChain({ ...ARBITRUM_ONE, id: chainId, rpcUrls: { default: { http: [...rpcUrls] } } })
  const all: readonly ChainNode[] = rpcUrls.map((url) => createNode(chain, url, timeoutMs))
  const quorum = Math.floor(all.length / 2) + 1
  let surveyedAtMs = Number.NEGATIVE_INFINITY
  const limit = pLimit(ORDINARY_CALLS_AT_ONCE)

  /** The nodes that may be read: the healthy ones first, then those that did not answer, which cannot have lied. */
  const usable = (): ChainNode[] => [
    ...all.filter((node) => node.state() === 'healthy'),
    ...all.filter((node) => node.state() === 'unreachable'),
  ]

  /** Makes one JSON-RPC call at the first node that answers. */
  async function failOver(call: { method: string; params?: unknown }): Promise<unknown> {
    let lastError: unknown = new NoQuorumError('every chain node is set aside')
    for (const node of usable()) {
      try {
        return await node.ordinaryClient.request(call as never)
      } catch (error) {
        if (isVerdict(error)) throw error
        if (!isAnswer(error)) noteSilence(node, error)
        lastError = error
      }
    }
    throw lastError
  }

  /** A single node stays the first choice, because there is no other to fail over to. */
  function noteSilence(node: ChainNode, error: unknown): void {
    if (all.length > 1) node.setAside('unreachable', lineOf(error))
  }

  /** Asks all usable nodes and returns their settled answers, in order. */
  async function askAll<T>(read: (client: PublicClient) => Promise<T>, { blames }: QuorumOptions) {
    const askedNodes = usable()
    const clientOf = (node: ChainNode) => (blames ? node.client : node.ordinaryClient)
    const answers = await Promise.allSettled(askedNodes.map((node) => read(clientOf(node))))
    for (const [index, answer] of answers.entries())
      if (blames && answer.status === 'rejected' && !isAnswer(answer.reason))
        noteSilence(askedNodes[index]!, answer.reason)
    return { askedNodes, answers }
  }

  async function quorumRead<T>(
    read: (client: PublicClient) => Promise<T>,
    options: QuorumOptions = { blames: true },
  ): Promise<T> {
    const { askedNodes, answers } = await askAll(read, options)
    const groups = new Map<string, { answer: T; nodes: ChainNode[] }>()
    const errors: unknown[] = []
    for (const [index, settled] of answers.entries()) {
      if (settled.status === 'rejected') {
        errors.push(settled.reason)
        continue
      }
      const key = textOf(settled.value)
      const group = groups.get(key) ?? { answer: settled.value, nodes: [] }
      group.nodes.push(askedNodes[index]!)
      groups.set(key, group)
    }
    const agreed = [...groups.values()].find(({ nodes }) => nodes.length >= quorum)
    if (agreed === undefined) {
      if (errors.filter(isVerdict).length >= quorum || (all.length === 1 && errors.length > 0))
        throw errors[0]
      throw new NoQuorumError(
        `${quorum} chain nodes must agree, and ${describe(groups.size, errors.length)}`,
        errors.some(isRefusal),
      )
    }
    if (options.blames)
      for (const { nodes } of groups.values())
        if (nodes !== agreed.nodes)
          for (const node of nodes) node.setAside('disagrees', 'gives another answer than the quorum')
    return agreed.answer
  }

  /** Returns the block that a quorum has at a height; undefined if there is none. */
  async function agreedAt(blockNumber: bigint): Promise<NamedBlock | undefined> {
    const read = async (client: PublicClient) => {
      const [actualId, { hash }] = await Promise.all([client.getChainId(), client.getBlock({ blockNumber })])
      return { chainId: actualId, number: blockNumber, hash }
    }
    const agreed = await quorumRead(read, { blames: false }).catch(() => undefined)
    return agreed?.chainId === chainId ? { number: agreed.number, hash: agreed.hash } : undefined
  }

  const transport = custom({ request: (call) => limit(() => failOver(call)) }, { retryCount: 0 })

  return {
    all,
    chainId,
    timeoutMs,
    quorum,
    usable,

    /**
     * Reads from one node that is not set aside and fails over to the next: it may lie or be behind. The linter lists
     * its users.
     */
    untrustedClient: createPublicClient({ chain, transport, cacheTime: 0 }) as PublicClient,

    /**
     * Returns the answer that a quorum of the configured nodes gives to the same read, compared by value. Use it for
     * everything that decides about money, and name the block in the read: by hash (`blockHash`, with
     * `requireCanonical: true`), or by the number of a block that is final here. Nodes that contradict the quorum are
     * set aside, unless `blames` is false. Throws NoQuorumError when too few nodes answer or agree, and viem's error
     * when a quorum fails alike (a revert).
     *
     *     chain.nodes.quorumRead((client) => client.readContract({ ...bank, functionName: 'claimed', args, blockHash }))
     */
    quorumRead,

    /** The lengths of ranges of blocks that the nodes allow; every read of logs goes through it. */
    logRanges: createLogRanges(isRefusal),

    /**
     * Returns the newest block that a quorum of the configured nodes has, to name it in reads of the present state. One
     * that lies about its head neither hides it nor makes it old. Sets no node aside. Throws NoQuorumError.
     */
    async newestBlock(): Promise<NamedBlock> {
      const { answers } = await askAll((client) => client.getBlockNumber(), { blames: false })
      const heads = answers
        .flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
        .sort((head, other) => (head < other ? 1 : head > other ? -1 : 0))
      const newest = heads[quorum - 1]
      if (newest === undefined)
        throw new NoQuorumError(`${quorum} chain nodes must answer, and ${heads.length} do`)
      for (const number of new Set(heads.slice(quorum - 1))) {
        if (number + MAX_LAG_BLOCKS < newest) break
        const block = await agreedAt(number)
        if (block !== undefined) return block
      }
      throw new NoQuorumError('the chain nodes disagree about the newest block')
    },

    /** Records that this process has just surveyed the nodes itself. */
    noteSurvey(): void {
      surveyedAtMs = performance.now()
    },

    /** Reports whether this process has recently surveyed the nodes itself. */
    judgesItself: (): boolean => performance.now() - surveyedAtMs < OWN_JUDGEMENT_MS,

    /** Takes over the indexer's verdicts about the nodes. */
    adopt(verdicts: readonly NodeVerdict[]): void {
      for (const { id, state, reason } of verdicts) {
        const node = all.find((item) => item.id === id)
        if (node === undefined) continue
        if (state !== 'healthy') {
          if (node.state() !== state) node.setAside(state, reason ?? '')
        } else if (node.state() !== 'healthy' && node.isDue()) node.restore()
      }
    },

    hasQuorum: (): boolean => all.filter((node) => node.state() === 'healthy').length >= quorum,

    report: (): NodeReport[] => all.map((node) => node.report()),
  }
}

function describe(answers: number, errors: number): string {
  return `they gave ${answers} different answers and ${errors} errors`
}

/** Reports whether the node executed the call and refused it, as every other honest node will. */
export function isVerdict(error: unknown): boolean {
  return (
    codesOf(error).includes(3) ||
    /execution reverted|revert/i.test(error instanceof Error ? error.message : '')
  )
}

/** Reports whether the node answered at all, if only with an error. */
export function isAnswer(error: unknown): boolean {
  return codesOf(error).length > 0
}

/** Reports whether a node refused a call that it would answer in a smaller form: by JSON-RPC, or by the status of HTTP. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof NoQuorumError) return error.isRefused
  if (isAnswer(error)) return true
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (
      cause instanceof HttpRequestError &&
      cause.status !== undefined &&
      cause.status >= 400 &&
      cause.status < 500
    )
      return true
  return false
}

/** The JSON-RPC codes in an error and its causes. */
function codesOf(error: unknown): number[] {
  const codes: number[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'number' && cause.code !== -1) codes.push(cause.code)
  return codes
}

/** The first line of an error. viem's errors carry the node's address further down, and with it a provider's key. */
export function lineOf(error: unknown): string {
  const text =
    error instanceof Error
      ? ((error as { shortMessage?: string }).shortMessage ?? error.message)
      : String(error)
  return text.split('\n', 1)[0]!
}

/**
 * Returns a text that is the same for equal answers: with bigints, and independent of the order of an
 * object's members.
 */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`
    if (part !== null && typeof part === 'object' && !Array.isArray(part))
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    return part
  })
}
