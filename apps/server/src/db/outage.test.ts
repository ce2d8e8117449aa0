import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { WAIT } from '../testing/wait.ts'
import { watchOutages } from './outage.ts'

let database: TestDatabase
let proxy: TcpProxy
let pool: pg.Pool
let checks = 0

beforeAll(async () => {
  database = await createTestDatabase()
  const url = new URL(database.url)
  proxy = await startTcpProxy(Number(url.port))
  url.host = `127.0.0.1:${proxy.port}`
  pool = new pg.Pool({ connectionString: url.href, max: 1 })
  pool.on('error', () => undefined)
  pool.on('acquire', () => {
    checks++
  })
})
afterAll(async () => {
  await pool.end()
  await proxy.close()
  await database.close()
})

test('the database is checked while there are calls, and an outage that began without any is noticed by the next', async () => {
  const onLost = vi.fn()
  const watch = watchOutages(pool, onLost, { quietMs: 300 })
  await vi.waitUntil(async () => {
    const before = checks
    await new Promise((resolve) => setTimeout(resolve, 600))
    return checks > 0 && checks === before
  }, WAIT)
  proxy.setState('silent')
  expect(onLost).not.toHaveBeenCalled()
  // The first call after a pause does not know it yet.
  watch.wake()
  expect(watch.isAnswering()).toBe(true)
  await vi.waitUntil(() => !watch.isAnswering(), WAIT)
  expect(onLost).toHaveBeenCalledTimes(1)
  proxy.setState('open')
  await vi.waitUntil(() => watch.isAnswering(), WAIT)
  watch.stop()
})
