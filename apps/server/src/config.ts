import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isWalletAddress, type Operator } from '@rif/rules'
import { type Hex, isAddressEqual } from 'viem'
import type { AlarmSettings } from './alarms/channels.ts'
import { type ContractAddresses, ownContracts } from './chain/banks.ts'
import { StartError } from './lib/start-error.ts'
import { developmentAccounts } from './local/development-keys.ts'
import type { PriceSettings } from './modules/desk/price-intake/price-intake.service.ts'
import type { NoticeSettings } from './modules/messages/notices/notices.ts'
import type { BrowserChain } from './plugins/bank-facts.ts'
import type { TrustedProxies } from './plugins/forwarded.ts'
import { LOCAL_CONFIRMATIONS, parseSettings, REMOTE_CONFIRMATIONS, type Settings } from './settings.ts'
import type { SignerAccess } from './signer/protocol.ts'

/** The project's folder, at the same depth above src/ and dist/. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A chain that the product does not run itself, with the contracts on it. */
export type RemoteChain = {
  readonly rpcUrls: readonly string[]
  readonly browserRpcUrl: string
  readonly explorerUrl: string
  readonly startBlock: bigint
  /** The block in which the bank that takes orders was deployed. */
  readonly bankStartBlock: bigint
  readonly contracts: ContractAddresses
}

/** The relay between the app and wallets on other devices. Both are public. */
export interface WalletConnectSettings {
  readonly projectId: string
  readonly relayUrl: string
}

export type Config = {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Undefined if the operator has not decided. */
  readonly trustProxy: TrustedProxies | undefined
  /** The header in which the proxy states the country of a request. */
  readonly countryHeader: string | undefined
  readonly dataDir: string
  /** Undefined for the PostgreSQL that the product starts itself. */
  readonly databaseUrl: string | undefined
  /** The same database with its owner's login. */
  readonly migrationDatabaseUrl: string | undefined
  /** The same database with a read-only login, for `rif sign`. */
  readonly signerDatabaseUrl: string | undefined
  /** A replica of the database, for audits. */
  readonly replicaUrl: string | undefined
  readonly databasePoolSize: number
  /** The connections of all processes of the product together; undefined for what the database allows. */
  readonly databaseConnections: number | undefined
  /** True if the settings fix the size of the pool. */
  readonly hasPoolSize: boolean
  /** Undefined for the chain that the product starts itself. */
  readonly remoteChain: RemoteChain | undefined
  /** The process that holds the claim and quote keys. */
  readonly signer: SignerAccess
  /** True if `rif start` also starts that process: on the local chain, or if key sources are configured. */
  readonly startsSigner: boolean
  readonly confirmations: number
  /** Undefined if WalletConnect is disabled. */
  readonly walletConnect: WalletConnectSettings | undefined
  /** The wallet of the root member. Always set with a remote chain. */
  readonly rootAddress: Hex | undefined
  /** The wallets of the first owners. */
  readonly ownerAddresses: readonly Hex[]
  /** True adds the demonstration team; always false with a remote chain. */
  readonly demoTeam: boolean
  /**
   * The days of history that a first start generates on its own database and chain; 0 for the short
   * demonstration.
   */
  readonly demoDays: number
  /** True if an old solvency report closes the gate. */
  readonly needsSnapshots: boolean
  readonly rateLimits: { readonly perIp: number; readonly perMember: number; readonly signInPerIp: number }
  /** The key of the salts of solvency reports; undefined for a file in DATA_DIR on the local chain. */
  readonly saltKey: Uint8Array | undefined
  /** The limits of the connections of clients to an API process. */
  readonly clients: { readonly most: number; readonly idleMs: number }
  readonly metricsToken: string | undefined
  /** The key of the secrets of webhooks; undefined for a file in DATA_DIR on the local chain. */
  readonly webhookKey: Uint8Array | undefined
  /** The price feeds and oracles. */
  readonly prices: PriceSettings
  /** The destinations of the alarms, besides the log. */
  readonly alarms: AlarmSettings
  /** Settings of the notices sent to members outside the app. */
  readonly notices: NoticeSettings
  /** Internal hosts that requests to external addresses may reach. */
  readonly localHosts: readonly string[]
  /** The operator; undefined in a demonstration. Always set with a remote chain. */
  readonly operator: Operator | undefined
  /** The contact for members: an e-mail address or an https address. */
  readonly supportContact: string | undefined
  /** Undefined for the default of the command. */
  readonly logLevel: string | undefined
}

const DEV_KEYS_CHECKED = 100
const DEFAULT_POOL_SIZE = 20
const DEFAULT_JUMP_PERCENT = 10

