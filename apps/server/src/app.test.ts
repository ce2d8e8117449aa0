import { gunzipSync } from 'node:zlib'
import { API_PREFIX, configData, failure, invitationData, inviteData, me, routes } from '@rif/api-schema'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from './app.ts'
import { createLogger } from './lib/logger.ts'
import type { TrustedProxies } from './plugins/forwarded.ts'
import {
  call,
  newWallet,
  PUBLIC_URL,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'
import { createTestWebRoot } from './testing/test-web-root.ts'
import { WAIT } from './testing/wait.ts'

const METRICS_TOKEN = 'only-for-the-metrics'
const lines: string[] = []
const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } })

let server: TestServer
let web: Awaited<ReturnType<typeof createTestWebRoot>>
let member: SignedIn

beforeAll(async () => {
  web = await createTestWebRoot()
  server = await startTestServer({ webRoot: web.webRoot, metricsToken: METRICS_TOKEN, log })
  member = await signIn(server, newWallet())
})
afterAll(async () => {
  await server.close()
  await web.remove()
})

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

describe('the envelope', () => {
  it('matches the schemas', async () => {
    const config = await call(server, 'config')
    expect(config).toMatchObject({ status: 200, code: 200, msg: 'OK' })
    expect(configData.strict().parse(config.data)).toMatchObject({
      app: { title: 'RIFund Portfolio', version: '1.0.0', code: 100 },
      chain: { id: 42161, rpc_url: `${PUBLIC_URL}/rpc` },
      demo: null,
      coverage_30d: { commission: null },
    })
    const invite = inviteData.strict().parse((await call(server, 'me/invite', { as: member })).data)
    expect(invite.links.left).toBe(`${PUBLIC_URL}/pages/login/index?code=${invite.invite_code}&side=left`)
    const invitation = await call(server, `invitation?code=${invite.invite_code}&side=left`)
    expect(invitationData.parse(invitation.data)).toEqual({
      invite_code: invite.invite_code,
      sponsor_address: member.address,
      side: 'left',
    })
    expect(me.strict().parse((await call(server, 'me', { as: member })).data)).toMatchObject({
      receive_address: member.address,
      level: 0,
      register_days: 0,
      available_profit: '0.000000',
      use_hash_rate_percent: 100_000,
      service_fee: 10_000,
    })
  })

  it('is the same for every kind of failure, in the requested language', async () => {
    const failures = [
      [await call(server, 'no/such/call'), 404, 'NOT_FOUND'],
      [await call(server, 'nonce?address=0x12'), 400, 'INVALID_ADDRESS'],
      [await call(server, 'me/relation?limit=1000', { as: member }), 400, 'VALIDATION_FAILED'],
      [
        await call(server, 'auth', { payload: '{', headers: { 'content-type': 'application/json' } }),
        400,
        'VALIDATION_FAILED',
      ],
      [
        await call(server, 'auth', { payload: 'x', headers: { 'content-type': 'text/xml' } }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      [await call(server, 'auth', { payload: { message: 'x'.repeat(70_000) } }), 413, 'PAYLOAD_TOO_LARGE'],
      [await call(server, 'me'), 401, 'UNAUTHORIZED'],
    ] as const
    for (const [answer, status, error] of failures) {
      expect(answer.status).toBe(status)
      expect(failure.parse(answer)).toMatchObject({ code: status, data: { error } })
    }
    const inLanguage = async (language: string) =>
      (await call(server, 'me', { headers: { 'accept-language': language } })).msg
    expect(await inLanguage('zh-TW')).toBe('请重新登录')
    expect(await inLanguage('ja')).toBe('もう一度サインインしてください')
    expect(await inLanguage('ko-KR')).toBe('다시 로그인하세요')
    expect(await inLanguage('de')).toBe('Please log in again')
  })

  it('states which body is unreadable, and which methods a path has', async () => {
    const json = { headers: { 'content-type': 'application/json' } }
    const malformed = await call(server, 'auth', { ...json, payload: '{' })
    expect(malformed.data).toMatchObject({ details: { problem: 'Invalid input: the body is not JSON' } })
    for (const [method, url, allow] of [
      ['DELETE', 'config', 'GET, HEAD'],
      ['PUT', 'auth', 'POST'],
      ['GET', 'admin/proposals/7/withdraw', 'POST'],
    ] as const) {
      const answer = await server.app.inject({ method, url: `${API_PREFIX}${url}` })
      expect(answer.json(), url).toMatchObject({ code: 405, data: { error: 'METHOD_NOT_ALLOWED' } })
      expect(answer.headers.allow, url).toBe(allow)
    }
  })

  it('omits fields that its schema does not have', async () => {
    const config = async () => ({ ...(await server.services.system.config(server.database.db)), secret: 'x' })
    const system = { ...server.services.system, config }
    const app = await createApp({ ...server.services, system }, { log })
    expect((await call({ app }, 'config')).data).not.toHaveProperty('secret')
    await app.close()
  })

  it('reveals nothing about a defect', async () => {
    const app = await createApp(
      { ...server.services, me: { me: () => Promise.reject(new Error('a secret')) } },
      { log },
    )
    const answer = await call({ app }, 'me', { as: member })
    await app.close()
    expect(answer).toMatchObject({ status: 500, data: { error: 'INTERNAL', details: {} } })
    expect(JSON.stringify(answer)).not.toContain('a secret')
  })

  it('is sent before the app times out, even if the work never returns', async () => {
    const me = vi.fn(() => new Promise<never>(() => undefined))
    const app = await createApp({ ...server.services, me: { me } }, { log })
    await app.ready()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answer = call({ app }, 'me', { as: member })
    await vi.waitUntil(() => me.mock.calls.length > 0, WAIT)
    await vi.advanceTimersByTimeAsync(28_000)
    vi.useRealTimers()
    expect(await answer).toMatchObject({ status: 503, data: { error: 'TIMEOUT' } })
    await app.close()
  })
})

describe('the rate limits', () => {
  it("use the address that the proxy adds, not the client's own entries before it", async () => {
    const rateLimits = { perIp: 100, perMember: 100, signInPerIp: 2 }
    const status = async (app: TestServer['app'], forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor }
      return (await call({ app }, `nonce?address=${newWallet().address}`, { headers })).status
    }
    const behindProxy = await createApp(server.services, { log, rateLimits, trustProxy: 1 })
    expect(await status(behindProxy, '198.51.100.1, 203.0.113.7')).toBe(200)
    expect(await status(behindProxy, '198.51.100.2, 203.0.113.7')).toBe(200)
    expect(await status(behindProxy, '198.51.100.3, 203.0.113.7')).toBe(429)
    expect(await status(behindProxy, '203.0.113.8')).toBe(200)
    const alone = await createApp(server.services, { log, rateLimits })
    // The calls of the other tests count too, so the first may already be refused.
    await status(alone, '198.51.100.1')
    await status(alone, '198.51.100.2')
    expect(await status(alone, '198.51.100.3')).toBe(429)
    await Promise.all([behindProxy.close(), alone.close()])
  })

  it('use the entry of the last proxy that is trusted, by number or by address', async () => {
    const ipOf = async (trustProxy: TrustedProxies, forwardedFor: string) => {
      const lines: string[] = []
      const app = await createApp(server.services, {
        trustProxy,
        rateLimits: { perIp: 1000, perMember: 1000, signInPerIp: 1000 },
        log: createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } }),
      })
      await call({ app }, 'config', { headers: { 'x-forwarded-for': forwardedFor } })
      await app.close()
      return {
        ip: lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'answered').ip,
        warnings: lines.filter((line) => line.includes('set TRUST_PROXY')).length,
      }
    }
    const entries = '198.51.100.1, 203.0.113.7, 10.0.0.7'
    expect(await ipOf(1, entries)).toEqual({ ip: '10.0.0.7', warnings: 0 })
    expect(await ipOf(2, entries)).toEqual({ ip: '203.0.113.7', warnings: 0 })
    expect(await ipOf(['127.0.0.1', '10.0.0.0/8'], entries)).toEqual({ ip: '203.0.113.7', warnings: 0 })
    expect(await ipOf(['10.0.0.0/8'], entries)).toEqual({ ip: '127.0.0.1', warnings: 1 })
    expect(await ipOf(false, entries)).toEqual({ ip: '127.0.0.1', warnings: 1 })
  })

  it('say once that a header which names the client is ignored', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const app = await createApp(server.services, { log: createLogger({ level: 'warn', stream }) })
    for (const headers of [{}, { forwarded: 'for=198.51.100.1' }, { 'x-forwarded-for': '198.51.100.1' }])
      await call({ app }, 'config', { headers })
    await app.close()
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ header: 'forwarded', from: '127.0.0.1' })
  })

  it('count by address, by member, and more strictly without a session', async () => {
    const app = await createApp(server.services, {
      log,
      trustProxy: 1,
      rateLimits: { perIp: 8, perMember: 3, signInPerIp: 2 },
    })
    const headers = { 'x-forwarded-for': '203.0.113.20' }
    const statuses = async (path: string, count: number, as?: SignedIn) => {
      const answers = []
      for (let index = 0; index < count; index++)
        answers.push(await call({ app }, path, { headers, ...(as && { as }) }))
      return answers.map((answer) => answer.status)
    }
    const nonce = `nonce?address=${member.address}`
    expect(await statuses(nonce, 3)).toEqual([200, 200, 429])
    const fresh = await signIn(server, newWallet())
    expect(await statuses('me/invite', 4, fresh)).toEqual([200, 200, 200, 429])
    expect(await statuses('config', 2)).toEqual([200, 429])
    const refused = await call({ app }, 'config', { headers })
    expect(refused.headers['retry-after']).toBeDefined()
    expect(refused.data).toMatchObject({ error: 'RATE_LIMITED' })
    expect((await app.inject({ url: '/health' })).statusCode).toBe(200)
    await app.close()
  })
})

