import { inspect } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { type Chain, connectChain } from '../client.ts'
import { adoptNodeStates, storedNodes } from '../nodes/node-states.ts'
import { LIES } from '../testing/lies.ts'
import { createRecord, readRecord, recordingHandlers } from '../testing/recorder.ts'
import { type RpcProxy, startRpcProxy, type Tamper } from '../testing/rpc-proxy.ts'
import { startTestBank, type TestBank } from '../testing/test-bank.ts'
import { createIndexer, type Indexer } from './indexer.ts'

const CONFIRMATIONS = 3
const CHAIN_ID = 42161
/** The time within which an honest node on a busy machine answers. */
const TIMEOUT_MS = 10_000
/** For the tests that wait for this time. */
const SHORT_TIMEOUT_MS = 1_500

let bank: TestBank
/** Another chain with the same id and contracts. */
let otherBank: TestBank
let proxies: RpcProxy[]
let database: TestDatabase

interface Run {
  readonly chain: Chain
  readonly indexer: Indexer
  states(): string[]
}

/**
 * Opens an indexer without state in memory that reads through the first `count` proxies, or at these
 * addresses.
 */
const open = async (nodes: number | string[], timeoutMs = TIMEOUT_MS): Promise<Run> => {
  const rpcUrls = typeof nodes === 'number' ? proxies.slice(0, nodes).map(({ url }) => url) : nodes
  const chain = await connectChain({
    rpcUrls,
    chainId: CHAIN_ID,
    contracts: bank.contracts,
    timeoutMs,
  })
  const indexer = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain,
    confirmations: CONFIRMATIONS,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    startBlock: bank.startBlock,
  })
  indexer.registerHandlers(recordingHandlers())
  return { chain, indexer, states: () => chain.nodes.report().map(({ state }) => state) }
}
const deliveries = () => readRecord(database.db)
const silent: Tamper = () => new Promise(() => {})
const ofMethod =
  (method: string, result: unknown): Tamper =>
  (call, answer) =>
    call.method === method ? { ...answer, result } : answer

beforeAll(async () => {
  ;[bank, otherBank] = await Promise.all([startTestBank(), startTestBank()])
  proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(bank.rpcUrl)))
})
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await Promise.all([bank.stop(), otherBank.stop()])
})
beforeEach(async () => {
  database = await createTestDatabase()
  await createRecord(database.db)
  await bank.mine(CONFIRMATIONS)
  bank.startBlock = (await bank.node.getBlockNumber()) + 1n
})
afterEach(async () => {
  for (const proxy of proxies) {
    proxy.setDown(false)
    proxy.setTamper(undefined)
  }
  await database.close()
})

describe.each(Object.entries(LIES))('a node that returns %s', (_name, lie) => {
  test('alone stops the work and drops no seen event', async () => {
    await bank.deposit('a')
    await (await open(1)).indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a'])
    await bank.deposit('b')
    await bank.mine(CONFIRMATIONS)
    const { indexer, states } = await open(1)
    proxies[0]!.setTamper(lie)
    await expect(indexer.runOnce()).rejects.toThrow(
      /^(the (header|receipts|transactions) of block|0 of 1 chain nodes)/,
    )
    await expect(indexer.runOnce()).rejects.toThrow()
    expect(states()).toEqual(['disagrees'])
    expect(await deliveries()).toEqual(['seen a'])
    proxies[0]!.setTamper(undefined)
    await indexer.runOnce()
    expect(states()).toEqual(['healthy'])
    expect(await deliveries()).toEqual(['seen a', 'final a', 'final b'])
  })

  test('among three is set aside, and the work continues', { tags: ['full'] }, async () => {
    const { indexer, states } = await open(3)
    proxies[0]!.setTamper(lie)
    await bank.deposit('a')
    await bank.mine(CONFIRMATIONS)
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['final a'])
    expect(states()).toEqual(['disagrees', 'healthy', 'healthy'])
  })
})

describe('a node among three', () => {
  const expectSetAside = async (state: string, timeoutMs = TIMEOUT_MS) => {
    await bank.deposit('a')
    await bank.mine(CONFIRMATIONS)
    const { indexer, states } = await open(3, timeoutMs)
    return async () => {
      await indexer.runOnce()
      expect(await deliveries()).toEqual(['final a'])
      expect(states()).toEqual([state, 'healthy', 'healthy'])
    }
  }

  test('that answers for another chain is set aside', async () => {
    const check = await expectSetAside('wrong-chain')
    proxies[0]!.setTamper(ofMethod('eth_chainId', '0x1'))
    await check()
  })

  test('with an old head is set aside', async () => {
    const old = await bank.rpc('eth_getBlockByNumber', ['latest', false])
    await bank.mine(60)
    const check = await expectSetAside('lagging')
    proxies[0]!.setTamper((call, answer) =>
      call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
        ? { ...answer, result: old }
        : answer,
    )
    await check()
  })

  test('that returns errors is set aside', async () => {
    const check = await expectSetAside('unreachable')
    proxies[0]!.setTamper(({ id }) => ({ id, error: { code: -32603, message: 'internal error' } }))
    await check()
  })

  test('that does not answer is set aside', async () => {
    const check = await expectSetAside('unreachable', SHORT_TIMEOUT_MS)
    proxies[0]!.setTamper(silent)
    await check()
  })

  test('returns only when its pause is over and it agrees again', async () => {
    const { indexer, states, chain } = await open(3)
    proxies[0]!.setTamper(LIES['a header with another time'])
    await indexer.runOnce()
    expect(states()[0]).toBe('disagrees')
    await expect.poll(() => chain.nodes.all[0]!.isDue()).toBe(true)
    await indexer.runOnce()
    expect(states()[0]).toBe('disagrees')
    proxies[0]!.setTamper(undefined)
    await indexer.runOnce()
    expect(states()[0]).toBe('disagrees')
    await expect.poll(() => chain.nodes.all[0]!.isDue()).toBe(true)
    await indexer.runOnce()
    expect(states()[0]).toBe('healthy')
  })
})