/** Returns the configuration in the environment variables. Throws StartError as `parseSettings` does. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const settings = parseSettings(env)
  const remoteChain = readRemoteChain(settings)
  const port = settings.PORT ?? 8080
  return {
    host: settings.HOST ?? 'localhost',
    port,
    publicUrl: new URL(settings.PUBLIC_URL ?? `http://localhost:${port}`).origin,
    trustProxy: settings.TRUST_PROXY,
    countryHeader: countryHeaderOf(settings),
    dataDir: dataDirOf(settings),
    databaseUrl: settings.DATABASE_URL,
    migrationDatabaseUrl: settings.MIGRATION_DATABASE_URL,
    signerDatabaseUrl: settings.SIGNER_DATABASE_URL,
    replicaUrl: settings.DATABASE_REPLICA_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE ?? DEFAULT_POOL_SIZE,
    databaseConnections: settings.DATABASE_CONNECTIONS,
    hasPoolSize: settings.DATABASE_POOL_SIZE !== undefined,
    remoteChain,
    signer: signerAccess(settings),
    startsSigner: remoteChain === undefined || settings.CLAIM_KEY_SOURCE !== undefined,
    confirmations: settings.CONFIRMATIONS ?? (remoteChain ? REMOTE_CONFIRMATIONS : LOCAL_CONFIRMATIONS),
    walletConnect: walletConnectOf(settings),
    rootAddress: settings.ROOT_ADDRESS,
    ownerAddresses: settings.OWNER_ADDRESSES ?? [],
    demoTeam: remoteChain === undefined && settings.DEMO_DAYS !== 'none',
    demoDays: settings.DEMO_DAYS === 'none' ? 0 : (settings.DEMO_DAYS ?? 0),
    needsSnapshots: remoteChain !== undefined || (settings.SNAPSHOTS_REQUIRED ?? false),
    rateLimits: {
      perIp: settings.RATE_LIMITS?.address ?? 600,
      perMember: settings.RATE_LIMITS?.member ?? 300,
      signInPerIp: settings.RATE_LIMITS?.sign_in ?? 30,
    },
    saltKey: settings.SOLVENCY_SALT_KEY ? Buffer.from(settings.SOLVENCY_SALT_KEY, 'hex') : undefined,
    clients: {
      most: settings.HTTP_CONNECTIONS ?? 20_000,
      idleMs: (settings.KEEP_ALIVE_SECONDS ?? 72) * 1_000,
    },
    metricsToken: settings.METRICS_TOKEN,
    webhookKey: settings.WEBHOOK_KEY ? Buffer.from(settings.WEBHOOK_KEY, 'hex') : undefined,
    prices: pricesOf(settings),
    alarms: { webhook: settings.ALARM_WEBHOOK, email: alarmMailOf(settings) },
    notices: noticesOf(settings, remoteChain !== undefined),
    localHosts: settings.OUTGOING_LOCAL_HOSTS ?? [],
    operator: operatorOf(settings),
    supportContact: settings.OPERATOR?.contact,
    logLevel: settings.LOG_LEVEL,
  }
}

const PPM_PER_PERCENT = 10_000

function pricesOf({ PRICES }: Settings): PriceSettings {
  const { feeds = [], oracles = [], sequencer = null, jump_percent = DEFAULT_JUMP_PERCENT } = PRICES ?? {}
  return { feeds, oracles, sequencer, jumpPpm: jump_percent * PPM_PER_PERCENT }
}

/** Returns the operator that the terms name; undefined without one. */
function operatorOf({ OPERATOR }: Settings): Operator | undefined {
  if (OPERATOR === undefined) return undefined
  const { name, address, law, venue } = OPERATOR
  return { name, address, law, venue }
}

function walletConnectOf({ WALLETCONNECT }: Settings): WalletConnectSettings | undefined {
  if (WALLETCONNECT === undefined) return undefined
  const { project_id: projectId, relay_url: relayUrl = 'wss://relay.walletconnect.com' } = WALLETCONNECT
  return { projectId, relayUrl }
}

function alarmMailOf({ MAIL }: Settings): AlarmSettings['email'] {
  return MAIL?.alarms && { smtpUrl: MAIL.server, from: MAIL.alarms.from, to: MAIL.alarms.to }
}

/** Returns the settings of members' notices. Throws StartError for mails without the key of their addresses on a real chain. */
function noticesOf({ MAIL, NOTICES_KEY: key, VAPID }: Settings, isRemote: boolean): NoticeSettings {
  if (MAIL?.notices !== undefined && isRemote && key === undefined)
    throw new StartError('MAIL.notices needs NOTICES_KEY')
  return {
    ...(key !== undefined && { key: Buffer.from(key, 'hex') }),
    ...(MAIL?.notices && { mail: { smtpUrl: MAIL.server, from: MAIL.notices.from } }),
    ...(VAPID && { push: { privateKey: VAPID.private_key, subject: VAPID.subject } }),
  }
}

