import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { MIN_CONNECTIONS } from './db/lanes.ts'
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
  /** True for a value that nobody may see: the name with `_FILE` names a file with it. */
  readonly isSecret?: true
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
      '[Chain nodes](#chain-nodes), separated by commas. Secret if one has a key. Need all blocks from START_BLOCK on.',
    isSecret: true,
  },
  CHAIN_ID: {
    schema: z
      .literal(String(CHAIN_ID), `${CHAIN_ID}, the one chain this product is made for`)
      .transform(Number),
    fallback: String(CHAIN_ID),
    about: 'Checked against the node.',
  },
  BANK_ADDRESS: {
    schema: value.address,
    fallback: '-',
    about: 'The RifBank contract that takes orders. Its code is checked at start.',
  },
  FORMER_BANK_ADDRESSES: {
    schema: value.addresses,
    fallback: 'none',
    about: 'The banks that took orders before, the oldest first. See [A new bank](runbooks.md#a-new-bank).',
  },
  BANK_START_BLOCK: {
    schema: value.integer(0, 1e15 - 1).transform(BigInt),
    fallback: 'START_BLOCK',
    about: 'Block in which BANK_ADDRESS was deployed, with FORMER_BANK_ADDRESSES.',
  },
  TRANSFER_ADDRESS: {
    schema: value.address,
    fallback: '-',
    about: 'The RifTransfer contract. Its code is checked at start.',
  },
  USDT_ADDRESS: {
    schema: value.address,
    fallback: '-',
    about: 'The USDT token that the bank was deployed with.',
  },
  AMC_ADDRESS: {
    schema: value.address,
    fallback: '-',
    about: 'The AMC token. Its code is checked at start.',
  },
  START_BLOCK: {
    schema: value.integer(0, 1e15 - 1).transform(BigInt),
    fallback: '-',
    about: 'Block in which the first of the contracts was deployed.',
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
  SIGNER_LIMIT_USDT: {
    schema: value.limit,
    fallback: '100000/300000/30000',
    about: '`rif sign` only: USDT that claims may take within an hour, a day, and a day for one member.',
  },
  SIGNER_LIMIT_AMC: {
    schema: value.limit,
    fallback: '200000/600000/60000',
    about: '`rif sign` only: the same in AMC.',
  },
  SIGNER_LIMIT_QUOTES: {
    schema: value.integer(1, 1e6),
    fallback: '200',
    about: '`rif sign` only: the number of orders of one member that get a quote within a day.',
  },
  SIGNER_REVIEW_ABOVE: {
    schema: value.integer(0, 1e12),
    fallback: '1000',
    about: '`rif sign` only: the USDT worth within 24 hours above which an approver must have signed.',
  },
  SIGNER_SEVERAL_ABOVE: {
    schema: value.integer(0, 1e12),
    fallback: '10000',
    about: '`rif sign` only: the USDT worth within 24 hours above which two persons must have approved.',
  },
  SIGNER_CONSENT_ABOVE: {
    schema: value.integer(0, 1e12),
    fallback: '100',
    about:
      '`rif sign` only: the unsigned USDT worth within 24 hours above which the member must have signed.',
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
  USDT_DECIMALS: {
    schema: z.enum(['6', '18'], '6 or 18').transform(Number),
    fallback: '6',
    about: '`rif sign` only: the decimals of the token at USDT_ADDRESS.',
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
  WALLETCONNECT_PROJECT_ID: {
    schema: z.string().regex(/^[0-9a-zA-Z-]{8,64}$/, 'the id of a project: 8 to 64 letters and digits'),
    fallback: 'off',
    about: 'Offers [WalletConnect](#walletconnect) beside the wallets of the browser. Public.',
  },
  WALLETCONNECT_RELAY_URL: {
    schema: value.url('wss:', 'ws:'),
    fallback: '`wss://relay.walletconnect.com`',
    about: 'The relay between app and wallet; only with the project id. Public.',
  },
  DEMO_TEAM: {
    schema: value.flag,
    fallback: 'true',
    about: 'Whether `npm start` adds the demonstration team to the local chain.',
  },
  DEMO_DAYS: {
    schema: value.integer(0, 365),
    fallback: '90 with `npm start`, else 0',
    about: 'Days of history of the [demonstration](install.md#the-demonstration); 0 for a short one.',
  },
  SNAPSHOTS_REQUIRED: {
    schema: value.flag,
    fallback: 'false on the local chain; always true with RPC_URL',
    about: 'Whether an old solvency report closes the [gate](runbooks.md#the-guard).',
  },
  RATE_LIMIT_PER_IP: {
    schema: value.integer(1, 1e6),
    fallback: '600',
    about: 'API calls per minute and address (IPv6: network of 64 bits), over all processes.',
  },
  RATE_LIMIT_PER_MEMBER: {
    schema: value.integer(1, 1e6),
    fallback: '300',
    about: 'API calls per minute and member, over all processes.',
  },
  RATE_LIMIT_SIGN_IN: {
    schema: value.integer(1, 1e6),
    fallback: '30',
    about: 'Nonces, sign-ins and invitation look-ups per minute and address.',
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
  PRICE_FEEDS: {
    schema: value.priceFeeds,
    fallback: 'none',
    about: '[Price feeds](daily.md#prices-from-outside) with their secrets, as `exchange=whsec_...`. Secret.',
    isSecret: true,
  },
  PRICE_ORACLES: {
    schema: value.priceOracles,
    fallback: 'none; an answer may be 90000 s old',
    about:
      '[Price oracles](daily.md#prices-from-outside), as `AMC=0x...,RIF=0x.../3600` with the age in seconds.',
  },
  PRICE_SEQUENCER_FEED: {
    schema: value.address,
    fallback: 'none; not asked',
    about:
      'The L2 sequencer uptime feed: [price oracles](daily.md#prices-from-outside) count while it is up.',
  },
  PRICE_JUMP_PERCENT: {
    schema: value.integer(1, 50),
    fallback: '10',
    about: 'Change in percent above which a price of a feed or an oracle waits for two persons.',
  },
  ALARM_WEBHOOK_URL: {
    schema: value.url('http:', 'https:'),
    fallback: 'none',
    about: 'Receives the [alarms](runbooks.md#alarms) as JSON. Secret if it has a key.',
    isSecret: true,
  },
  ALARM_WEBHOOK_SECRET: {
    schema: z.string().min(32, 'at least 32 characters'),
    fallback: '-',
    about: 'Signs what is sent to ALARM_WEBHOOK_URL: at least 32 characters. Secret.',
    isSecret: true,
  },
  SMTP_URL: {
    schema: value.mailUrl,
    fallback: 'none',
    about: 'Mail server for alarms and notices, as `smtps://user:password@host`. Must offer TLS. Secret.',
    isSecret: true,
  },
  OUTGOING_LOCAL_HOSTS: {
    schema: value.localHosts,
    fallback: 'none',
    about: 'Internal hosts that notices and webhooks may reach, also without TLS, as `name:port`.',
  },
  NOTICES_EMAIL_FROM: {
    schema: value.email,
    fallback: 'none; no mails to members',
    about: 'Sender of [notices to members](daily.md#notices-to-members), through SMTP_URL.',
  },
  NOTICES_KEY: {
    schema: value.hash,
    fallback: '-; a file in DATA_DIR on the local chain',
    about: "API and worker: the key of members' e-mail addresses and of links in mails. Secret.",
    isSecret: true,
  },
  VAPID_PRIVATE_KEY: {
    schema: z.string().regex(/^[A-Za-z0-9_-]{43}$/, '43 characters of base64url: a P-256 key'),
    fallback: 'none; no pushes to members',
    about: 'API and worker: the key that signs pushes (RFC 8292). Secret.',
    isSecret: true,
  },
  VAPID_SUBJECT: {
    schema: value.pushSubject,
    fallback: '-',
    about: 'How push services reach you: `mailto:` and an e-mail address, or an `https://` address.',
  },
  ALARM_EMAIL_FROM: { schema: value.email, fallback: '-', about: 'Sender of alarms.' },
  ALARM_EMAIL_TO: {
    schema: value.emails,
    fallback: '-',
    about: 'Who receives [alarms](runbooks.md#alarms), separated by commas.',
  },
  SUPPORT_CONTACT: {
    schema: value.contact,
    fallback: 'none',
    about:
      'Whom members can ask: an e-mail address or an `https://` address. Shown in the help and on the account page.',
  },
  OPERATOR_NAME: {
    schema: value.line,
    fallback: 'the demonstration, run by nobody',
    about:
      'Who operates the product, with the legal form. In the [terms](daily.md#terms). Needed with RPC_URL.',
  },
  OPERATOR_ADDRESS: {
    schema: value.line,
    fallback: '-',
    about: 'Where the operator is reached by letter, in one line. Needed with RPC_URL.',
  },
  OPERATOR_LAW: {
    schema: value.line,
    fallback: '-',
    about: 'The country whose law applies to the terms, such as `Singapore`. Needed with RPC_URL.',
  },
  OPERATOR_VENUE: {
    schema: value.line,
    fallback: '-',
    about: 'The place whose courts decide, such as `Singapore`. Needed with RPC_URL.',
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

/** Returns the name of the variable that names a file with the value of a secret setting. */
export const fileOf = (name: string) => `${name}_FILE`

/**
 * Reads the settings from environment variables, and secret ones from the files that `<name>_FILE` names. An
 * empty one counts as not set. Throws StartError with one line that lists every invalid setting and the values
 * that it accepts, but never its value, which may be a key.
 */
export function parseSettings(env: NodeJS.ProcessEnv): Settings {
  const settings: Record<string, unknown> = {}
  const problems = REMOVED.filter((name) => env[name]?.trim()).map(
    (name) => `${name} is no setting: \`rif sign\` holds the keys, see ${name.split('_')[0]}_KEY_SOURCE`,
  )
  for (const [name, { schema }] of Object.entries(SETTINGS)) {
    const { text, problem } = settingText(env, name)
    if (problem !== undefined) problems.push(problem)
    if (!text) continue
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
  if (name in SETTINGS && !SECRET_SETTINGS.includes(name))
    return { problem: `${fileOf(name)} is no setting: ${name} is not secret` }
  if (text !== undefined) return { problem: `only one of ${name} and ${fileOf(name)} can be set` }
  try {
    const content = readFileSync(path, 'utf8').trim()
    return content ? { text: content } : { problem: `the file of ${fileOf(name)} is empty` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `the file of ${fileOf(name)} cannot be read: ${code}` }
  }
}
