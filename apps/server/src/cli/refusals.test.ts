import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import pg from 'pg'
import { getAddress, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ContractAddresses } from '../chain/client.ts'
import { deployContracts } from '../local/deploy.ts'
import { freePort } from '../local/processes.ts'
import { writeKeystore } from '../signer/keys/keystore.ts'
import { runProductProcess } from '../testing/product-process.ts'
import { contractsSetting, OPERATOR } from '../testing/settings.ts'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { WAIT } from '../testing/wait.ts'
import { main } from './commands.ts'
import { explain } from './explain.ts'

const FIRST_DEV_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const METRICS_TOKEN = 'a token of the test'
const PASSPHRASE = 'a passphrase of the test'

// Every test starts processes, which takes long on a busy machine.

let chain: TestChain
/** As on a real chain: a token other than the test USDT. */
let contracts: ContractAddresses
let dataDir: string
let database: Awaited<ReturnType<typeof createEmptyDatabase>>
beforeAll(async () => {
  chain = await startTestChain()
  contracts = await deployContracts(chain, chain.keys, { usdt: chain.contracts.amc, usdtDecimals: 18 })
  dataDir = await mkdtemp(join(tmpdir(), 'rif-refusals-'))
  database = await createEmptyDatabase()
})
afterAll(async () => {
  await chain.stop()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Settings of an operator with a separate chain and database. */
function operator(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: database.urls.app,
    RPC_URL: chain.rpcUrl,
    CONTRACTS: contractsSetting(contracts),
    ROOT_ADDRESS: '0x5555555555555555555555555555555555555555',
    OPERATOR,
    SOLVENCY_SALT_KEY: '1'.repeat(64),
    ...changes,
  }
}

/** Settings of that operator's signing process, with its keys in keystore files. */
async function signerSettings(
  keys: { claimSigner: Hex; quoteSigner: Hex } = chain.keys,
): Promise<Record<string, string>> {
  const sources: Record<string, string> = {}
  for (const [setting, privateKey] of [
    ['CLAIM_KEY_SOURCE', keys.claimSigner],
    ['QUOTE_KEY_SOURCE', keys.quoteSigner],
    ['PUBLISHER_KEY_SOURCE', chain.keys.publisher],
  ] as const) {
    const path = join(dataDir, `${setting}-${privateKeyToAddress(privateKey)}.json`)
    await rm(path, { force: true })
    await writeKeystore(path, PASSPHRASE, { privateKey, scryptN: 4_096 })
    sources[setting] = `keystore:${path}`
  }
  const { DATABASE_URL: _, ...settings } = operator()
  return {
    ...settings,
    ...sources,
    KEY_SECRETS_FD: '3',
    SIGNER_DATABASE_URL: database.urls.read,
    SIGNER_APPROVERS: `Vera=0x${'5e'.repeat(20)}`,
    SIGNER_RPC_URL: chain.rpcUrl,
  }
}

/** Returns the output of a command that refused to start. */
async function refusal(command: string, settings: Record<string, string>): Promise<string> {
  const product = await runProductProcess(command, settings, [], [PASSPHRASE])
  const code = await product.ended
  expect(code, product.output()).toBe(1)
  expect(product.output()).not.toMatch(/^\s+at |Error:/m)
  // Its log comes through another pipe, so it may arrive after the refusal.
  return product.errors().trim().split('\n').at(-1) as string
}

it('names a bad setting', async () => {
  expect(await refusal('start', { DATA_DIR: dataDir, PORT: 'eighty' })).toBe(
    'rif: PORT must be a whole number from 1 to 65535',
  )
})

it('reports that the database cannot be reached, without its password', async () => {
  const url = `postgres://rif:secret@127.0.0.1:${await freePort()}/rif`
  const line = await refusal('migrate', { DATA_DIR: dataDir, DATABASE_URL: url })
  expect(line).toMatch(/^rif: the database at 127\.0\.0\.1:\d+\/rif cannot be reached: .*ECONNREFUSED/)
  expect(line).not.toContain('secret')
})

it('reports a database limit', { tags: ['full'] }, async () => {
  const client = new pg.Client({ connectionString: database.urls.admin })
  await client.connect()
  const stranger = new URL(database.urls.admin)
  stranger.username = `stranger_${stranger.pathname.slice(1)}`
  stranger.password = 'secret'
  await client.query(`create role ${stranger.username} login password 'secret'`)
  try {
    expect(await refusal('migrate', operator({ MIGRATION_DATABASE_URL: stranger.href }))).toBe(
      'rif: the database refuses: permission denied for schema public',
    )
    expect(await refusal('migrate', operator({ DATABASE_URL: stranger.href }))).toBe(
      'rif: the login of DATABASE_URL may not migrate (permission denied for schema public): ' +
        "set MIGRATION_DATABASE_URL to the owner's login",
    )
  } finally {
    await client.query(`drop role ${stranger.username}`)
    await client.end()
  }
})

it("reports that the database's disk is full, even from within other work", () => {
  const full = new pg.DatabaseError('could not extend file "base/1/2": No space left on device', 0, 'error')
  full.code = '53100'
  const wrapped = new Error('an event cannot be applied', { cause: full })
  expect(explain(wrapped)).toBe(`the database refuses: ${full.message}`)
  expect(explain(new TypeError('a defect'))).toMatch(/^TypeError: a defect\n\s+at /)
})

it('refuses a node of another chain', async () => {
  const answer = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: '0x1' })
  const node = createServer(async (request, response) => {
    const calls = await json(request)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls as { id: number })))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  const line = await refusal('start', operator({ RPC_URL: `http://127.0.0.1:${port}` }))
  node.close()
  expect(line).toBe(`rif: the node at 127.0.0.1:${port} is on chain 1, expected 42161`)
})

