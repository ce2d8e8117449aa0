import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../../config.ts'
import { createLogger } from '../../lib/logger.ts'
import { freePort } from '../../local/processes.ts'
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts'
import { createEmptyDatabase, isOnCluster } from '../../testing/test-database.ts'
import { createTestWebRoot } from '../../testing/test-web-root.ts'
import { WAIT } from '../../testing/wait.ts'
import { awaitDatabase } from './waiting.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let proxy: TcpProxy
let web: Awaited<ReturnType<typeof createTestWebRoot>>
const lines: string[] = []
const log = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } })

beforeAll(async () => {
  database = await createEmptyDatabase()
  proxy = await startTcpProxy(Number(new URL(database.urls.app).port))
  web = await createTestWebRoot()
})
afterAll(async () => {
  await proxy.close()
  await database.drop()
  await web.remove()
})

test('a process that serves answers pages and probes until the database is back, and refuses calls', async () => {
  const port = await freePort()
  const config = loadConfig({ PORT: `${port}` })
  const url = new URL(database.urls.app)
  url.host = `127.0.0.1:${proxy.port}`
  // A cluster for tests asks for none.
  url.password ||= 'unasked'
  const { signal: stopped } = new AbortController()
  proxy.setState('cut')
  const waiting = awaitDatabase(config, { databaseUrl: url.href, webRoot: web.webRoot, log, stopped })
  const get = (path: string) => fetch(`http://localhost:${port}${path}`)
  await vi.waitFor(async () => expect((await get('/health')).status).toBe(200), WAIT)
  const page = await get('/pages/admin/emergency')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  const ready = await get('/ready')
  const gone = { ok: false, problem: 'does not answer' }
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, checks: { database: gone } }])
  expect(await (await get('/status')).json()).toEqual({ ok: false, parts: { database: gone } })
  // On a chain of the product's own the contracts are not known yet.
  expect((await get('/bank.json')).status).toBe(404)
  const call = await get('/api/v1/config')
  expect([call.status, call.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await call.json()).toMatchObject({ code: 503, data: { error: 'UNAVAILABLE' } })
  proxy.setState('open')
  await waiting
  await expect(get('/health')).rejects.toThrow()
  expect(lines.filter((line) => line.includes('the database does not answer'))).toHaveLength(1)
  expect(lines.join('')).not.toContain(url.password)
})

// A cluster for tests lets every login in.
test.skipIf(isOnCluster())('a database that refuses the login ends the wait in one line', async () => {
  const url = new URL(database.urls.app)
  url.password = 'wrong'
  const { signal: stopped } = new AbortController()
  const waiting = awaitDatabase(loadConfig({}), { databaseUrl: url.href, webRoot: undefined, log, stopped })
  await expect(waiting).rejects.toThrow(/^the database refuses DATABASE_URL: password authentication failed/)
})

test('a stopped process does not wait on', async () => {
  const stopping = new AbortController()
  const databaseUrl = `postgres://rif_app:secret@127.0.0.1:${await freePort()}/rif`
  const options = { databaseUrl, webRoot: undefined, log, stopped: stopping.signal }
  const waiting = awaitDatabase(loadConfig({}), options)
  stopping.abort()
  await waiting
})
