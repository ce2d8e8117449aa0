import { type Anvil, rpcOver } from './anvil.ts'

/** A node that mines for each transaction, like Anvil by itself, but at a known moment. */
export type Miner = {
  forward: Anvil['forward']
  /** True unless the caller mines (`evm_setAutomine`). */
  isAutomatic(): boolean
  /** Mines what has been sent, unless mining was left to the caller. */
  mineSent(): Promise<void>
}

type Request = { id: unknown; method: string; params?: unknown[] }

/**
 * Mines for a node that was started without mining. Anvil's own automatic mining answers a transaction when
 * it is in the pool and creates the block a moment later, so a state saved after the answer may lack it. The
 * switch for automatic mining is handled here instead, and works like Anvil's.
 */
export function createMiner(node: Pick<Anvil, 'forward'>): Miner {
  const rpc = rpcOver(node.forward)
  let isAutomatic = true

  async function forwardOne(request: Request): Promise<unknown> {
    const { id, method, params } = request
    if (method === 'anvil_getAutomine') return { jsonrpc: '2.0', id, result: isAutomatic }
    if (method !== 'evm_setAutomine') return node.forward(request)
    isAutomatic = params?.[0] === true
    return { jsonrpc: '2.0', id, result: null }
  }

  async function forward(body: unknown): Promise<unknown> {
    if (!Array.isArray(body)) return forwardOne(body as Request)
    const answers: unknown[] = []
    for (const request of body) answers.push(await forwardOne(request as Request))
    return answers
  }

  async function mineSent(): Promise<void> {
    if (!isAutomatic) return
    let before = Number.POSITIVE_INFINITY
    for (;;) {
      const { pending } = await rpc<{ pending: string }>('txpool_status')
      const count = Number(pending)
      // A transaction that the next block does not include, such as one below the base fee, waits as on any
      // chain.
      if (count === 0 || count >= before) return
      await rpc('evm_mine')
      before = count
    }
  }

  return { forward, isAutomatic: () => isAutomatic, mineSent }
}