describe('the documents of the API', () => {
  it('list every call of the route table, with its schemas', async () => {
    const document = (await get(`${API_PREFIX}openapi.json`)).json()
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.values(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    ).flatMap((path) => Object.values(path).map((operation) => operation.operationId))
    const served = Object.entries(routes).flatMap(([name, { method, path }]) => {
      const url = `${API_PREFIX}${path}`
      return [
        ...(server.app.hasRoute({ method, url }) ? [name] : []),
        ...(method === 'GET' && server.app.hasRoute({ method, url: `${url}/csv` }) ? [`${name}Csv`] : []),
        ...(method === 'GET' && server.app.hasRoute({ method, url: `${url}/jsonl` })
          ? [`${name}JsonLines`]
          : []),
      ]
    })
    // Files, which are not responses of the table.
    if (server.app.hasRoute({ method: 'GET', url: `${API_PREFIX}solvency/leaves/:day` }))
      served.push('solvencyLeaves')
    for (const name of ['statement', 'adminStatement'] as const)
      if (server.app.hasRoute({ method: 'GET', url: `${API_PREFIX}${routes[name].path}/file` }))
        served.push(`${name}File`)
    if (server.app.hasRoute({ method: 'POST', url: `${API_PREFIX}shared/file` })) served.push('sharedFile')
    expect(operations.sort()).toEqual([...new Set(served)].sort())
    const order = document.paths['/api/v1/me/relation'].get
    expect(order.security).toEqual([{ token: [], wallet: [] }])
    const parameters = order.parameters.map((parameter: { name: string }) => parameter.name)
    expect(parameters.slice(0, 3)).toEqual(['cursor', 'limit', 'id'])
    expect(order.responses['200'].content['application/json'].schema.properties.data).toBeDefined()
  })

  it('are serialised once, for every client and format', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const zipped = await server.app.inject({ url: `${API_PREFIX}openapi.json`, headers })
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(gunzipSync(zipped.rawPayload).toString()).toBe((await get(`${API_PREFIX}openapi.json`)).body)
    const brotli = await server.app.inject({
      url: `${API_PREFIX}openapi.json`,
      headers: { 'accept-encoding': 'br' },
    })
    expect(brotli.headers).not.toHaveProperty('content-encoding')
    expect(await get('/api/docs/json')).toMatchObject({
      statusCode: 302,
      headers: { location: `${API_PREFIX}openapi.json` },
    })
    expect((await get('/api/docs/yaml')).statusCode).toBe(404)
  })

  it('are shown on our own page', async () => {
    const page = await get('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toMatch(/https?:\/\/(?!rif\.test)/)
    expect(page.body).not.toMatch(/<script>|<script [^>]*>\s*[^<\s]/)
  })
})

