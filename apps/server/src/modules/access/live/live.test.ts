import { once } from 'node:events'
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChangeKind, PAGE_AGE_HEADER } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../app.ts'
import { openChangeChannel } from '../../../db/change-channel.ts'
import { EVERYBODY, noteChange, OPERATORS } from '../../../db/changes.ts'
import { createDatabase, inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createMetrics } from '../../../plugins/metrics.ts'
import { newAdmin } from '../../../testing/admin-actions.ts'
import { startTcpProxy, type TcpProxy } from '../../../testing/tcp-proxy.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { WAIT } from '../../../testing/wait.ts'
import { type Live, openLive } from './live.service.ts'
import { createStreams, DEFAULT_STREAM_LIMITS, DEFAULT_STREAM_TIMES } from './streams.ts'

const log = createLogger({ level: 'silent' })
const TIMES = { ...DEFAULT_STREAM_TIMES, beatMs: 800, checkMs: 400, ageMarginMs: 0 }
const LIMITS = { perWallet: 3, perSource: 8, perProcess: 9 }
const NO_LIMITS = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
const FILLER_BYTES = 2_000_000

let server: TestServer
let proxy: TcpProxy
let live: Live
let app: FastifyInstance
let url: string
let member: SignedIn
let other: SignedIn
let open: Reading[] = []

