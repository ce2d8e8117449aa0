import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appointLines, personLines } from '../../../cli/person.ts'
import { inTx } from '../../../db/database.ts'
import {
  decide,
  newAdmin,
  prepare,
  sign,
  type TestAdmin,
  tryPrepare,
} from '../../../testing/admin-actions.ts'
import { call, newWallet, startTestServer, type TestServer } from '../../../testing/test-server.ts'

const LOOKS_LIKE_MAUD = 'Ma\u00adud\u200b'

let server: TestServer
let owner: TestAdmin
let other: TestAdmin
let maud: TestAdmin

beforeAll(async () => {
  server = await startTestServer()
  owner = await newAdmin(server, 'owner', 'Olga')
  other = await newAdmin(server, 'owner', 'Otto')
  maud = await newAdmin(server, 'operator', 'Maud')
})
afterAll(() => server.close())

const db = () => server.database.db
const numberOf = async (as: TestAdmin) =>
  (await call(server, 'admin/me', { as })).data.person_number as string
const roleOf = (new_name: string, role = 'approver') => ({
  address: newWallet().address,
  role,
  person: { new_name },
})
const openedAs = async (name: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from persons where name = ${name}`.execute(db())
  return rows[0]!.count
}

test.each([LOOKS_LIKE_MAUD, 'maud', 'M\u0430ud', '\uff2daud'])(
  'a name that looks like one on record is refused: %s',
  async (name) => {
    const answer = await tryPrepare(server, owner, 'role', roleOf(name))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(['PERSON_ON_RECORD', 'VALIDATION_FAILED']).toContain(answer.data.error)
  },
)

test('the signed text says the number of a person on record, or that the person is new', async () => {
  const number = await numberOf(maud)
  const second = { address: newWallet().address, role: 'approver', person: { number } }
  const content = JSON.parse((await prepare(server, owner, 'role', second)).content)
  expect(content.summary).toBe(`${second.address} (person ${number}, Maud): no role -> approver`)
  expect(content.difference[1].after).toBe(`person ${number}, Maud`)
  const stranger = roleOf('Nadia')
  const fresh = JSON.parse((await prepare(server, owner, 'role', stranger)).content)
  expect(fresh.summary).toBe(`${stranger.address} (NEW PERSON Nadia): no role -> approver`)
  expect(fresh.difference[1].after).toBe('NEW PERSON Nadia')
})

test('a second wallet of a person can neither approve what the first prepared, nor become somebody else’s', async () => {
  const wallet = newWallet()
  const second = await newAdmin(server, 'approver', 'Maud', wallet)
  const price = await prepare(server, maud, 'price', { asset: 'RIF', price: '0.25' })
  expect((await decide(server, second, price)).data.error).toBe('OWN_PROPOSAL')
  const taken = { address: wallet.address, role: null, person: { number: await numberOf(maud) } }
  expect((await decide(server, other, await prepare(server, owner, 'role', taken))).data.state).toBe(
    'Applied',
  )
  for (const person of [{ new_name: 'Mona' }, { number: await numberOf(other) }]) {
    const again = { address: wallet.address, role: 'approver', person }
    expect((await tryPrepare(server, owner, 'role', again)).data.error).toBe('WALLET_OF_ANOTHER')
  }
  await expect(
    sql`update person_wallets set person_id = 1 where address = ${wallet.address.toLowerCase()}`.execute(
      db(),
    ),
  ).rejects.toThrow()
})

test('a new person needs two owners who are not that person', async () => {
  const proposal = await prepare(server, owner, 'role', roleOf('Ines'))
  expect((await decide(server, owner, proposal)).data.error).toBe('OWN_PROPOSAL')
  // A wallet of the preparer, on record under the number, is not that of a new person.
  const own = { address: owner.address, role: 'approver', person: { new_name: 'Paula' } }
  expect((await tryPrepare(server, owner, 'role', own)).data.error).toBe('WALLET_OF_ANOTHER')
  // The preparer is no owner any more when the other approves.
  const leaving = await newAdmin(server, 'owner', 'Lea')
  const byLeaving = await prepare(server, leaving, 'role', roleOf('Ida'))
  const out = { address: leaving.address, role: null, person: { number: await numberOf(leaving) } }
  expect((await decide(server, other, await prepare(server, owner, 'role', out))).data.state).toBe('Applied')
  expect((await decide(server, other, byLeaving)).data.error).toBe('PROPOSAL_CHANGED')
  expect((await decide(server, other, proposal)).data.state).toBe('Applied')
  expect([await openedAs('Ines'), await openedAs('Ida')]).toEqual([1, 0])
})

test('of two look-alikes that are proposed and approved at the same moment, one becomes a person', async () => {
  const names = ['Ronald Mo', 'R\u043enald Mo']
  const proposals = await Promise.all(names.map((name) => prepare(server, owner, 'role', roleOf(name))))
  const signed = await Promise.all(proposals.map((proposal) => sign(server, other, proposal)))
  const answers = await Promise.all(
    proposals.map(({ proposal_id }, index) =>
      call(server, `admin/proposals/${proposal_id}/decide`, { as: other, payload: signed[index]!.signed }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.data).toMatchObject({
    error: 'PERSON_ON_RECORD',
    details: { person: expect.stringMatching(/nald Mo$/) },
  })
  expect((await openedAs(names[0]!)) + (await openedAs(names[1]!))).toBe(1)
})

test('names on record that look alike become one person, and a missing owner is appointed by `rif person`', async () => {
  const { admins } = server.services
  await expect(appointLines(db(), { address: newWallet().address, name: 'Pia' })).rejects.toThrow(
    'two persons are owners',
  )
  // As recorded before names were compared: the second owner is the first under a look-alike name.
  const twin = newWallet()
  await inTx(db(), async (dbTx) => {
    await sql`
      with person as (
        insert into persons (name, recorded_at) values ('Olg' || chr(1072), now()) returning person_id
      ), wallet as (
        insert into person_wallets select ${twin.address.toLowerCase()}, person_id, now() from person
        returning address
      )
      insert into admins (address, role, granted_at) select address, 'owner', now() from wallet`.execute(dbTx)
    await sql`delete from admins where address = ${other.address.toLowerCase()}`.execute(dbTx)
  })
  const second = (await admins.find(db(), twin.address))!
  const first = (await admins.find(db(), owner.address))!
  expect(second.personId).not.toBe(first.personId)

  const { joined, owners } = await admins.joinLookAlikes(db())
  expect(joined).toEqual([{ number: first.personId, name: 'Olga', others: [second.personId] }])
  expect(owners).toBe(1)
  expect((await admins.find(db(), twin.address))!.personId).toBe(first.personId)
  expect(await admins.joinLookAlikes(db())).toEqual({ joined, owners })
  const { items } = await server.services.adminLog.list(db(), { action: 'person.join', limit: 10 })
  expect(items).toHaveLength(1)

  // Alone, the person can appoint nobody, with whichever wallet.
  const twinAdmin = await newAdmin(server, 'owner', 'Olga', twin)
  const proposal = await prepare(server, owner, 'role', roleOf('Pia', 'owner'))
  for (const as of [owner, twinAdmin])
    expect((await decide(server, as, proposal)).data.error).toBe('OWN_PROPOSAL')

  const wallet = newWallet()
  for (const name of ['Olga', 'olga', '', 'a\nb'])
    await expect(appointLines(db(), { address: wallet.address, name })).rejects.toThrow(/name/)
  await expect(appointLines(db(), { address: twin.address, name: 'Pia' })).rejects.toThrow('belongs to')
  const lines = await appointLines(db(), { address: wallet.address, name: 'Petra' })
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^\d+: Petra$/), `  ${wallet.address}: owner`])
  expect(await personLines(db())).toEqual(lines)
  const petra = await newAdmin(server, 'owner', 'Petra', wallet)
  expect((await decide(server, petra, proposal)).data.state).toBe('Applied')
  await expect(appointLines(db(), { address: newWallet().address, name: 'Quinn' })).rejects.toThrow(
    'two persons are owners',
  )
})

test('a person keeps the number and the name, and is joined only into an earlier one', async () => {
  const change = (set: ReturnType<typeof sql>) =>
    sql`update persons set ${set} where person_id = 2`.execute(db())
  await expect(change(sql`name = 'Otto II'`)).rejects.toThrow()
  await expect(change(sql`joined_into = 3`)).rejects.toThrow()
  await expect(sql`delete from persons where person_id = 2`.execute(db())).rejects.toThrow()
})
