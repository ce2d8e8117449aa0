import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { isWebhookSigned } from '../../../lib/signed-webhook.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { runWebhooks } from './webhooks.worker.ts'

const KEY = Buffer.alloc(32, 9)
const TOLERANCE_S = 300

interface Received {
  readonly id: string
  readonly accepted: boolean
  readonly body: { type: string; data: Record<string, unknown> }
}

let server: TestServer
let receiver: Server
let queue: { stop(): Promise<void> }
let operator: TestAdmin
let owner: TestAdmin
let member: SignedIn
let endpointId: string
let secret: string
let url: string
let offsetMs = 0
/** The status with which the receiver answers instead of the usual one. */
let answers: number[] = []
const received: Received[] = []

/**
 * Receives as the standard requires: verifies the signature, refuses an old timestamp, and accepts an id
 * once.
 */
async function receive(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  const header = (name: string) => String(request.headers[name])
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  const message = { id, timestamp, body, signature: header('webhook-signature') }
  const isRecent = Math.abs((Date.now() + offsetMs) / 1_000 - Number(timestamp)) < TOLERANCE_S
  if (!isRecent || !isWebhookSigned(secret, message)) return 401
  const status = answers.shift() ?? 200
  const isRepeated = received.some((item) => item.id === id && item.accepted)
  received.push({ id, accepted: status === 200 && !isRepeated, body: JSON.parse(body) })
  return status
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void receive(request).then((status) => response.writeHead(status, { location: `${url}/elsewhere` }).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  url = `http://${host}/hooks`
  const now = () => new Date(Date.now() + offsetMs)
  server = await startTestServer({ now, settings: { webhookKey: KEY, localHosts: [host] } })
  operator = await newAdmin(server, 'operator')
  owner = await newAdmin(server, 'owner')
  member = await signIn(server, newWallet())
  const { services, database } = server
  await inTx(database.db, (dbTx) =>
    services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' }),
  )
  queue = await runWebhooks({ url: database.adminUrl, webhooks: services.webhooks, log: services.log })
  const events = [
    'order.created',
    'alarm.raised',
    'price.published',
    'proposal.prepared',
    'withdrawal.requested',
  ]
  const payload = { endpoint_id: null, name: 'books', url, events, active: true }
  const proposal = await prepare(server, operator, 'webhook', payload)
  const { data } = await decide(server, owner, proposal)
  expect(data.state).toBe('Applied')
  endpointId = (await call(server, 'admin/webhooks', { as: operator })).data.endpoints[0].endpoint_id
})
afterAll(async () => {
  await queue.stop()
  receiver.close()
  await server.close()
})
afterEach(() => {
  answers = []
  offsetMs = 0
})

/** Waits until the receiver has this many messages of an event. */
async function until(type: string, count: number): Promise<Received[]> {
  for (;;) {
    const receivedOfType = received.filter(({ body }) => body.type === type)
    if (receivedOfType.length >= count) return receivedOfType
    await sleep(10)
  }
}

/** Waits until the newest delivery has a state. */
async function newest(state: string) {
  for (;;) {
    const { data } = await call(server, 'admin/webhook-deliveries?limit=1', { as: operator })
    if (data.items[0]?.state === state) return data.items[0]
    await sleep(10)
  }
}

async function order() {
  const { data } = await call(server, 'order', { as: member, payload: { product_id: '1' } })
  return data.order_id
}

const emit = () =>
  inTx(server.database.db, (dbTx) =>
    server.services.webhookEvents.emit(dbTx, 'withdrawal.requested', { cause: { type: 'test', id: '1' } }),
  )

it('the secret is shown once, to an owner', async () => {
  const show = (as: TestAdmin) => call(server, `admin/webhooks/${endpointId}/secret`, { as, method: 'POST' })
  expect((await show(operator)).status).toBe(403)
  secret = (await show(owner)).data.secret
  expect(secret).toMatch(/^whsec_/)
  expect((await show(owner)).data.error).toBe('NOT_FOUND')
  const stored = await sql<{
    text: string
  }>`select row_to_json(e)::text as text from webhook_endpoints as e`.execute(server.database.db)
  expect(stored.rows[0]!.text).not.toContain(secret.slice('whsec_'.length))
})

it('an event is delivered once, with a signature and an id', async () => {
  const orderId = await order()
  const [event] = await until('order.created', 1)
  expect(event).toMatchObject({
    accepted: true,
    body: {
      data: { order_id: orderId, member_id: `${member.memberId}`, usdt: '70.000000', amc: '60.000000' },
    },
  })
  const delivery = await newest('delivered')
  expect(delivery).toMatchObject({ endpoint: 'books', event: 'order.created', attempts: 1, status: 200 })
  expect(`evt_${delivery.event_id}`).toBe(event!.id)
})

it('a manual replay has the same id and body, and the receiver accepts it once', async () => {
  const delivery = await newest('delivered')
  const path = `admin/webhook-deliveries/${delivery.delivery_id}`
  const viewer = await newAdmin(server, 'viewer')
  expect((await call(server, `${path}/replay`, { as: viewer, method: 'POST' })).status).toBe(403)
  expect((await call(server, `${path}/replay`, { as: operator, method: 'POST' })).status).toBe(200)
  const [first, second] = await until('order.created', 2)
  expect(second).toMatchObject({ id: first!.id, accepted: false, body: first!.body })
  await newest('delivered')
  const { data } = await call(server, path, { as: operator })
  expect(data.tries).toHaveLength(2)
  expect(JSON.parse(data.body)).toEqual(first!.body)
})

