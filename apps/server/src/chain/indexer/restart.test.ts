import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { childProgram } from '../../testing/child-program.ts'
import { waitsForLock } from '../../testing/lock-waits.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { ChildSettings } from '../testing/indexer-child.ts'
import { createRecord, readRecord } from '../testing/recorder.ts'
import { type RpcProxy, startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestBank, type TestBank } from '../testing/test-bank.ts'

const CONFIRMATIONS = 3
/** Each child recompiles its imports, which takes seconds on a busy machine. */
const CHILD = new URL('../testing/indexer-child.ts', import.meta.url)

let bank: TestBank
let proxy: RpcProxy
let database: TestDatabase
let children: ChildProcess[] = []

const startChild = (handlerMs = 0): ChildProcess => {
  const settings: ChildSettings = {
    databaseUrl: database.url,
    rpcUrl: proxy.url,
    contracts: bank.contracts,
    startBlock: bank.startBlock.toString(),
    confirmations: CONFIRMATIONS,
    handlerMs,
  }
  const args = [childProgram(CHILD), JSON.stringify(settings)]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  children.push(child)
  return child
}
const kill9 = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}
const deliveries = () => readRecord(database.db)

/** Locks a table against the child, and resolves when the child waits for it. */
const blockAt = async (table: string): Promise<{ reached: Promise<void>; release(): Promise<void> }> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`begin; lock table ${table} in exclusive mode`)
  const isReached = () => waitsForLock(database, 'indexer-child')
  return { reached: expect.poll(isReached).toBe(true), release: () => client.end() }
}

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
  await bank.deposit('a')
  await bank.deposit('b')
  await bank.mine(CONFIRMATIONS)
  await bank.deposit('c')
})
afterEach(async () => {
  proxy.setTamper(undefined)
  await Promise.all(children.map(kill9))
  children = []
  await database.close()
})

const expectAllOnce = async (): Promise<void> => {
  startChild()
  await expect.poll(deliveries).toEqual(['final a', 'final b', 'seen c'])
  await bank.mine(CONFIRMATIONS)
  await expect.poll(deliveries).toEqual(['final a', 'final b', 'seen c', 'final c'])
}

test('kill -9 while the node is being read', { tags: ['full'] }, async () => {
  let isReading = false
  proxy.setTamper((call, answer) => {
    if (call.method !== 'eth_getBlockReceipts') return answer
    isReading = true
    return new Promise(() => {})
  })
  const child = startChild()
  await expect.poll(() => isReading).toBe(true)
  await kill9(child)
  proxy.setTamper(undefined)
  await expectAllOnce()
})

test.each([
  ['while final blocks are stored', 'chain_events'],
  ['while the unfinalised window is stored', 'chain_blocks'],
  ['while a handler works', 'told_record'],
])('kill -9 %s', async (_step, table) => {
  const block = await blockAt(table)
  const child = startChild()
  await block.reached
  await kill9(child)
  await block.release()
  await expectAllOnce()
})

test('repeated kill -9 in the middle of many events of one transaction delivers everything once', {
  tags: ['full'],
}, async () => {
  const labels = Array.from({ length: 60 }, (_, index) => `n${index}`)
  for (const label of labels) await bank.deposit(label)
  await bank.mine(CONFIRMATIONS)
  /** True while a transaction has delivered events and not committed. */
  const isTelling = async (): Promise<boolean> => {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where application_name = 'indexer-child' and datname = current_database()
       and state = 'idle in transaction' and query like '%told_record%'`,
    )
    return rows.length > 0
  }
  for (const handlerMs of [20, 8, 3, 3]) {
    const before = (await deliveries()).length
    const child = startChild(handlerMs)
    await expect.poll(isTelling, { interval: 5 }).toBe(true)
    await sleep(Math.random() * 150)
    await kill9(child)
    if ((await deliveries()).length - before > labels.length / 3) break
  }
  startChild()
  const all = ['a', 'b', 'c', ...labels].map((label) => `final ${label}`)
  await expect.poll(deliveries).toEqual(all)
})
