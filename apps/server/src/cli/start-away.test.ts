import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { getAddress, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ContractAddresses } from '../chain/client.ts'
import { type RpcProxy, startRpcProxy } from '../chain/testing/rpc-proxy.ts'
import { deployContracts } from '../local/deploy.ts'
import { writeKeystore } from '../signer/keys/keystore.ts'
import { type ProductProcess, runProductProcess } from '../testing/product-process.ts'
import { contractsSetting, OPERATOR } from '../testing/settings.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { messageOf } from '../testing/test-server.ts'
import { WAIT } from '../testing/wait.ts'

// Each process of the product is started while a part that it needs is away.

const PASSPHRASE = 'a passphrase of the test'
const COMMANDS = ['start', 'serve', 'worker', 'index', 'sign'] as const
type Command = (typeof COMMANDS)[number]

const root = privateKeyToAccount(generatePrivateKey())
const owners = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]

let chain: TestChain
let contracts: ContractAddresses
let dataDir: string
let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let node: RpcProxy
let postgres: TcpProxy
let running: ProductProcess[]

beforeAll(async () => {
  chain = await startTestChain()
  contracts = await deployContracts(chain, chain.keys, { usdt: chain.contracts.amc, usdtDecimals: 18 })
  dataDir = await mkdtemp(join(tmpdir(), 'rif-away-'))
  database = await createEmptyDatabase()
  node = await startRpcProxy(chain.rpcUrl)
  postgres = await startTcpProxy(Number(new URL(database.urls.app).port))
  const keys = {
    claim: chain.keys.claimSigner,
    quote: chain.keys.quoteSigner,
    publisher: chain.keys.publisher,
  }
  for (const [name, key] of Object.entries(keys))
    await writeKeystore(join(dataDir, `${name}.json`), PASSPHRASE, { privateKey: key, scryptN: 4_096 })
  const migrated = await runProductProcess('migrate', {
    ...settingsOf('serve'),
    MIGRATION_DATABASE_URL: database.urls.owner,
  })
  expect(await migrated.ended, migrated.output()).toBe(0)
})
afterAll(async () => {
  await Promise.all([node.close(), postgres.close()])
  await chain.stop()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  running = []
  node.setDown(false)
  node.setTamper(undefined)
  postgres.setState('open')
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
})

const throughProxy = (login: string) =>
  Object.assign(new URL(login), { host: `127.0.0.1:${postgres.port}` }).href

/** The settings of a command, which reaches the database and the node through proxies. */
function settingsOf(command: Command): Record<string, string> {
  const common = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    SIGNER_URL: `unix:${join(dataDir, 'signer.sock')}`,
    CONTRACTS: contractsSetting(contracts),
  }
  if (command === 'sign')
    return {
      ...common,
      KEY_SECRETS_FD: '3',
      SIGNER_RPC_URL: node.url,
      SIGNER_DATABASE_URL: throughProxy(database.urls.read),
      SIGNER_APPROVERS: `Vera=0x${'5e'.repeat(20)}`,
      CLAIM_KEY_SOURCE: `keystore:${join(dataDir, 'claim.json')}`,
      QUOTE_KEY_SOURCE: `keystore:${join(dataDir, 'quote.json')}`,
      PUBLISHER_KEY_SOURCE: `keystore:${join(dataDir, 'publisher.json')}`,
    }
  return {
    ...common,
    RPC_URL: node.url,
    DATABASE_URL: throughProxy(database.urls.app),
    ROOT_ADDRESS: root.address,
    OWNER_ADDRESSES: owners.map(({ address }) => address).join(','),
    SOLVENCY_SALT_KEY: '1'.repeat(64),
    OPERATOR,
  }
}

async function start(command: Command, settings: Record<string, string> = {}): Promise<ProductProcess> {
  const started = await runProductProcess(command, { ...settingsOf(command), ...settings }, [], [PASSPHRASE])
  running.push(started)
  return started
}

/** Waits until a process has written a line, or ends. */
async function written(process: ProductProcess, text: string | RegExp): Promise<void> {
  let code: number | null | undefined
  void process.ended.then((ended) => {
    code = ended
  })
  await vi.waitFor(() => {
    if (code !== undefined) throw new Error(`it ended with ${code}: ${process.output()}`)
    expect(process.output()).toMatch(text)
  }, WAIT)
}

const isServing = (command: Command) => command === 'start' || command === 'serve'

/** Expects what a wallet needs on the page Emergency; waiting.test.ts has its document. */
async function reachesEmergency({ address }: ProductProcess): Promise<void> {
  expect(await (await fetch(`${address}/bank.json`)).json()).toMatchObject({
    chain: { id: 42161, rpc_url: 'https://arb1.arbitrum.io/rpc' },
    former_banks: [],
    contracts: { bank: getAddress(contracts.bank), usdt: getAddress(contracts.usdt) },
  })
}

async function stopped(process: ProductProcess): Promise<void> {
  process.child.kill('SIGTERM')
  expect(await process.ended, process.output()).toBe(0)
}