it('a failed attempt is retried after a pause, and given up after the last', async () => {
  const count = received.length
  answers = [500]
  await emit()
  await until('withdrawal.requested', 1)
  const waiting = await newest('waiting')
  expect(waiting).toMatchObject({ attempts: 1, status: 500 })
  const pauseMs = Date.parse(waiting.next_at) - (Date.now() + offsetMs)
  expect(pauseMs).toBeGreaterThan(3_000)
  expect(pauseMs).toBeLessThan(6_000)
  const deliver = () => server.services.webhooks.deliver(BigInt(waiting.delivery_id))
  await deliver()
  expect(received).toHaveLength(count + 1)
  answers = Array.from({ length: 9 }, () => 503)
  for (let attempt = 2; attempt <= 10; attempt++) {
    offsetMs += 27 * 3_600_000
    await deliver()
  }
  offsetMs = 0
  expect(await newest('failed')).toMatchObject({ attempts: 10, status: 503, next_at: null })
})

it('an endpoint that is gone is not retried', async () => {
  answers = [410]
  await emit()
  await until('withdrawal.requested', 11)
  expect(await newest('failed')).toMatchObject({ attempts: 1, status: 410 })
})

it('a rolled-back event is not sent; a delivery of a dead worker is repeated', async () => {
  const { db } = server.database
  const { webhookEvents, webhooks } = server.services
  const countEvents = async () =>
    (await sql<{ count: bigint }>`select count(*) from webhook_events`.execute(db)).rows[0]!.count
  const before = await countEvents()
  await inTx(db, async (dbTx) => {
    await webhookEvents.emit(dbTx, 'alarm.raised', { cause: 'test' })
    throw new Error('undone')
  }).catch(() => undefined)
  await inTx(db, (dbTx) => webhookEvents.emit(dbTx, 'settlement.completed', { day: '2026-01-01' }))
  expect(await countEvents()).toBe(before)

  await inTx(db, (dbTx) => webhookEvents.emit(dbTx, 'alarm.raised', { cause: 'test' }))
  const [first] = await until('alarm.raised', 1)
  const delivery = await newest('delivered')
  await sql`update webhook_deliveries set state = 'sending', taken_at = now() - interval '2 minutes'
    where delivery_id = ${delivery.delivery_id}`.execute(db)
  await webhooks.keepUp()
  const [, second] = await until('alarm.raised', 2)
  expect(second!.id).toBe(first!.id)
})

it.each([
  ['http://169.254.169.254/latest'],
  ['https://127.0.0.1/hooks'],
  ['https://[::1]/hooks'],
  ['https://localhost/hooks'],
  ['http://example.org/hooks'],
  ['https://user:password@example.org/hooks'],
  ['ftp://example.org'],
])('an endpoint at %s is refused', async (address) => {
  const payload = { endpoint_id: null, name: 'inside', url: address, events: ['order.paid'], active: true }
  const answer = await tryPrepare(server, operator, 'webhook', payload)
  expect(answer).toMatchObject({
    status: 400,
    data: { error: 'VALIDATION_FAILED', details: { field: 'url' } },
  })
})

/** Waits for an attempt at the newest delivery. */
async function tried() {
  for (;;) {
    const { data } = await call(server, 'admin/webhook-deliveries?limit=1', { as: operator })
    if (data.items[0].status !== null || data.items[0].problem !== null) return data.items[0]
    await sleep(10)
  }
}

it('a redirect is not followed, and an endpoint that has become internal is not called', async () => {
  const { database, services } = server
  const alarm = (cause: string) =>
    inTx(database.db, (dbTx) => services.webhookEvents.emit(dbTx, 'alarm.raised', { cause }))
  const before = received.length
  answers = [302]
  await alarm('a')
  const delivery = await tried()
  expect(delivery).toMatchObject({ status: 302, attempts: 1, state: 'waiting' })
  expect(received.slice(before).map(({ id }) => id)).toEqual([`evt_${delivery.event_id}`])
  // The name now resolves to an internal address: nothing is sent or retried.
  const inside = url.replace('http://127.0.0.1', 'https://localhost')
  await sql`update webhook_endpoints set url = ${inside}`.execute(database.adminDb)
  await alarm('b')
  expect(await tried()).toMatchObject({ attempts: 1, status: null, problem: 'refused', state: 'failed' })
  expect(received).toHaveLength(before + 1)
  await sql`update webhook_endpoints set url = ${url}`.execute(database.adminDb)
  await sql`update webhook_deliveries set state = 'failed' where state = 'waiting'`.execute(database.adminDb)
})

it('a paused endpoint receives nothing, and its deliveries end', async () => {
  const events = ['alarm.raised']
  const payload = { endpoint_id: endpointId, name: 'books', url, events, active: false }
  const proposal = await prepare(server, operator, 'webhook', payload)
  expect((await decide(server, owner, proposal)).data.state).toBe('Applied')
  const { db } = server.database
  await inTx(db, (dbTx) => server.services.webhookEvents.emit(dbTx, 'alarm.raised', { cause: 'later' }))
  // The deliveries of the proposal itself were in progress.
  await expect
    .poll(async () => (await call(server, 'admin/webhooks', { as: operator })).data.endpoints)
    .toMatchObject([{ active: false, events, secret_shown: true, waiting: 0 }])
  const last = received.at(-1)
  expect(last?.body.data).not.toEqual({ cause: 'later' })
})
