import { dayOf, nextDay, startOfDay } from '@rif/rules'
import { checkList } from '@rif/solvency'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { newAdmin } from '../../../testing/admin-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { sha256Into } from './snapshot/sha256.ts'

let server: TestServer
let member: SignedIn
let other: SignedIn
/** A wallet that signed in as an admin and is not a member. */
let viewer: SignedIn
let day: string
/** A settled day whose leaves were removed, as after 35 days. */
let old: string
let nowMs = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(nowMs) })
  const { services, database } = server
  member = await signIn(server, newWallet())
  other = await signIn(server, newWallet())
  old = dayOf(nowMs)
  await services.settlement.begin(old)
  await services.ledger.post(database.db, {
    key: 'gift',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: old,
    at: services.now(),
    lines: [
      {
        memberId: member.memberId,
        asset: 'USDT',
        source: 'external',
        destination: 'available',
        amountMicros: 7_000_000n,
      },
    ],
  })
  await inTx(database.db, (dbTx) =>
    services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' }),
  )
  day = nextDay(old)
  nowMs = startOfDay(nextDay(day)) + 60_000
  await services.settlement.catchUp(0)
  expect(await services.solvencySnapshots.catchUp()).toEqual([old, day])
  for (const table of ['solvency_tops', 'solvency_groups', 'solvency_members'])
    await sql`delete from ${sql.table(table)} where day = ${old}`.execute(database.adminDb)
  // The sessions of the first day have expired.
  for (const session of [member, other]) Object.assign(session, await signIn(server, session.wallet))
  viewer = await newAdmin(server, 'viewer')
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/v1/${path}`, headers })

test('the public figures need no session, are cached for seconds, and are not sent again while unchanged', async () => {
  const first = await get('solvency')
  expect(first.statusCode).toBe(200)
  expect(first.headers['cache-control']).toBe('public, max-age=10')
  expect(first.headers['set-cookie']).toBeUndefined()
  const tag = first.headers.etag as string
  expect(tag).toMatch(/^"[\w-]{43}"$/)
  const { data } = first.json()
  expect(data.days.map((day: { day: string; has_leaves: boolean }) => [day.day, day.has_leaves])).toEqual([
    [day, true],
    [old, false],
  ])
  expect(data).toMatchObject({ chain_id: 42161, latest: null })
  expect(data.assets[0]).toMatchObject({ asset: 'USDT', owed: '7.000000' })
  const text = first.body
  for (const { address } of [member, other])
    expect(text.toLowerCase()).not.toContain(address.slice(2).toLowerCase())

  const again = await get('solvency', { 'if-none-match': tag })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect(again.headers.etag).toBe(tag)
  const changed = await get('solvency', { 'if-none-match': '"other"' })
  expect([changed.statusCode, changed.headers.etag]).toEqual([200, tag])
})

test('a refusal of the public figures has no tag and is not cached', async () => {
  const unknown = await get('solvency/nothing')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.headers.etag).toBeUndefined()
  expect(unknown.headers['cache-control'] ?? 'no-store').not.toContain('public')
})

test('a proof is private: it needs the session of a member, and is not cached', async () => {
  expect((await call(server, `solvency/proof?day=${day}`)).status).toBe(401)
  expect((await call(server, `solvency/proof?day=${day}`, { as: viewer })).status).toBe(403)
  const own = await call(server, `solvency/proof?day=${day}`, { as: member })
  expect(own).toMatchObject({
    status: 200,
    data: { day, leaf: { address: member.address.toLowerCase(), usdt: '7000000' } },
  })
  expect(`${own.headers['cache-control']}`).toContain('no-store')
  expect(own.headers.etag).toBeUndefined()
  const theirs = await call(server, `solvency/proof?day=${day}`, { as: other })
  expect(theirs.data.leaf).toMatchObject({ address: other.address.toLowerCase(), usdt: '0' })
  expect(theirs.data.leaf.salt).not.toBe(own.data.leaf.salt)
})

test('a proof of an unknown, removed, malformed or unpublished day is refused', async () => {
  const proof = async (query: string) => {
    const { status, data } = await call(server, `solvency/proof${query}`, { as: member })
    return [status, data.error]
  }
  expect(await proof('?day=2020-01-01')).toEqual([404, 'NOT_FOUND'])
  expect(await proof(`?day=${old}`)).toEqual([404, 'NOT_FOUND'])
  // Without a day: the last published one, and there is none yet.
  expect(await proof('')).toEqual([404, 'NOT_FOUND'])
  for (const malformed of ['2026-02-30', 'today', '', '2026-1-1', "2026-01-01'--"])
    expect((await proof(`?day=${encodeURIComponent(malformed)}`))[0]).toBe(400)
  // A member who joined later has no leaf.
  const late = await signIn(server, newWallet())
  const { status, data } = await call(server, `solvency/proof?day=${day}`, { as: late })
  expect([status, data.error]).toEqual([404, 'NOT_IN_REPORT'])
})

test('the list of leaves needs no session, never changes, and is refused for other days', async () => {
  const list = await get(`solvency/leaves/${day}`)
  expect(list.statusCode).toBe(200)
  expect(list.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=86400, immutable',
    'content-disposition': `attachment; filename="leaves-${day}.bin"`,
  })
  expect(checkList(list.rawPayload, sha256Into)).toBeNull()
  for (const [other, status] of [
    ['2020-01-01', 404],
    [old, 404],
    ['2026-02-30', 400],
    ['today', 400],
    ['..%2f..%2fetc', 400],
  ] as const) {
    const refused = await get(`solvency/leaves/${other}`)
    expect([other, refused.statusCode]).toEqual([other, status])
    expect(`${refused.headers['cache-control']}`).not.toContain('public')
  }
})

test('the transactions of the publisher are visible to admins only', async () => {
  expect((await call(server, 'admin/solvency/sends')).status).toBe(401)
  expect((await call(server, 'admin/solvency/sends', { as: member })).status).toBe(403)
  const sends = await call(server, 'admin/solvency/sends', { as: viewer })
  expect(sends).toMatchObject({ status: 200, data: { sends: [] } })
  expect(sends.data.publisher).toMatch(/^0x[0-9a-fA-F]{40}$/)
})

test('the public routes are rate-limited like every other, by address', async () => {
  const limited = await startTestServer({ rateLimits: { perIp: 3, perMember: 1e9, signInPerIp: 1e9 } })
  try {
    const answers: number[] = []
    for (const path of [
      'solvency',
      'solvency/leaves/2020-01-01',
      'solvency',
      'solvency',
      'solvency/leaves/2020-01-01',
    ])
      answers.push((await limited.app.inject(`/api/v1/${path}`)).statusCode)
    expect(answers).toEqual([200, 404, 200, 429, 429])
  } finally {
    await limited.close()
  }
})
