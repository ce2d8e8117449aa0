import { API_PREFIX, type Route, type RouteName, routes } from '@rif/api-schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTx } from './db/database.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'

let server: TestServer
let member: SignedIn
let other: SignedIn
let revoked: SignedIn
let expired: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  ;[member, other, revoked, expired] = await Promise.all([
    signIn(server, newWallet()),
    signIn(server, newWallet()),
    signIn(server, newWallet()),
    signIn(server, newWallet()),
  ])
  await call(server, 'auth/sign-out', { as: revoked, method: 'POST' })
  await sql`update sessions set expires_at = created_at where member_id = ${expired.memberId}`.execute(
    server.database.db,
  )
})
afterAll(() => server.close())

const table = Object.entries(routes) as [RouteName, Route][]
const guarded = table.filter(([, route]) => route.access === 'member' || route.access === 'session')

function send(route: Route, headers: Record<string, string> = {}) {
  const path = route.path.replace(/:\w+/g, '1')
  return call(server, path, {
    method: route.method,
    headers,
    ...(route.method === 'POST' && { payload: {} }),
  })
}

const bearer = (token: string, address: string) => ({
  authorization: `Bearer ${token}`,
  'x-wallet-address': address,
})

describe('every call of the route table', () => {
  it.each(table)('%s is served', (_name, route) => {
    expect(server.app.hasRoute({ method: route.method, url: `${API_PREFIX}${route.path}` })).toBe(true)
  })

  it.each(guarded)('%s is refused without a session', async (_name, route) => {
    const attempts: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${member.token}` },
      { 'x-wallet-address': member.address },
      bearer('x'.repeat(43), member.address),
      bearer('short', member.address),
      { authorization: member.token, 'x-wallet-address': member.address },
      bearer(member.token, other.address),
      bearer(revoked.token, revoked.address),
      bearer(expired.token, expired.address),
    ]
    for (const headers of attempts) {
      expect(await send(route, headers)).toMatchObject({
        status: 401,
        code: 401,
        data: { error: 'UNAUTHORIZED' },
      })
    }
  })

  it.each(guarded)('%s is open to a session, with its address in any case', async (_name, route) => {
    if (route === routes.signOut) return
    const answer = await send(route, bearer(member.token, member.address.toLowerCase()))
    expect(answer.status).not.toBe(401)
    expect(answer.status).not.toBe(500)
  })
})

describe('what is served beside the calls', () => {
  it.each(['/health', '/ready', '/status', '/bank.json'])(
    '%s is open to anybody, is the same with a session, and names no host and no person',
    async (url) => {
      const stranger = await server.app.inject({ url })
      expect(stranger.statusCode).toBe(200)
      const signedIn = await server.app.inject({ url, headers: bearer(member.token, member.address) })
      expect(signedIn.body).toBe(stranger.body)
      const { host, username, password } = new URL(server.database.url)
      const secrets = [
        host,
        username,
        password,
        ...[member, other].flatMap((item) => [item.token, item.address]),
      ]
      for (const secret of secrets.filter((text) => text !== ''))
        expect(stranger.body.toLowerCase()).not.toContain(secret.toLowerCase())
    },
  )
})

describe('records of another member', () => {
  it('do not exist: orders', async () => {
    const order_id = await orderOf(member)
    expect(await call(server, `order/${order_id}`, { as: member })).toMatchObject({ status: 200 })
    const attempts = [
      call(server, `order/${order_id}`, { as: other }),
      call(server, `order/approve/usdt/${order_id}`, { as: other }),
      call(server, `order/approve/amc/${order_id}?useHashRate`, { as: other }),
      call(server, `order/tx/${order_id}`, { as: other }),
      call(server, 'order/pay', { as: other, payload: { order_id, tx_hash: `0x${'1'.repeat(64)}` } }),
      call(server, 'order/cancel', { as: other, payload: { order_id } }),
    ]
    for (const answer of await Promise.all(attempts)) {
      expect(answer).toMatchObject({ status: 404, data: { error: 'ORDER_NOT_FOUND' } })
    }
    expect((await call(server, 'order/all', { as: other })).data.items).toEqual([])
    expect((await call(server, `order/${order_id}`, { as: member })).data.status).toBe('UnPaid')
  })

  it('do not exist: withdrawals', async () => {
    const withdraw_id = await withdrawalOf(member)
    expect(await call(server, `withdraw/${withdraw_id}`, { as: member })).toMatchObject({ status: 200 })
    const attempts = [
      call(server, `withdraw/${withdraw_id}`, { as: other }),
      call(server, `withdraw/claim/${withdraw_id}`, { as: other }),
      call(server, `withdraw/cancel/${withdraw_id}`, { as: other, payload: {} }),
    ]
    for (const answer of await Promise.all(attempts)) {
      expect(answer).toMatchObject({ status: 404, data: { error: 'WITHDRAWAL_NOT_FOUND' } })
    }
    expect((await call(server, 'withdraws', { as: other })).data.items).toEqual([])
  })

  it('do not exist: transfers and names of the address book', async () => {
    await withdrawalOf(member)
    const contact = { address: other.address, label: 'mine alone' }
    await callSigned(server, 'transfer/contacts', { as: member, payload: contact })
    const payload = { address: other.address, asset: 'USDT', amount: '1' }
    const sent = await callSigned(server, 'transfer', { as: member, payload })
    const { transfer_id } = sent.data
    expect(await call(server, `transfer/cancel/${transfer_id}`, { as: other, payload: {} })).toMatchObject({
      status: 404,
      data: { error: 'TRANSFER_NOT_FOUND' },
    })
    const third = await signIn(server, newWallet())
    expect((await call(server, 'transfer', { as: third })).data.items).toEqual([])
    expect((await call(server, 'transfer/contacts', { as: third })).data).toMatchObject({
      saved: [],
      recent: [],
    })
    const seen = await call(server, `transfer/receiver?address=${other.address}`, { as: third })
    expect(seen.data).toMatchObject({ label: null, last_sent_at: null, looks_like: null })
    const history = await call(server, `me/sent?address=${other.address}`, { as: third })
    expect(history.data).toMatchObject({ sums: [], items: [] })
    const [received] = (await call(server, 'transfer', { as: other })).data.items
    expect(received).toMatchObject({ direction: 'in', counterpart: member.address, label: null })
    await callSigned(server, 'transfer/contacts/remove', { as: third, payload: { address: other.address } })
    expect((await call(server, 'transfer/contacts', { as: member })).data.saved).toHaveLength(1)
  })

  it('do not exist: quotes', async () => {
    await gift(member, 'RIF')
    const { data } = await call(server, 'exchange/quote', { as: member, payload: { to: 'DIV', amount: '2' } })
    const payload = { quote_id: data.quote_id }
    const attempts = ['exchange', 'hashrate'].map((path) => call(server, path, { as: other, payload }))
    for (const answer of await Promise.all(attempts)) {
      expect(answer).toMatchObject({ status: 409, data: { error: 'QUOTE_EXPIRED' } })
    }
    expect((await call(server, 'exchange/list', { as: other })).data.items).toEqual([])
    expect((await call(server, 'hashrate', { as: other })).data.items).toEqual([])
    expect(await callSigned(server, 'exchange', { as: member, payload })).toMatchObject({
      status: 200,
      data: { receives: '2.000000' },
    })
  })
})

describe('savings', () => {
  it('can be moved and seen only by their member', async () => {
    await gift(member, 'USDT', 'for savings')
    const send = (path: string, as: SignedIn, amount: string) =>
      call(server, `savings/${path}`, { as, payload: { asset: 'USDT', amount } })
    expect(await send('in', member, '10')).toMatchObject({ status: 200, data: { direction: 'in' } })
    expect(await send('out', member, '4')).toMatchObject({ status: 200, data: { direction: 'out' } })
    for (const path of ['in', 'out']) {
      expect(await send(path, other, '1000')).toMatchObject({
        status: 409,
        data: { error: 'INSUFFICIENT_BALANCE' },
      })
      expect(await send(path, member, '0')).toMatchObject({ data: { error: 'INVALID_AMOUNT' } })
      expect(await send(path, member, '0.0000001')).toMatchObject({ data: { error: 'VALIDATION_FAILED' } })
    }
    const accountOf = async (as: SignedIn) => (await call(server, 'savings', { as })).data
    expect(await accountOf(member)).toMatchObject({
      total_amount: '6.000000',
      total_holding_value: '10.000000',
    })
    expect(await accountOf(other)).toMatchObject({ total_holding_value: '0.000000' })
    expect((await call(server, 'savings/transfers?leaving', { as: member })).data.items).toHaveLength(1)
    for (const list of ['transfers', 'interest']) {
      expect((await call(server, `savings/${list}`, { as: other })).data.items).toEqual([])
    }
  })
})

describe('sessions of another member', () => {
  it('can be neither seen nor ended', async () => {
    const own = (await call(server, 'auth/sessions', { as: member })).data.items
    expect(own).toMatchObject([{ current: true }])
    const attempt = { as: other, payload: { session_id: own[0].session_id } }
    expect(await call(server, 'auth/sessions/end', attempt)).toMatchObject({
      status: 404,
      data: { error: 'NOT_FOUND' },
    })
    await call(server, 'auth/sessions/end', { as: other, payload: { others: true } })
    expect((await call(server, 'me', { as: member })).status).toBe(200)
    const others = (await call(server, 'auth/sessions', { as: other })).data.items
    expect(others.map((other: { session_id: string }) => other.session_id)).not.toContain(own[0].session_id)
  })
})

describe('an Idempotency-Key', () => {
  it('makes a repeated order one order, even with concurrent repetitions', async () => {
    await publishPrice()
    const send = (key: string, product_id: string) =>
      call(server, 'order', { as: other, payload: { product_id }, headers: { 'idempotency-key': key } })
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('k1', '1')))
    expect(new Set(answers.map((answer) => answer.data.order_id)).size).toBe(1)
    expect(answers).toEqual(
      answers.map(() => expect.objectContaining({ status: 200, data: answers[0]!.data })),
    )
    expect(await send('k1', '2')).toMatchObject({ status: 409, data: { error: 'IDEMPOTENCY_CONFLICT' } })
    expect(await send('x'.repeat(201), '1')).toMatchObject({
      status: 400,
      data: { error: 'VALIDATION_FAILED' },
    })
    expect((await call(server, 'order/all', { as: other })).data.items).toHaveLength(1)
  })
})

async function publishPrice(): Promise<void> {
  const { pricing } = server.services
  await inTx(server.database.db, (dbTx) =>
    pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' }),
  )
}

async function orderOf(owner: SignedIn): Promise<string> {
  await publishPrice()
  const { data } = await call(server, 'order', { as: owner, payload: { product_id: '1' } })
  return data.order_id
}

async function gift(owner: SignedIn, asset: 'USDT' | 'RIF', key: string = asset): Promise<void> {
  const at = new Date()
  await server.services.ledger.post(server.database.db, {
    key: `gift/${key}`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: at.toISOString().slice(0, 10),
    at,
    lines: [
      {
        memberId: owner.memberId,
        asset,
        source: 'external',
        destination: 'available',
        amountMicros: 50_000_000n,
      },
    ],
  })
}

async function withdrawalOf(owner: SignedIn): Promise<string> {
  await gift(owner, 'USDT')
  const { data } = await call(server, 'withdraw', { as: owner, payload: { asset: 'USDT', amount: '20' } })
  return data.withdraw_id
}
