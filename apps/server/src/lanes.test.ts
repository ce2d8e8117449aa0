import { type Route, type RouteName, routes } from '@rif/api-schema'
import { dayOf, termsPath } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from './app.ts'
import { createDatabase, type Database, inTx } from './db/database.ts'
import { currentScope, forAll } from './db/lanes.ts'
import { createServices } from './services.ts'
import { newAdmin, prepare, type TestAdmin } from './testing/admin-actions.ts'
import { fundActions } from './testing/fund-actions.ts'
import { createTestDatabase, isOnCluster } from './testing/test-database.ts'
import type { TestProduct } from './testing/test-product.ts'
import {
  type Answer,
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'

/** The calls by GET of the specification that write: they hand out signatures. */
const WRITING_GETS = ['approveAmc', 'approveUsdt', 'claim', 'fundTx', 'orderTx']
const CONNECTIONS = 20

const table = Object.entries(routes) as [RouteName, Route][]

let server: TestServer
let lanes: Database
let owner: TestAdmin
let member: SignedIn
let others: SignedIn
/** The values of path parameters, which name rows that exist. */
let ids: Readonly<Record<string, string>>

/** The queries of calls that need one. */
const QUERIES: Partial<Record<RouteName, () => string>> = {
  solvencyProof: () => `day=${ids.day}`,
  solvencyMine: () => `day=${ids.day}`,
  nonce: () => `address=${newWallet().address}`,
  priceAt: () => `asset=AMC&at=${encodeURIComponent(new Date().toISOString())}`,
  priceDays: () => 'asset=AMC&days=7',
  priceHistory: () => 'asset=AMC',
  rateHistory: () => 'currency=EUR',
  invitation: () => `code=${server.root.inviteCode}`,
  treeBranches: () => `ids=${member.memberId}`,
  sentTo: () => `address=${owner.address}`,
  memberSearch: () => 'q=0x12345678',
  orderPreview: () => 'product_id=1&useHashRate=true',
  receiver: () => `address=${owner.address}`,
  fundQuote: () => `product_id=${ids.product_id}&units=1&pay_with=available`,
  fundRedemptionPreview: () => `product_id=${ids.product_id}&units=1`,
  adminSearch: () => 'q=0x12345678',
}
/** The calls about rows that only a settlement, a publication, a webhook, a worker or the treasury makes. */
const NO_ROWS: readonly RouteName[] = [
  ...(['adminStatement', 'exitTx', 'fundBill', 'fundBillCsv', 'fundBillPdf', 'profitDetail'] as const),
  ...(['adminMemberReward'] as const),
  ...(['settlementDay', 'shared', 'solvencyProof', 'walletSend', 'webhookDelivery'] as const),
]
/** The calls by POST that only read. */
const BODIES: Partial<Record<RouteName, () => object>> = {
  shared: () => ({ token: ids.token }),
  transferCheck: () => ({ address: server.root.wallet.address, asset: 'USDT', amount: '1' }),
  withdrawCheck: () => ({ asset: 'USDT', amount: '20' }),
}

beforeAll(async () => {
  const database = await createTestDatabase({ max: 10, role: 'rif_app' })
  lanes = createDatabase({
    url: database.url,
    max: CONNECTIONS,
    applicationName: 'lanes',
    hasPools: true,
    isDistributed: isOnCluster(),
  })
  // PostgreSQL then refuses writes and locks of rows.
  lanes.pools.calls.on('acquire', (client) => {
    const isRead = currentScope().lane === 'reads'
    void client.query(`set default_transaction_read_only = ${isRead ? 'on' : 'off'}`)
  })
  server = await startTestServer({
    database: {
      ...lanes,
      url: database.url,
      adminUrl: database.adminUrl,
      readUrl: database.readUrl,
      adminDb: database.adminDb,
      async close() {
        await lanes.close()
        await database.close()
      },
    },
  })
  owner = await newAdmin(server, 'owner')
  ;[member, others] = await Promise.all([signIn(server, newWallet()), signIn(server, newWallet())])
  ids = await rowsOf(member)
})
afterAll(() => server.close())

/** Gives a member rows of every kind that calls name by an id, and returns the ids. */
async function rowsOf(as: SignedIn): Promise<Record<string, string>> {
  const { services, database, chain } = server
  const { db } = database
  await inTx(db, async (dbTx) => {
    for (const asset of ['AMC', 'RIF'] as const)
      await services.pricing.publish(dbTx, { asset, priceMicros: 500_000n, actor: 'test' })
  })
  const at = services.now()
  const gift = { source: 'external', destination: 'available', amountMicros: 500_000_000n } as const
  for (const asset of ['USDT', 'RIF'] as const)
    await services.ledger.post(db, {
      key: `gift/${asset}`,
      kind: 'grant',
      cause: { type: 'test', id: asset },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [{ memberId: as.memberId, asset, ...gift }],
    })
  const product = { db, services, testChain: chain, chain: services.chain }
  const product_id = `${await fundActions(product as unknown as TestProduct).open('Bonds', '10')}`
  const done = async (path: string, payload: object): Promise<Answer['data']> => {
    const { status, data } = await callSigned(server, path, { as, payload })
    expect({ path, status, data }).toMatchObject({ status: 200 })
    return data
  }
  const order = await done('order', { product_id: '1' })
  const withdrawn = await done('withdraw', { asset: 'USDT', amount: '20' })
  await done('transfer', { address: others.address, asset: 'USDT', amount: '1' })
  await done('savings/in', { asset: 'USDT', amount: '1' })
  const bought = await done('fund/buy', { product_id, units: '3', pay_with: 'available' })
  const quoted = await done('fund/buy', { product_id, units: '1', pay_with: 'wallet' })
  const redeemed = await done('fund/redeem', { product_id, units: '1' })
  const day = dayOf(at.getTime())
  const statement = await done('me/statements', { kind: 'account', format: 'csv', from: day, to: day })
  const proposal = await prepare(server, owner, 'pause', { area: 'orders' })
  const { data: activity } = await call(server, 'me/activity', { as })
  const { data: detail } = await call(server, `fund/product/${product_id}`)
  return {
    activity_id: activity.items[0].activity_id,
    member_id: `${as.memberId}`,
    order_id: order.order_id,
    id: withdrawn.withdraw_id,
    withdraw_id: withdrawn.withdraw_id,
    statement_id: statement.statement_id,
    proposal_id: proposal.proposal_id,
    product_id,
    document_id: detail.documents[0].document_id,
    redemption_id: redeemed.redemption_id,
    bought_id: bought.order_id,
    quoted_id: quoted.order_id,
    day,
    month: day.slice(0, 7),
    call: 'announce',
    first_hash: `0x${'1'.repeat(64)}`,
    token: 'x'.repeat(43),
  }
}

/** Sends a call with the ids of existing rows. */
function send(name: RouteName): Promise<Answer> {
  const route: Route = routes[name]
  const idOf = (param: string) => {
    if (param !== 'order_id' || !name.startsWith('fund')) return ids[param] ?? '1'
    return ids[name === 'fundOrder' ? 'bought_id' : 'quoted_id']!
  }
  const path = route.path.replace(/:(\w+)/g, (_, param: string) => idOf(param))
  const query = QUERIES[name]?.()
  const payload = BODIES[name]?.()
  return call(server, query === undefined ? path : `${path}?${query}`, {
    as: route.access === 'member' ? member : owner,
    method: route.method,
    ...(payload && { payload }),
  })
}

describe('the lane of reads', () => {
  it('has all calls by GET but those of the specification that write', () => {
    const writing = table.filter(([, { method, lane }]) => method === 'GET' && lane !== 'reads')
    expect(writing.map(([name]) => name).sort()).toEqual(WRITING_GETS)
  })

  const reading = table.filter(([, { lane, isStream }]) => lane === 'reads' && !isStream)
  it.each(reading.map(([name]) => name))(
    'serves %s on a connection that refuses writes and locks of rows',
    async (name) => {
      const { status, data } = await send(name)
      const expected = NO_ROWS.includes(name) ? 404 : 200
      expect({ status, data }).toMatchObject({ status: expected })
    },
  )

  it('serves a text of terms that is in force and not stored yet', async () => {
    const operator = { name: 'RIF Ltd', address: 'Street 1', law: 'Singapore', venue: 'Singapore' }
    const settings = { ...server.services.settings, operator }
    const services = createServices({ ...server.services, settings })
    const rateLimits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
    const app = await createApp(services, { rateLimits, log: server.services.log })
    try {
      const other = { ...server, services, app }
      const inForce = await services.termsTexts.inForce()
      const { data } = await call(other, `nonce?address=${newWallet().address}`)
      expect(data.terms_uri).toContain(inForce.sha256)
      expect((await call(other, 'auth/terms', { as: member })).data.version).toBe(inForce.version)
      const { payload } = await app.inject({ method: 'GET', url: termsPath(inForce.version) })
      expect(payload).toContain('RIF Ltd')
      const { rows } = await sql`select from terms_texts where version = ${inForce.version}`.execute(
        server.database.db,
      )
      expect(rows).toEqual([])
    } finally {
      await app.close()
    }
  })

  it.each(['select from sessions for update', 'update sessions set device = null'])(
    'is such a connection: %s',
    async (text) => {
      const run = () => sql.raw(text).execute(lanes.db)
      await expect(forAll('reads', run)).rejects.toMatchObject({ code: '25006' })
    },
  )
})

describe('calls of one member that lock', () => {
  /** Lets a member send 100 calls at once while others work. Returns the answers of both. */
  async function burst(send: () => Promise<Answer>): Promise<{ own: Answer[]; ofOthers: Answer[] }> {
    let isOver = false
    const sent = Promise.all(Array.from({ length: 100 }, send)).finally(() => {
      isOver = true
    })
    const ofOthers: Answer[] = []
    const work = async (ask: () => Promise<Answer>) => {
      while (!isOver) ofOthers.push(await ask())
    }
    const read = () => call(server, 'me', { as: others, repeats: 0 })
    const write = () => call(server, 'profit/mng', { as: others, payload: { action: 'resume' } })
    await Promise.all([read, read, read, write].map(work))
    return { own: await sent, ofOthers }
  }

  const orderTx = () => call(server, `order/tx/${ids.order_id}`, { as: member, repeats: 0 })
  const withdraw = () =>
    call(server, 'withdraw', { as: member, payload: { asset: 'USDT', amount: '100000' } })

  it.each([
    ['GET order/tx', orderTx, 200],
    ['POST withdraw above the balance', withdraw, 409],
  ])('fail no call of others: 100 x %s at once', async (_name, send, status) => {
    const { own, ofOthers } = await burst(send)
    expect(ofOthers.length).toBeGreaterThan(0)
    expect(ofOthers.filter((answer) => answer.status !== 200)).toEqual([])
    const taken = own.filter((answer) => answer.status !== 429)
    expect(taken.length).toBeGreaterThanOrEqual(10)
    expect(taken.map((answer) => answer.status)).toEqual(taken.map(() => status))
    const refused = own.filter((answer) => answer.status === 429)
    expect(refused.length).toBeGreaterThan(50)
    for (const { data, headers } of refused) {
      expect(data).toMatchObject({ error: 'TOO_MANY_CALLS' })
      expect(headers['retry-after']).toBe('1')
    }
    expect((await send()).status).toBe(status)
  })
})
