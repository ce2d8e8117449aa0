import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultPlan, MAX_MICROS, type Plan } from '@rif/rules'
import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Database, Db } from '../../apps/server/src/db/database.ts'
import type { ServiceSettings, Services } from '../../apps/server/src/services.ts'
import type { Caller } from './load.ts'

const POOL_SIZE = 12
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }

/** The plan without limits, because the transfers of a day would exceed them. */
export const PLAN: Plan = {
  ...defaultPlan,
  withdrawal: {
    ...defaultPlan.withdrawal,
    auditAboveMicros: MAX_MICROS,
    dayLimitMicros: defaultPlan.withdrawal.dayLimitMicros.map(() => MAX_MICROS),
  },
  leaving: {
    ...defaultPlan.leaving,
    signAboveMicros: MAX_MICROS,
    savingsFreeMicros: MAX_MICROS,
    reviewNewAboveMicros: MAX_MICROS,
  },
}

/** The source tree that this benchmark belongs to. */
export const THIS_TREE = fileURLToPath(new URL('../..', import.meta.url))

/** A running product with members that have money and sessions. */
export interface Product {
  readonly address: string
  readonly callers: readonly Caller[]
  readonly database: Database
  /** Throws when the books do not balance. */
  audit(): Promise<void>
  close(): Promise<void>
}

/** Loads the measured code from a source tree: this one or an older one. */
async function partsOf(tree: string) {
  const load = async <Module>(path: string) => (await import(join(tree, 'apps/server/src', path))) as Module
  return {
    ...(await load<typeof import('../../apps/server/src/app.ts')>('app.ts')),
    ...(await load<typeof import('../../apps/server/src/db/database.ts')>('db/database.ts')),
    ...(await load<typeof import('../../apps/server/src/db/simulation.ts')>('db/simulation.ts')),
    ...(await load<typeof import('../../apps/server/src/lib/logger.ts')>('lib/logger.ts')),
    ...(await load<typeof import('../../apps/server/src/modules/books/ledger/audit.ts')>(
      'modules/books/ledger/audit.ts',
    )),
    ...(await load<typeof import('../../apps/server/src/services.ts')>('services.ts')),
    ...(await load<typeof import('../../apps/server/src/signer/protocol.ts')>('signer/protocol.ts')),
    ...(await load<typeof import('../../apps/server/src/simulate/simulated-chain.ts')>(
      'simulate/simulated-chain.ts',
    )),
  }
}

type Parts = Awaited<ReturnType<typeof partsOf>>

/** The members and the connections of a product. */
interface Opening {
  /** The number of members who send requests. */
  readonly callers: number
  /** Creates the members with the given wallets; without it, they sign up below one root. */
  readonly fill?: (database: Database, wallets: readonly Wallet[]) => Promise<readonly bigint[]>
  /** The connections: those of the product, in its pools; by default fewer, in one pool, which older versions have too. */
  readonly pool?: { readonly max: number; readonly hasPools: boolean }
}

/** Migrates an empty database with the code of a source tree, fills it with members and serves them. */
export async function startProduct(tree: string, url: string, opening: Opening): Promise<Product> {
  const { callers: count, fill, pool = { max: POOL_SIZE, hasPools: false } } = opening
  const parts = await partsOf(tree)
  await parts.migrateSimulation(url)
  const database = parts.createDatabase({ ...pool, url, applicationName: 'rif-bench' })
  const services = servicesOn(parts, database)
  const wallets = Array.from({ length: count }, (_, index) => walletOf(index))
  // Before the members, because books in the past have their plan and prices.
  if (fill === undefined) await openShop(services)
  const memberIds = fill ? await fill(database, wallets) : await signUp(services, wallets)
  const unlimited = servicesOn(parts, database, { transfersLimited: false, membersSign: false })
  const callers = await giveMoney({ services, unlimited }, wallets, memberIds)
  // Does what autovacuum does within a minute.
  await database.pool.query('vacuum analyze')
  const log = parts.createLogger({ level: 'silent' })
  const app = await parts.createApp(services, { log, rateLimits: NO_LIMITS })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await database.close()
  }
  const audit = async () => {
    // The members' money came without a chain, so only the ledger's own checks apply.
    const [finding] = await parts.auditLedger(database.db)
    if (finding) throw new Error(`the books do not agree: ${finding.check} ${finding.subject}`)
  }
  return { address, callers, database, audit, close }
}