beforeAll(async () => {
  server = await startTestServer()
  const database = new URL(server.database.url)
  proxy = await startTcpProxy(Number(database.port))
  database.host = `127.0.0.1:${proxy.port}`
  live = openLive({ ...server.services, log }, { databaseUrl: database.href, limits: LIMITS, times: TIMES })
  app = await createApp(server.services, { live, log, rateLimits: NO_LIMITS })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/changes`
  ;[member, other] = [await signIn(server, newWallet()), await signIn(server, newWallet())]
})
afterEach(async () => {
  for (const reading of open) reading.close()
  open = []
  await vi.waitUntil(() => live.size() === 0, WAIT)
})
afterAll(async () => {
  await app.close()
  await live.stop()
  await proxy.close()
  await server.close()
})

/** A stream as a browser reads it. */
interface Reading {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly refusal: unknown
  /** The kinds of each event so far. */
  readonly events: ChangeKind[][]
  readonly ended: Promise<void>
  close(): void
}

/** Reads over a separate connection, which is not reused after the stream. */
async function read(as: SignedIn, from = url, pageAgeMs?: number): Promise<Reading> {
  const headers = {
    authorization: `Bearer ${as.token}`,
    'x-wallet-address': as.address,
    ...(pageAgeMs !== undefined && { [PAGE_AGE_HEADER]: String(pageAgeMs) }),
  }
  const request = get(from, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const status = response.statusCode!
  const events: ChangeKind[][] = []
  let text = ''
  response.setEncoding('utf8')
  response.on('error', () => undefined)
  response.on('data', (part: string) => {
    const frames = (text + part).split('\n\n')
    text = frames.pop()!
    for (const frame of frames) if (frame.startsWith('data: ')) events.push(JSON.parse(frame.slice(6)).kinds)
  })
  const ended = new Promise<void>((resolve) => response.on('close', () => resolve()))
  if (status === 200) await vi.waitUntil(() => events.length > 0, WAIT)
  else await ended
  const refusal = status === 200 ? undefined : JSON.parse(text)
  const reading = {
    status,
    headers: response.headers,
    refusal,
    events,
    ended,
    close: () => void request.destroy(),
  }
  open.push(reading)
  return reading
}

const note = (as: SignedIn, kind: ChangeKind) =>
  inTx(server.database.db, async (dbTx) => noteChange(dbTx, as.memberId, kind))
const kindsIn = ({ events }: Reading) => new Set(events.flat())

describe('the stream', () => {
  it('needs a session, and a process that receives changes', async () => {
    expect((await fetch(url)).status).toBe(401)
    expect((await read({ ...member, token: 'x'.repeat(43) })).status).toBe(401)
    expect((await read({ ...member, address: other.address })).status).toBe(401)
    expect(await call(server, 'changes', { as: member })).toMatchObject({
      status: 503,
      data: { error: 'UNAVAILABLE' },
    })
  })

  it('is not opened by a request for its headers', async () => {
    const headers = { authorization: `Bearer ${member.token}`, 'x-wallet-address': member.address }
    const answer = await fetch(url, { method: 'HEAD', headers, signal: AbortSignal.timeout(WAIT.timeout) })
    expect(answer.status).toBe(200)
    expect(live.size()).toBe(0)
  })

  it('is not a page, is not cached, and begins with reading everything', async () => {
    const { status, headers, events } = await read(member)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(events).toEqual([['refresh']])
  })

  it("announces a member's changes to that member only, and common changes to all", async () => {
    const [mine, second, theirs] = [await read(member), await read(member), await read(other)]
    await note(member, 'order')
    await vi.waitUntil(() => mine.events.length > 1 && second.events.length > 1, WAIT)
    expect([mine.events[1], second.events[1]]).toEqual([['order'], ['order']])
    await inTx(server.database.db, async (dbTx) => noteChange(dbTx, EVERYBODY, 'pauses'))
    await vi.waitUntil(() => theirs.events.length > 1, WAIT)
    expect(theirs.events[1]).toEqual(['pauses'])
  })

  it('begins with what has changed since its page was opened, if the process knows that', async () => {
    const times = { ...TIMES, ageMarginMs: 200 }
    const own = createStreams({ check: async (readers) => readers, times })
    const reader = {
      memberId: 7n,
      address: '0xa',
      tokenHash: Buffer.alloc(32),
      isOperator: false,
      source: 'x',
    }
    const http = createServer((request, response) => {
      response.writeHead(200)
      own.open(reader, response, Number(request.headers[PAGE_AGE_HEADER]))
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const from = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const first = async (pageAgeMs: number) => (await read(member, from, pageAgeMs)).events[0]
    try {
      expect(await first(0)).toEqual(['refresh'])
      await sleep(2 * times.ageMarginMs + 1)
      expect(await first(0)).toEqual([])
      const ofOthers = ['8 transfer', `${OPERATORS} queue`, '7 session'] as const
      own.deliver(['7 order', '0xa send', `${EVERYBODY} pauses`, '7 order', ...ofOthers])
      const at = performance.now()
      expect(await first(0)).toEqual(['order', 'send', 'pauses'])
      await sleep(2 * times.ageMarginMs)
      expect(await first(0)).toEqual([])
      expect(await first(Math.ceil(performance.now() - at))).toEqual(['order', 'send', 'pauses'])
      own.deliver(Array.from({ length: 20_000 }, (_, member) => `${BigInt(100 + member)} order` as const))
      expect(await first(Math.ceil(performance.now() - at))).toEqual(['refresh'])
    } finally {
      own.endAll()
      http.closeAllConnections()
      http.close()
    }
  })

  it('begins so for a page that states its age', async () => {
    expect((await read(member, url, 0)).events).toEqual([[]])
  })

  it("announces operators' queues to operators only", async () => {
    const operator = await newAdmin(server, 'operator')
    const [theirs, mine] = [await read(operator), await read(member)]
    await inTx(server.database.db, async (dbTx) => noteChange(dbTx, OPERATORS, 'queue'))
    await note(member, 'balance')
    await vi.waitUntil(() => kindsIn(theirs).has('queue') && kindsIn(mine).has('balance'), WAIT)
    expect([...kindsIn(mine)]).toEqual(['refresh', 'balance'])
    await sql`delete from admins where address = ${operator.address.toLowerCase()}`.execute(
      server.database.adminDb,
    )
    await theirs.ended
  })

  it('announces a posting once its transaction has committed, and none that is rolled back', async () => {
    const mine = await read(member)
    const { db } = server.database
    const undone = inTx(db, async (dbTx) => {
      noteChange(dbTx, member.memberId, 'withdrawal')
      throw new Error('as tested')
    })
    await expect(undone).rejects.toThrow('as tested')
    let isCommitting = false
    const at = new Date()
    await inTx(db, async (dbTx) => {
      await server.services.ledger.post(dbTx, {
        key: 'gift',
        kind: 'grant',
        cause: { type: 'test', id: '1' },
        at,
        accountingDay: at.toISOString().slice(0, 10),
        lines: [
          {
            memberId: member.memberId,
            asset: 'USDT',
            source: 'external',
            destination: 'available',
            amountMicros: 1n,
          },
        ],
      })
      await sleep(300)
      expect(kindsIn(mine)).toEqual(new Set(['refresh']))
      isCommitting = true
    })
    await vi.waitUntil(() => mine.events.length > 1, WAIT)
    expect(isCommitting).toBe(true)
    expect(mine.events).toEqual([['refresh'], ['balance']])
  })

  it('combines a burst into a few events', async () => {
    const mine = await read(member)
    const from = performance.now()
    for (let time = 0; time < 60; time++) {
      await note(member, time % 2 === 0 ? 'order' : 'balance')
      await sleep(5)
    }
    await sleep(2 * TIMES.gatherMs)
    const most = (performance.now() - from) / TIMES.gatherMs + 2
    expect(kindsIn(mine)).toEqual(new Set(['refresh', 'order', 'balance']))
    expect(mine.events.length - 1).toBeLessThan(most)
  })

  it('announces commits of other processes', async () => {
    const mine = await read(member)
    const elsewhere = createDatabase({ url: server.database.url, max: 1, applicationName: 'rif-elsewhere' })
    const channel = openChangeChannel({ url: server.database.url, db: elsewhere.db, log })
    await inTx(elsewhere.db, async (dbTx) => noteChange(dbTx, member.memberId, 'settlement'))
    await channel.stop()
    await elsewhere.close()
    await vi.waitUntil(() => kindsIn(mine).has('settlement'), WAIT)
  })
})

describe('a stream ends', () => {
  it('with its session, at once when that is revoked', async () => {
    const [first, second] = [await signIn(server, member.wallet), await signIn(server, member.wallet)]
    const [ending, staying] = [await read(first), await read(second)]
    await call(server, 'auth/sign-out', { as: first, method: 'POST' })
    await ending.ended
    await note(member, 'order')
    await vi.waitUntil(() => kindsIn(staying).has('order'), WAIT)
    const listed = await call(server, 'auth/sessions', { as: member })
    const { session_id } = listed.data.items.find((item: { current: boolean }) => !item.current)
    await call(server, 'auth/sessions/end', { as: member, payload: { session_id } })
    await staying.ended
  })

  it('with its session, soon after the session expires', async () => {
    const late = await signIn(server, newWallet())
    const ending = await read(late)
    await sql`update sessions set expires_at = created_at where member_id = ${late.memberId}`.execute(
      server.database.adminDb,
    )
    await ending.ended
    expect((await read(late)).status).toBe(401)
  })

  it('not because the database is unavailable; afterwards it announces to read everything', async () => {
    const mine = await read(member)
    proxy.setState('cut')
    await note(member, 'order')
    await sleep(400)
    expect(mine.events).toEqual([['refresh']])
    proxy.setState('open')
    await vi.waitUntil(() => mine.events.length > 1, WAIT)
    expect(mine.events[1]).toEqual(['refresh'])
    await note(member, 'balance')
    await vi.waitUntil(() => kindsIn(mine).has('balance'), WAIT)
  })

  it('when its process does, which does not wait for it', async () => {
    const deps = { ...server.services, log, metrics: createMetrics() }
    const own = openLive(deps, { databaseUrl: server.database.url, times: TIMES })
    const closing = await createApp(server.services, { live: own, log, rateLimits: NO_LIMITS })
    await closing.listen({ host: '127.0.0.1', port: 0 })
    const { port } = closing.server.address() as AddressInfo
    const mine = await read(member, `http://127.0.0.1:${port}/api/v1/changes`)
    await closing.close()
    await own.stop()
    await mine.ended
  })

  it('never opens beyond the limits', async () => {
    const mine = await Promise.all([read(member), read(member), read(member)])
    const fourth = await read(member)
    expect(fourth.status).toBe(429)
    expect(fourth.refusal).toMatchObject({
      data: { error: 'RATE_LIMITED', details: { retry_after_seconds: 60 } },
    })
    mine[0]!.close()
    await vi.waitUntil(() => live.size() === 2, WAIT)
    expect((await read(member)).status).toBe(200)
    const wallets = await Promise.all(Array.from({ length: 2 }, () => signIn(server, newWallet())))
    for (const as of wallets) for (let tab = 0; tab < 3; tab++) await read(as)
    expect(open.filter(({ status }) => status === 200)).toHaveLength(LIMITS.perSource + 1)
    expect(open.at(-1)!.status).toBe(429)
  })
})

