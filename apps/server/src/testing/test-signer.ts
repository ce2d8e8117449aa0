import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { createDatabase } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { keyInMemory } from '../signer/keys/signing-key.ts'
import type { Limits } from '../signer/limits.ts'
import type { SignerAccess } from '../signer/protocol.ts'
import { serveSigner } from '../signer/server.ts'
import { createSigner, type LocalSigner } from '../signer/signer.ts'
import type { TestChain } from './test-chain.ts'

const PLENTY = { hour: 10n ** 18n, day: 10n ** 18n, member: 10n ** 18n }

export interface TestSigner {
  readonly access: SignerAccess
  readonly signer: LocalSigner
  readonly logPath: string
  close(): Promise<void>
}

/**
 * The signer of a test file: the product's own, on a socket of its own, with the reader's login. It has the test's clock, which
 * is ahead of the database's.
 */
export async function startTestSigner(
  database: { readUrl: string },
  { contracts, keys }: Pick<TestChain, 'contracts' | 'keys'>,
  options: { now?: () => Date; limits?: Partial<Limits>; decimals?: 6 | 18; maxClockSkewMs?: number } = {},
): Promise<TestSigner> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-signer-'))
  const reader = createDatabase({ url: database.readUrl, max: 2, applicationName: 'rif-test' })
  const { bank, usdt, amc } = contracts as Record<'bank' | 'usdt' | 'amc', Address>
  const logPath = join(dir, 'decisions.jsonl')
  const signer = await createSigner({
    ...{
      db: reader.db,
      now: options.now ?? (() => new Date()),
      log: createLogger({ level: 'silent' }),
      logPath,
    },
    bank: {
      ...{ chainId: 42161, bank, tokens: { USDT: usdt, AMC: amc } },
      decimals: { USDT: options.decimals ?? 6, AMC: 18 },
    },
    keys: { claim: keyInMemory(keys.claimSigner), quote: keyInMemory(keys.quoteSigner) },
    limits: { USDT: PLENTY, AMC: PLENTY, quotes: PLENTY, ...options.limits },
    maxClockSkewMs: options.maxClockSkewMs ?? Number.POSITIVE_INFINITY,
  })
  const socketPath = join(dir, 'signer.sock')
  const server = await serveSigner(signer, { socketPath })
  return {
    ...{ access: { url: `unix:${socketPath}` }, signer, logPath },
    async close() {
      await server.close()
      await signer.close()
      await reader.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
