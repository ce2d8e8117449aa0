import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultPlan, MAX_MICROS, type Plan } from '@rif/rules'
import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Database } from '../../apps/server/src/db/database.ts'
import type { ServiceSettings, Services } from '../../apps/server/src/services.ts'
import type { Caller } from './load.ts'

const POOL_SIZE = 12
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }

/** The plan without limits, because the transfers of a day would exceed them. */
const PLAN: Plan = {
  ...defaultPlan,
  withdrawal: {
    ...defaultPlan.withdrawal,
    auditAboveMicros: MAX_MICROS,
    dayLimitMicros: defaultPlan.withdrawal.dayLimitMicros.map(() => MAX_MICROS),
  },
  leaving: {
    ...defaultPlan.leaving,
    ...{ signAboveMicros: MAX_MICROS, savingsFreeMicros: MAX_MICROS, reviewNewAboveMicros: MAX_MICROS },
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
    ...(await load<typeof import('../../apps/server/src/modules/ledger/ledger.audit.ts')>(
      'modules/ledger/ledger.audit.ts',
    )),
    ...(await load<typeof import('../../apps/server/src/services.ts')>('services.ts')),
    ...(await load<typeof import('../../apps/server/src/signer/protocol.ts')>('signer/protocol.ts')),
    ...(await load<typeof import('../../apps/server/src/simulate/simulated-chain.ts')>(
      'simulate/simulated-chain.ts',
    )),
  }
}

type Parts = Awaited<ReturnType<typeof partsOf>>

/** Migrates an empty database with the code of a source tree, fills it with members and serves them. */
export async function startProduct(tree: string, url: string, members: number): Promise<Product> {
  const parts = await partsOf(tree)
  await parts.migrateSimulation(url)
  const database = parts.createDatabase({ url, max: POOL_SIZE, applicationName: 'rif-bench' })
  const services = servicesOn(parts, database)
  const unlimited = servicesOn(parts, database, { transfersLimited: false, membersSign: false })
  const callers = await makeMembers(parts, { services, unlimited, members })
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
    // pgbench repeats the statements without the decisions between them, so only the ledger's own checks
    // apply.
    const [found] = await parts.auditLedger(database.db)
    if (found) throw new Error(`the books do not agree: ${found.check} ${found.subject}`)
  }
  return { address, callers, database, audit, close }
}

function servicesOn(parts: Parts, database: Database, settings: Partial<ServiceSettings> = {}): Services {
  return parts.createServices({
    ...{ db: database.db, now: () => new Date(), chain: parts.simulatedChain() },
    log: parts.createLogger({ level: 'silent' }),
    settings: {
      ...{ version: 'bench', publicUrl: 'http://127.0.0.1:8080', browserRpcUrl: '', explorerUrl: null },
      ...{ confirmations: 1, demoWallets: null, signer: parts.NO_SIGNER },
      ...settings,
    },
  })
}

/** Creates members with wallets, money and sessions; each sends transfers to the next one. */
async function makeMembers(
  { inTx }: Parts,
  { services, unlimited, members }: { services: Services; unlimited: Services; members: number },
): Promise<Caller[]> {
  const { db, ledger } = services
  await services.plans.ensureDefault(db, PLAN)
  await inTx(db, (dbTx) =>
    services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'bench' }),
  )
  const root = await inTx(db, (dbTx) => services.members.createRoot(dbTx, `0x${'f'.repeat(40)}`))
  const keys = Array.from({ length: members }, (_, index) => numberToHex(index + 1, { size: 32 }))
  const callers: Caller[] = []
  for (const [index, key] of keys.entries()) {
    const address = privateKeyToAddress(key)
    const { memberId } = await inTx(db, (dbTx) =>
      services.members.join(dbTx, { address, sponsorId: root.memberId, side: 'auto' }),
    )
    const at = services.now()
    await ledger.post(db, {
      ...{ key: `gift/${index}`, kind: 'grant', cause: { type: 'bench', id: '1' }, at },
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
    const other = privateKeyToAddress(keys[(index + 1) % members]!)
    callers.push({ address, key, token, other, product: `${1 + (index % 5)}` })
  }
  // A first transfer to a receiver would need a signature.
  for (const { address, other } of callers) {
    const sender = (await services.members.findByAddress(db, address))!
    const order = { asset: 'USDT', amountMicros: 1_000_000n, address: other } as const
    await inTx(db, (dbTx) => unlimited.transfers.transfer(dbTx, sender.memberId, order))
  }
  return callers
}
