import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Hex, isAddressEqual } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ContractAddresses } from './chain/client.ts'
import { StartError } from './lib/start-error.ts'
import { developmentAccounts } from './local/development-keys.ts'
import { LOCAL_CONFIRMATIONS, parseSettings, REMOTE_CONFIRMATIONS, type Settings } from './settings.ts'

/** The project's folder, as many steps up from src/ as from dist/. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A chain that the product does not run itself, with the contracts on it. */
export type RemoteChain = {
  readonly rpcUrls: readonly string[]
  readonly browserRpcUrl: string
  readonly explorerUrl: string
  readonly startBlock: bigint
  readonly contracts: ContractAddresses
  readonly quoteSignerKey: Hex
  readonly claimSignerKey: Hex
}

export type Config = {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly trustProxy: boolean
  readonly dataDir: string
  /** Undefined for the PostgreSQL that the product starts itself. */
  readonly databaseUrl: string | undefined
  /** The same database with its owner's login. */
  readonly migrationDatabaseUrl: string | undefined
  readonly databasePoolSize: number
  /** Undefined for the chain that the product starts itself. */
  readonly remoteChain: RemoteChain | undefined
  readonly confirmations: number
  /** The wallet of the root member. Always set with a remote chain. */
  readonly rootAddress: Hex | undefined
  /** The wallets of the first owners. */
  readonly ownerAddresses: readonly Hex[]
  /** True adds the demonstration team; always false with a remote chain. */
  readonly demoTeam: boolean
  readonly rateLimits: { readonly perIp: number; readonly perMember: number; readonly signInPerIp: number }
  readonly metricsToken: string | undefined
  /** Undefined for the default of the command. */
  readonly logLevel: string | undefined
}

const DEV_KEYS_CHECKED = 100

const REMOTE_ONLY = [
  'BANK_ADDRESS',
  'TRANSFER_ADDRESS',
  'USDT_ADDRESS',
  'AMC_ADDRESS',
  'START_BLOCK',
  'QUOTE_SIGNER_KEY',
  'CLAIM_SIGNER_KEY',
] as const

/** Returns the configuration that the environment variables describe. Throws StartError as `parseSettings` does. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const settings = parseSettings(env)
  const remoteChain = readRemoteChain(settings)
  const port = settings.PORT ?? 8080
  return {
    host: settings.HOST ?? 'localhost',
    port,
    publicUrl: new URL(settings.PUBLIC_URL ?? `http://localhost:${port}`).origin,
    trustProxy: settings.TRUST_PROXY ?? false,
    dataDir: resolve(settings.DATA_DIR ?? join(PROJECT_ROOT, '.data')),
    databaseUrl: settings.DATABASE_URL,
    migrationDatabaseUrl: settings.MIGRATION_DATABASE_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE ?? 20,
    remoteChain,
    confirmations: settings.CONFIRMATIONS ?? (remoteChain ? REMOTE_CONFIRMATIONS : LOCAL_CONFIRMATIONS),
    rootAddress: settings.ROOT_ADDRESS,
    ownerAddresses: settings.OWNER_ADDRESSES ?? [],
    demoTeam: remoteChain === undefined && (settings.DEMO_TEAM ?? true),
    rateLimits: {
      perIp: settings.RATE_LIMIT_PER_IP ?? 600,
      perMember: settings.RATE_LIMIT_PER_MEMBER ?? 300,
      signInPerIp: settings.RATE_LIMIT_SIGN_IN ?? 30,
    },
    metricsToken: settings.METRICS_TOKEN,
    logLevel: settings.LOG_LEVEL,
  }
}

function readRemoteChain(settings: Settings): RemoteChain | undefined {
  if (!settings.RPC_URL) {
    const given = REMOTE_ONLY.filter((name) => settings[name] !== undefined)
    if (given.length > 0) throw new StartError(`${given.join(', ')} can be set only together with RPC_URL`)
    return undefined
  }
  const missing = [...REMOTE_ONLY, 'ROOT_ADDRESS' as const].filter((name) => settings[name] === undefined)
  if (missing.length > 0) throw new StartError(`RPC_URL is set, so these must be too: ${missing.join(', ')}`)
  const given = settings as Required<Settings>
  refuseDevelopmentKeys({
    QUOTE_SIGNER_KEY: privateKeyToAddress(given.QUOTE_SIGNER_KEY as Hex),
    CLAIM_SIGNER_KEY: privateKeyToAddress(given.CLAIM_SIGNER_KEY as Hex),
    ROOT_ADDRESS: given.ROOT_ADDRESS as Hex,
    ...Object.fromEntries(
      (settings.OWNER_ADDRESSES ?? []).map((owner, index) => [`OWNER_ADDRESSES (${index + 1})`, owner]),
    ),
  })
  return {
    rpcUrls: settings.RPC_URL,
    browserRpcUrl: settings.BROWSER_RPC_URL ?? 'https://arb1.arbitrum.io/rpc',
    explorerUrl: settings.EXPLORER_URL ?? 'https://arbiscan.io',
    startBlock: given.START_BLOCK as bigint,
    contracts: {
      bank: given.BANK_ADDRESS as Hex,
      transfer: given.TRANSFER_ADDRESS as Hex,
      usdt: given.USDT_ADDRESS as Hex,
      amc: given.AMC_ADDRESS as Hex,
    },
    quoteSignerKey: given.QUOTE_SIGNER_KEY as Hex,
    claimSignerKey: given.CLAIM_SIGNER_KEY as Hex,
  }
}

/** Refuses addresses of the development phrase, whose keys are public. */
function refuseDevelopmentKeys(addresses: Readonly<Record<string, Hex>>): void {
  const known = developmentAccounts(DEV_KEYS_CHECKED)
  for (const [setting, address] of Object.entries(addresses)) {
    if (known.some((account) => isAddressEqual(account.address, address)))
      throw new StartError(`${setting} is a well-known development key: it works only on the local chain`)
  }
}
