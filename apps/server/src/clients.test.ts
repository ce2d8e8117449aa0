import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX, type Route, routes } from '@rif/api-schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ConnectionLimits, createApp } from './app.ts'
import { createDatabase, type Database, inTx } from './db/database.ts'
import { createLogger } from './lib/logger.ts'
import { openLive } from './modules/access/live/live.service.ts'
import { createMetrics } from './plugins/metrics.ts'
import { newAdmin, type TestAdmin } from './testing/admin-actions.ts'
import { lockWaiters } from './testing/lock-waits.ts'
import { createTestDatabase, isOnCluster } from './testing/test-database.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'
import { createTestWebRoot } from './testing/test-web-root.ts'
import { WAIT } from './testing/wait.ts'

const METRICS_TOKEN = 'only-for-the-metrics'
const NO_LIMITS = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
const silent = createLogger({ level: 'silent' })

let server: TestServer
let lanes: Database
let web: Awaited<ReturnType<typeof createTestWebRoot>>
let member: SignedIn
let owner: TestAdmin
const lines: { level: number; msg: string; status?: number; path?: string }[] = []

beforeAll(async () => {
  web = await createTestWebRoot()
  const database = await createTestDatabase({ max: 10, role: 'rif_app' })
  lanes = createDatabase({
    url: database.url,
    max: 20,
    applicationName: 'clients',
    hasPools: true,
    isDistributed: isOnCluster(),
  })
  server = await startTestServer({
    webRoot: web.webRoot,
    metricsToken: METRICS_TOKEN,
    log: createLogger({ level: 'info', stream: { write: (line) => lines.push(JSON.parse(line)) } }),
    database: {
      ...database,
      ...lanes,
      async close() {
        await lanes.close()
        await database.close()
      },
    },
  })
  member = await signIn(server, newWallet())
  owner = await newAdmin(server, 'owner')
  await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await web.remove()
})

const portOf = (app: TestServer['app']) => (app.server.address() as AddressInfo).port
const headersOf = ({ token, address }: SignedIn) => ({
  authorization: `Bearer ${token}`,
  'x-wallet-address': address,
})

describe('HEAD', () => {
  const others = [
    '/health',
    '/ready',
    '/metrics',
    '/api/docs/',
    '/api/v1/openapi.json',
    '/assets/app-1234.js',
  ]
  const pages = ['/', '/pages/login/index?code=AAAAAAAA', '/wallet', '/admin/today']
  const calls = (Object.values(routes) as Route[])
    .filter(({ method, isStream }) => method === 'GET' && !isStream)
    .map(({ path }) => `${API_PREFIX}${path.replace(/:\w+/g, '1')}`)

  it.each([...pages, ...others, ...calls])('of %s is answered as GET is, without a body', async (url) => {
    const as = url.startsWith(`${API_PREFIX}admin`) ? owner : member
    const headers = url === '/metrics' ? { authorization: `Bearer ${METRICS_TOKEN}` } : headersOf(as)
    // On a busy machine one of the two may be answered with 503.
    await vi.waitFor(async () => {
      const got = await server.app.inject({ url, headers })
      const head = await server.app.inject({ method: 'HEAD', url, headers })
      expect({ url, status: head.statusCode }).toEqual({ url, status: got.statusCode })
      expect(head.body).toBe('')
      for (const name of ['content-type', 'cache-control', 'content-disposition'])
        expect({ name, value: head.headers[name] }).toEqual({ name, value: got.headers[name] })
    }, WAIT)
  })

  it('of the stream of changes has its headers and opens none', async () => {
    const live = openLive(
      { ...server.services, log: silent, metrics: createMetrics() },
      { databaseUrl: server.database.url },
    )
    const app = await createApp(server.services, { live, log: silent, rateLimits: NO_LIMITS })
    const url = `${API_PREFIX}changes`
    const head = await app.inject({ method: 'HEAD', url, headers: headersOf(member) })
    expect(head.statusCode).toBe(200)
    expect(head.headers['content-type']).toContain('text/event-stream')
    expect(live.size()).toBe(0)
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(401)
    await app.close()
    await live.stop()
  })

  it('is among the methods of every route that has GET', () => {
    const methods = server.app.printRoutes({ commonPrefix: false }).match(/\(([A-Z, ]+)\)/g)!
    const reading = methods.filter((of) => /\bGET\b/.test(of))
    expect(reading.length).toBeGreaterThan(100)
    expect(reading.filter((of) => !/\bHEAD\b/.test(of))).toEqual([])
  })
})

