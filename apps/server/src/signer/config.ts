import { join } from 'node:path'
import { banksOf, ownContracts } from '../chain/banks.ts'
import { dataDirOf, refuseContracts, refuseDevelopmentKeys, signerAccess } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import { demoApprovers } from '../local/demo/demo-wallets.ts'
import { readContracts, readOperatorKeys } from '../local/operator-files.ts'
import { CHAIN_ID, parseSettings, type Settings } from '../settings.ts'
import type { Approver, Policy } from './evidence.ts'
import { openKey } from './keys/key-source.ts'
import { openSecrets } from './keys/secrets.ts'
import { keyInMemory, type SigningKey } from './keys/signing-key.ts'
import type { Limit, Limits } from './limits.ts'
import { type SignerPlace, signerPlaceOf } from './protocol.ts'
import type { Keys } from './signer.ts'
import type { BankTerms } from './terms.ts'

/** The configuration of the signing process. No part of it comes from a request. */
export interface SignerConfig {
  readonly databaseUrl: string
  readonly place: SignerPlace
  readonly logPath: string
  readonly limits: Limits
  readonly logLevel: string
  readonly bank: BankTerms
  /** True on a chain that the product itself runs. */
  readonly isLocal: boolean
  readonly keys: Keys
  readonly policy: Policy
  /** The nodes that check the signatures of contract wallets, and the claims that the banks paid. */
  readonly rpcUrls: readonly string[]
}

export const DEFAULT_LIMITS: Limits = {
  USDT: limitOf([100_000n, 300_000n, 30_000n], 1_000_000n),
  AMC: limitOf([200_000n, 600_000n, 60_000n], 1_000_000n),
  // No limit for all members together: unpaid orders would use it up and stop every sale, and the bank counts the copies.
  quotes: { hour: null, day: null, member: 200n },
}

/**
 * Reads the settings of the signing process and opens its keys. Without CONTRACTS these are the keys and contracts of the
 * local chain in DATA_DIR. Throws StartError.
 */
export async function loadSignerConfig(env: NodeJS.ProcessEnv): Promise<SignerConfig> {
  const settings = parseSettings(env)
  const { SIGNER_DATABASE_URL: databaseUrl } = settings
  if (databaseUrl === undefined)
    throw new StartError('rif sign needs SIGNER_DATABASE_URL, a login that can only read')
  if (settings.DATABASE_URL !== undefined)
    throw new StartError(
      'rif sign takes SIGNER_DATABASE_URL, a login that can only read, and no DATABASE_URL',
    )
  const dataDir = dataDirOf(settings)
  const isLocal = settings.CONTRACTS === undefined
  const { bank, keys, approvers } = isLocal
    ? await localParts(settings, dataDir)
    : await remoteParts(settings)
  const addresses = [keys.claim, keys.quote, keys.publisher].flatMap((key) => key?.address ?? [])
  if (new Set(addresses).size < addresses.length)
    throw new StartError('the claim key, the quote key and the publisher key must be different keys')
  return {
    databaseUrl,
    isLocal,
    bank,
    keys,
    policy: policyOf(settings, approvers),
    rpcUrls: settings.SIGNER_RPC_URL ?? [],
    place: signerPlaceOf(signerAccess(settings)),
    logPath: settings.SIGNER_LOG ?? join(dataDir, 'signer', 'decisions.jsonl'),
    limits: readLimits(settings),
    logLevel: settings.LOG_LEVEL ?? 'info',
  }
}

/** The settings of the keys' sources. */
const SOURCES = {
  claim: 'CLAIM_KEY_SOURCE',
  quote: 'QUOTE_KEY_SOURCE',
  publisher: 'PUBLISHER_KEY_SOURCE',
} as const

type Parts = Pick<SignerConfig, 'bank' | 'keys'> & Pick<Policy, 'approvers'>