function servicesOn(parts: Parts, database: Database, settings: Partial<ServiceSettings> = {}): Services {
  return parts.createServices({
    db: database.db,
    now: () => new Date(),
    chain: parts.simulatedChain(),
    log: parts.createLogger({ level: 'silent' }),
    settings: {
      version: 'bench',
      publicUrl: 'http://127.0.0.1:8080',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: parts.NO_SIGNER,
      ...settings,
    },
  })
}

/** A wallet of the load. */
export interface Wallet {
  readonly key: `0x${string}`
  readonly address: `0x${string}`
}

function walletOf(index: number): Wallet {
  const key = numberToHex(index + 1, { size: 32 })
  return { key, address: privateKeyToAddress(key) }
}

/**
 * Runs a function in a transaction. Not by the product's own function, which had another name in older
 * versions.
 */
const inOneTx = <T>(db: Db, fn: (dbTx: Db) => Promise<T>): Promise<T> => db.transaction().execute(fn)

async function openShop({ db, plans, pricing }: Services): Promise<void> {
  await plans.ensureDefault(db, PLAN)
  const price = { asset: 'AMC', priceMicros: 500_000n, actor: 'bench' } as const
  await inOneTx(db, (dbTx) => pricing.publish(dbTx, price))
}

/** Signs members up below one root. Returns their numbers. */
async function signUp({ db, members }: Services, wallets: readonly Wallet[]): Promise<bigint[]> {
  const root = await inOneTx(db, (dbTx) => members.createRoot(dbTx, `0x${'f'.repeat(40)}`))
  const ids: bigint[] = []
  for (const { address } of wallets) {
    const join = { address, sponsorId: root.memberId, side: 'auto' } as const
    ids.push((await inOneTx(db, (dbTx) => members.join(dbTx, join))).memberId)
  }
  return ids
}

/** Gives members money and sessions; each sends transfers to the next one. */
async function giveMoney(
  { services, unlimited }: { services: Services; unlimited: Services },
  wallets: readonly Wallet[],
  memberIds: readonly bigint[],
): Promise<Caller[]> {
  const { db, ledger } = services
  const callers: Caller[] = []
  for (const [index, memberId] of memberIds.entries()) {
    const { key, address } = wallets[index]!
    const at = services.now()
    await ledger.post(db, {
      key: `gift/${index}`,
      kind: 'grant',
      cause: { type: 'bench', id: '1' },
      at,
      accountingDay: at.toISOString().slice(0, 10),
      lines: [
        { memberId, asset: 'USDT', source: 'external', destination: 'available', amountMicros: 10n ** 15n },
      ],
    })
    const token = randomBytes(32).toString('base64url')
    const hash = createHash('sha256').update(token).digest()
    await sql`
      insert into sessions (token_hash, member_id, address, created_at, last_used_at, expires_at)
      values (${hash}, ${memberId}, ${address.toLowerCase()}, now(), now(), now() + interval '1 day')`.execute(
      db,
    )
    const other = wallets[(index + 1) % wallets.length]!.address
    callers.push({ address, key, token, other, product: `${1 + (index % 5)}` })
  }
  // A first transfer to a receiver would need a signature.
  for (const [index, { other }] of callers.entries()) {
    const order = { asset: 'USDT', amountMicros: 1_000_000n, address: other } as const
    await inOneTx(db, (dbTx) => unlimited.transfers.transfer(dbTx, memberIds[index]!, order))
  }
  return callers
}