/**
 * Returns the header with the country of a request. Throws StartError without a trusted proxy, because
 * anybody could set it.
 */
function countryHeaderOf({ COUNTRY_HEADER, TRUST_PROXY }: Settings): string | undefined {
  if (COUNTRY_HEADER !== undefined && !TRUST_PROXY)
    throw new StartError('COUNTRY_HEADER needs TRUST_PROXY, and a proxy that sets the header itself')
  return COUNTRY_HEADER
}

/**
 * Throws StartError for a process that would serve a public address with https without a decision about proxies: something in front
 * ends TLS, and while it is not named all members share its limit of calls.
 */
export function refuseUndecidedProxy({ publicUrl, trustProxy }: Config): void {
  if (trustProxy === undefined && publicUrl.startsWith('https:'))
    throw new StartError(
      'PUBLIC_URL is https, so a proxy is in front: set TRUST_PROXY to the number of proxies or to their addresses, or to false',
    )
}

/** Returns the settings about the chain that browsers use; on the product's own chain its relay is their node. */
export function browserChainOf({
  remoteChain,
  publicUrl,
  confirmations,
  walletConnect,
}: Pick<Config, 'remoteChain' | 'publicUrl' | 'confirmations' | 'walletConnect'>): BrowserChain {
  return {
    browserRpcUrl: remoteChain?.browserRpcUrl ?? `${publicUrl}/rpc`,
    confirmations,
    walletConnect,
    explorerUrl: remoteChain?.explorerUrl ?? null,
  }
}

/** Returns the folder of the local data. */
export function dataDirOf(settings: Settings): string {
  return resolve(settings.DATA_DIR ?? join(PROJECT_ROOT, '.data'))
}

/** Returns the address of `rif sign`. Throws StartError for a port without a secret. */
export function signerAccess(settings: Settings): SignerAccess {
  const url = settings.SIGNER_URL ?? `unix:${join(dataDirOf(settings), 'signer.sock')}`
  if (url.startsWith('http:') && (settings.SIGNER_SECRET === undefined || new URL(url).port === ''))
    throw new StartError('a SIGNER_URL of http:// needs a port, and SIGNER_SECRET')
  return { url, secret: settings.SIGNER_SECRET }
}

function readRemoteChain(settings: Settings): RemoteChain | undefined {
  const { RPC_URL, CONTRACTS, ROOT_ADDRESS, OPERATOR } = settings
  if (!RPC_URL) {
    if (CONTRACTS !== undefined) throw new StartError('CONTRACTS can be set only together with RPC_URL')
    return undefined
  }
  if (CONTRACTS === undefined || ROOT_ADDRESS === undefined || OPERATOR === undefined) {
    const missing = Object.entries({ CONTRACTS, ROOT_ADDRESS, OPERATOR }).filter(
      ([, set]) => set === undefined,
    )
    throw new StartError(`RPC_URL is set, so these must be too: ${missing.map(([name]) => name).join(', ')}`)
  }
  const wallets = {
    ROOT_ADDRESS,
    ...Object.fromEntries(
      (settings.OWNER_ADDRESSES ?? []).map((owner, index) => [`OWNER_ADDRESSES (${index + 1})`, owner]),
    ),
  }
  refuseDevelopmentKeys(wallets)
  refuseContracts(wallets, ownContracts(CONTRACTS.addresses))
  return {
    rpcUrls: RPC_URL,
    browserRpcUrl: settings.BROWSER_RPC_URL ?? 'https://arb1.arbitrum.io/rpc',
    explorerUrl: settings.EXPLORER_URL ?? 'https://arbiscan.io',
    startBlock: CONTRACTS.startBlock,
    bankStartBlock: CONTRACTS.bankStartBlock,
    contracts: CONTRACTS.addresses,
  }
}

/** Refuses a contract of the product as the wallet of a person. Throws StartError. */
export function refuseContracts(wallets: Readonly<Record<string, Hex>>, contracts: readonly string[]): void {
  for (const [setting, address] of Object.entries(wallets))
    if (!isWalletAddress(address, contracts))
      throw new StartError(`${setting} is a contract of the product, which is nobody's wallet`)
}

/** Refuses addresses of the development phrase, whose keys are public. Throws StartError. */
export function refuseDevelopmentKeys(addresses: Readonly<Record<string, Hex>>): void {
  const accounts = developmentAccounts(DEV_KEYS_CHECKED)
  for (const [setting, address] of Object.entries(addresses)) {
    if (accounts.some((account) => isAddressEqual(account.address, address)))
      throw new StartError(`${setting} is a well-known development key: it works only on the local chain`)
  }
}