describe('a request that its client gives up', () => {
  const pids = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'clients' and datname = current_database()
      order by pid`.execute(server.database.adminDb)
    return rows.map(({ pid }) => pid)
  }
  /** Reports whether a connection has work or an open transaction. */
  const isBusy = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where application_name = 'clients' and datname = current_database() and query not like 'select 1%'
        and state <> 'idle'`.execute(server.database.adminDb)
    return rows.length > 0
  }

  it('keeps its database connection, has no effect, and is no error in the log', async () => {
    // Opens the connections that the call below uses.
    const set = (action: string) => call(server, 'profit/mng', { as: member, payload: { action } })
    expect((await set('resume')).status).toBe(200)
    const award = await call(server, 'profit/mng', { as: member })
    let waiting: readonly number[] = []
    lines.length = 0
    await inTx(server.database.adminDb, async (dbTx) => {
      await sql`select from ledger_heads where member_id = ${member.memberId} for update`.execute(dbTx)
      const sent = request({
        port: portOf(server.app),
        method: 'POST',
        path: `${API_PREFIX}profit/mng`,
        headers: { ...headersOf(member), 'content-type': 'application/json' },
      })
      sent.on('error', () => undefined)
      sent.end(JSON.stringify({ action: 'pause' }))
      await vi.waitUntil(async () => {
        waiting = await lockWaiters(server.database, 'clients')
        return waiting.length === 1
      }, WAIT)
      sent.destroy()
      await sleep(200)
    })
    await vi.waitUntil(async () => !(await isBusy()), WAIT)
    expect(lines).toEqual([])
    expect(await pids()).toContain(waiting[0])
    expect((await call(server, 'profit/mng', { as: member })).data).toEqual(award.data)
  })
})

describe('the connections of clients', () => {
  /** Starts another app of the same services with limits. Returns its port. */
  async function listen(
    clients: Partial<ConnectionLimits>,
  ): Promise<{ port: number; close(): Promise<void> }> {
    const app = await createApp(server.services, { clients, log: silent, rateLimits: NO_LIMITS })
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: portOf(app), close: () => app.close() }
  }
  async function open(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const isClosed = (socket: Socket) => once(socket.resume(), 'close').then(() => true)
  /** Sends a request and returns the start of the response. */
  async function ask(socket: Socket): Promise<string> {
    socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    const [data] = (await once(socket, 'data')) as [Buffer]
    return data.toString()
  }

  it('are closed when a request drips in, headers or body', async () => {
    const { port, close } = await listen({ requestMs: 500, checkMs: 50 })
    const head =
      'POST /api/v1/auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n'
    for (const begun of ['GET /health HTTP/1.1\r\n', `${head}\r\n`]) {
      const socket = await open(port)
      let answer = ''
      const drip = setInterval(() => socket.write('x'), 50)
      socket.on('data', (data: Buffer) => {
        answer += data.toString()
        clearInterval(drip)
      })
      // A drip that meets the closed connection resets it.
      socket.on('error', () => undefined)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(begun)
      await closed
      clearInterval(drip)
      expect(answer).toContain('408')
    }
    await close()
  })

  it('are limited in number, and the next is served when one has ended', async () => {
    const { port, close } = await listen({ most: 2 })
    const [first, second] = [await open(port), await open(port)]
    expect(await ask(first)).toContain('200')
    expect(await ask(second)).toContain('200')
    const third = connect(port, '127.0.0.1')
    third.on('error', () => undefined)
    expect(await isClosed(third)).toBe(true)
    first.destroy()
    await vi.waitUntil(async () => {
      const next = await open(port)
      const answer = await Promise.race([ask(next), isClosed(next).then(() => '')]).catch(() => '')
      next.destroy()
      return answer.includes('200')
    }, WAIT)
    second.destroy()
    await close()
  })

  it('stay open for the time that is set', async () => {
    const { port, close } = await listen({ idleMs: 3_000 })
    const socket = await open(port)
    expect(await ask(socket)).toMatch(/keep-alive: timeout=3/i)
    await isClosed(socket)
    await close()
  })
})

it('each process has the limits of streams for itself', async () => {
  const perWallet = 2
  const limits = { perWallet, perSource: 10, perProcess: 10 }
  const processes = await Promise.all(
    [1, 2].map(async () => {
      const live = openLive(
        { ...server.services, log: silent, metrics: createMetrics() },
        { databaseUrl: server.database.url, limits },
      )
      const app = await createApp(server.services, { live, log: silent, rateLimits: NO_LIMITS })
      await app.listen({ host: '127.0.0.1', port: 0 })
      return { live, app }
    }),
  )
  for (const { app, live } of processes) {
    const statuses = []
    for (let tab = 0; tab <= perWallet; tab++) {
      const sent = request({
        port: portOf(app),
        path: `${API_PREFIX}changes`,
        headers: headersOf(member),
      }).end()
      sent.on('error', () => undefined)
      const [response] = await once(sent, 'response')
      statuses.push(response.statusCode)
    }
    expect(statuses).toEqual([200, 200, 429])
    expect(live.size()).toBe(perWallet)
  }
  for (const { app, live } of processes) {
    await app.close()
    await live.stop()
  }
})
