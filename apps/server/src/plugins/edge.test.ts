import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { createDatabase } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { createSharedCounts } from '../lib/shared-counts.ts'
import { newAdmin, type TestAdmin } from '../testing/admin-actions.ts'
import { runs } from '../testing/level.ts'
import { call, newWallet, type StartedServer, signIn, startTestServer } from '../testing/test-server.ts'
import { sourceOf } from './rate-limits.ts'

const log = createLogger({ level: 'silent' })

let server: StartedServer
let reader: TestAdmin

beforeAll(async () => {
  server = await startTestServer()
  reader = await newAdmin(server, 'viewer')
})
afterAll(() => server.close())

interface Entry {
  readonly actor: string
  readonly subject: string
  readonly after: Record<string, unknown>
}

/** Returns the logged attempts of an actor, oldest first. */
async function attemptsOf(actor: string): Promise<Entry[]> {
  const { items } = await server.services.adminLog.list(server.database.db, {
    action: 'attempt.refused',
    actor: actor.toLowerCase(),
    limit: 1_000,
  })
  return [...items].reverse() as unknown as Entry[]
}

const countAttempts = async () => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from admin_actions where action = 'attempt.refused'`.execute(server.database.db)
  return Number(rows[0]!.count)
}

describe('refused attempts', () => {
  test('two processes share the budget of entries of a member', async () => {
    const { services } = await server.openAnother()
    const app = await createApp(services, { log })
    const as = await signIn(server, newWallet())
    for (let index = 0; index < 14; index++) {
      const target = index % 2 === 0 ? { app } : server
      expect((await call(target, 'admin/log', { as })).status).toBe(403)
    }
    expect(await attemptsOf(as.address)).toHaveLength(5)
    await app.close()
  })

  test('anonymous calls can neither fill the log nor suppress an admin’s attempt', async () => {
    const before = await countAttempts()
    for (let index = 0; index < 200; index++) {
      const claimed = index % 2 === 0 ? { 'x-wallet-address': newWallet().address } : {}
      expect((await call(server, 'admin/log', { headers: claimed })).status).toBe(401)
    }
    expect((await countAttempts()) - before).toBeLessThanOrEqual(10)
    const refused = await call(server, 'admin/proposals/preview', {
      as: reader,
      payload: { kind: 'pause', payload: { area: 'orders' }, reason: 'x' },
    })
    expect(refused.status).toBe(403)
    expect(await attemptsOf(reader.address)).toMatchObject([
      { subject: 'call/previewProposal', after: { error: 'FORBIDDEN' } },
    ])
  })

  const MATCHED = ['admin/members/%00', '%61dmin/log', 'me/../admin/log']
  const LONG = 'x'.repeat(5_000)
  test.each([
    ['a NUL in a parameter', 'admin/members/%00', 'adminMember'],
    ['a NUL in the path', 'admin/log%00', 'adminLog'],
    ['half a surrogate pair', 'admin/members/%ed%a0%80', 'adminMember'],
    ['an encoding of nothing', 'admin/members/%zz', 'adminMember'],
    ['bytes that are no text', 'admin/members/%ff', 'adminMember'],
    ['double slashes', '/admin//log', 'adminLog'],
    ['capital letters', 'Admin/Log', 'adminLog'],
    ['a slash at the end', 'admin/log/', 'adminLog'],
    ['an encoded letter', '%61dmin/log', 'adminLog'],
    ['a letter encoded twice', '%2561dmin/log', 'adminLog'],
    ['steps up', 'me/../admin/log', 'adminLog'],
    ['a parameter that is too long', `admin/members/${LONG}`, 'adminMember'],
    ['no call at all', 'admin/nothing', 'none'],
  ])('%s in a path hides nothing', async (_, path, route) => {
    // A viewer's call that matches a route is allowed, and refused only for its parameter.
    const viewer = await newAdmin(server, 'viewer')
    for (const as of [await signIn(server, newWallet()), viewer]) {
      const { statusCode } = await server.app.inject({
        url: `/api/v1/${path}`,
        headers: { authorization: `Bearer ${as.token}`, 'x-wallet-address': as.address },
      })
      if (as === viewer && MATCHED.includes(path)) continue
      expect([400, 403, 404]).toContain(statusCode)
      await expect.poll(() => attemptsOf(as.address)).toHaveLength(1)
      const [entry] = await attemptsOf(as.address)
      expect(entry).toMatchObject({ subject: `call/${route}` })
      expect(JSON.stringify(entry!.after).length).toBeLessThan(500)
    }
  })

  test('many members cannot suppress an admin’s attempt', async () => {
    const before = await countAttempts()
    const members = await Promise.all(Array.from({ length: 16 }, () => signIn(server, newWallet())))
    for (const as of members)
      for (let index = 0; index < 7; index++) {
        expect((await call(server, 'admin/log', { as })).status).toBe(403)
      }
    expect((await attemptsOf(members[0]!.address)).length).toBe(5)
    expect((await countAttempts()) - before).toBeLessThanOrEqual(60)
    const other = await newAdmin(server, 'viewer')
    await call(server, 'admin/proposals/preview', { as: other, payload: {} })
    expect(await attemptsOf(other.address)).toHaveLength(1)
  })
})

/** Of the addresses of an IPv6 /64, every so many are tried. */
const STEP = runs({ usual: 256, full: 1 })

describe('the rate limits', () => {
  test('two processes on one database share a limit', async () => {
    const { services } = await server.openAnother()
    const rateLimits = { perIp: 160, perMember: 1_000, signInPerIp: 1_000 }
    const apps = await Promise.all(
      [server.services, services].map((of) => createApp(of, { log, rateLimits, trustProxy: 1 })),
    )
    // The first connection of a process takes long on a busy machine, and without one the process counts
    // alone.
    for (const app of apps) await expect.poll(async () => (await call({ app }, 'config')).status).toBe(200)
    const statuses = await Promise.all(
      Array.from({ length: 320 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 2))
        return (
          await call({ app: apps[index % 2]! }, 'config', { headers: { 'x-forwarded-for': '203.0.113.1' } })
        ).status
      }),
    )
    // On a busy machine a call that the limit admits can still be answered with 503.
    const allowed = statuses.filter((status) => status !== 429).length
    expect(allowed).toBeGreaterThanOrEqual(160)
    // Each process may add a sixteenth.
    expect(allowed).toBeLessThanOrEqual(160 + 2 * 10)
    await Promise.all(apps.map((app) => app.close()))
  })

  test('also apply to the documents about the calls, in any spelling of their addresses', async () => {
    const rateLimits = { perIp: 20, perMember: 1_000, signInPerIp: 1_000 }
    const app = await createApp(server.services, { log, rateLimits, trustProxy: 1 })
    const headers = { 'x-forwarded-for': '203.0.113.3' }
    const urls = ['/api/docs/json', '/%61pi/docs/', '/%61pi/v1/openapi.json', '/api/docs/static/index.css']
    const statuses = []
    for (let index = 0; index < 32; index++)
      statuses.push((await app.inject({ url: urls[index % urls.length]!, headers })).statusCode)
    expect(statuses.filter((status) => status === 429)).toHaveLength(12)
    await app.close()
  })

  test('the addresses of an IPv6 /64, and an IPv4 address mapped to IPv6, are one source', async () => {
    const rateLimits = { perIp: 1_000, perMember: 1_000, signInPerIp: 8 }
    const app = await createApp(server.services, { log, rateLimits, trustProxy: 1 })
    const status = async (ip: string) => {
      const headers = { 'x-forwarded-for': ip }
      return (await call({ app }, 'invitation?code=AAAAAAAA', { headers })).status
    }
    const sources = Array.from({ length: 2 ** 16 / STEP }, (_, index) =>
      sourceOf({ ip: `2001:db8:1:2::${(index * STEP).toString(16)}` }),
    )
    expect(new Set(sources)).toEqual(new Set(['2001:db8:1:2::']))
    const statuses = []
    for (let part = 0; part < 2 ** 16; part += 2 ** 11) {
      statuses.push(await status(`2001:db8:1:2::${part.toString(16)}:1`))
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(8)
    expect(await status('2001:db8:1:3::1')).not.toBe(429)
    for (let index = 0; index < 8; index++) {
      expect(await status(index % 2 === 0 ? '203.0.113.9' : '::ffff:203.0.113.9')).not.toBe(429)
    }
    expect(await status('::ffff:cb00:7109')).toBe(429)
    await app.close()
  })

  test('a process applies a limit alone while the database does not answer, and its rows are deleted', async () => {
    const { db } = server.database
    const long = createSharedCounts({ db, windowMs: 60_000 })
    for (let hit = 1; hit <= 3; hit++) expect((await long.hit('long', 1)).current).toBe(Math.min(hit, 2))
    const short = createSharedCounts({ db, windowMs: 20 })
    for (let window = 0; window < 3; window++) {
      expect((await short.hit('short', 1)).current).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await short.clear()
    const { rows } = await sql`select from rate_limits where key = 'short'`.execute(db)
    expect(rows).toHaveLength(0)
    const lost = createDatabase({ url: 'postgres://127.0.0.1:1/none', max: 1, applicationName: 'lost' })
    const alone = createSharedCounts({ db: lost.db, windowMs: 60_000 })
    for (let hit = 1; hit <= 4; hit++) expect((await alone.hit('a', 2)).current).toBe(Math.min(hit, 3))
    await lost.close()
  })
})

test('readiness is checked once for all calls within a second, and limited', async () => {
  let reads = 0
  const { db } = server.database
  const services = {
    ...server.services,
    system: {
      ...server.services.system,
      readiness: async () => {
        reads++
        return server.services.system.readiness(db)
      },
    },
  }
  const rateLimits = { perIp: 20, perMember: 10, signInPerIp: 10 }
  const app = await createApp(services, { log, trustProxy: 1, rateLimits })
  const headers = { 'x-forwarded-for': '203.0.113.2' }
  const begun = performance.now()
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await app.inject({ url: '/ready', headers })).statusCode),
  )
  expect(reads).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / 1_000))
  expect(statuses.filter((status) => status === 429).length).toBe(20)
  await app.close()
})
