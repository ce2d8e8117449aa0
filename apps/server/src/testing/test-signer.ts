import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { banksOf } from '../chain/banks.ts'
import { createDatabase } from '../db/database.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import { createBankReads } from '../signer/bank-reads.ts'
import type { Policy } from '../signer/evidence.ts'
import { keyInMemory } from '../signer/keys/signing-key.ts'
import type { Limits } from '../signer/limits.ts'
import type { SignerAccess } from '../signer/protocol.ts'
import { serveSigner } from '../signer/server.ts'
import { createSignatureCheck } from '../signer/signatures.ts'
import { createSigner } from '../signer/signer.ts'
import type { TestChain } from './test-chain.ts'

const PLENTY = { hour: 10n ** 18n, day: 10n ** 18n, member: 10n ** 18n }

/** The approvers of tests, whom the signer trusts, each a different person. */
export const TEST_APPROVERS = [1, 2, 3].map((index) => ({
  person: `test approver ${index}`,
  account: privateKeyToAccount(toHex(BigInt(index) << 200n, { size: 32 })),
}))

const POLICY: Policy = {
  signAboveMicros: 100_000_000n,
  reviewAboveMicros: 1_000_000_000n,
  severalAboveMicros: 10_000_000_000n,
  approvers: TEST_APPROVERS.map(({ person, account }) => ({ person, address: account.address })),
}

export interface TestSigner {
  readonly access: SignerAccess
  readonly logPath: string
  /** Ends the signer and keeps its folder. */
  stop(): Promise<void>
  /** Starts it again on the same socket and log. */
  restart(): Promise<TestSigner>
  remove(): Promise<void>
  /** Ends the signer and removes its folder. */
  close(): Promise<void>
}

interface TestSignerOptions {
  readonly now?: () => Date
  readonly limits?: Partial<Limits>
  readonly decimals?: 6 | 18
  readonly maxClockSkewMs?: number
  readonly policy?: Partial<Policy>
  /** The nodes for signatures of contract wallets; none by default. */
  readonly rpcUrls?: readonly string[]
  readonly log?: Logger
  /** The nodes by which it compares its log with the bank; without any it compares nothing. */
  readonly bankUrls?: readonly string[]
  /** The folder of an earlier signer. */
  readonly dir?: string
}

/**
 * The signer of a test file: the product's own, on a separate socket, with the reader's login. It has the
 * test's clock, which is ahead of the database's.
 */
export async function startTestSigner(
  database: { readUrl: string },
  chain: Pick<TestChain, 'contracts' | 'keys'>,
  options: TestSignerOptions = {},
): Promise<TestSigner> {
  const { contracts, keys } = chain
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'rif-signer-')))
  const reader = createDatabase({
    url: database.readUrl,
    max: 2,
    limitsOf: 'calls',
    applicationName: 'rif-test',
    // As in the signing process of the product.
    isDistributed: true,
  })
  const { usdt, amc } = contracts
  const banks = banksOf(contracts)
  const { bankUrls } = options
  const logPath = join(dir, 'decisions.jsonl')
  const signer = await createSigner({
    db: reader.db,
    now: options.now ?? (() => new Date()),
    log: options.log ?? createLogger({ level: 'silent' }),
    logPath,
    bank: {
      chainId: 42161,
      banks,
      tokens: { USDT: usdt, AMC: amc },
      decimals: { USDT: options.decimals ?? 6, AMC: 18 },
    },
    policy: { ...POLICY, ...options.policy },
    isSigned: createSignatureCheck(options.rpcUrls ?? [], 42161),
    bankReads: bankUrls && createBankReads(bankUrls, { chainId: 42161, banks }),
    keys: {
      claim: keyInMemory(keys.claimSigner),
      quote: keyInMemory(keys.quoteSigner),
      publisher: keyInMemory(keys.publisher),
    },
    limits: { USDT: PLENTY, AMC: PLENTY, quotes: PLENTY, ...options.limits },
    maxClockSkewMs: options.maxClockSkewMs ?? Number.POSITIVE_INFINITY,
  }).catch(async (error: unknown) => {
    await reader.close()
    throw error
  })
  const socketPath = join(dir, 'signer.sock')
  const server = await serveSigner(signer, { socketPath })
  let isOpen = true
  async function stop(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await server.close()
    await signer.close()
    await reader.close()
  }
  const remove = () => rm(dir, { recursive: true, force: true })
  return {
    access: { url: `unix:${socketPath}` },
    logPath,
    stop,
    remove,
    async restart() {
      await stop()
      return startTestSigner(database, chain, { ...options, dir })
    },
    async close() {
      await stop()
      await remove()
    },
  }
}
