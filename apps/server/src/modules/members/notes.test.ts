import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'
import { MAX_NOTES } from './notes.service.ts'

let server: TestServer
let root: SignedIn
let cousin: SignedIn
const exchange = newWallet().address

beforeAll(async () => {
  server = await startTestServer()
  root = await signIn(server, server.root.wallet)
  cousin = await signIn(server, newWallet())
})
afterAll(() => server.close())

const setNote = (as: SignedIn, address: string, note: string) =>
  call(server, 'me/notes', { as, payload: { address, note } })
const names = async (as: SignedIn) => (await call(server, 'me/names', { as })).data.items
const idsFoundBy = async (as: SignedIn, q: string) =>
  (await call(server, `me/relation?q=${encodeURIComponent(q)}`, { as })).data.items.map(
    ({ member_id }: { member_id: string }) => member_id,
  )

test('a note follows its address, beside the name from the address book or else from the team', async () => {
  expect(await setNote(root, cousin.address.toLowerCase(), '  Met in Osaka, pays in May ')).toMatchObject({
    data: { address: cousin.address, note: 'Met in Osaka, pays in May' },
  })
  await setNote(root, exchange, 'Deposits only')
  expect(await names(root)).toEqual(
    [
      { address: cousin.address, name: null, note: 'Met in Osaka, pays in May' },
      { address: getAddress(exchange), name: null, note: 'Deposits only' },
    ].sort((entry, other) => (entry.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1)),
  )
  const label = { member_id: `${cousin.memberId}`, label: 'Cousin', pinned: false }
  await call(server, 'me/labels', { as: root, payload: label })
  const named = async () =>
    (await names(root)).find((name: { address: string }) => name.address === cousin.address)
  expect(await named()).toMatchObject({ name: 'Cousin', note: 'Met in Osaka, pays in May' })
  const contact = { address: cousin.address, label: 'Yuki' }
  await callSigned(server, 'transfer/contacts', { as: root, payload: contact })
  expect(await named()).toMatchObject({ name: 'Yuki', note: 'Met in Osaka, pays in May' })
})

test('a note finds a team member, and so does the number, but nobody outside the team', async () => {
  const id = `${cousin.memberId}`
  expect(await idsFoundBy(root, 'osaka')).toEqual([id])
  expect(await idsFoundBy(root, id)).toEqual([id])
  // The root is above the cousin, not in the cousin's team.
  await setNote(cousin, root.address, 'Osaka too')
  expect(await idsFoundBy(cousin, 'osaka')).toEqual([])
  expect(await idsFoundBy(cousin, `${root.memberId}`)).toEqual([])
})

test('notes are private to their owner: nobody else reads, changes or deletes them', async () => {
  expect((await names(cousin)).map(({ note }: { note: string }) => note)).toEqual(['Osaka too'])
  await setNote(cousin, exchange, 'Mine')
  await setNote(cousin, exchange, '')
  expect((await names(root)).map(({ note }: { note: string }) => note)).toContain('Deposits only')
  const mine = (await call(server, 'me/data', { as: root })).data.items
  expect(mine.filter(({ table }: { table: string }) => table === 'address_notes')).toHaveLength(2)
})

test('an empty note deletes it', async () => {
  await setNote(root, exchange, '')
  expect(await names(root)).toHaveLength(1)
})

test('a note that is too long, has hidden characters or no address is refused', async () => {
  for (const note of ['x'.repeat(201), 'a\nb', 'a\u202eb', 'a\u0000']) {
    expect(await setNote(root, exchange, note)).toMatchObject({
      status: 400,
      data: { error: 'VALIDATION_FAILED' },
    })
  }
  const mistyped = exchange.replace(/[a-f]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  expect(await setNote(root, mistyped, 'x')).toMatchObject({ data: { error: 'INVALID_ADDRESS' } })
  expect(await setNote(root, '0x12', 'x')).toMatchObject({ data: { error: 'INVALID_ADDRESS' } })
})

test('there is a limit; existing notes can still be changed', async () => {
  await sql`
    insert into address_notes select ${root.memberId}, '0x' || lpad(to_hex(n), 40, '0'), 'x', now()
    from generate_series(1, ${MAX_NOTES - 1}::integer) as n`.execute(server.database.db)
  expect(await setNote(root, exchange, 'one more')).toMatchObject({
    status: 409,
    data: { error: 'TOO_MANY_NOTES' },
  })
  expect(await setNote(root, cousin.address, 'Changed')).toMatchObject({ status: 200 })
})
