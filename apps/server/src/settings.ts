import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { MIN_CONNECTIONS } from './db/lanes.ts'
import * as json from './json-settings.ts'
import { StartError } from './lib/start-error.ts'
import * as value from './setting-values.ts'

/** The chain id of Arbitrum One, the only chain that the product supports. */
export const CHAIN_ID = 42161

export const LOCAL_CONFIRMATIONS = 3
export const REMOTE_CONFIRMATIONS = 20

type Setting = {
  readonly schema: z.ZodType
  /** The default value, for the documentation. */
  readonly fallback: string
  readonly about: string
  /** True for a value that nobody may see: the name with `_FILE` may name a file with it. */
  readonly isSecret?: true
  /** True for an object in JSON, whose schema checks the parsed value: the name with `_FILE` may name a file with it. */
  readonly isJson?: true
}

/** Every setting of the product. A test compares this table with the one in `docs/operations/settings.md`. */
export const SETTINGS = {
  PORT: { schema: value.integer(1, 65_535), fallback: '8080', about: 'Port of the API and the app.' },
  HOST: {
    schema: value.hostName,
    fallback: 'localhost',
    about: 'Listening address: `localhost` (this machine only) or `0.0.0.0` (every network).',
  },
  PUBLIC_URL: {
    schema: value.origin,
    fallback: '`http://localhost:PORT`',
    about: 'The address in the browser. Sign-in messages are bound to it.',
  },
  TRUST_PROXY: {
    schema: value.proxies,
    fallback: 'undecided: no proxy',
    about:
      '[Proxies](#a-proxy) in front: `false`, their number (`true`: 1), or their addresses (`10.0.0.7,10.1.0.0/16`).',
  },
  COUNTRY_HEADER: {
    schema: value.headerName,
    fallback: 'none: countries are not known',
    about:
      'With TRUST_PROXY: the header in which the proxy states the country of a request (ISO 3166-1 alpha-2).',
  },
  KEEP_ALIVE_SECONDS: {
    schema: value.integer(1, 3_600),
    fallback: '72',
    about:
      'Time for which an idle connection of a client stays open: longer than [the proxy](#a-proxy) keeps it.',
  },
  HTTP_CONNECTIONS: {
    schema: value.integer(100, 1_000_000),
    fallback: '20000',
    about: 'Maximum number of open connections of clients per API process; further ones are closed at once.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    fallback: '`.data` in the project folder',
    about: 'Folder of the local database and the local chain.',
  },
  DATABASE_URL: {
    schema: value.databaseUrl,
    fallback: 'its own PostgreSQL in DATA_DIR',
    about: "PostgreSQL 15 or later, with the application's login. Secret. No pooler in transaction mode.",
    isSecret: true,
  },
  MIGRATION_DATABASE_URL: {
    schema: value.databaseUrl,
    fallback: '-',
    about: 'The same database with the login of its owner, for migrations. Secret.',
    isSecret: true,
  },
  DATABASE_POOL_SIZE: {
    schema: value.integer(MIN_CONNECTIONS, 1000),
    fallback: 'by the budget: up to 20',
    about:
      "Connections in the database pool of each process. See [the product's connections](#database-connections).",
  },
  DATABASE_CONNECTIONS: {
    schema: value.integer(MIN_CONNECTIONS, 10_000),
    fallback: 'what the database allows, less 10',
    about: 'Connections of all processes together, the same for all: the [budget](#database-connections).',
  },
  DATABASE_REPLICA_URL: {
    schema: value.databaseUrl,
    fallback: 'DATABASE_URL',
    about: 'A streaming replica of the database, which the [audits](runbooks.md#the-guard) read. Secret.',
    isSecret: true,
  },
  RPC_URL: {
    schema: value.urls('http:', 'https:'),
    fallback: 'its own Anvil in DATA_DIR',
    about:
      '[Chain nodes](#chain-nodes), separated by commas. Secret if one has a key. Need all blocks of the contracts.',
    isSecret: true,
  },
  CONTRACTS: {
    schema: json.contracts,
    fallback: '-',
    about:
      'The [contracts](#settings-in-json). `rif deploy` writes the file. Their code is checked at start.',
    isJson: true,
  },
  ROOT_ADDRESS: {
    schema: value.address,
    fallback: 'a demo wallet',
    about: 'Wallet of the first member; used once, when the database is empty.',
  },
  OWNER_ADDRESSES: {
    schema: value.addresses,
    fallback: 'none; demo wallets on the local chain',
    about: 'Wallets of the first owners, separated by commas. See [Admins](daily.md#admins-and-approvals).',
  },
  SIGNER_URL: {
    schema: value.signerUrl,
    fallback: '`unix:DATA_DIR/signer.sock`',
    about: 'Where `rif sign` listens: a Unix socket, or `http://host:port`, which needs SIGNER_SECRET.',
  },
  SIGNER_SECRET: {
    schema: z.string().min(32, 'at least 32 characters'),
    fallback: 'none; a socket needs none',
    about: 'Bearer token of at least 32 characters between the other processes and `rif sign`. Secret.',
    isSecret: true,
  },
  SIGNER_DATABASE_URL: {
    schema: value.databaseUrl,
    fallback: '-',
    about: '`rif sign` only: the database with a login that can only read. Secret.',
    isSecret: true,
  },
  CLAIM_KEY_SOURCE: {
    schema: value.keySource,
    fallback: '-; DATA_DIR on the local chain',
    about: '`rif sign` only: `keystore:FILE` or `pkcs11:token=LABEL;object=LABEL` of the claim key.',
  },
  QUOTE_KEY_SOURCE: {
    schema: value.keySource,
    fallback: '-; DATA_DIR on the local chain',
    about: '`rif sign` only: the same for the quote key.',
  },
  PUBLISHER_KEY_SOURCE: {
    schema: value.keySource,
    fallback: '-; DATA_DIR on the local chain',
    about: '`rif sign` only: the same for the key that publishes reports.',
  },
  PKCS11_MODULE: {
    schema: value.absolutePath,
    fallback: '-',
    about: '`rif sign` only: the PKCS#11 library of the token.',
  },
  KEY_SECRETS_FD: {
    schema: value.integer(3, 255),
    fallback: 'a prompt on the terminal',
    about: '`rif sign` only: file descriptor with the passphrases or PINs, claim key first, a line each.',
  },
  SIGNER_LOG: {
    schema: value.absolutePath,
    fallback: 'in `signer/` of DATA_DIR',
    about: '`rif sign` only: the file of all its decisions.',
  },
  SIGNER_LIMITS: {
    schema: json.signerLimits,
    fallback: '[these](#settings-in-json)',
    about: '`rif sign` only: what it signs at most, and above which amounts others must have signed.',
    isJson: true,
  },
  SIGNER_APPROVERS: {
    schema: value.approvers,
    fallback: '-; demo wallets on the local chain',
    about: '`rif sign` only: who approves withdrawals, as `Vera=0x...,Otto=0x...`.',
  },
  SIGNER_RPC_URL: {
    schema: value.urls('http:', 'https:'),
    fallback: '-; RPC_URL when `npm start` starts it',
    about: '`rif sign` only: its nodes; most must agree on wallets and paid claims. Secret if one has a key.',
    isSecret: true,
  },
  SOLVENCY_SALT_KEY: {
    schema: value.hash,
    fallback: '-; a file in DATA_DIR on the local chain',
    about: 'API and worker: the key of the salts in solvency reports; needed with RPC_URL. Secret.',
    isSecret: true,
  },
  CONFIRMATIONS: {
    schema: value.integer(1, 1000),
    fallback: `${REMOTE_CONFIRMATIONS}; ${LOCAL_CONFIRMATIONS} on the local chain`,
    about: 'Number of blocks, including its own, after which a transaction is final.',
  },
  BROWSER_RPC_URL: {
    schema: value.url('http:', 'https:'),
    fallback: '`https://arb1.arbitrum.io/rpc`; local: `/rpc`',
    about: 'RPC that the app gives to a wallet that does not know the chain. Public.',
  },
  EXPLORER_URL: {
    schema: value.url('https:'),
    fallback: '`https://arbiscan.io`; none on the local chain',
    about: 'Block explorer for links to transactions.',
  },
  WALLETCONNECT: {
    schema: json.walletConnect,
    fallback: 'off',
    about: 'Offers [WalletConnect](#walletconnect) beside the wallets of the browser. Public.',
    isJson: true,
  },
  DEMO_DAYS: {
    schema: value.demoDays,
    fallback: '90 with `npm start`, else 0',
    about:
      'Days of history of the [demonstration](install.md#the-demonstration): 0 for a short one, `none` for no team.',
  },
  SNAPSHOTS_REQUIRED: {
    schema: value.flag,
    fallback: 'false on the local chain; always true with RPC_URL',
    about: 'Whether an old solvency report closes the [gate](runbooks.md#the-guard).',
  },
  RATE_LIMITS: {
    schema: json.rateLimits,
    fallback: '[these](#settings-in-json)',
    about: 'Calls per minute of an address and of a member, and sign-ins, over all processes.',
    isJson: true,
  },
  METRICS_TOKEN: {
    schema: z.string().min(16, 'at least 16 characters'),
    fallback: 'none; `/metrics` is closed',
    about: 'Bearer token of at least 16 characters that opens `/metrics`. Secret.',
    isSecret: true,
  },
  WEBHOOK_KEY: {
    schema: value.hash,
    fallback: '-; a file in DATA_DIR on the local chain',
    about: 'API and worker: the key of the secrets of [webhooks](daily.md#webhooks). Secret.',
    isSecret: true,
  },
  PRICES: {
    schema: json.priceSources,
    fallback: 'none from outside',
    about: '[Price feeds](daily.md#prices-from-outside) with their secrets, and oracles. Secret.',
    isJson: true,
    isSecret: true,
  },
  ALARM_WEBHOOK: {
    schema: json.alarmWebhook,
    fallback: 'none',
    about: 'The address that receives the [alarms](runbooks.md#alarms), and the key that signs them. Secret.',
    isJson: true,
    isSecret: true,
  },
  MAIL: {
    schema: json.mail,
    fallback: 'none',
    about:
      'The mail server, and the addresses of [alarms](runbooks.md#alarms) and of [notices](daily.md#notices-to-members). Secret.',
    isJson: true,
    isSecret: true,
  },
  OUTGOING_LOCAL_HOSTS: {
    schema: value.localHosts,
    fallback: 'none',
    about: 'Internal hosts that notices and webhooks may reach, also without TLS, as `name:port`.',
  },
  NOTICES_KEY: {
    schema: value.hash,
    fallback: '-; a file in DATA_DIR on the local chain',
    about: "API and worker: the key of members' e-mail addresses and of links in mails. Secret.",
    isSecret: true,
  },
  VAPID: {
    schema: json.vapid,
    fallback: 'none; no pushes to members',
    about: 'API and worker: the key that signs pushes (RFC 8292), and how push services reach you. Secret.',
    isJson: true,
    isSecret: true,
  },
  OPERATOR: {
    schema: json.operator,
    fallback: 'the demonstration, run by nobody',
    about: 'Who operates the product, for the [terms](daily.md#terms) and the help. Needed with RPC_URL.',
    isJson: true,
  },
  LOG_LEVEL: {
    schema: z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'trace, debug, info, warn, error or silent',
    ),
    fallback: 'info; warn for `npm start`',
    about: 'Level of the JSON log lines on standard output.',
  },
} as const satisfies Record<string, Setting>

