import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { connectChain } from '../client.ts'
import { createRecord, readRecord, recordingHandlers } from '../testing/recorder.ts'
import { type RpcProxy, startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestBank, type TestBank } from '../testing/test-bank.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import { appliedPosition, indexerStatus } from './position.ts'

const CONFIRMATIONS = 3
const CHAIN_ID = 42161
const LABELS = ['a', 'b', 'c', 'd', 'e', 'f']

let bank: TestBank
let proxy: RpcProxy
let database: TestDatabase
const started: Indexer[] = []

const openIndexer = async (handlers = recordingHandlers()): Promise<Indexer> => {
  const chain = await connectChain({ rpcUrls: [proxy.url], chainId: CHAIN_ID, contracts: bank.contracts })
  const indexer = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain,
    confirmations: CONFIRMATIONS,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    startBlock: bank.startBlock,
    pollMs: 20,
    rangeBlocks: 4,
  })
  indexer.registerHandlers(handlers)
  started.push(indexer)
  return indexer
}
const deliveries = () => readRecord(database.db)
const finals = async () => (await deliveries()).filter((line) => line.startsWith('final'))
const depositAll = async () => {
  for (const label of LABELS) await bank.deposit(label)
}
const expectedFinals = LABELS.map((label) => `final ${label}`)

beforeAll(async () => {
  bank = await startTestBank()
  proxy = await startRpcProxy(bank.rpcUrl)
})
afterAll(async () => {
  await proxy.close()
  await bank.stop()
})
beforeEach(async () => {
  database = await createTestDatabase()
  await createRecord(database.db)
  await bank.mine(CONFIRMATIONS)
  bank.startBlock = (await bank.node.getBlockNumber()) + 1n
})
afterEach(async () => {
  proxy.setDown(false)
  proxy.setTamper(undefined)
  await Promise.all(started.splice(0).map((indexer) => indexer.stop()))
  await database.close()
})

describe('a node that', () => {
  test('cannot return all receipts of a block is asked for them one by one', async () => {
    let refusals = 0
    proxy.setTamper((call, answer) => {
      if (call.method !== 'eth_getBlockReceipts') return answer
      refusals++
      return { id: call.id, error: { code: -32601, message: 'the method does not exist' } }
    })
    await depositAll()
    await bank.mine(CONFIRMATIONS)
    await (await openIndexer()).runOnce()
    expect(refusals).toBe(LABELS.length)
    expect(await deliveries()).toEqual(expectedFinals)
  })

  test('lags for one poll does not make a payment flicker', async () => {
    const indexer = await openIndexer()
    await bank.mine(1)
    const lagging = await bank.rpc('eth_getBlockByNumber', ['latest', false])
    await bank.deposit('a')
    await indexer.runOnce()
    proxy.setTamper((call, answer) =>
      call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
        ? { ...answer, result: lagging }
        : answer,
    )
    await indexer.runOnce()
    proxy.setTamper(undefined)
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a'])
  })

  test('fails in the middle is waited for, visibly', async () => {
    const indexer = await openIndexer()
    indexer.start()
    await bank.deposit('a')
    await expect.poll(deliveries).toEqual(['seen a'])
    proxy.setDown(true)
    await bank.deposit('b')
    await expect
      .poll(() => indexerStatus(database.db, CHAIN_ID))
      .toMatchObject({ lastError: expect.any(String), halted: false })
    await bank.mine(CONFIRMATIONS)
    expect(await deliveries()).toEqual(['seen a'])
    proxy.setDown(false)
    await expect.poll(finals).toEqual(['final a', 'final b'])
    await expect.poll(() => indexerStatus(database.db, CHAIN_ID)).toMatchObject({ lastError: null })
  })
})

describe.each([true, false])('a handler that throws, for events that arrive alone (%s)', (alone) => {
  test('stops the queue visibly, loses nothing and is retried', async () => {
    let isBroken = true
    const indexer = await openIndexer(
      recordingHandlers(
        (step, label) => {
          if (isBroken && step === 'final' && label === 'b') throw new Error('the books are closed')
        },
        { alone },
      ),
    )
    await depositAll()
    await bank.mine(CONFIRMATIONS)
    indexer.start()
    await expect
      .poll(() => indexerStatus(database.db, CHAIN_ID))
      .toMatchObject({ lastError: expect.stringMatching(/RevenueDeposited.*books are closed/) })
    expect(await deliveries()).toEqual(['final a'])
    const applied = await appliedPosition(database.db, CHAIN_ID)
    expect(applied!.blockNumber).toBeLessThan(bank.startBlock)
    isBroken = false
    await expect.poll(deliveries).toEqual(expectedFinals)
    await expect
      .poll(() => indexerStatus(database.db, CHAIN_ID))
      .toMatchObject({ lastError: null, applied: (await bank.node.getBlockNumber()) - 2n })
  })
})

describe('several indexers', () => {
  test('elect one leader; when it stops another takes over, and everything is delivered once', async () => {
    const [first, second, third] = await Promise.all([openIndexer(), openIndexer(), openIndexer()])
    for (const indexer of [first, second, third]) indexer!.start()
    for (const label of ['a', 'b']) await bank.deposit(label)
    await bank.mine(CONFIRMATIONS)
    await expect.poll(finals).toEqual(['final a', 'final b'])
    await first!.stop()
    for (const label of ['c', 'd']) await bank.deposit(label)
    await bank.mine(CONFIRMATIONS)
    await expect.poll(finals).toEqual(['final a', 'final b', 'final c', 'final d'])
    await second!.stop()
    for (const label of ['e', 'f']) await bank.deposit(label)
    await bank.mine(CONFIRMATIONS)
    await expect.poll(finals).toEqual(expectedFinals)
  })

  test('that both believe they lead do nothing twice', async () => {
    const [first, second] = await Promise.all([openIndexer(), openIndexer()])
    for (const label of LABELS) {
      await bank.deposit(label)
      await bank.mine(1)
      await Promise.allSettled([first!.runOnce(), second!.runOnce()])
    }
    await bank.mine(CONFIRMATIONS)
    await Promise.allSettled([first!.runOnce(), second!.runOnce()])
    await first!.runOnce()
    expect(await finals()).toEqual(expectedFinals)
    expect(new Set(await deliveries()).size).toBe((await deliveries()).length)
  })
})

describe('a module added later', () => {
  test('receives all events from the start', async () => {
    const without = await openIndexer({})
    await depositAll()
    await bank.mine(CONFIRMATIONS)
    await without.runOnce()
    await (await openIndexer()).runOnce()
    expect(await deliveries()).toEqual(expectedFinals)
  })
})
