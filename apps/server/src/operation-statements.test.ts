import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp } from './app.ts'
import { inTx } from './db/database.ts'
import { placeOf } from './db/places.ts'
import type { SentStatement } from './db/sender.ts'
import { createLogger } from './lib/logger.ts'
import { createServices, type Services } from './services.ts'
import { NO_SIGNER } from './signer/protocol.ts'
import { simulatedChain } from './simulate/simulated-chain.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from './testing/test-database.ts'
import { call, callSigned, newWallet, PUBLIC_URL, type SignedIn, signIn } from './testing/test-server.ts'

/** The maximum number of messages (round trips) per operation, including `begin` and `commit`. */
const LIMITS = { signIn: 4, read: 3, transfer: 3, orderAndCancellation: 8, savingsInAndOut: 6 } as const
const TRANSACTIONS = { signIn: 1, read: 0, transfer: 1, orderAndCancellation: 2, savingsInAndOut: 2 } as const

let database: TestDatabase
let server: { app: FastifyInstance; services: Services; root: { inviteCode: string } }
let ann: SignedIn
let bob: SignedIn
/**
 * The messages sent since the list was last emptied, and on a cluster the machines that the coordinator
 * queried.
 */
let messages: SentStatement[][] = []
let asked = new Set<string>()

beforeAll(async () => {
  const onMessage = (statements: readonly SentStatement[]) =>
    messages.push(statements.map(({ text, values }) => ({ text: text.replace(/\s+/g, ' ').trim(), values })))
  // One connection, on which every statement is prepared when an operation is repeated.
  database = await createTestDatabase({ role: 'rif_app', max: 1, onMessage })
  if (isOnCluster()) database.pool.on('connect', recordMachines)
  // Only members have this number, so it identifies whose rows a statement is about.
  await sql`alter table members alter member_id restart with 900000001`.execute(database.adminDb)
  server = await startServer()
  ann = await signIn(server, newWallet())
  do bob = await signIn(server, newWallet())
  while (isOnCluster() && (await machineOf(ann)) === (await machineOf(bob)))
  const { db } = database
  const { ledger, pricing } = server.services
  await inTx(db, (dbTx) => pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' }))
  const at = new Date()
  await ledger.post(db, {
    ...{ key: 'gift', kind: 'grant', cause: { type: 'test', id: '1' }, at },
    accountingDay: at.toISOString().slice(0, 10),
    lines: [
      {
        ...{ memberId: ann.memberId, asset: 'USDT', source: 'external', destination: 'available' },
        amountMicros: 100_000_000n,
      },
    ],
  })
  // The first transfer to a member is signed.
  const first = { asset: 'USDT', amount: '1', address: bob.address }
  await callSigned(server, 'transfer', { as: ann, payload: first })
  // Once before, as in a process that has run it before: its plan is cached and its clean-up is done.
  for (const operate of Object.values(OPERATIONS)) await operate()
  if (isOnCluster()) await vi.waitFor(readsMachine)
})
afterAll(async () => {
  await server.app.close()
  await database.close()
})

/** Throws until a read queries the member's machine, which the first read of a process looks up. */
async function readsMachine(): Promise<void> {
  messages = []
  await OPERATIONS.read()
  expect(messages.flat().some(({ text }) => text.includes('pg_dist_local_group'))).toBe(true)
}

/** Records on a cluster the machines to which the coordinator passes statements on. */
function recordMachines(client: pg.PoolClient): void {
  client.on('notice', ({ detail }) => {
    const machine = /^on server [^@]*@(\S+)/.exec(detail ?? '')?.[1]
    if (machine !== undefined) asked.add(machine)
  })
  void client.query('set citus.log_remote_commands = on')
}

async function startServer(): Promise<typeof server> {
  const log = createLogger({ level: 'silent' })
  const services = createServices({
    ...{ db: database.db, now: () => new Date(), chain: simulatedChain(), log },
    settings: {
      ...{ version: 'test', publicUrl: PUBLIC_URL, browserRpcUrl: '', explorerUrl: null },
      ...{ confirmations: 1, demoWallets: null, signer: NO_SIGNER },
    },
  })
  await services.plans.ensureDefault(database.db)
  const root = await inTx(database.db, (dbTx) => services.members.createRoot(dbTx, `0x${'f'.repeat(40)}`))
  const rateLimits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
  return { app: await createApp(services, { log, rateLimits }), services, root }
}

let keys = 0
async function post(path: string, payload: object) {
  const headers = { 'idempotency-key': `key-${keys++}` }
  const { status, data } = await call(server, path, { as: ann, payload, headers })
  expect({ path, status, data }).toMatchObject({ status: 200 })
  return data as Record<string, string>
}

const OPERATIONS: Readonly<Record<keyof typeof LIMITS, () => Promise<unknown>>> = {
  signIn: () => signIn(server, ann.wallet),
  read: () => call(server, 'me', { as: ann }),
  transfer: () => post('transfer', { asset: 'USDT', amount: '1', address: bob.address }),
  async orderAndCancellation() {
    const { order_id } = await post('order', { product_id: '1' })
    await post('order/cancel', { order_id })
  },
  async savingsInAndOut() {
    await post('savings/in', { asset: 'USDT', amount: '0.5' })
    await post('savings/out', { asset: 'USDT', amount: '0.5' })
  },
}

/** The counts of rate limits and other background work have their own rhythm. */
const ownMessages = () =>
  messages.filter(([first]) => !/rate_limits|refused_countries|refused_addresses order/.test(first!.text))

// A cluster reads from several machines.
test.skipIf(isOnCluster()).each(Object.keys(LIMITS) as (keyof typeof LIMITS)[])(
  '%s sends few messages',
  async (name) => {
    messages = []
    await OPERATIONS[name]()
    const own = ownMessages().map((message) => message.map(({ text }) => text))
    expect(own.length, own.map((texts) => texts.join(' ; ')).join('\n')).toBeLessThanOrEqual(LIMITS[name])
    const bounds = own.flat().filter((text) => text === 'begin' || text === 'commit')
    expect(bounds.length / 2).toBe(TRANSACTIONS[name])
  },
)

test.skipIf(isOnCluster())('a sign-up sends few messages', async () => {
  messages = []
  await signIn(server, newWallet())
  // The nonce, its check, the facts, the teams of both legs for the side 'auto', the new member, and the session.
  const own = ownMessages().map((message) => message.map(({ text }) => text))
  expect(own.length, own.map((texts) => texts.join(' ; ')).join('\n')).toBeLessThanOrEqual(6)
})

/**
 * The members whose machines each operation uses besides the coordinator (docs/scale.md, "Machines used by
 * each call").
 */
const TOUCHED: Readonly<Record<keyof typeof LIMITS, readonly ('ann' | 'bob')[]>> = {
  signIn: [],
  read: ['ann'],
  transfer: ['ann', 'bob'],
  orderAndCancellation: ['ann'],
  savingsInAndOut: ['ann'],
}

/**
 * Returns the members whose rows a statement is about; undefined if it is about rows of members without
 * identifying them.
 */
function membersOf({ text, values }: SentStatement): ('ann' | 'bob')[] | undefined {
  const ofTables = text.replace(/_\d+\b/g, '')
  if (placeOf(ofTables) === 'coordinator' && !/\b(ledger_(post|lock)|read_at_member)/.test(ofTables))
    return []
  const named = new Set(values.flat().map(String))
  const members = (['ann', 'bob'] as const).filter((name) => named.has(`${{ ann, bob }[name].memberId}`))
  return members.length > 0 ? members : undefined
}

/** Returns the machine of a cluster with a member's rows. */
async function machineOf({ memberId }: SignedIn): Promise<string> {
  const { rows } = await sql<{ machine: string }>`
    select nodename || ':' || nodeport as machine from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('ledger_heads', ${memberId}::bigint)`.execute(
    database.adminDb,
  )
  return rows[0]!.machine
}

test.each(Object.keys(TOUCHED) as (keyof typeof LIMITS)[])(
  '%s touches the machines of its members alone',
  async (name) => {
    messages = []
    asked = new Set()
    await OPERATIONS[name]()
    const statements = ownMessages()
      .flat()
      .map((one) => ({ text: one.text, members: membersOf(one) }))
    expect(statements.filter(({ members }) => members === undefined)).toEqual([])
    const touched = new Set(statements.flatMap(({ members }) => members!))
    expect([...touched].sort()).toEqual(TOUCHED[name])
    if (!isOnCluster()) return
    // These query the machine itself.
    const isDirect = ['read', 'transfer', 'savingsInAndOut'].includes(name)
    const throughCoordinator = isDirect ? [] : TOUCHED[name]
    const machines = await Promise.all(throughCoordinator.map((who) => machineOf({ ann, bob }[who])))
    expect([...asked].sort()).toEqual([...new Set(machines)].sort())
  },
)