it('refuses an address without the expected contract', { tags: ['full'] }, async () => {
  const { bank, transfer } = contracts
  expect(
    await refusal('start', operator({ CONTRACTS: contractsSetting(contracts, { bank: transfer }) })),
  ).toMatch(/bank address .* is not the one/)
  expect(
    await refusal('start', operator({ CONTRACTS: contractsSetting(contracts, { transfer: bank }) })),
  ).toMatch(/transfer address .* is not the one/)
})

it('refuses the test token', { tags: ['full'] }, async () => {
  const { bank, usdt, amc } = chain.contracts
  const line = await refusal(
    'start',
    operator({ CONTRACTS: contractsSetting(contracts, { bank, usdt, amc }) }),
  )
  expect(line).toBe(
    `rif: CONTRACTS.usdt ${getAddress(usdt)} is the test token: it works only on the local chain`,
  )
})

const KEYS_IN_ENVIRONMENT =
  'rif: QUOTE_SIGNER_KEY is no setting: `rif sign` holds the keys, see QUOTE_KEY_SOURCE; ' +
  'CLAIM_SIGNER_KEY is no setting: `rif sign` holds the keys, see CLAIM_KEY_SOURCE'

it.each(['start', 'sign'])('accepts no key from the environment: %s', { tags: ['full'] }, async (command) => {
  const key = chain.keys.claimSigner
  expect(await refusal(command, operator({ CLAIM_SIGNER_KEY: key, QUOTE_SIGNER_KEY: key }))).toBe(
    KEYS_IN_ENVIRONMENT,
  )
})

it.each(['serve', 'worker', 'index', 'migrate', 'audit'])(
  'takes no key from the environment, in this process: %s',
  async (command) => {
    const key = chain.keys.claimSigner
    const settings = operator({ CLAIM_SIGNER_KEY: key, QUOTE_SIGNER_KEY: key })
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      expect(await main([command])).toBe(1)
      expect(written.mock.calls).toEqual([[`${KEYS_IN_ENVIRONMENT}\n`]])
    } finally {
      written.mockRestore()
      vi.unstubAllEnvs()
    }
  },
)

it.each(['owner', 'admin'] as const)(
  'refuses the login of the %s on a real chain',
  { tags: ['full'] },
  async (login) => {
    const { username } = new URL(database.urls[login])
    const line = await refusal('serve', operator({ DATABASE_URL: database.urls[login] }))
    expect(line).toBe(
      `rif: DATABASE_URL logs in as ${username}, who can change the tables themselves: ` +
        "give it the login rif_app, and the owner's to MIGRATION_DATABASE_URL",
    )
  },
)

it('requires a migration before it serves', async () => {
  expect(await refusal('serve', operator())).toMatch(/lacks migrations .*: run `rif migrate` first/)
})

it('runs the parts of the product as separate processes', async () => {
  const migration = await runProductProcess(
    'migrate',
    operator({ MIGRATION_DATABASE_URL: database.urls.owner }),
  )
  expect([await migration.ended, migration.output()]).toEqual([
    0,
    expect.stringContaining('applied tables, functions'),
  ])
  const parts = await Promise.all([
    ...['serve', 'worker', 'index'].map((command) =>
      runProductProcess(command, operator({ LOG_LEVEL: 'info', METRICS_TOKEN })),
    ),
    runProductProcess('sign', await signerSettings(), [], [PASSPHRASE]),
  ])
  await parts[0]!.ready()
  await vi.waitFor(async () => {
    const status = (await (await fetch(`${parts[0]!.address}/status`)).json()) as {
      parts: { signer: unknown }
    }
    expect(status.parts.signer, parts[3]!.output()).toEqual({ ok: true })
  }, WAIT)
  const relay = await fetch(`${parts[0]!.address}/rpc`, { method: 'POST' })
  expect(relay.status).toBe(404)
  const { data } = (await (await fetch(`${parts[0]!.address}/api/v1/config`)).json()) as {
    data: { demo: unknown }
  }
  expect(data.demo).toBeNull()
  const pollAge = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const metrics = await (await fetch(`${parts[0]!.address}/metrics`, { headers })).text()
    return Number(/^rif_indexer_poll_age_seconds (.+)$/m.exec(metrics)?.[1])
  }
  await expect.poll(pollAge).toBeGreaterThanOrEqual(0)
  parts[2]!.child.kill('SIGTERM')
  await parts[2]!.ended
  // Nothing but the indexer makes it younger.
  const atEnd = await pollAge()
  await expect.poll(pollAge).toBeGreaterThan(atEnd)
  for (const { child } of parts) child.kill('SIGTERM')
  expect(await Promise.all(parts.map((part) => part.ended))).toEqual([0, 0, 0, 0])
})

