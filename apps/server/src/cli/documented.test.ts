import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { getAddress, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PROJECT_ROOT } from '../config.ts'
import { freePort } from '../local/processes.ts'
import { writeKeystore } from '../signer/keys/keystore.ts'
import { type ProductProcess, runProductProcess } from '../testing/product-process.ts'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { WAIT } from '../testing/wait.ts'

// docs/operations prints a deployment and the settings of API, worker and indexer (install.md), and those of the signer (keys.md).

const PASSPHRASE = 'a passphrase of the test'
const newAddress = () => privateKeyToAddress(generatePrivateKey())

let chain: TestChain
let dir: string
let database: Awaited<ReturnType<typeof createEmptyDatabase>>
const processes: ProductProcess[] = []
beforeAll(async () => {
  chain = await startTestChain()
  dir = await mkdtemp(join(tmpdir(), 'rif-documented-'))
  database = await createEmptyDatabase()
})
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGTERM')
  await Promise.all(processes.map(({ ended }) => ended))
  await chain.stop()
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

/** Returns the settings of a printed block, with the values that only an operator can know. */
function settingsOf(block: string, values: Readonly<Record<string, string>>): Record<string, string> {
  const entries = block
    .trim()
    .split('\n')
    .map((line) => {
      expect(line).toMatch(/^[A-Z_]+=\S+$/)
      const [name = ''] = line.split('=', 1)
      return [name, values[name] ?? line.slice(name.length + 1)] as const
    })
  for (const [name, value] of entries) expect(value, name).not.toMatch(/\.\.\.|\.example|internal/)
  return Object.fromEntries(entries)
}

async function run(
  command: string,
  settings: Record<string, string>,
  args: string[] = [],
  secrets: string[] = [],
) {
  const started = await runProductProcess(command, { LOG_LEVEL: 'info', ...settings }, args, secrets)
  processes.push(started)
  return started
}

async function output(
  command: string,
  settings: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  const started = await run(command, settings, args)
  expect(await started.ended, started.output()).toBe(0)
  return started.output()
}

