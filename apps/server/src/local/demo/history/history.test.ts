import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { type ProductProcess, runProductProcess } from '../../../testing/product-process.ts'

// Every test starts complete products, which takes long when other programs run on the machine.

const DAYS = 2
const dataDirs: string[] = []
const products: ProductProcess[] = []
afterAll(async () => {
  for (const { child } of products) child.kill('SIGKILL')
  await Promise.all(products.map(({ ended }) => ended))
  // PostgreSQL survives its killed product for a moment and still writes.
  for (const dataDir of dataDirs)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-history-'))
  dataDirs.push(dataDir)
  return dataDir
}

async function start(dataDir: string): Promise<ProductProcess> {
  const product = await runProductProcess('start', { DATA_DIR: dataDir, DEMO_DAYS: `${DAYS}` })
  products.push(product)
  return product
}

/** Waits until a product has printed a text. */
async function said(product: ProductProcess, words: string): Promise<void> {
  while (!product.output().includes(words)) {
    if (product.child.exitCode !== null) throw new Error(product.output())
    await sleep(20)
  }
}

/** Returns the data in a data directory before today: the members, the postings, the prices and the NAVs. */
async function describeBooks(dataDir: string) {
  const { databaseUrl } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
  const books = {
    members: await rows('select address, joined_at from members order by member_id'),
    postings: await rows(
      `select member_id, accounting_day, kind, asset, source, destination, sum(amount)
       from ledger_postings where accounting_day < current_date group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
    ),
    prices: await rows('select asset, price_micros, valid_from from prices order by valid_from, asset'),
    navs: await rows(
      'select product_id, nav_micros from fund_navs where published_at < current_date order by nav_id',
    ),
  }
  await client.end()
  return books
}

async function api<T>(product: ProductProcess, path: string): Promise<T> {
  const answer = await fetch(`${product.address}/api/v1/${path}`)
  return ((await answer.json()) as { data: T }).data
}

it('a killed history is started again, and ends like an uninterrupted one, with a report for each day and clean books', {
  tags: ['full'],
}, async () => {
  const [killedDir, wholeDir] = [await newDataDir(), await newDataDir()]
  const killed = await start(killedDir)
  await said(killed, `day 2 of ${DAYS}`)
  killed.child.kill('SIGKILL')
  await killed.ended

  const refused = await runProductProcess('audit', { DATA_DIR: killedDir })
  expect(await refused.ended).toBe(1)
  expect(refused.errors()).toContain('is unfinished')

  const [again, whole] = [await start(killedDir), await start(wholeDir)]
  await Promise.all([again.ready(), whole.ready()])
  expect(await describeBooks(killedDir)).toEqual(await describeBooks(wholeDir))

  const { days } = await api<{ days: { day: string; state: string }[] }>(again, 'solvency')
  expect(days.map(({ state }) => state)).toEqual(Array.from({ length: DAYS }, () => 'final'))

  again.child.kill('SIGINT')
  await again.ended
  const audit = await runProductProcess('audit', { DATA_DIR: killedDir })
  expect(await audit.ended).toBe(0)
  expect(audit.output()).toContain('The books agree.')

  // Later starts create nothing again.
  const third = await start(killedDir)
  await third.ready()
  expect(third.output()).not.toContain('Preparing')
})