describe('the security headers', () => {
  it('of a call allow nothing, and forbid caching the response', async () => {
    // The last two are refused before the routes are looked up.
    for (const path of ['config', 'me', 'nonce?address=0x12', '%zz', 'order/%c3%28']) {
      const { headers } = await get(`${API_PREFIX}${path}`)
      expect(headers, path).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
    }
  })
})

describe('the web app', () => {
  it('forbids caching or indexing the page of a shared link, and sends no referrer', async () => {
    for (const path of ['/pages/shared', '/pages/shared?x', '/pages/shared/']) {
      const page = await get(path)
      expect(page.headers).toMatchObject({
        'content-type': expect.stringContaining('text/html'),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      })
    }
  })

  it('serves one document for every page, never cached, under a strict policy', async () => {
    for (const path of ['/', '/pages/shop/index', '/pages/login/index?code=ABC', '/pages/sharedby']) {
      const page = await get(path)
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-type']).toContain('text/html')
      expect(page.headers['cache-control']).toBe('no-cache')
      expect(page.headers.etag).toBeDefined()
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toContain("default-src 'self'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('upgrade-insecure-requests')
    }
    expect((await get('/')).headers['x-content-type-options']).toBe('nosniff')
  })

  it('serves hashed files with unlimited caching, precompressed', async () => {
    const file = await get('/assets/app-1234.js', { 'accept-encoding': 'gzip' })
    expect(file.statusCode).toBe(200)
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(file.headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
    expect(file.headers['x-content-type-options']).toBe('nosniff')
    expect(file.headers['permissions-policy']).toBeUndefined()
    expect(file.headers['content-encoding']).toBe('gzip')
    expect(file.rawPayload.length).toBeLessThan(1_000)
    const again = await get('/assets/app-1234.js', {
      'if-none-match': String((await get('/assets/app-1234.js')).headers.etag),
    })
    expect(again.statusCode).toBe(304)
  })

  it('does not serve a page for a missing file or call', async () => {
    for (const path of ['/assets/gone.js', '/api/v1/gone', '/robots.txt'])
      expect((await get(path)).statusCode).toBe(404)
  })
})

describe('an operator of the process', () => {
  it('finds each reason in the log once, and no line for a probe that succeeded', async () => {
    const before = lines.length
    for (let time = 0; time < 3; time++)
      for (const probe of ['/health', '/ready', '/status']) expect((await get(probe)).statusCode).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await get('/status')
    const entries = lines
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg !== 'request failed')
    expect(entries.filter(({ msg }) => msg === 'answered')).toEqual([])
    expect(entries.filter(({ part }) => part === 'indexer')).toHaveLength(1)
  })

  it('learns that it is alive, and what is missing', async () => {
    expect((await get('/health')).json()).toEqual({ status: 'ok' })
    const ready = await get('/ready')
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toEqual({ ready: true, checks: { database: { ok: true }, schema: { ok: true } } })
    const status = await get('/status')
    expect(status.statusCode).toBe(200)
    expect(status.json()).toEqual({
      ok: false,
      parts: {
        contracts: { ok: true },
        machines: { ok: true },
        chain: { ok: false, problem: 'unknown: no indexer has asked the nodes for a minute' },
        indexer: { ok: false, problem: 'has not run yet' },
        signer: { ok: true },
        // The signer of tests lists three approvers, and nobody has a role.
        approvers: { ok: false, problem: 'SIGNER_APPROVERS and the roles differ: 3' },
        gate: { ok: true },
      },
    })
  })

  it('reads the metrics with the token only', async () => {
    expect((await get('/metrics')).statusCode).toBe(401)
    expect((await get('/metrics', { authorization: 'Bearer guess' })).statusCode).toBe(401)
    const metrics = await get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
    expect(metrics.statusCode).toBe(200)
    expect(metrics.body).toContain('rif_pool_balance{pool="commission_pool",asset="USDT"} 0')
    expect(metrics.body).toMatch(
      /rif_http_request_duration_seconds_count\{route="\/api\/v1\/me",method="GET",status="200"\} 1/,
    )
    expect(metrics.body).toContain('# TYPE rif_ledger_transactions_total counter')
  })

  it('finds a log line for each response, without secrets', () => {
    expect(lines.some((line) => line.includes('"path":"/api/v1/me"') && line.includes('"status":200'))).toBe(
      true,
    )
    expect(lines.join('')).not.toContain(member.token)
    expect(lines.join('')).not.toContain('address=0x')
  })
})
