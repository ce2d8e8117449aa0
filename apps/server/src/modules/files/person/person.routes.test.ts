import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { subscribed } from '../../../testing/subscribed.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signedBy,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

const DAY_MS = 86_400_000

let server: TestServer
let member: SignedIn
let other: SignedIn
let now = new Date()

beforeAll(async () => {
  server = await startTestServer({ now: () => now })
  member = await signIn(server, newWallet())
  other = await signIn(server, newWallet())
})
afterAll(() => server.close())

const ask = (as: SignedIn, payload: object = {}) => call(server, 'me/erasure', { as, payload })

it("an erasure needs a fresh signature of the member's own wallet over this request, once", async () => {
  const refused = await ask(member)
  expect(refused).toMatchObject({ status: 428, data: { error: 'SIGNATURE_REQUIRED' } })
  const { details } = refused.data
  expect(details.typed_data).toContain('I request the erasure of my personal data')
  const byOther = await signedBy(other.wallet, details)
  expect((await ask(member, { signed: byOther })).data.error).toBe('SIGNATURE_INVALID')
  const contact = { address: other.address, label: 'Bob' }
  const saving = (await call(server, 'transfer/contacts', { as: member, payload: contact })).data.details
  const overOther = await signedBy(member.wallet, saving)
  expect((await ask(member, { signed: overOther })).data.error).toBe('SIGNATURE_INVALID')
  const signed = await signedBy(member.wallet, details)
  now = new Date(now.getTime() + 11 * 60_000)
  expect((await ask(member, { signed })).data.error).toBe('NONCE_INVALID')
  expect((await call(server, 'me/erasure', { as: member })).data).toMatchObject({ state: 'none' })
  const fresh = await signedBy(member.wallet, (await ask(member)).data.details)
  expect((await ask(member, { signed: fresh })).data).toMatchObject({ state: 'waiting', wait_days: 7 })
  expect((await ask(member, { signed: fresh })).data.error).toBe('NONCE_INVALID')
})

it('a request belongs to one member: others neither see nor cancel it', async () => {
  expect((await call(server, 'me/erasure', { as: other })).data).toMatchObject({
    state: 'none',
    due_at: null,
  })
  const cancel = (as: SignedIn) => call(server, 'me/erasure/cancel', { as, method: 'POST' })
  expect((await cancel(other)).data.error).toBe('NOTHING_TO_CANCEL')
  expect((await call(server, 'me/erasure', { as: member })).data).toMatchObject({ state: 'waiting' })
  expect((await cancel(member)).data).toMatchObject({ state: 'none' })
})

it('after an erasure the member signs in again, keeps the money, and has no saved data', async () => {
  const notices = await subscribed(server.database.adminDb, member.memberId)
  const contact = { address: other.address, label: 'Bob' }
  expect((await callSigned(server, 'transfer/contacts', { as: member, payload: contact })).status).toBe(200)
  await sql`insert into ledger_heads values (${member.memberId}, 0, '{5000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}')
    on conflict (member_id) do update set balances = excluded.balances`.execute(server.database.adminDb)
  const answer = await callSigned(server, 'me/erasure', { as: member, payload: {} })
  expect(answer.data.balances).toEqual([{ asset: 'USDT', amount: '5.000000' }])
  expect((await notices()).at(-1)).toMatchObject({ topic: 'erasure_requested' })
  now = new Date(now.getTime() + 6 * DAY_MS)
  member = await signIn(server, member.wallet)
  now = new Date(now.getTime() + DAY_MS)
  expect(await server.services.erasures.carryOutDue()).toBe(1)
  expect((await call(server, 'me', { as: member })).status).toBe(401)
  const again = await signIn(server, member.wallet)
  expect(again.memberId).toBe(member.memberId)
  expect((await call(server, 'me', { as: again })).data.available_profit).toBe('5.000000')
  expect((await call(server, 'transfer/contacts', { as: again })).data).toMatchObject({
    saved: [],
    recent: [],
  })
  expect((await call(server, 'me/erasure', { as: again })).data).toMatchObject({
    state: 'done',
    due_at: now.toISOString(),
  })
})
