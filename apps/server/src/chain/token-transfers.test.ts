import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { type Chain, connectChain } from './client.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from './testing/rpc-proxy.ts'
import { LOOK_LIMITS, transfersTo } from './token-transfers.ts'

const WALLET = getAddress(`0x${'5a'.repeat(20)}`)
const LIMITS = { ...LOOK_LIMITS, span: 5_000n, smallestSpan: 50n }

let node: TestChain
let proxies: RpcProxy[]
let chain: Chain
let sender: Address
beforeAll(async () => {
  node = await startTestChain()
  proxies = [await startRpcProxy(node.rpcUrl), await startRpcProxy(node.rpcUrl)]
  sender = node.accounts[1]!
  await node.fund(sender, { usdt: 1_000n, amc: 1_000n })
  await node.mine(30)
  for (const token of [node.contracts.usdt, node.contracts.amc, node.contracts.usdt]) await send(token)
  await node.mine(150)
  await send(node.contracts.usdt)
}, 60_000)
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await node.stop()
})
beforeEach(async () => {
  for (const proxy of proxies) {
    proxy.setDown(false)
    proxy.setTamper(undefined)
  }
  chain = await connectTo(proxies)
})

const connectTo = (nodes: RpcProxy[]) =>
  connectChain({ rpcUrls: nodes.map(({ url }) => url), chainId: 42161, contracts: node.contracts })

async function send(to: Address): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [WALLET, 1n] })
  // Returns when the transaction is mined.
  await node.rpc('eth_sendTransactionSync', [{ from: sender, to, data, gas: '0x30d40' }])
}
const head = async () => BigInt(await node.rpc<Hex>('eth_blockNumber', []))
const transfersOf = ({ senders }: { senders: ReadonlyMap<string, number> }) => [...senders]
const rangeOf = ({ params }: RpcCall) => {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }]
  return BigInt(toBlock) - BigInt(fromBlock) + 1n
}

test('plain transfers of both tokens are found, within the searched blocks', async () => {
  const end = await head()
  const all = await transfersTo(chain, WALLET, end)
  expect(all).toMatchObject({ fromBlock: 0n, toBlock: end })
  expect(transfersOf(all)).toEqual([[sender.toLowerCase(), 4]])
  const few = await transfersTo(chain, WALLET, end, { ...LIMITS, blocks: 100n })
  expect(few).toMatchObject({ fromBlock: end - 99n, toBlock: end })
  expect(transfersOf(few)).toEqual([[sender.toLowerCase(), 1]])
  // Later transfers cannot be the source of the deposit.
  expect(transfersOf(await transfersTo(chain, WALLET, end - 1n))).toEqual([[sender.toLowerCase(), 3]])
})

test('a node that refuses wide ranges is queried for narrow ones, and the number of calls is bounded', async () => {
  let calls = 0
  for (const proxy of proxies)
    proxy.setTamper((call, answer) => {
      if (call.method !== 'eth_getLogs') return answer
      calls++
      const refused = { id: call.id, jsonrpc: '2.0', error: { code: -32005, message: 'too many blocks' } }
      return rangeOf(call) > 50n ? refused : answer
    })
  const end = await head()
  const all = await transfersTo(chain, WALLET, end, LIMITS)
  expect(all.fromBlock).toBe(0n)
  expect(transfersOf(all)).toEqual([[sender.toLowerCase(), 4]])
  calls = 0
  const part = await transfersTo(chain, WALLET, end, { ...LIMITS, calls: 4 })
  expect(part.fromBlock).toBe(end - 99n)
  // Two nodes answer four times; refused calls are repeated once.
  expect(calls).toBe(12)
})

test('a node that hides a transfer is not trusted, and without a quorum there is no answer', async () => {
  proxies[0]!.setTamper((call, answer) =>
    call.method === 'eth_getLogs' ? { ...answer, result: [] } : answer,
  )
  await expect(transfersTo(chain, WALLET, await head())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  for (const proxy of proxies) proxy.setDown(true)
  await expect(transfersTo(chain, WALLET, await head())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