test('the documented deployment and settings start a product that can publish', {
  tags: ['full'],
}, async () => {
  const read = (name: string) => readFile(join(PROJECT_ROOT, 'docs/operations', name), 'utf8')
  const [page, keysPage, settingsPage] = await Promise.all(['install.md', 'keys.md', 'settings.md'].map(read))
  const file = JSON.parse(/```json\n(\{\n {2}"chain_id"[^`]*)```/.exec(page!)![1]!) as Record<string, unknown>
  const [, signerBlock] = /```\n(CONTRACTS_FILE=[^`]*)```/.exec(keysPage!)!
  const [, apiBlock] = /```\n(DATABASE_URL=[^`]*)```/.exec(page!)!

  const keys = {
    claim_signer: generatePrivateKey(),
    quote_signer: generatePrivateKey(),
    publisher: generatePrivateKey(),
  }
  const addresses: Record<string, string> = Object.fromEntries(
    Object.entries(keys).map(([role, key]) => [role, privateKeyToAddress(key)]),
  )
  const deployment = Object.fromEntries(
    Object.entries(file).map(([name, value]) => {
      expect(value, name).not.toBeNull()
      if (value !== '0x...') return [name, value]
      // Any token but the test USDT, which the product refuses on a real chain.
      if (name === 'usdt' || name === 'amc') return [name, chain.contracts.amc]
      return [name, addresses[name] ?? newAddress()]
    }),
  )
  // The bank needs two tokens.
  const amc = { holder: newAddress(), supply: '1000000000' }
  await writeFile(join(dir, 'deployment.json'), JSON.stringify({ ...deployment, amc }))
  const deployer = generatePrivateKey()
  for (const account of [privateKeyToAddress(deployer), addresses.publisher])
    await chain.rpc('anvil_setBalance', [account, `0x${parseEther('10').toString(16)}`])
  const printed = await output('deploy', { DEPLOYER_KEY: deployer, DEPLOY_RPC_URL: chain.rpcUrl }, [
    join(dir, 'deployment.json'),
  ])
  const [, contractsFile] = /^CONTRACTS_FILE=(.+)$/m.exec(printed)!
  const jsonOf = async (name: string, values: object) => {
    const printedJson = new RegExp(`\`${name}\`[^\`]*\`\`\`json\n([^\`]*)\`\`\``).exec(settingsPage!)![1]!
    const path = join(dir, `${name}.json`)
    await writeFile(path, JSON.stringify({ ...JSON.parse(printedJson), ...values }))
    return path
  }

  for (const [name, key] of Object.entries({
    claim: keys.claim_signer,
    quote: keys.quote_signer,
    publisher: keys.publisher,
  }))
    await writeKeystore(join(dir, `${name}.json`), PASSPHRASE, { privateKey: key as Hex, scryptN: 4_096 })
  const secret = createHash('sha256').update(PASSPHRASE).digest('hex')
  const own = {
    CONTRACTS_FILE: contractsFile!,
    OPERATOR_FILE: await jsonOf('OPERATOR', {}),
    MAIL_FILE: await jsonOf('MAIL', { server: `smtps://127.0.0.1:${await freePort()}` }),
    NOTICES_KEY: randomBytes(32).toString('hex'),
    RPC_URL: chain.rpcUrl,
    SIGNER_RPC_URL: chain.rpcUrl,
    SIGNER_URL: `http://127.0.0.1:${await freePort()}`,
    SIGNER_SECRET: secret,
    DATABASE_URL: database.urls.app,
    SIGNER_DATABASE_URL: database.urls.read,
    SIGNER_LOG: join(dir, 'decisions.jsonl'),
    SIGNER_APPROVERS: `Vera=${newAddress()},Otto=${newAddress()}`,
    CLAIM_KEY_SOURCE: `keystore:${join(dir, 'claim.json')}`,
    QUOTE_KEY_SOURCE: `keystore:${join(dir, 'quote.json')}`,
    PUBLISHER_KEY_SOURCE: `keystore:${join(dir, 'publisher.json')}`,
    ROOT_ADDRESS: newAddress(),
    OWNER_ADDRESSES: `${newAddress()},${newAddress()}`,
    PUBLIC_URL: 'https://rif.test',
    SOLVENCY_SALT_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_KEY: randomBytes(32).toString('hex'),
    METRICS_TOKEN: 'a token of at least 16 characters',
  }
  const api = settingsOf(apiBlock!, own)
  await output('migrate', { ...api, MIGRATION_DATABASE_URL: database.urls.admin })
  const signer = await run(
    'sign',
    { ...settingsOf(signerBlock!, own), KEY_SECRETS_FD: '3' },
    [],
    [PASSPHRASE],
  )
  await vi.waitFor(() => expect(signer.output()).toContain('"msg":"signing"'), WAIT)
  const others = await Promise.all(['index', 'worker', 'serve'].map((command) => run(command, api)))
  for (const other of others)
    await vi.waitFor(() => expect(other.output()).toContain('"msg":"running"'), WAIT)
  const serve = others.at(-1)!
  expect(await (await fetch(`${serve.address}/health`)).json()).toEqual({ status: 'ok' })
  expect(serve.output()).toMatch(/this product is not open yet/)
  // Once it is open, each start names the hour at which money stops.
  const client = new pg.Client({ connectionString: database.urls.admin })
  await client.connect()
  await client.query(
    `update opening set opened_at = now(), prepared_by = '0x1', opened_by = '0x2', backup = 'b'`,
  )
  await client.end()
  const opened = await run('worker', api)
  await vi.waitFor(() => expect(opened.output()).toContain('"msg":"running"'), WAIT)
  const [, hour] = /without another solvency report on chain, money stops at (\S+Z)/.exec(opened.output())!
  expect(Math.abs(Date.parse(hour!) - Date.now() - 36 * 3_600_000)).toBeLessThan(120_000)
  const metrics = await fetch(`${serve.address}/metrics`, {
    headers: { authorization: 'Bearer a token of at least 16 characters' },
  })
  expect(await metrics.text()).toMatch(/^rif_publisher_eth(\{[^}]*\})? 10$/m)
  expect(getAddress(addresses.publisher!)).toBe(deployment.publisher)
})