async function call(
  { address }: ProductProcess,
  path: string,
  { as, body }: { as?: { token: string; address: Hex } | undefined; body?: object } = {},
) {
  const response = await fetch(`${address}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(as && { authorization: `Bearer ${as.token}`, 'x-wallet-address': as.address }),
      ...(body && { 'content-type': 'application/json', 'idempotency-key': `${Math.random()}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: many shapes of data
  const { data } = (await response.json()) as any
  return { status: response.status, data }
}

async function signIn(api: ProductProcess, wallet: LocalAccount) {
  const terms = (await call(api, `nonce?address=${wallet.address}`)).data
  const message = messageOf(terms, wallet.address)
  const { data } = await call(api, 'auth', {
    body: { message, signature: await wallet.signMessage({ message }) },
  })
  return { token: data.token as string, address: wallet.address }
}

const statusOf = async ({ address }: ProductProcess) =>
  (await (await fetch(`${address}/status`)).json()) as { parts: Record<string, { ok: boolean }> }

describe('while every node is away', () => {
  beforeAll(async () => {
    // A running product, whose indexer has stored the decimals of USDT.
    node.setDown(false)
    running = []
    const index = await start('index')
    await written(index, 'leading the indexing')
    const client = new pg.Client({ connectionString: database.urls.admin })
    await client.connect()
    await vi.waitFor(async () => {
      const { rows } = await client.query('select usdt_decimals from chain_cursors')
      expect(rows).toEqual([{ usdt_decimals: 18 }])
    }, WAIT)
    await client.end()
    await stopped(index)
  })

  test('serve starts, serves, lets owners reach Emergency, and moves money only when the contracts were checked', async () => {
    node.setDown(true)
    const api = await start('serve')
    await api.ready()
    expect((await statusOf(api)).parts.contracts).toEqual({
      ok: false,
      problem: 'not checked yet: this process moves no money',
    })
    expect((await call(api, 'config')).data.decimals).toEqual({ USDT: 18, AMC: 18 })
    const [owner, member] = [await signIn(api, owners[0]!), await signIn(api, root)]
    // On a busy machine a read may be answered with 503, and is repeated.
    await expect.poll(async () => (await call(api, 'admin/emergency', { as: owner })).status).toBe(200)
    await expect.poll(async () => (await call(api, 'me', { as: member })).status).toBe(200)
    const save = () => call(api, 'savings/in', { as: member, body: { asset: 'USDT', amount: '1' } })
    for (let time = 0; time < 4; time++)
      expect(await save()).toMatchObject({ status: 503, data: { error: 'CHAIN_UNAVAILABLE' } })
    node.setDown(false)
    await vi.waitFor(async () => {
      expect((await statusOf(api)).parts.contracts).toEqual({ ok: true })
      expect((await save()).data.error).toBe('PAUSED')
    }, WAIT)
    const alarms = api.output().match(/"name":"contracts_unchecked",.*the chain is away.*/g)
    expect(new Set(alarms).size).toBe(alarms!.length)
    await stopped(api)
  })

  test('worker and index start, and work when the contracts were checked', { tags: ['full'] }, async () => {
    node.setDown(true)
    const [worker, index] = await Promise.all([start('worker'), start('index')])
    for (const process of [worker, index]) {
      await written(process, /"reason":"[^"]+ does not answer".*the chain is away/)
      await written(process, '"msg":"running"')
      expect(process.output()).not.toMatch(/leading the indexing/)
    }
    node.setDown(false)
    for (const process of [worker, index]) await written(process, 'the contracts were checked')
    await written(index, 'leading the indexing')
    for (const process of [worker, index]) await stopped(process)
  })

  test('sign starts and signs what needs no node', { tags: ['full'] }, async () => {
    node.setDown(true)
    const signer = await start('sign')
    await written(signer, '"msg":"signing"')
    await stopped(signer)
  })

  test.each(['serve', 'worker', 'index'] as const)(
    '%s ends in one line when the nodes come back and refuse',
    { tags: ['full'] },
    async (command) => {
      node.setDown(true)
      const process = await start(command)
      await written(process, '"msg":"running"')
      node.setTamper(({ id, method }, answer) => (method === 'eth_chainId' ? { id, result: '0x1' } : answer))
      node.setDown(false)
      expect(await process.ended, process.output()).toBe(1)
      expect(process.errors().trim().split('\n')).toEqual([
        expect.stringMatching(/^rif: the node at 127\.0\.0\.1:\d+ is on chain 1, expected 42161$/),
      ])
    },
  )
})

describe('while the database is away', () => {
  test.each(COMMANDS)(
    '%s starts, waits for it, and works when it is back',
    { tags: ['full'] },
    async (command) => {
      postgres.setState('cut')
      const process = await start(command)
      await written(process, /the database does not answer|the signer waits for the database/)
      if (isServing(command)) {
        const answers = async (path: string) => (await fetch(`${process.address}${path}`)).status
        await vi.waitFor(async () => expect(await answers('/health')).toBe(200), WAIT)
        expect(await answers('/ready')).toBe(503)
        expect(await answers('/api/v1/config')).toBe(503)
        await reachesEmergency(process)
      }
      postgres.setState('open')
      await written(process, command === 'start' ? 'RIFund Portfolio: ' : /"msg":"(running|signing)"/)
      if (isServing(command)) {
        await process.ready()
        // Also when it goes away later.
        postgres.setState('cut')
        await reachesEmergency(process)
        postgres.setState('open')
        await process.ready()
      }
      await stopped(process)
    },
  )

  test.each(COMMANDS)('%s stops at once when it is asked to', { tags: ['full'] }, async (command) => {
    postgres.setState('cut')
    const process = await start(command)
    await written(process, /the database does not answer|the signer waits for the database/)
    await stopped(process)
  })
})

describe('while the signer is away', () => {
  test('serve starts, and ends in one line when the quote key turns out to have no role', {
    tags: ['full'],
  }, async () => {
    const api = await start('serve')
    await api.ready()
    await written(api, /"reason":"[^"]+".*the signing process does not answer/)
    expect((await statusOf(api)).parts.signer).toMatchObject({ ok: false })
    const other = join(dataDir, 'other.json')
    await writeKeystore(other, PASSPHRASE, { privateKey: chain.keys.admin, scryptN: 4_096 })
    await start('sign', { QUOTE_KEY_SOURCE: `keystore:${other}` })
    expect(await api.ended, api.output()).toBe(1)
    expect(api.errors().trim()).toBe(
      `rif: the key of ${privateKeyToAddress(chain.keys.admin)} does not hold QUOTE_SIGNER_ROLE in the bank at ${getAddress(contracts.bank)}`,
    )
  })
})

describe('when a newer version changes the schema', () => {
  let owner: pg.Client
  beforeAll(async () => {
    owner = new pg.Client({ connectionString: database.urls.owner })
    await owner.connect()
  })
  afterAll(() => owner.end())
  const readiness = async ({ address }: ProductProcess) => {
    const answer = await fetch(`${address}/ready`)
    // biome-ignore lint/suspicious/noExplicitAny: many shapes of data
    return { status: answer.status, schema: ((await answer.json()) as any).checks.schema }
  }

  test('processes are told before: serve is not ready, worker and index end', {
    tags: ['full'],
  }, async () => {
    const [api, worker, index] = await Promise.all([start('serve'), start('worker'), start('index')])
    await api.ready()
    for (const process of [worker, index]) await written(process, '"msg":"running"')
    await owner.query('select pg_advisory_lock(7243002)')
    for (const process of [worker, index]) {
      expect(await process.ended, process.output()).toBe(1)
      expect(process.errors().trim()).toBe('rif: the database is being migrated')
    }
    await vi.waitFor(async () => {
      expect(await readiness(api)).toEqual({
        status: 503,
        schema: { ok: false, problem: 'is being migrated' },
      })
    }, WAIT)
    expect((await call(api, 'config')).status).toBe(200)
    await owner.query('select pg_advisory_unlock(7243002)')
    await api.ready()
    await stopped(api)
  })

  test('a process that does not know the schema answers 503 instead of failing, and does not start again', async () => {
    const api = await start('serve')
    await api.ready()
    await owner.query("insert into schema_migrations values ('9999', '9999_later.sql', '', now())")
    try {
      const problem = 'the database has the migration 9999_later.sql, which this version does not know'
      await vi.waitFor(async () => {
        expect(await readiness(api)).toEqual({ status: 503, schema: { ok: false, problem } })
        for (let time = 0; time < 6; time++)
          expect(await call(api, 'config')).toMatchObject({ status: 503, data: { error: 'UNAVAILABLE' } })
      }, WAIT)
      for (const command of ['serve', 'worker', 'index'] as const) {
        const again = await start(command)
        expect(await again.ended, again.output()).toBe(1)
        expect(again.errors().trim()).toBe(`rif: ${problem}`)
      }
    } finally {
      await owner.query("delete from schema_migrations where version = '9999'")
    }
    await stopped(api)
  })
})

describe('while names on record look alike', () => {
  test('each start says that they count as one person, and that one owner is left', {
    tags: ['full'],
  }, async () => {
    const client = new pg.Client({ connectionString: database.urls.owner })
    await client.connect()
    // As recorded before names were compared: the second owner is the first under a look-alike name.
    await client.query(`
      with person as (
        insert into persons (name, recorded_at) values (chr(1054) || 'wner 1', now()) returning person_id
      ), wallet as (
        insert into person_wallets select '0x${'7a'.repeat(20)}', person_id, now() from person returning address
      )
      insert into admins (address, role, granted_at) select address, 'owner', now() from wallet`)
    await client.query('delete from admins where address = $1', [owners[1]!.address.toLowerCase()])
    await client.end()
    for (let time = 0; time < 2; time++) {
      const api = await start('serve')
      await api.ready()
      await written(api, /"name":"Owner 1","others":\["\d+"\].*names look alike count as one person/)
      await written(api, 'only one person is an owner, who can appoint nobody: see `rif person appoint`')
      await stopped(api)
    }
  })
})
