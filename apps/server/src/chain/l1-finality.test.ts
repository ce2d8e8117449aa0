import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { connectChain } from './client.ts'
import { createIndexer, type Indexer } from './indexer/indexer.ts'
import { isFinalOnL1, l1FinalBlock, lastBookedBlock, usualWaitsOf } from './l1-finality.ts'
import { createRecord, recordingHandlers } from './testing/recorder.ts'
import { type RpcProxy, startRpcProxy } from './testing/rpc-proxy.ts'
import { startTestBank, type TestBank } from './testing/test-bank.ts'

const CHAIN_ID = 42161
const CONFIRMATIONS = 2

let bank: TestBank
let proxy: RpcProxy
let database: TestDatabase
let indexer: Indexer
let clockMs = Date.now()

beforeAll(async () => {
  bank = await startTestBank()
  proxy = await startRpcProxy(bank.rpcUrl)
  database = await createTestDatabase()
  await createRecord(database.db)
  const chain = await connectChain({ rpcUrls: [proxy.url], chainId: CHAIN_ID, contracts: bank.contracts })
  indexer = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain,
    now: () => new Date(clockMs),
    log: pino({ level: 'silent' }),
    startBlock: 1n,
    confirmations: CONFIRMATIONS,
  })
  indexer.registerHandlers(recordingHandlers())
})
afterAll(async () => {
  await proxy.close()
  await bank.stop()
  await database.close()
})

/** Makes the node report this block as the last final one. */
const setFinalized = (number: bigint) =>
  proxy.setTamper(async (call, answer) => {
    if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'finalized') return answer
    return { ...answer, result: await bank.rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]) }
  })
const finalised = async () => (await l1FinalBlock(database.db, CHAIN_ID))?.blockNumber
const blockTimeMs = async (blockNumber: bigint) =>
  Number((await bank.node.getBlock({ blockNumber })).timestamp) * 1000

const usualWaits = async () => (await usualWaitsOf(CHAIN_ID, new Date(clockMs)).execute(database.db)).rows[0]

test('the block that L1 has finalised is stored, and never moves back', async () => {
  expect(await finalised()).toBeUndefined()
  const first = await bank.node.getBlockNumber()
  setFinalized(first - 1n)
  await indexer.runOnce()
  expect(await finalised()).toBe(first - 1n)
  setFinalized(first - 2n)
  await indexer.runOnce()
  expect(await finalised()).toBe(first - 1n)
  expect((await l1FinalBlock(database.db, CHAIN_ID))?.blockAt).toEqual(
    new Date(await blockTimeMs(first - 1n)),
  )
})

test('a booked event waits for L1, and the wait is measured', async () => {
  expect(await usualWaits()).toEqual({
    bookedMs: null,
    l1FinalMs: null,
  })
  const { blockNumber } = await bank.deposit('a')
  await bank.mine(CONFIRMATIONS)
  clockMs = (await blockTimeMs(blockNumber)) + 5_000
  setFinalized(blockNumber - 1n)
  await indexer.runOnce()
  expect(await lastBookedBlock(database.db, CHAIN_ID)).toMatchObject({ blockNumber })
  expect(isFinalOnL1(blockNumber, (await finalised())!)).toBe(false)

  clockMs += 40_000
  setFinalized(blockNumber)
  await indexer.runOnce()
  expect(isFinalOnL1(blockNumber, (await finalised())!)).toBe(true)
  const measured = { bookedMs: 5_000, l1FinalMs: 45_000 }
  expect(await usualWaits()).toEqual(measured)
})

test('a finality that no poll observed at the time is not measured', async () => {
  const { blockNumber } = await bank.deposit('b')
  await bank.mine(CONFIRMATIONS)
  await indexer.runOnce()
  clockMs += 3_600_000
  setFinalized(blockNumber)
  await indexer.runOnce()
  expect(await finalised()).toBe(blockNumber)
  expect(await usualWaits()).toMatchObject({ l1FinalMs: 45_000 })
})

test('a block of a chain without some booked blocks is not stored', async () => {
  const before = await finalised()
  await bank.reorg(CONFIRMATIONS + 1)
  await bank.mine(3)
  const head = await bank.node.getBlockNumber()
  setFinalized(head)
  await expect(indexer.runOnce()).rejects.toThrow(/was final/)
  expect(await finalised()).toBe(before)
})
