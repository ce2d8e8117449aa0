import { dayOf, nextDay, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { storeFreeze } from '../../members/members.service.ts'

const DAY_MS = 86_400_000
const lines: string[] = []
const log = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } })

let server: TestServer
let member: SignedIn
let other: SignedIn
/** The day of a report with a leaf for both members. */
let day: string
let nowMs = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(nowMs), log })
  const { services, database } = server
  member = await signIn(server, newWallet())
  other = await signIn(server, newWallet())
  day = dayOf(nowMs)
  await services.settlement.begin(day)
  for (const { memberId } of [member, other])
    await services.ledger.post(database.db, {
      key: `gift/${memberId}`,
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      accountingDay: day,
      at: services.now(),
      lines: [
        {
          memberId,
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
  nowMs = startOfDay(nextDay(day)) + 60_000
  await services.settlement.catchUp(0)
  await services.solvencySnapshots.catchUp()
})
// Each test begins with current sessions and without open links.
beforeEach(async () => {
  for (const session of [member, other]) Object.assign(session, await signIn(server, session.wallet))
  await sql`delete from shared_links`.execute(server.database.adminDb)
})
afterAll(() => server.close())

const proofLink = (as: SignedIn = member, days = 7) =>
  call(server, 'me/shares', { as, payload: { kind: 'proof', day, days } })

/** Makes a statement of the member. Returns its number. */
async function madeStatement(as: SignedIn = member): Promise<string> {
  const payload = { kind: 'account', format: 'csv', from: day, to: day }
  const { data } = await call(server, 'me/statements', { as, payload })
  while (await server.services.statements.makeNext(server.database.db));
  return data.statement_id
}

async function statementLink(days = 1): Promise<{ statement_id: string; token: string; share_id: string }> {
  const statement_id = await madeStatement()
  const { data } = await call(server, 'me/shares', {
    as: member,
    payload: { kind: 'statement', statement_id, days },
  })
  return { statement_id, token: data.token, share_id: data.share.share_id }
}

const read = (token: string) => call(server, 'shared', { payload: { token } })
const file = (token: string) =>
  server.app.inject({ method: 'POST', url: '/api/v1/shared/file', payload: { token } })
const OVER = { status: 404, data: { error: 'SHARE_OVER' } }

/** Expects that a link opens nothing, with either call. */
async function expectOver(token: string): Promise<void> {
  expect(await read(token)).toMatchObject(OVER)
  const refused = await file(token)
  expect([refused.statusCode, refused.json().data.error]).toEqual([404, 'SHARE_OVER'])
}

test('a link to a proof shows the proof of its day to anybody, and nothing else', async () => {
  const { data } = await proofLink()
  expect(data.share).toMatchObject({ kind: 'proof', day, statement: null })
  const { data: own } = await call(server, `solvency/proof?day=${day}`, { as: member })
  const shared = await read(data.token)
  expect(shared.status).toBe(200)
  expect(shared.data).toEqual({ expires_at: data.share.expires_at, proof: own, statement: null })
  expect((await file(data.token)).statusCode).toBe(404)
})

test('a link to a statement gives its file, byte by byte, and nothing else', async () => {
  const { statement_id, token } = await statementLink()
  const { data } = await read(token)
  expect(Object.keys(data)).toEqual(['expires_at', 'proof', 'statement'])
  expect(data.proof).toBeNull()
  expect(data.statement).toMatchObject({ kind: 'account', format: 'csv', from: day, to: day })
  expect(data.statement.statement_id).toBeUndefined()
  const own = await server.app.inject({
    url: `/api/v1/me/statements/${statement_id}/file`,
    headers: { authorization: `Bearer ${member.token}`, 'x-wallet-address': member.address },
  })
  const shared = await file(token)
  expect(shared.statusCode).toBe(200)
  expect(shared.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-disposition': own.headers['content-disposition'],
  })
  expect(shared.body).toBe(own.body)
  expect(shared.body).toContain('7.000000')
})

test('a link ends at its time: after 1, 7 or 30 days', async () => {
  for (const days of [1, 7, 30]) {
    const begun = nowMs
    const { data } = await proofLink(member, days)
    expect(Date.parse(data.share.expires_at)).toBe(begun + days * DAY_MS)
    nowMs = begun + days * DAY_MS - 1
    expect((await read(data.token)).status).toBe(200)
    nowMs = begun + days * DAY_MS
    await expectOver(data.token)
    nowMs = begun
  }
  for (const days of [0, 2, 31, 365]) expect((await proofLink(member, days)).status).toBe(400)
})

test("a statement's link ends with the file, however long a time was requested", async () => {
  const { statement_id, token } = await statementLink(30)
  const { data: made } = await call(server, `me/statements/${statement_id}`, { as: member })
  const { data: links } = await call(server, 'me/shares', { as: member })
  expect(links.items[0].expires_at).toBe(made.expires_at)
  await call(server, 'me/statements/remove', { as: member, payload: { statement_id } })
  await expectOver(token)
  const { data: after } = await call(server, 'me/shares', { as: member })
  expect(after.items[0].statement).toBeNull()
})

test('a link that was ended opens nothing, at once, and only its member can end it', async () => {
  const { data } = await proofLink()
  const { share_id } = data.share
  const revoke = (as: SignedIn) => call(server, 'me/shares/revoke', { as, payload: { share_id } })
  expect((await revoke(other)).status).toBe(404)
  expect((await read(data.token)).status).toBe(200)
  const ended = await revoke(member)
  expect(ended).toMatchObject({ status: 200, data: { items: [] } })
  await expectOver(data.token)
  expect((await revoke(member)).status).toBe(404)
})

test('a made-up, truncated or changed token opens nothing', async () => {
  const { data } = await proofLink()
  const { token } = data
  const last = token.at(-2) === 'A' ? 'B' : 'A'
  const forged = [
    '',
    'x',
    'x'.repeat(43),
    token.slice(0, -1),
    `${token}A`,
    `${token.slice(0, -2)}${last}${token.at(-1)}`,
  ]
  // Neither the hash stored in the database nor the number of the link.
  const { rows } = await sql<{ hash: Buffer }>`select token_hash as hash from shared_links`.execute(
    server.database.db,
  )
  forged.push(rows[0]!.hash.toString('base64url'), data.share.share_id, member.token)
  for (const forgedToken of forged) await expectOver(forgedToken)
  expect((await read(token)).status).toBe(200)
})

test("nobody can create a link to another member's record", async () => {
  const statement_id = await madeStatement(other)
  const payload = { kind: 'statement', statement_id, days: 1 }
  expect((await call(server, 'me/shares', { as: member, payload })).status).toBe(404)
  expect((await call(server, 'me/shares', { as: other, payload })).status).toBe(200)
  const { data } = await proofLink(other)
  expect((await read(data.token)).data.proof.leaf.address).toBe(other.address.toLowerCase())
  expect((await call(server, 'me/shares', { as: member })).data.items).toEqual([])
})

test("a link needs no session and is none: it outlives its creator's session and opens no other call", async () => {
  const { data } = await proofLink()
  await call(server, 'auth/sign-out', { as: member, method: 'POST' })
  expect((await read(data.token)).status).toBe(200)
  expect((await proofLink()).status).toBe(401)
  const headers = { authorization: `Bearer ${data.token}`, 'x-wallet-address': member.address }
  for (const path of ['me', 'me/shares', 'me/statements', 'solvency/proof'])
    expect((await call(server, path, { headers })).status, path).toBe(401)
})

test('a link of a frozen member opens nothing while the member is frozen', async () => {
  const { data } = await proofLink()
  const freeze = (reason: string | null) =>
    inTx(server.database.db, (dbTx) => storeFreeze(dbTx, member.memberId, reason))
  await freeze('a test')
  await expectOver(data.token)
  await freeze(null)
  expect((await read(data.token)).status).toBe(200)
})

test('a member has at most ten links, even with concurrent calls', async () => {
  // A wallet may have ten calls under way at once.
  const atOnce = (length: number) => Promise.all(Array.from({ length }, () => proofLink()))
  const answers = [...(await atOnce(6)), ...(await atOnce(6))]
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({ data: { error: 'SHARES_FULL' } })
  expect((await proofLink(other)).status).toBe(200)
})

test('a token is neither in the log nor in the database', async () => {
  lines.length = 0
  const { token } = await statementLink()
  await read(token)
  await file(token)
  await expectOver(`${token}A`)
  expect(lines.join()).toContain('/api/v1/shared/file')
  expect(lines.join()).not.toContain(token)
  const { rows } = await sql<{
    text: string
  }>`select row_to_json(one)::text as text from shared_links as one`.execute(server.database.db)
  expect(rows).toHaveLength(1)
  expect(rows[0]!.text).not.toContain(token)
  expect((await call(server, 'me/shares', { as: member })).data.items[0].token).toBeUndefined()
})

test('tokens cannot be guessed: the strict limit of a network address counts attempts', async () => {
  const limited = await startTestServer({ rateLimits: { perIp: 1000, perMember: 1000, signInPerIp: 2 } })
  const attempt = () => call(limited, 'shared', { payload: { token: 'x'.repeat(43) } })
  expect([(await attempt()).status, (await attempt()).status]).toEqual([404, 404])
  expect(await attempt()).toMatchObject({ status: 429, data: { error: 'RATE_LIMITED' } })
  const refused = await limited.app.inject({
    method: 'POST',
    url: '/api/v1/shared/file',
    payload: { token: 'x'.repeat(43) },
  })
  expect(refused.statusCode).toBe(429)
  await limited.close()
})

test('ended links are deleted a month after their time', async () => {
  const { data } = await proofLink(member, 1)
  const count = async () => (await sql`select from shared_links`.execute(server.database.db)).rows.length
  nowMs = Date.parse(data.share.expires_at) + 30 * DAY_MS
  await server.services.shares.removeEnded(server.database.db)
  expect(await count()).toBe(1)
  nowMs += 1
  await server.services.shares.removeEnded(server.database.db)
  expect(await count()).toBe(0)
})
