import { dayOf } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin } from '../../../testing/admin-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

let server: TestServer
let member: SignedIn
let other: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  ;[member, other] = await Promise.all([signIn(server, newWallet()), signIn(server, newWallet())])
})
afterAll(() => server.close())

const day = () => dayOf(server.services.now().getTime())

/** Requests and makes a file. Returns its path. */
async function made(as: SignedIn, path: string, kind: string): Promise<string> {
  const payload = { kind, format: 'csv', from: day(), to: day() }
  const { data } = await call(server, path, { as, payload })
  expect(data.step).toBe('waiting')
  while (await server.services.statements.makeNext(server.database.db));
  return `${path}/${data.statement_id}`
}

const download = ({ token, address }: SignedIn, path: string) =>
  server.app.inject({
    url: `/api/v1/${path}/file`,
    headers: { authorization: `Bearer ${token}`, 'x-wallet-address': address },
  })

test('a file is downloaded by its owner only', async () => {
  const path = await made(member, 'me/statements', 'account')
  const own = await download(member, path)
  expect(own.statusCode).toBe(200)
  expect(own.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="account-${day()}-${day()}.csv"`,
  })
  expect(own.body).toContain('row,at,accounting_day')
  expect((await download(other, path)).statusCode).toBe(404)
  expect((await download({ ...member, token: 'none' }, path)).statusCode).toBe(401)
  expect((await call(server, path, { as: other })).status).toBe(404)
  const [, , id] = path.split('/')
  const remove = (as: SignedIn) => call(server, 'me/statements/remove', { as, payload: { statement_id: id } })
  expect((await remove(other)).status).toBe(404)
  expect((await remove(member)).status).toBe(200)
  expect((await download(member, path)).statusCode).toBe(404)
})

test("operators' exports are visible to admins, requested by operators, and separate for each admin", async () => {
  const [operator, colleague, viewer] = await Promise.all(
    (['operator', 'operator', 'viewer'] as const).map((role) => newAdmin(server, role)),
  )
  const payload = { kind: 'trial_balance', format: 'csv', from: day(), to: day() }
  expect((await call(server, 'admin/statements', { as: member, payload })).status).toBe(403)
  expect((await call(server, 'admin/statements', { as: viewer!, payload })).status).toBe(403)
  const path = await made(operator!, 'admin/statements', 'trial_balance')
  expect((await download(operator!, path)).body).toContain('row,day,asset,account')
  expect((await download(colleague!, path)).statusCode).toBe(404)
  expect((await download(member, path)).statusCode).toBe(403)
})

test('a member cannot request an export of the books', async () => {
  const payload = { kind: 'journal', format: 'csv', from: day(), to: day() }
  expect((await call(server, 'me/statements', { as: member, payload })).status).toBe(400)
})