describe('a reader that accepts nothing', () => {
  let http: Server | undefined
  afterEach(() => http?.close())
  const readerOf = (address: string) => ({
    memberId: null,
    address,
    tokenHash: Buffer.alloc(32),
    isOperator: false,
    source: 'x',
  })

  it('has no stream if it has gone before one opens', async () => {
    const streams = createStreams({ check: async (readers) => readers })
    let opened = false
    http = createServer((_, response) => {
      response.once('close', () => {
        streams.open(readerOf('gone'), response)
        opened = true
      })
    })
    await new Promise<void>((resolve) => http!.listen(0, '127.0.0.1', resolve))
    connect((http.address() as AddressInfo).port, '127.0.0.1', function (this: Socket) {
      this.end('GET / HTTP/1.1\r\nhost: x\r\n\r\n', () => this.destroy())
    })
    await vi.waitUntil(() => opened, WAIT)
    expect(streams.size()).toBe(0)
    streams.endAll()
  })

  it('has one stream on a connection, which ends with it', async () => {
    const streams = createStreams({ check: async (readers) => readers })
    let requests = 0
    http = createServer((_, response) => {
      requests++
      response.writeHead(200)
      streams.open(readerOf('pipelined'), response)
    })
    await new Promise<void>((resolve) => http!.listen(0, '127.0.0.1', resolve))
    const socket = connect((http.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(4))
    await vi.waitUntil(() => requests === 4, WAIT)
    expect(streams.size()).toBe(1)
    socket.destroy()
    await vi.waitUntil(() => streams.size() === 0, WAIT)
    streams.endAll()
  })

  it('is disconnected, costs no memory in the meantime, and delays nobody', async () => {
    const streams = createStreams({
      check: async (readers) => readers,
      limits: { ...DEFAULT_STREAM_LIMITS, perProcess: 2 },
      times: { ...TIMES, firstGatherMs: 0, gatherMs: 0, slowMs: 200 },
    })
    const buffered: (() => number)[] = []
    http = createServer((request, response) => {
      response.writeHead(200)
      // More than the sockets hold, so that a reader that accepts nothing blocks from the first event on.
      response.write(Buffer.alloc(FILLER_BYTES))
      buffered.push(() => response.writableLength)
      streams.open(readerOf(request.url!.slice(1)), response)
    })
    const path = join(tmpdir(), `rif-streams-${process.pid}.sock`)
    await new Promise<void>((resolve) => http!.listen(path, resolve))
    const [slow, quick] = ['slow', 'quick'].map((name) => {
      const socket = connect(path)
      socket.write(`GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`)
      return socket
    }) as [ReturnType<typeof connect>, ReturnType<typeof connect>]
    let taken = 0
    quick.on('data', (part: Buffer) => {
      taken += part.toString().split('order').length - 1
    })
    await vi.waitUntil(() => streams.size() === 2, WAIT)
    expect(() => streams.requireRoom(readerOf('third'))).toThrow('UNAVAILABLE')
    let most = 0
    await vi.waitUntil(() => {
      streams.deliver([`${EVERYBODY} order`])
      most = Math.max(most, ...buffered.map((length) => length()))
      return streams.size() === 1 && taken > 0
    }, WAIT)
    expect(most).toBeLessThan(FILLER_BYTES + 1_024)
    streams.endAll()
    slow.destroy()
    quick.destroy()
  })
})
