import { createHash } from 'node:crypto'
import { type Chain as ChainDescription, createPublicClient, http, type PublicClient } from 'viem'

/**
 * The state of a node. All except `healthy` are set aside: `unreachable` does not answer, `lagging` is far
 * behind the others, `wrong-chain` answers for another chain, `disagrees` contradicts the quorum or fails the
 * proof of its own answer.
 */
export type NodeState = 'healthy' | 'lagging' | 'wrong-chain' | 'disagrees' | 'unreachable'

/** The state of a node for operators. Never contains its address, whose path may contain a provider's key. */
export interface NodeReport {
  /** The same in every process that has the same address. */
  readonly id: string
  readonly host: string
  readonly state: NodeState
  /** The reason why it is set aside, in one line; null for a healthy node. */
  readonly reason: string | null
  /** Its newest block and the time of that block; null before its first answer. */
  readonly head: { readonly number: bigint; readonly at: Date } | null
}

export type NodeVerdict = Pick<NodeReport, 'id' | 'state' | 'reason'>

export interface ChainNode {
  readonly id: string
  readonly host: string
  /** For the indexer and for reads by a quorum. */
  readonly client: PublicClient
  /** For all other reads, with a separate queue, so that they never delay the indexer's. */
  readonly ordinaryClient: PublicClient
  state(): NodeState
  report(): NodeReport
  /** Reports whether the pause after the last fault has passed. */
  isDue(): boolean
  /** Sets the node aside for a pause that doubles with each fault, up to `MAX_PAUSE_MS`. */
  setAside(state: Exclude<NodeState, 'healthy'>, reason: string): void
  restore(): void
  noteHead(head: NodeReport['head']): void
}

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
/** After this time without a fault the pauses start again with the shortest. */
const FORGIVEN_AFTER_MS = 600_000
const ORDINARY_TIMEOUT_MS = 5_000
const RPC_BATCH_SIZE = 100

/** Creates the access to one node; `timeoutMs` limits each of the indexer's calls. Makes no request. */
export function createNode(chain: ChainDescription, url: string, timeoutMs: number): ChainNode {
  const id = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const host = hostOf(url)
  // The retry is only for a lost connection; the caller handles longer outages.
  const clientWith = (timeout: number): PublicClient =>
    createPublicClient({
      chain,
      cacheTime: 0,
      transport: http(url, {
        timeout,
        retryCount: 1,
        retryDelay: 200,
        batch: { batchSize: RPC_BATCH_SIZE, wait: 0 },
      }),
    })
  let state: NodeState = 'healthy'
  let reason: string | null = null
  let head: NodeReport['head'] = null
  let pauseMs = FIRST_PAUSE_MS
  let dueAtMs = 0
  let faultAtMs = Number.NEGATIVE_INFINITY

  return {
    id,
    host,
    client: clientWith(timeoutMs),
    ordinaryClient: clientWith(Math.min(timeoutMs, ORDINARY_TIMEOUT_MS)),
    state: () => state,
    report: () => ({ id, host, state, reason, head }),
    isDue: () => performance.now() >= dueAtMs,
    setAside(newState, newReason) {
      const at = performance.now()
      pauseMs = at - faultAtMs > FORGIVEN_AFTER_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
      faultAtMs = at
      dueAtMs = at + pauseMs
      state = newState
      reason = newReason
    },
    restore() {
      state = 'healthy'
      reason = null
    },
    noteHead(newHead) {
      head = newHead
    },
  }
}

/** Returns the host of an address, the only part that may be shown. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid address'
}
