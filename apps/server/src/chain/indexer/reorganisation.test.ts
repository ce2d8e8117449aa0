import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deployContracts, generateOperatorKeys } from '../../local/deploy.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { connectChain } from '../client.ts'
import { createRecord, readRecord, recordingHandlers } from '../testing/recorder.ts'
import { startTestBank, type TestBank } from '../testing/test-bank.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import { appliedPosition, finalisedTime, indexerStatus } from './position.ts'

const CONFIRMATIONS = 5
const CHAIN_ID = 42161

let bank: TestBank
let database: TestDatabase
let indexer: Indexer

const openIndexer = async (confirmations = CONFIRMATIONS): Promise<Indexer> => {
  const chain = await connectChain({ rpcUrls: [bank.rpcUrl], chainId: CHAIN_ID, contracts: bank.contracts })
  const opened = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain,
    now: () => new Date(),
    confirmations,
    log: pino({ level: 'silent' }),
    startBlock: bank.startBlock,
    pollMs: 20,
  })
  opened.registerHandlers(recordingHandlers())
  return opened
}
const deliveries = () => readRecord(database.db)

beforeAll(async () => {
  bank = await startTestBank()
})
afterAll(() => bank.stop())
beforeEach(async () => {
  database = await createTestDatabase()
  await createRecord(database.db)
  // A new database begins above the blocks of earlier tests.
  await bank.mine(1)
  bank.startBlock = (await bank.node.getBlockNumber()) + 1n
  indexer = await openIndexer()
  await bank.mine(CONFIRMATIONS)
  await indexer.runOnce()
})
afterEach(() => database.close())

describe('confirmations', () => {
  test('an event is seen at once and final with the last confirmation, not before', async () => {
    await bank.deposit('a')
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a'])
    await bank.mine(CONFIRMATIONS - 2)
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a'])
    await bank.mine(1)
    await indexer.runOnce()
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a', 'final a'])
  })

  test('with one confirmation an event is final at once', async () => {
    const eager = await openIndexer(1)
    await bank.deposit('a')
    await eager.runOnce()
    expect(await deliveries()).toEqual(['final a'])
  })

  test('the final position is the last block with enough confirmations', async () => {
    await bank.mine(3)
    const head = await bank.node.getBlock()
    await indexer.runOnce()
    const last = await bank.node.getBlock({ blockNumber: head.number - BigInt(CONFIRMATIONS) + 1n })
    expect(await finalisedTime(database.db, CHAIN_ID)).toEqual(new Date(Number(last.timestamp) * 1000))
    expect(await indexerStatus(database.db, CHAIN_ID)).toMatchObject({
      head: head.number,
      finalised: last.number,
      applied: last.number,
      lagBlocks: 0n,
      lastError: null,
      halted: false,
    })
  })
})

describe.each([1, 3])('a reorganisation of depth %i', (depth) => {
  const bury = () => bank.mine(depth - 1)
  const finish = async () => {
    await bank.mine(CONFIRMATIONS)
    await indexer.runOnce()
  }

  beforeEach(async () => {
    await bank.deposit('lost')
    await bury()
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen lost'])
  })

  test('drops an event that is not in the new blocks, for ever', async () => {
    await bank.reorg(depth)
    await indexer.runOnce()
    await finish()
    expect(await deliveries()).toEqual(['seen lost', 'dropped lost'])
  })

  test('follows an event into another block', async () => {
    await bank.reorg(depth)
    await bank.deposit('lost')
    await indexer.runOnce()
    await finish()
    expect(await deliveries()).toEqual(['seen lost', 'dropped lost', 'seen lost', 'final lost'])
    const { rows } = await sql<{ block_number: bigint }>`
      select distinct block_number from told_record where step in ('dropped', 'final') order by 1`.execute(
      database.db,
    )
    expect(rows).toHaveLength(2)
  })

  test('finds an event mined again after a poll without it', async () => {
    await bank.reorg(depth)
    await indexer.runOnce()
    await bank.deposit('lost')
    await indexer.runOnce()
    await finish()
    expect(await deliveries()).toEqual(['seen lost', 'dropped lost', 'seen lost', 'final lost'])
  })

  test('to a shorter chain drops nothing until another block is at its height', async () => {
    await bank.rollback(depth)
    for (let poll = 0; poll < 3; poll++) await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen lost'])
    await finish()
    expect(await deliveries()).toEqual(['seen lost', 'dropped lost'])
  })

  test('follows a branch that grew past the old one before the next poll', async () => {
    await bank.rollback(depth)
    await bank.mine(1)
    await bank.deposit('other')
    await bank.mine(1)
    await indexer.runOnce()
    await finish()
    expect(await deliveries()).toEqual(['seen lost', 'dropped lost', 'seen other', 'final other'])
  })

  test('that ended before the indexer polled is noticed only by its result', async () => {
    await bank.deposit('brief')
    await bank.reorg(1)
    await finish()
    expect(await deliveries()).toEqual(['seen lost', 'final lost'])
  })
})

describe('a reorganisation down to', () => {
  test('the last final block is followed', async () => {
    await bank.deposit('a')
    await bank.mine(CONFIRMATIONS - 2)
    await indexer.runOnce()
    await bank.reorg(CONFIRMATIONS - 1)
    await bank.deposit('b')
    await bank.mine(CONFIRMATIONS)
    await indexer.runOnce()
    expect(await deliveries()).toEqual(['seen a', 'dropped a', 'final b'])
  })

  test('below a final block halts with an alarm, and nothing more is applied', async () => {
    await bank.deposit('a')
    await bank.mine(CONFIRMATIONS)
    await indexer.runOnce()
    const before = await appliedPosition(database.db, CHAIN_ID)
    await bank.reorg(CONFIRMATIONS + 2)
    await bank.deposit('b')
    await bank.mine(CONFIRMATIONS)
    await expect(indexer.runOnce()).rejects.toThrow(/was final as 0x/)
    indexer.start()
    await expect
      .poll(() => indexerStatus(database.db, CHAIN_ID))
      .toMatchObject({ halted: true, lastError: expect.stringContaining('was final as') })
    await indexer.stop()
    expect(await deliveries()).toEqual(['final a'])
    expect(await appliedPosition(database.db, CHAIN_ID)).toEqual(before)
  })

  test('fewer blocks than were final is an error that keeps the applied events', async () => {
    const before = await bank.node.getBlockNumber()
    await bank.deposit('a')
    await bank.mine(CONFIRMATIONS)
    await indexer.runOnce()
    await bank.rollback(Number((await bank.node.getBlockNumber()) - before))
    await expect(indexer.runOnce()).rejects.toThrow(/was already final/)
    expect(await deliveries()).toEqual(['final a'])
  })
})

test('a database that followed other contracts is refused', async () => {
  const keys = generateOperatorKeys()
  const contracts = await deployContracts(bank, keys)
  const chain = await connectChain({ rpcUrls: [bank.rpcUrl], chainId: CHAIN_ID, contracts })
  const other = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain,
    now: () => new Date(),
    confirmations: 1,
    log: pino({ level: 'silent' }),
    startBlock: bank.startBlock,
  })
  await expect(other.runOnce()).rejects.toThrow(/has followed the contracts/)
})
