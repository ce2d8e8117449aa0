import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { amcTokenAbi } from '@rif/contracts/abi'
import { amcTokenBytecode } from '@rif/contracts/bytecode'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { arbitrum } from '../apps/server/src/chain/arbitrum.ts'
import { connectChain } from '../apps/server/src/chain/client.ts'
import { type RpcProxy, startRpcProxy } from '../apps/server/src/chain/testing/rpc-proxy.ts'
import { createDatabase, inTx } from '../apps/server/src/db/database.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { inSimulation } from '../apps/server/src/db/simulation.ts'
import { createLogger } from '../apps/server/src/lib/logger.ts'
import { type Anvil, startAnvil } from '../apps/server/src/local/anvil.ts'
import { deployContracts, generateOperatorKeys } from '../apps/server/src/local/deploy.ts'
import { type LocalPostgres, startPostgres } from '../apps/server/src/local/postgres.ts'
import { freePort } from '../apps/server/src/local/processes.ts'
import { createServices } from '../apps/server/src/services.ts'
import { writeKeystore } from '../apps/server/src/signer/keys/keystore.ts'
import { NO_SIGNER } from '../apps/server/src/signer/protocol.ts'
import { contractsSetting, OPERATOR } from '../apps/server/src/testing/settings.ts'
import { type Browser, type Call, createBrowser } from './member.ts'
import { createPrograms, type Programs } from './programs.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface Product {
  readonly dir: string
  /** The folder of a small disk that holds the database; null if this user may not mount one. */
  readonly disk: string | null
  readonly address: string
  readonly programs: Programs
  /** The nodes of RPC_URL: three proxies of one real node. */
  readonly nodes: readonly RpcProxy[]
  readonly anvil: Anvil
  /** The wallet that publishes the solvency reports. */
  readonly publisher: Address
  /** The proxy between the product and PostgreSQL. */
  readonly database: TcpProxy
  /** Restarts by itself when it ends. */
  readonly postgres: { urls(): LocalPostgres['urls']; pid(): number }
  readonly browsers: readonly Browser[]
  readonly calls: Call[]
  /** Resolves when `/status` reports that every part works. */
  ready(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

const CHAIN_ID = 42_161
const CONFIRMATIONS = 3
const NODES = 3
const BLOCK_SECONDS = 1
const POLL_MS = 100
/** Longer than any fault: a wallet waits for a stopped node. */
const NODE_TIMEOUT_MS = 120_000
const RESTART_MS = 500
const DISK_SIZE = '700m'
const MAX_CONNECTIONS = '80'
const POOL_SIZE = '12'

/**
 * Starts PostgreSQL, a chain and the product's processes, with a proxy before each part that can fail. Signs
 * up members and gives them money.
 */
export async function startProduct(memberCount: number): Promise<Product> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-chaos-'))
  const stopped = new AbortController()
  const stops: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  const close = async () => {
    stopped.abort()
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const disk = mountDisk(join(dir, 'disk'))
    if (disk !== null) stops.push(async () => spawnSync('umount', ['--lazy', disk]))
    const postgres = await keepPostgres(disk ?? dir)
    stops.push(postgres.stop)
    const { database } = postgres
    const anvil = await startAnvil({ logFile: join(dir, 'anvil.log') })
    stops.push(anvil.stop)
    const nodes = await Promise.all(Array.from({ length: NODES }, () => startRpcProxy(anvil.rpcUrl)))
    stops.push(...nodes.map((node) => node.close))

    const keys = generateOperatorKeys()
    const usdt = await deployToken(anvil)
    const contracts = await deployContracts(anvil, keys, { usdt, usdtDecimals: 18 })
    const wallets = Array.from({ length: memberCount + 1 }, () => privateKeyToAccount(generatePrivateKey()))
    for (const { address } of wallets) await giveMoney(anvil, contracts, address)
    await migrate({ url: postgres.urls().owner })
    const [root, ...members] = wallets
    // No withdrawal of the load needs an approval.
    const approver = privateKeyToAddress(generatePrivateKey())
    const people = { root: root!.address, approver }
    const inviteCode = await prepareBooks(postgres.urls().app, anvil, { contracts, ...people })
    await anvil.rpc('evm_setAutomine', [false])
    await anvil.rpc('evm_setIntervalMining', [BLOCK_SECONDS])

    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const databaseUrl = proxied(postgres.urls().app, database.port)
    const settings = {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: address,
      DATA_DIR: dir,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      // A fault stops the process that serves requests.
      RPC_URL: nodes.map(({ url }) => url).join(','),
      CONFIRMATIONS: String(CONFIRMATIONS),
      CONTRACTS: contractsSetting(contracts),
      ROOT_ADDRESS: root!.address,
      SOLVENCY_SALT_KEY: randomBytes(32).toString('hex'),
      OPERATOR,
      RATE_LIMITS: JSON.stringify({ address: 100_000, member: 100_000, sign_in: 100_000 }),
    }
    const keyFiles = await writeKeys(dir, keys, approver)
    const { DATABASE_URL: _, ...withoutDatabase } = settings
    const signerSettings = {
      ...withoutDatabase,
      ...keyFiles.settings,
      SIGNER_DATABASE_URL: proxied(postgres.urls().read, database.port),
      SIGNER_RPC_URL: settings.RPC_URL,
    }
    const programs = createPrograms(
      dir,
      (kind) => (kind === 'sign' ? signerSettings : settings),
      keyFiles.passphraseFile,
    )
    stops.push(programs.stop)
    programs.start()

    const calls: Call[] = []
    const client = createPublicClient({
      chain: arbitrum,
      transport: http(anvil.rpcUrl, { timeout: NODE_TIMEOUT_MS }),
    })
    const sendRaw = (raw: Hex) => anvil.rpc<Hex>('eth_sendRawTransaction', [raw])
    const trace = async (hash: Hex) => {
      const call = await anvil.rpc<{ error?: string; output?: Hex }>('debug_traceTransaction', [
        hash,
        { tracer: 'callTracer' },
      ])
      return `${call.error}, ${call.output}`
    }
    const browsers = members.map((account) =>
      createBrowser({ address, account, client, sendRaw, trace, calls, stopped: stopped.signal }),
    )
    async function ready(timeoutMs: number): Promise<void> {
      const deadline = Date.now() + timeoutMs
      for (;;) {
        const text = await fetch(`${address}/status`, { signal: AbortSignal.timeout(5000) }).then(
          (answer) => answer.text(),
          () => 'no answer',
        )
        if (text.startsWith('{"ok":true')) return
        if (Date.now() > deadline) throw new Error(`not ready: ${text}`)
        await sleep(POLL_MS)
      }
    }
    await ready(60_000)
    for (const browser of browsers) await browser.signIn(inviteCode)
    const { owner, app } = postgres.urls()
    const addresses = members.map((member) => member.address)
    await inSimulation(owner, () => giveBalances(app, anvil, contracts, addresses))
    const publisher = privateKeyToAccount(keys.publisher).address
    await anvil.rpc('anvil_setBalance', [publisher, numberToHex(parseEther('1'))])
    return {
      publisher,
      dir,
      disk,
      address,
      programs,
      nodes,
      anvil,
      database,
      postgres,
      browsers,
      calls,
      ready,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Writes the signer's keys to keystore files, and their passphrase to a file. */
async function writeKeys(dir: string, { claimSigner, quoteSigner, publisher }: Keys, approver: Address) {
  const passphrase = randomBytes(16).toString('hex')
  const passphraseFile = join(dir, 'passphrase')
  await writeFile(passphraseFile, passphrase, { mode: 0o600 })
  const pathOf = (name: string) => join(dir, `${name}.json`)
  const cheap = { scryptN: 4_096 }
  await writeKeystore(pathOf('claim'), passphrase, { privateKey: claimSigner, ...cheap })
  await writeKeystore(pathOf('quote'), passphrase, { privateKey: quoteSigner, ...cheap })
  await writeKeystore(pathOf('publisher'), passphrase, { privateKey: publisher, ...cheap })
  const sources = {
    PUBLISHER_KEY_SOURCE: `keystore:${pathOf('publisher')}`,
    CLAIM_KEY_SOURCE: `keystore:${pathOf('claim')}`,
    QUOTE_KEY_SOURCE: `keystore:${pathOf('quote')}`,
    SIGNER_APPROVERS: `Nobody=${approver}`,
  }
  return { settings: { ...sources, KEY_SECRETS_FD: '3' }, passphraseFile }
}

/** Mounts a small disk. Returns null if this user may not. */
function mountDisk(path: string): string | null {
  mkdirSync(path, { mode: 0o755 })
  chmodSync(dirname(path), 0o755)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=755`, 'tmpfs', path])
  return status === 0 ? path : null
}

/** Runs PostgreSQL behind a proxy, and restarts it when it ends, as a service manager does. */
async function keepPostgres(dataDir: string) {
  const start = () => startPostgres({ dataDir, settings: { max_connections: MAX_CONNECTIONS } })
  let server = await start()
  let isStopping = false
  const database = await startTcpProxy(portOf(server))

  async function restart(): Promise<void> {
    await server.exited
    while (!isStopping) {
      try {
        server = await start()
        database.setTarget(portOf(server))
        void restart()
        return
      } catch {
        await sleep(RESTART_MS)
      }
    }
  }
  void restart()
  return {
    database,
    urls: () => server.urls,
    pid: () => server.pid,
    async stop() {
      isStopping = true
      await server.stop()
      await database.close()
    },
  }
}

const portOf = ({ urls }: LocalPostgres) => Number(new URL(urls.app).port)

function proxied(url: string, port: number): string {
  const address = new URL(url)
  address.port = String(port)
  return address.href
}

type Contracts = Awaited<ReturnType<typeof deployContracts>>
type Keys = ReturnType<typeof generateOperatorKeys>

/**
 * Deploys a token in place of USDT, because the product refuses the test USDT on a chain that it did not
 * start.
 */
async function deployToken(anvil: Anvil): Promise<Address> {
  const [account] = await anvil.rpc<[Address]>('eth_accounts')
  const wallet = createWalletClient({
    account,
    chain: arbitrum,
    transport: http(anvil.rpcUrl, { timeout: NODE_TIMEOUT_MS }),
  })
  const client = createPublicClient({
    chain: arbitrum,
    transport: http(anvil.rpcUrl, { timeout: NODE_TIMEOUT_MS }),
    pollingInterval: 20,
  })
  const args = [account, parseEther('1000000000')] as const
  const hash = await wallet.deployContract({ abi: amcTokenAbi, bytecode: amcTokenBytecode.bytecode, args })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, checkReplacement: false })
  return contractAddress!
}

async function giveMoney(anvil: Anvil, { usdt, amc }: Contracts, to: Address): Promise<void> {
  await anvil.rpc('anvil_setBalance', [to, numberToHex(parseEther('10'))])
  for (const token of [usdt, amc]) await pay(anvil, token, to, parseEther('100000'))
}

async function pay(anvil: Anvil, token: Address, to: Address, units: bigint): Promise<void> {
  const [from] = await anvil.rpc<[Address]>('eth_accounts')
  const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'transfer', args: [to, units] })
  const hash = await anvil.rpc('eth_sendTransaction', [{ from, to: token, data }])
  while ((await anvil.rpc('eth_getTransactionReceipt', [hash])) === null) await sleep(POLL_MS)
}

async function servicesOn(url: string, anvil: Anvil, contracts: Contracts) {
  const database = createDatabase({ url, max: 2, applicationName: 'rif-chaos' })
  const chain = await connectChain({ rpcUrls: [anvil.rpcUrl], chainId: CHAIN_ID, contracts })
  const services = createServices({
    db: database.db,
    now: () => new Date(),
    chain,
    log: createLogger({ level: 'silent' }),
    settings: {
      version: 'chaos',
      publicUrl: 'http://localhost',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: CONFIRMATIONS,
      demoWallets: null,
      signer: NO_SIGNER,
    },
  })
  return { services, close: database.close }
}

/** Creates the plan, the prices and the root member. Returns the root's invitation code. */
async function prepareBooks(
  url: string,
  anvil: Anvil,
  { root, approver, contracts }: { contracts: Contracts; root: Address; approver: Address },
): Promise<string> {
  const { services, close } = await servicesOn(url, anvil, contracts)
  const { db, plans, pricing, members, admins } = services
  try {
    await plans.ensureDefault(db)
    for (const [asset, priceMicros] of [
      ['AMC', 500_000n],
      ['RIF', 2_500_000n],
    ] as const) {
      await inTx(db, (dbTx) => pricing.publish(dbTx, { asset, priceMicros, actor: 'chaos' }))
    }
    const person = { new_name: 'Nobody' }
    await inTx(db, (dbTx) =>
      admins.set(dbTx, { address: approver, role: 'approver', person, actor: 'chaos' }),
    )
    return (await inTx(db, (dbTx) => members.createRoot(dbTx, root))).inviteCode
  } finally {
    await close()
  }
}

/** Gives each member 1,000 USDT in the books, and the bank the tokens for them. */
async function giveBalances(
  url: string,
  anvil: Anvil,
  contracts: Contracts,
  members: readonly Address[],
): Promise<void> {
  const { services, close } = await servicesOn(url, anvil, contracts)
  const { db, ledger, now } = services
  try {
    await pay(anvil, contracts.usdt, contracts.bank, parseEther(String(1000 * members.length)))
    // The books must not exceed the chain, or the guard blocks money.
    await sleep((CONFIRMATIONS + 3) * BLOCK_SECONDS * 1_000)
    for (const address of members) {
      const { memberId } = (await services.members.findByAddress(db, address))!
      const at = now()
      await ledger.post(db, {
        key: `chaos/${address}`,
        kind: 'grant',
        cause: { type: 'chaos', id: '1' },
        at,
        accountingDay: at.toISOString().slice(0, 10),
        lines: [
          {
            memberId,
            asset: 'USDT',
            source: 'external',
            destination: 'available',
            amountMicros: 1_000_000_000n,
          },
        ],
      })
    }
  } finally {
    await close()
  }
}