describe('two nodes', () => {
  test('that disagree stop the work until they agree', async () => {
    await otherBank.mine(Number(await bank.node.getBlockNumber()))
    await bank.deposit('a')
    const { indexer, states } = await open([proxies[0]!.url, otherBank.rpcUrl])
    await expect(indexer.runOnce()).rejects.toThrow(/disagree/)
    expect(states()).toEqual(['disagrees', 'disagrees'])
    expect(await deliveries()).toEqual([])
  })

  test('of which one does not answer stop the work, and continue when it answers', async () => {
    await bank.deposit('a')
    const { indexer, states } = await open(2, SHORT_TIMEOUT_MS)
    proxies[1]!.setTamper(silent)
    await expect(indexer.runOnce()).rejects.toThrow(/1 of 2 chain nodes can be used, 2 are needed/)
    expect(states()).toEqual(['healthy', 'unreachable'])
    proxies[1]!.setTamper(undefined)
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a'])
    expect(states()).toEqual(['healthy', 'healthy'])
  })
})

test('other processes see the state of the nodes by host only, and avoid the same ones', async () => {
  const secret = `${proxies[0]!.url}/v2/secret-key?token=secret`
  const rpcUrls = [secret, ...proxies.slice(1).map(({ url }) => url)]
  const indexing = await open(rpcUrls)
  const serving = await open(rpcUrls)
  proxies[0]!.setTamper(LIES['a header with another time'])
  await indexing.indexer.runOnce()
  const stored = await storedNodes(database.db, CHAIN_ID)
  expect(stored.map(({ place, host, state }) => [place, host, state])).toEqual([
    [0, new URL(secret).host, 'disagrees'],
    [1, new URL(rpcUrls[1]!).host, 'healthy'],
    [2, new URL(rpcUrls[2]!).host, 'healthy'],
  ])
  expect(stored[0]).toMatchObject({
    reason: expect.stringMatching(/does not have its hash$/),
    headNumber: null,
  })
  expect(stored[1]).toMatchObject({ reason: null, headNumber: await bank.node.getBlockNumber() })
  expect(inspect(stored)).not.toContain('secret')

  await adoptNodeStates(database.db, serving.chain.nodes)
  expect(serving.states()).toEqual(['disagrees', 'healthy', 'healthy'])
  let calls = 0
  proxies[0]!.setTamper((_call, answer) => {
    calls++
    return answer
  })
  await serving.chain.untrustedClient.getBlockNumber()
  expect(calls).toBe(0)
  // A process that surveys the nodes itself does not adopt verdicts.
  await database.db.updateTable('chain_nodes').set({ state: 'lagging', reason: 'test' }).execute()
  await adoptNodeStates(database.db, indexing.chain.nodes)
  expect(indexing.states()).toEqual(['disagrees', 'healthy', 'healthy'])
})

describe('ordinary reads', () => {
  test('fail over to a node that answers, and never use one that is set aside', async () => {
    const { chain } = await open(3)
    proxies[0]!.setDown(true)
    expect(await chain.untrustedClient.getBlockNumber()).toBe(await bank.node.getBlockNumber())
    proxies[0]!.setDown(false)
    for (const node of chain.nodes.all) node.setAside('disagrees', 'test')
    await expect(chain.untrustedClient.getBlockNumber()).rejects.toThrow(/every chain node is set aside/)
  })

  test('by a quorum return the answer of most nodes and set the liar aside', async () => {
    const { chain, states } = await open(3)
    proxies[2]!.setTamper(ofMethod('eth_getBalance', '0x0'))
    const read = () => chain.nodes.quorumRead((client) => client.getBalance({ address: bank.account }))
    expect(await read()).toBe(await bank.node.getBalance({ address: bank.account }))
    expect(states()).toEqual(['healthy', 'healthy', 'disagrees'])
    proxies[1]!.setTamper(ofMethod('eth_getBalance', '0x0'))
    await expect(read()).rejects.toThrow(/^2 chain nodes must agree/)
  })
})