export type Settings = {
  [Name in keyof typeof SETTINGS]?: z.output<(typeof SETTINGS)[Name]['schema']> | undefined
}

/** Earlier settings that held private keys. No process takes a key from its environment. */
const REMOVED = ['QUOTE_SIGNER_KEY', 'CLAIM_SIGNER_KEY']

/** The settings whose values nobody may see. */
export const SECRET_SETTINGS = Object.entries<Setting>(SETTINGS).flatMap(([name, { isSecret }]) =>
  isSecret ? [name] : [],
)

/** The settings that a file may hold. */
const FILE_SETTINGS = Object.entries<Setting>(SETTINGS).flatMap(([name, { isSecret, isJson }]) =>
  isSecret || isJson ? [name] : [],
)

/** Returns the name of the variable that names a file with the value of a setting. */
export const fileOf = (name: string) => `${name}_FILE`

/**
 * Reads the settings from environment variables, and secret ones and JSON from the files that `<name>_FILE` names. An
 * empty one counts as not set. Throws StartError with one line that lists every invalid setting, or part of one, and the
 * values that it accepts, but never its value, which may be a key.
 */
export function parseSettings(env: NodeJS.ProcessEnv): Settings {
  const settings: Record<string, unknown> = {}
  const problems = REMOVED.filter((name) => env[name]?.trim()).map(
    (name) => `${name} is no setting: \`rif sign\` holds the keys, see ${name.split('_')[0]}_KEY_SOURCE`,
  )
  for (const [name, { schema, isJson }] of Object.entries<Setting>(SETTINGS)) {
    const { text, problem } = settingText(env, name)
    if (problem !== undefined) problems.push(problem)
    if (!text) continue
    if (isJson) {
      const parsed = json.parseJsonSetting(name, text, schema)
      settings[name] = parsed.value
      problems.push(...parsed.problems)
      continue
    }
    const result = schema.safeParse(text)
    if (result.success) settings[name] = result.data
    else problems.push(`${name} must be ${result.error.issues[0]?.message}`)
  }
  if (problems.length > 0) throw new StartError(problems.join('; '))
  return settings as Settings
}

/** Returns the value of a setting without surrounding white space, or the reason why there is none. */
export function settingText(env: NodeJS.ProcessEnv, name: string): { text?: string; problem?: string } {
  const text = env[name]?.trim() || undefined
  const path = env[fileOf(name)]?.trim()
  if (!path) return { text }
  if (name in SETTINGS && !FILE_SETTINGS.includes(name))
    return { problem: `${fileOf(name)} is no setting: ${name} is neither secret nor JSON` }
  if (text !== undefined) return { problem: `only one of ${name} and ${fileOf(name)} can be set` }
  try {
    const content = readFileSync(path, 'utf8').trim()
    return content ? { text: content } : { problem: `the file of ${fileOf(name)} is empty` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `the file of ${fileOf(name)} cannot be read: ${code}` }
  }
}
