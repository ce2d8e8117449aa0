import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex, HttpRequestError } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { type Chain, connectChain } from './client.ts'
import { readIncome } from './income.ts'
import { isRefusal } from './nodes/nodes.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from './testing/rpc-proxy.ts'
import { LOOK_LIMITS, transfersTo } from './token-transfers.ts'

const WALLET = getAddress(`0x${'5a'.repeat(20)}`)
const LIMITS = { ...LOOK_LIMITS, span: 5_000n }

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
})
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

async function send(to: Address, receiver: Address = WALLET): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [receiver, 1n] })
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

/** Makes the nodes refuse ranges above a number of blocks, and returns the lengths of those asked for. */
function allow(blocks: bigint): bigint[] {
  const lengths: bigint[] = []
  for (const [index, proxy] of proxies.entries())
    proxy.setTamper((call, answer) => {
      if (call.method !== 'eth_getLogs') return answer
      if (index === 0) lengths.push(rangeOf(call))
      const refused = { id: call.id, jsonrpc: '2.0', error: { code: -32602, message: 'too many blocks' } }
      if (rangeOf(call) > blocks) return refused
      // Beyond the head there is nothing.
      return answer.error === undefined ? answer : { id: call.id, result: [] }
    })
  return lengths
}

test.each([9_999n, 2_000n, 500n, 10n, 1n])(
  'nodes that allow %s blocks are asked for no more, once that is known',
  async (allowed) => {
    const lengths = allow(allowed)
    const { nodes } = chain
    const newest = (toBlock: bigint) =>
      nodes.logRanges.newest({ fromBlock: 0n, toBlock }, 10_000n, (blocks) =>
        nodes.quorumRead(async (client) => (await client.getLogs(blocks)).length),
      )
    const first = await newest(19_999n)
    expect(lengths[0]).toBe(10_000n)
    expect(first.toBlock).toBe(19_999n)
    const length = first.toBlock - first.fromBlock + 1n
    expect(length).toBeLessThanOrEqual(allowed)
    expect(2n * length + 1n).toBeGreaterThan(allowed)
    lengths.length = 0
    // It goes on from where it was, and asks for no more than that again.
    expect((await newest(first.fromBlock - 1n)).toBlock).toBe(first.fromBlock - 1n)
    expect(lengths).toEqual([length])
  },
)

test('all transfers are found at nodes that allow few blocks, within the number of calls', async () => {
  allow(50n)
  const end = await head()
  const all = await transfersTo(chain, WALLET, end, LIMITS)
  expect(all.fromBlock).toBe(0n)
  expect(transfersOf(all)).toEqual([[sender.toLowerCase(), 4]])
  const lengths = allow(50n)
  const part = await transfersTo(chain, WALLET, end, { ...LIMITS, calls: 2 })
  expect(lengths).toHaveLength(2)
  expect(part.fromBlock).toBe(end + 1n - lengths[0]! - lengths[1]!)
})

test('a refusal by the status of HTTP alone halves the range too, and an outage does not', async () => {
  const end = await head()
  expect(isRefusal(new HttpRequestError({ url: 'http://node', status: 413 }))).toBe(true)
  for (const proxy of proxies) proxy.setDown(true)
  const lengths = allow(5n)
  await expect(transfersTo(chain, WALLET, end, LIMITS)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(lengths).toEqual([])
})

test.each([50n, 10n])('the audit explains income from nodes that allow %s blocks', async (allowed) => {
  const database = await createTestDatabase()
  await send(node.contracts.usdt, node.contracts.bank)
  await node.mine(48)
  const lengths = allow(allowed)
  const upTo = await head()
  const income = await readIncome(database.db, chain, { upTo, wanted: { USDT: 1n, AMC: 0n } })
  expect(income.plain).toMatchObject([{ asset: 'USDT', micros: 1n, from: getAddress(sender) }])
  expect(lengths.some((length) => length > allowed)).toBe(true)
  lengths.length = 0
  await readIncome(database.db, chain, { upTo, wanted: { USDT: 1n, AMC: 0n } })
  expect(lengths.every((length) => length <= allowed)).toBe(true)
  await database.close()
})

test('a node that hides a transfer is not trusted, and without a quorum there is no answer', async () => {
  proxies[0]!.setTamper((call, answer) =>
    call.method === 'eth_getLogs' ? { ...answer, result: [] } : answer,
  )
  await expect(transfersTo(chain, WALLET, await head())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  for (const proxy of proxies) proxy.setDown(true)
  await expect(transfersTo(chain, WALLET, await head())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
