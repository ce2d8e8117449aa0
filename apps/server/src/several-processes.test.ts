import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decide, newAdmin, prepare } from './testing/admin-actions.ts'
import {
  call,
  newWallet,
  type StartedServer,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'

// Two processes of the API on one database, as `rif serve` runs them side by side.

let server: StartedServer
let both: readonly Pick<TestServer, 'app' | 'services'>[]

beforeAll(async () => {
  server = await startTestServer()
  both = [server, await server.openAnother()]
})
afterAll(() => server.close())

test('each process applies a change by the other with its next request: a session, a pause, a role, a sign-out', async () => {
  const [preparer, approver] = [await newAdmin(server, 'owner'), await newAdmin(server, 'owner')]
  const statuses = (path: string) =>
    Promise.all(both.map(async (item) => (await call(item, path, { as: preparer })).status))
  expect(await statuses('admin/emergency')).toEqual([200, 200])

  await decide(server, approver, await prepare(server, preparer, 'pause', { area: 'sign_ups' }))
  for (const instance of both) expect((await call(instance, 'pauses')).data.paused).toEqual(['sign_ups'])
  await decide(server, approver, await prepare(server, preparer, 'resume', { area: 'sign_ups' }))
  for (const instance of both) expect((await call(instance, 'pauses')).data.paused).toEqual([])

  await server.database.adminDb
    .updateTable('admins')
    .set({ role: 'viewer' })
    .where('address', '=', preparer.address.toLowerCase())
    .execute()
  const payload = { kind: 'pause', payload: { area: 'sign_ups' }, reason: 'as tested' }
  for (const instance of both)
    expect((await call(instance, 'admin/proposals', { as: preparer, payload })).status).toBe(403)

  expect((await call(both[1]!, 'auth/sign-out', { as: preparer, payload: {} })).status).toBe(200)
  expect(await statuses('admin/emergency')).toEqual([401, 401])
})

test('each process answers with what the other has just changed, and a request at both is executed once', async () => {
  const member = await signIn(server, newWallet())
  const saved = async () =>
    Promise.all(both.map(async (item) => (await call(item, 'me', { as: member })).data.balances.USDT))
  expect(await saved()).toMatchObject([{ available: '0.000000' }, { available: '0.000000' }])
  const at = server.services.now()
  await server.services.ledger.post(server.database.db, {
    key: 'several/grant',
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
        amountMicros: 7_000_000n,
      },
    ],
  })
  for (const [index, instance] of both.entries()) {
    const payload = { asset: 'USDT', amount: '1' }
    expect((await call(instance, 'savings/in', { as: member, payload })).status).toBe(200)
    const moved = { available: `${6 - index}.000000`, savings: `${1 + index}.000000` }
    expect(await saved()).toMatchObject([moved, moved])
  }

  const headers = { 'idempotency-key': randomUUID() }
  const save = (instance: Pick<TestServer, 'app'>, amount: string) =>
    call(instance, 'savings/in', { as: member, payload: { asset: 'USDT', amount }, headers })
  const made = await Promise.all([...both, ...both].map((item) => save(item, '2')))
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const once = { available: '3.000000', savings: '4.000000' }
  expect(await saved()).toMatchObject([once, once])
  expect((await save(both[1]!, '1')).data.error).toBe('IDEMPOTENCY_CONFLICT')
})
