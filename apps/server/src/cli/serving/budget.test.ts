import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployContracts } from '../../local/deploy.ts'
import { writeKeystore } from '../../signer/keys/keystore.ts'
import { type ProductProcess, runProductProcess } from '../../testing/product-process.ts'
import { contractsSetting, OPERATOR } from '../../testing/settings.ts'
import { startTestChain, type TestChain } from '../../testing/test-chain.ts'
import { createEmptyDatabase } from '../../testing/test-database.ts'

// Two servers, a worker, an indexer and the signer under load, with the budget of Debian's 100 connections.

const PASSPHRASE = 'a passphrase of the test'
/** The product's part of 100 connections: 3 are PostgreSQL's, 10 the signer's and other people's. */
const BUDGET = 87
const SIGNER = 4
const LOAD_MS = 4_000
const CALLERS = 80

let chain: TestChain
let dir: string
let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let observer: pg.Client
const processes: ProductProcess[] = []

beforeAll(async () => {
  chain = await startTestChain()
  dir = await mkdtemp(join(tmpdir(), 'rif-budget-'))
  database = await createEmptyDatabase()
  observer = new pg.Client({ connectionString: database.urls.owner })
  await observer.connect()
})
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGTERM')
  await Promise.all(processes.map(({ ended }) => ended))
  await observer.end()
  await chain.stop()
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

async function run(command: string, settings: Record<string, string>, secrets: string[] = []) {
  const started = await runProductProcess(command, { LOG_LEVEL: 'info', ...settings }, [], secrets)
  processes.push(started)
  return started
}

/** Returns what a process says of its connections. */
function saidBy(process: ProductProcess): Record<string, unknown>[] {
  const lines = process.output().match(/^\{.*"database connections".*\}$/gm) ?? []
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Returns the connections of all processes of the product to the database. */
async function connections(): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'rif%'`,
  )
  return rows[0]!.count
}

test('two servers, worker, indexer and signer stay within the budget under load, and a third server is refused', {
  tags: ['full'],
}, async () => {
  const contracts = await deployContracts(chain, chain.keys, { usdt: chain.contracts.amc, usdtDecimals: 18 })
  const { claimSigner, quoteSigner, publisher } = chain.keys
  for (const [name, privateKey] of Object.entries({ claim: claimSigner, quote: quoteSigner, publisher }))
    await writeKeystore(join(dir, `${name}.json`), PASSPHRASE, { privateKey, scryptN: 4_096 })
  const common = {
    DATA_DIR: dir,
    SIGNER_URL: `unix:${join(dir, 'signer.sock')}`,
    CONTRACTS: contractsSetting(contracts),
  }
  const settings = {
    ...common,
    RPC_URL: chain.rpcUrl,
    DATABASE_URL: database.urls.app,
    DATABASE_CONNECTIONS: `${BUDGET}`,
    ROOT_ADDRESS: privateKeyToAddress(generatePrivateKey()),
    SOLVENCY_SALT_KEY: '1'.repeat(64),
    RATE_LIMITS: '{"address": 1000000}',
    OPERATOR,
  }
  const migrated = await run('migrate', { ...settings, MIGRATION_DATABASE_URL: database.urls.owner })
  expect(await migrated.ended, migrated.output()).toBe(0)

  const signing = {
    ...common,
    KEY_SECRETS_FD: '3',
    SIGNER_RPC_URL: chain.rpcUrl,
    SIGNER_DATABASE_URL: database.urls.read,
    SIGNER_APPROVERS: `Vera=0x${'5e'.repeat(20)}`,
    CLAIM_KEY_SOURCE: `keystore:${join(dir, 'claim.json')}`,
    QUOTE_KEY_SOURCE: `keystore:${join(dir, 'quote.json')}`,
    PUBLISHER_KEY_SOURCE: `keystore:${join(dir, 'publisher.json')}`,
  }
  const sign = await run('sign', signing, [PASSPHRASE])
  const [worker, index, first, second] = await Promise.all(
    ['worker', 'index', 'serve', 'serve'].map((command) => run(command, settings)),
  )
  const servers = [first!, second!]
  await Promise.all(servers.map((server) => server.ready()))
  for (const program of [worker!, index!, sign]) await expect.poll(() => saidBy(program).length).toBe(1)

  // Each says what it may open, and together it is within the budget.
  const mains = [worker!, index!, ...servers].map(
    (item) => saidBy(item).find(({ command }) => command !== undefined)!,
  )
  expect(mains.map(({ budget }) => budget)).toEqual([BUDGET, BUDGET, BUDGET, BUDGET])
  const sum = mains.reduce((all, { connections: own }) => all + (own as number), 0)
  expect(sum).toBeLessThanOrEqual(BUDGET)
  expect(mains[2]).toMatchObject({ command: 'serve', poolSize: 20 })
  expect(saidBy(sign)).toMatchObject([{ command: 'sign', poolSize: SIGNER }])

  let most = 0
  const until = Date.now() + LOAD_MS
  const paths = ['config', 'profit/coverage', 'plans', 'earnings', 'fund/products', 'shop/products']
  const calling = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let turn = caller; Date.now() < until; turn++) {
      const { address } = servers[turn % servers.length]!
      const answer = await fetch(`${address}/api/v1/${paths[turn % paths.length]}`)
      await answer.text()
    }
  })
  while (Date.now() < until) most = Math.max(most, await connections())
  await Promise.all(calling)
  expect(most).toBeLessThanOrEqual(sum + SIGNER)
  // The pools were in use.
  expect(most).toBeGreaterThan(25)

  const third = await run('serve', settings)
  expect(await third.ended).toBe(1)
  expect(third.errors()).toMatch(
    /^rif: rif serve needs 23 of the product's 87 database connections, and its other processes leave \d+: run fewer, .*\n$/,
  )
  // It took nothing from the others.
  for (const server of servers) expect((await fetch(`${server.address}/ready`)).status).toBe(200)
})
