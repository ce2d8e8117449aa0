import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deferred } from '../../lib/deferred.ts'
import { processIdentity } from '../../local/processes.ts'
import { type ProductProcess, runProductProcess } from '../../testing/product-process.ts'
import { WAIT } from '../../testing/wait.ts'

// The whole product, on a separate database and chain.

let dataDir: string
let product: ProductProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rif-serving-'))
  await start()
})
afterAll(async () => {
  product.child.kill('SIGKILL')
  await product.ended
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

async function start(): Promise<void> {
  product = await runProductProcess('start', { DATA_DIR: dataDir, DEMO_DAYS: 'none' })
  await product.ready()
}

async function childrenOf(parent: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    all.map(async (pid) => [pid, await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')]),
  )
  const isChild = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === `${parent}`
  return stats.filter(([, stat]) => isChild(stat!)).map(([pid]) => Number(pid))
}

/** Runs statements as the owner of the database. */
async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { databaseUrl } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'))
  const url = new URL(databaseUrl)
  url.username = 'rif_owner'
  url.password = (await readFile(join(dataDir, 'postgres-logins', 'rif_owner'), 'utf8')).trim()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return work(client).finally(() => client.end())
}

test('SIGTERM lets the product answer a request in progress, and stops all that it started', async () => {
  const family = await childrenOf(product.child.pid!)
  expect(family.length).toBeGreaterThan(1)
  const [reached, release] = [deferred<void>(), deferred<void>()]
  const locked = asOwner(async (client) => {
    await client.query('begin')
    await client.query('lock table fund_products')
    const answered = fetch(`${product.address}/api/v1/fund/products`)
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await client.query(
        "select count(*)::int as waiting from pg_locks where not granted and relation = 'fund_products'::regclass",
      )
      waiting = rows[0].waiting
    }
    reached.resolve()
    await release.promise
    await client.query('rollback')
    return answered
  })
  await reached.promise
  product.child.kill('SIGTERM')
  await sleep(500)
  release.resolve()
  expect((await locked).status).toBe(200)
  expect(await product.ended).toBe(0)
  for (const pid of family) expect(await processIdentity(pid)).toBeUndefined()
})

test('nothing remains when the process of the product is killed', { tags: ['full'] }, async () => {
  await start()
  const family = await childrenOf(product.child.pid!)
  product.child.kill('SIGKILL')
  await product.ended
  await vi.waitFor(async () => {
    const left = await Promise.all(family.map((pid) => processIdentity(pid)))
    expect(left.filter((item) => item !== undefined)).toEqual([])
  }, WAIT)
})