it('refuses a login without the rights of the application', { tags: ['full'] }, async () => {
  expect(await refusal('serve', operator({ DATABASE_URL: database.urls.read }))).toBe(
    'rif: the login of DATABASE_URL is neither rif_app nor a member of it',
  )
})

it('refuses a replica of another database, where audits would read it', { tags: ['full'] }, async () => {
  const DATABASE_REPLICA_URL = new URL('/postgres', database.urls.app).href
  expect(await refusal('worker', operator({ DATABASE_REPLICA_URL }))).toBe(
    'rif: DATABASE_REPLICA_URL leads to another database than DATABASE_URL: it needs a streaming replica of it',
  )
})

it('refuses a single first owner, who could appoint nobody', { tags: ['full'] }, async () => {
  expect(await refusal('worker', operator({ OWNER_ADDRESSES: `0x${'66'.repeat(20)}` }))).toBe(
    'rif: OWNER_ADDRESSES must name at least two owners: one alone could appoint nobody',
  )
})

it.each([
  [
    'without its role',
    () => chain.keys.admin,
    /^rif: the key of 0x\w{40} does not hold QUOTE_SIGNER_ROLE in the bank/,
  ],
  ['that is well known', () => FIRST_DEV_KEY, /^rif: QUOTE_KEY_SOURCE is a well-known development key/],
])('starts with its own signer, and refuses a key %s', { tags: ['full'] }, async (_what, keyOf, line) => {
  const { claimSigner } = chain.keys
  const settings = { ...operator(), ...(await signerSettings({ claimSigner, quoteSigner: keyOf() })) }
  expect(await refusal('start', settings)).toMatch(line)
})

it.each(['serve', 'worker', 'start'])(
  '%s refuses a real chain without the key of the salts',
  { tags: ['full'] },
  async (command) => {
    const { SOLVENCY_SALT_KEY: _, ...settings } = operator()
    expect(await refusal(command, settings)).toMatch(
      /^rif: SOLVENCY_SALT_KEY is not set: .*no money could move/,
    )
  },
)

it('refuses a signer on a real chain without the key that publishes', { tags: ['full'] }, async () => {
  const { PUBLISHER_KEY_SOURCE: _, ...settings } = await signerSettings()
  expect(await refusal('sign', settings)).toBe(
    'rif: CONTRACTS is set, so rif sign needs these too: PUBLISHER_KEY_SOURCE',
  )
})

// A dismissed claim key, and the new one, are without a role for 48 hours.
it('serves while the claim key has no role, with an alarm', { tags: ['full'] }, async () => {
  const { admin, quoteSigner } = chain.keys
  const keys = await signerSettings({ claimSigner: admin, quoteSigner })
  const signer = await runProductProcess('sign', keys, [], [PASSPHRASE])
  await vi.waitFor(() => expect(signer.output()).toContain('"msg":"signing"'), WAIT)
  const api = await runProductProcess('serve', operator({ LOG_LEVEL: 'info' }))
  try {
    await api.ready()
    expect(api.output()).toMatch(/this product is not open yet/)
    expect(api.output()).toMatch(/no receiver of alarms/)
    expect(api.output()).toMatch(/does not hold CLAIM_SIGNER_ROLE .*: no claim is paid before/)
  } finally {
    for (const { child } of [api, signer]) child.kill('SIGTERM')
    await Promise.all([api.ended, signer.ended])
  }
})

it('refuses a database that belongs to other contracts', async () => {
  const client = new pg.Client({ connectionString: database.urls.admin })
  await client.connect()
  await client.query(
    `insert into chain_cursors (chain_id, contracts, finalised_number, finalised_hash, finalised_block_at,
      applied_number, applied_block_at, head_number, polled_at)
    values (42161, '0x01 0x02', 0, '0x00', now(), 0, now(), 0, now())
    on conflict (chain_id) do update set contracts = excluded.contracts`,
  )
  await client.end()
  expect(await refusal('serve', operator())).toBe(
    'rif: the database belongs to the bank and transfer contracts 0x01 0x02, not to those of the settings',
  )
})