async function remoteParts(settings: Settings): Promise<Parts> {
  const needed = [
    'CLAIM_KEY_SOURCE',
    'QUOTE_KEY_SOURCE',
    'PUBLISHER_KEY_SOURCE',
    'SIGNER_APPROVERS',
    'SIGNER_RPC_URL',
  ] as (keyof Settings)[]
  const missing = needed.filter((name) => settings[name] === undefined)
  if (missing.length > 0)
    throw new StartError(`CONTRACTS is set, so rif sign needs these too: ${missing.join(', ')}`)
  const requiredSettings = settings as Required<Settings>
  const { claim, quote, publisher } = (await openKeys(settings)) as Keys
  const approvers = requiredSettings.SIGNER_APPROVERS as readonly Approver[]
  const approving = Object.fromEntries(
    approvers.map(({ person, address }) => [`SIGNER_APPROVERS (${person})`, address]),
  )
  refuseDevelopmentKeys({
    CLAIM_KEY_SOURCE: claim.address,
    QUOTE_KEY_SOURCE: quote.address,
    ...(publisher && { PUBLISHER_KEY_SOURCE: publisher.address }),
    ...approving,
  })
  const { addresses, usdtDecimals } = requiredSettings.CONTRACTS as NonNullable<Settings['CONTRACTS']>
  const bank = {
    chainId: CHAIN_ID,
    banks: banksOf(addresses),
    tokens: { USDT: addresses.usdt, AMC: addresses.amc },
    decimals: { USDT: usdtDecimals, AMC: 18 },
  }
  refuseContracts(approving, ownContracts(addresses))
  return { bank, keys: { claim, quote, publisher }, approvers }
}

/** Opens the keys whose sources are set, in the order of their secrets. Throws StartError. */
async function openKeys(settings: Settings): Promise<Partial<Keys>> {
  const means = { secrets: openSecrets(settings.KEY_SECRETS_FD), pkcs11Module: settings.PKCS11_MODULE }
  const keys: { -readonly [Name in keyof Keys]?: SigningKey } = {}
  for (const name of ['claim', 'quote', 'publisher'] as const) {
    const setting = SOURCES[name]
    const source = settings[setting]
    if (source !== undefined) keys[name] = await openKey(setting, source, means)
  }
  return keys
}

/**
 * Returns a line with the address of each key whose source is set. A deployment needs the addresses before there is a bank.
 * Throws StartError.
 */
export async function keyAddresses(env: NodeJS.ProcessEnv): Promise<string[]> {
  const keys = Object.entries(await openKeys(parseSettings(env)))
  if (keys.length === 0) throw new StartError(`set ${Object.values(SOURCES).join(', ')}, or one of them`)
  return keys.map(([name, { address }]) => `${name} ${address}`)
}

/** The contracts and the generated keys of the chain that the product runs itself. */
async function localParts(settings: Settings, dataDir: string): Promise<Parts> {
  const { CLAIM_KEY_SOURCE, QUOTE_KEY_SOURCE, RPC_URL } = settings
  if (CLAIM_KEY_SOURCE !== undefined || QUOTE_KEY_SOURCE !== undefined || RPC_URL !== undefined)
    throw new StartError('rif sign needs CONTRACTS beside a source of its keys')
  const dir = join(dataDir, 'chain')
  const [stored, keys] = await Promise.all([readContracts(dir), readOperatorKeys(dir)])
  if (stored === undefined || keys === undefined)
    throw new StartError(
      `there is no local chain in DATA_DIR ${dataDir}: set CONTRACTS and the sources of the keys`,
    )
  const { usdt, amc } = stored.contracts
  return {
    bank: {
      chainId: CHAIN_ID,
      banks: banksOf(stored.contracts),
      tokens: { USDT: usdt, AMC: amc },
      decimals: { USDT: 6, AMC: 18 },
    },
    approvers: settings.SIGNER_APPROVERS ?? demoApprovers(),
    keys: {
      claim: keyInMemory(keys.claimSigner),
      quote: keyInMemory(keys.quoteSigner),
      publisher: keyInMemory(keys.publisher),
    },
  }
}

function policyOf({ SIGNER_LIMITS }: Settings, approvers: readonly Approver[]): Policy {
  const micros = (whole: number) => BigInt(whole) * 1_000_000n
  return {
    approvers,
    signAboveMicros: micros(SIGNER_LIMITS?.consent_above ?? 100),
    reviewAboveMicros: micros(SIGNER_LIMITS?.review_above ?? 1_000),
    severalAboveMicros: micros(SIGNER_LIMITS?.several_above ?? 10_000),
  }
}

function readLimits({ SIGNER_LIMITS: { usdt, amc, quotes } = {} }: Settings): Limits {
  const of = (whole: NonNullable<typeof usdt>) =>
    limitOf([BigInt(whole.hour), BigInt(whole.day), BigInt(whole.member)], 1_000_000n)
  return {
    USDT: usdt ? of(usdt) : DEFAULT_LIMITS.USDT,
    AMC: amc ? of(amc) : DEFAULT_LIMITS.AMC,
    quotes: {
      ...DEFAULT_LIMITS.quotes,
      member: quotes === undefined ? DEFAULT_LIMITS.quotes.member : BigInt(quotes),
    },
  }
}

function limitOf([hour, day, member]: readonly [bigint, bigint, bigint], unit: bigint): Limit {
  return { hour: hour * unit, day: day * unit, member: member * unit }
}
