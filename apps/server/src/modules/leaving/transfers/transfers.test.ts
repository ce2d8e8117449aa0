import { defaultPlan } from '@rif/rules'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { TRANSFER_CHECKS } from './audit.ts'

let server: TestServer
let alice: SignedIn
let bob: SignedIn
let stranger: SignedIn
let keys = 0

beforeAll(async () => {
  server = await startTestServer()
  ;[alice, bob, stranger] = (await Promise.all([1, 2, 3].map(() => signIn(server, newWallet())))) as [
    SignedIn,
    SignedIn,
    SignedIn,
  ]
  const price = { asset: 'AMC', priceMicros: 500_000n, actor: 'test' } as const
  await inTx(server.database.db, (dbTx) => server.services.pricing.publish(dbTx, price))
})
afterAll(() => server.close())
afterEach(async () => {
  expect(await auditLedger(server.database.db, { checks: TRANSFER_CHECKS })).toEqual([])
})

const newKey = () => `key-${keys++}`

async function grant(member: SignedIn, amountMicros: bigint, asset: 'USDT' | 'AMC' = 'USDT'): Promise<void> {
  const at = new Date()
  await server.services.ledger.post(server.database.db, {
    key: newKey(),
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: at.toISOString().slice(0, 10),
    at,
    lines: [{ memberId: member.memberId, asset, source: 'external', destination: 'available', amountMicros }],
  })
}

const available = async (member: SignedIn, asset: 'USDT' | 'AMC' = 'USDT') =>
  (await server.services.ledger.balances(server.database.db, member.memberId))[asset].available

const send = (as: SignedIn, to: string, amount: string, { asset = 'USDT', key = newKey() } = {}) =>
  callSigned(server, 'transfer', {
    as,
    payload: { address: to, asset, amount },
    headers: { 'idempotency-key': key },
  })

const decide = (memberId: bigint, transferId: string, approve: boolean) =>
  inTx(server.database.db, (dbTx) =>
    server.services.transferReview.decide(dbTx, {
      memberId,
      transferId: BigInt(transferId),
      approve,
      actor: 'admin',
      reason: approve ? 'known to us' : 'not known to us',
    }),
  )

/** Sends an amount, and approves it if it is held for review. */
async function deliver(...[as, ...rest]: Parameters<typeof send>) {
  const answer = await send(as, ...rest)
  if (answer.data.status === 'Auditing') await decide(as.memberId, answer.data.transfer_id, true)
  return answer
}

/** Makes two members have paid each other before. */
async function acquaint(member: SignedIn, other: SignedIn): Promise<void> {
  await Promise.all([grant(member, 1_000_000n), grant(other, 1_000_000n)])
  await deliver(member, other.address, '1')
  await deliver(other, member.address, '1')
}
const list = async (as: SignedIn, query = '') => (await call(server, `transfer?${query}`, { as })).data
const receiver = async (as: SignedIn, address: string) =>
  (await call(server, `transfer/receiver?address=${address}`, { as })).data

describe('a transfer', () => {
  test('pays a wallet that signed up after it was looked up in vain', async () => {
    const wallet = newWallet()
    const carol = await signIn(server, newWallet())
    await grant(carol, 1_000_000n)
    expect((await send(carol, wallet.address, '1')).status).toBe(404)
    const late = await signIn(server, wallet)
    await deliver(carol, wallet.address, '1')
    expect(await available(late)).toBe(1_000_000n)
  })

  test('moves the amount and is visible to both sides', async () => {
    await acquaint(alice, bob)
    await grant(alice, 9_000_000n)
    const before = await available(bob)
    const { data } = await send(alice, bob.address.toLowerCase(), '2.5')
    expect(data).toMatchObject({
      direction: 'out',
      counterpart: bob.address,
      asset: 'USDT',
      amount: '2.500000',
    })
    expect([await available(alice), await available(bob)]).toEqual([7_500_000n, before + 2_500_000n])
    const side = { transfer_id: data.transfer_id, created_at: data.created_at, status: 'Success' }
    const [sent] = (await list(alice)).items
    expect(sent).toMatchObject({ ...side, direction: 'out', counterpart: bob.address })
    const [received] = (await list(bob)).items
    expect(received).toMatchObject({ ...side, direction: 'in', counterpart: alice.address })
    expect((await list(stranger)).items).toEqual([])
    const { rows } = await sql<{ line: string }>`
      select format('%s %s>%s %s', member_id, source, destination, amount) as line from ledger_postings
      where kind = 'transfer' and amount = 2500000 order by line`.execute(server.database.db)
    expect(rows.map(({ line }) => line).sort()).toEqual(
      [`${alice.memberId} available>clearing 2500000`, `${bob.memberId} clearing>available 2500000`].sort(),
    )
  })

  test('is refused as the rules require, without effect', async () => {
    const before = await available(alice)
    const unknown = newWallet().address
    const wrongCapitals = getAddress(bob.address as Hex).replace(/[a-f]/, (letter) => letter.toUpperCase())
    const attempts: [string, string, string][] = [
      [unknown, '1', 'ADDRESS_NOT_REGISTERED'],
      [alice.address, '1', 'SELF_TRANSFER'],
      [bob.address, '0.999999', 'BELOW_MINIMUM'],
      [bob.address, '0', 'INVALID_AMOUNT'],
      [bob.address, '9999999999999', 'INVALID_AMOUNT'],
      [bob.address, '1000', 'INSUFFICIENT_BALANCE'],
      [wrongCapitals, '1', 'INVALID_ADDRESS'],
    ]
    for (const [to, amount, error] of attempts) {
      expect((await send(alice, to, amount)).data).toMatchObject({ error })
    }
    expect((await send(alice, bob.address, '1', { asset: 'RIF' })).status).toBe(400)
    expect(await available(alice)).toBe(before)
  })

  test('repeated under its key is the same transfer; another one under it is a conflict', async () => {
    await grant(alice, 5_000_000n)
    const before = await available(alice)
    const key = newKey()
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(alice, bob.address, '1', { key })))
    expect(new Set(answers.map((answer) => answer.data.transfer_id)).size).toBe(1)
    expect(await available(alice)).toBe(before - 1_000_000n)
    expect(await send(alice, bob.address, '2', { key })).toMatchObject({ status: 409 })
  })

  test('in both directions at once: no deadlock, never below zero, nothing lost', async () => {
    const [anna, ben] = await Promise.all([signIn(server, newWallet()), signIn(server, newWallet())])
    await acquaint(anna, ben)
    await Promise.all([grant(anna, 19_000_000n), grant(ben, 19_000_000n)])
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 2 === 0 ? send(anna, ben.address, '3') : send(ben, anna.address, '2'),
      ),
    )
    const outcomes = new Set(answers.map((answer) => answer.data.error ?? 'sent'))
    expect(
      [...outcomes].filter(
        (item) => !['sent', 'INSUFFICIENT_BALANCE', 'UNAVAILABLE', 'TOO_MANY_CALLS'].includes(item),
      ),
    ).toEqual([])
    const [left, right] = [await available(anna), await available(ben)]
    expect(left + right).toBe(40_000_000n)
    expect(left >= 0n && right >= 0n).toBe(true)
    const sent = (of: SignedIn) => answers.filter((answer) => answer.data.counterpart === of.address).length
    expect(left).toBe(20_000_000n - BigInt(sent(ben)) * 3_000_000n + BigInt(sent(anna)) * 2_000_000n)
  })
})

describe('the list', () => {
  test('is paged, newest first, and filtered by direction, asset, member and day', async () => {
    const [cara, dan] = await Promise.all([signIn(server, newWallet()), signIn(server, newWallet())])
    await Promise.all([grant(cara, 50_000_000n), grant(dan, 50_000_000n, 'AMC')])
    for (const amount of ['1', '2', '3']) await deliver(cara, dan.address, amount)
    await deliver(dan, cara.address, '4', { asset: 'AMC' })
    await deliver(cara, bob.address, '5')
    const amounts = async (query: string) =>
      (await list(cara, query)).items.map((item: { amount: string }) => Number(item.amount))
    expect(await amounts('')).toEqual([5, 4, 3, 2, 1])
    expect(await amounts('direction=in')).toEqual([4])
    expect(await amounts('asset=USDT&direction=out')).toEqual([5, 3, 2, 1])
    expect(await amounts(`address=${dan.address}`)).toEqual([4, 3, 2, 1])
    expect(await amounts(`address=${newWallet().address}`)).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(await amounts(`from=${today}&to=9999-12-31`)).toHaveLength(5)
    expect(await amounts('to=2020-01-01')).toEqual([])
    const first = await list(cara, 'limit=2')
    expect(first.items).toHaveLength(2)
    const second = await list(cara, `limit=3&cursor=${first.next}`)
    expect(second.items.map((item: { amount: string }) => Number(item.amount))).toEqual([3, 2, 1])
    expect(second.next).toBeNull()
  })
})

describe('the address book', () => {
  test('shows the owner of an address, and warns of one that resembles a known one', async () => {
    const eve = await signIn(server, newWallet())
    expect(await receiver(eve, bob.address)).toMatchObject({
      registered: true,
      own: false,
      last_sent_at: null,
    })
    expect(await receiver(eve, eve.address)).toMatchObject({ registered: true, own: true, looks_like: null })
    const twin = bob.address.toLowerCase().replace(/^(0x.{6}).{28}(.{6})$/, `$1${'0'.repeat(28)}$2`)
    expect(await receiver(eve, twin)).toMatchObject({ registered: false, looks_like: null })
    await grant(eve, 2_000_000n)
    await deliver(eve, bob.address, '1')
    expect(await receiver(eve, twin)).toMatchObject({ looks_like: { address: bob.address, label: null } })
    expect((await receiver(eve, bob.address)).last_sent_at).not.toBeNull()
    expect((await receiver(alice, twin)).looks_like).toMatchObject({ address: bob.address })
    expect(await call(server, 'transfer/receiver?address=0x12', { as: eve })).toMatchObject({
      status: 400,
      data: { error: 'INVALID_ADDRESS' },
    })
  })

  test("keeps a member's own names, which nobody else sees", async () => {
    const finn = await signIn(server, newWallet())
    const save = (address: string, label: string) =>
      callSigned(server, 'transfer/contacts', { as: finn, payload: { address, label } })
    await save(bob.address, '  Bob  ')
    expect((await save(alice.address, 'alice')).data.saved).toMatchObject([
      { address: alice.address, label: 'alice' },
      { address: bob.address, label: 'Bob' },
    ])
    expect((await save(bob.address, 'Robert')).data.saved).toHaveLength(2)
    expect((await receiver(finn, bob.address)).label).toBe('Robert')
    expect((await receiver(alice, bob.address)).label).toBeNull()
    for (const label of ['', ' ', 'x'.repeat(41), 'a\u202eb', 'a\0b'])
      expect((await save(bob.address, label)).status).toBe(400)

    await grant(finn, 1_000_000n)
    expect((await deliver(finn, bob.address, '1')).data.label).toBe('Robert')
    const remove = (address: string) =>
      callSigned(server, 'transfer/contacts/remove', { as: finn, payload: { address } })
    await remove(alice.address)
    expect((await remove(bob.address)).data).toMatchObject({
      saved: [],
      recent: [{ address: bob.address, label: null }],
      minimum: '1.000000',
    })
    expect(defaultPlan.transfer.minimumMicros).toBe(1_000_000n)
  })

  test('sums the amounts sent to an address, and names a team member wherever the address appears', async () => {
    const hana = await signIn(server, newWallet())
    const { inviteCode } = await server.services.members.get(server.database.db, hana.memberId)
    const ivan = await signIn(server, newWallet(), inviteCode)
    await grant(hana, 120_000_000n)
    await sql`update members set level = 1 where member_id = ${hana.memberId}`.execute(server.database.db)
    await deliver(hana, ivan.address, '3')
    await deliver(hana, ivan.address, '2.5')
    // Returned, so neither in the list nor in the sums.
    const { transfer_id } = (await send(hana, bob.address, '100')).data
    await decide(hana.memberId, transfer_id, false)
    const sentTo = async (as: SignedIn, address: string) =>
      (await call(server, `me/sent?address=${address}`, { as })).data
    expect(await sentTo(hana, ivan.address)).toMatchObject({
      address: ivan.address,
      sums: [{ way: 'transfer', asset: 'USDT', amount: '5.500000', count: 2 }],
      items: [
        { way: 'transfer', amount: '2.500000', is_done: true },
        { way: 'transfer', amount: '3.000000', is_done: true },
      ],
    })
    expect(await sentTo(hana, bob.address)).toMatchObject({ sums: [], items: [] })
    expect(await sentTo(bob, ivan.address)).toMatchObject({ sums: [], items: [] })
    const wrong = await call(server, `me/sent?address=${ivan.address.slice(0, -1)}`, { as: hana })
    expect(wrong).toMatchObject({ status: 400, data: { error: 'INVALID_ADDRESS' } })

    const name = { member_id: `${ivan.memberId}`, label: 'Cousin', pinned: false }
    await call(server, 'me/labels', { as: hana, payload: name })
    const named = async (as: SignedIn) => ({
      list: (await call(server, 'transfer', { as })).data.items[0].label,
      activity: (await call(server, 'me/activity', { as })).data.items[0].source.label,
    })
    expect((await call(server, `transfer/receiver?address=${ivan.address}`, { as: hana })).data.label).toBe(
      'Cousin',
    )
    await deliver(hana, ivan.address, '1')
    expect(await named(hana)).toEqual({ list: 'Cousin', activity: 'Cousin' })
    expect(await named(ivan)).toEqual({ list: null, activity: null })
    // The address book's own name for the address takes precedence.
    await callSigned(server, 'transfer/contacts', {
      as: hana,
      payload: { address: ivan.address, label: 'Gym' },
    })
    expect((await named(hana)).list).toBe('Gym')
  })

  test('accepts at most two hundred names', async () => {
    const gina = await signIn(server, newWallet())
    await sql`
      insert into address_book (member_id, address, label, saved_at)
      select ${gina.memberId}, '0x1' || lpad(to_hex(n), 39, '0'), 'n' || n, now() from generate_series(1, 200) as n`.execute(
      server.database.db,
    )
    const save = (address: string) =>
      callSigned(server, 'transfer/contacts', { as: gina, payload: { address, label: 'one more' } })
    expect(await save(bob.address)).toMatchObject({ status: 409, data: { error: 'CONTACTS_FULL' } })
    expect((await save(`0x1${'0'.repeat(38)}1`)).status).toBe(200)
  })
})

test('the audit detects a list that differs from the books', async () => {
  await grant(alice, 1_000_000n)
  const { data } = await send(alice, bob.address, '1')
  expect(data.status).toBe('Success')
  const findings = await server.database.adminDb.transaction().execute(async (dbTx) => {
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await sql`update transfers set amount_micros = 5 where member_id = ${bob.memberId}
        and transfer_id = ${data.transfer_id}`.execute(dbTx)
    const failedChecks = []
    for (const check of TRANSFER_CHECKS) failedChecks.push(...(await check.run(dbTx)).map(() => check.name))
    await sql`update transfers set amount_micros = 1000000 where member_id = ${bob.memberId}
        and transfer_id = ${data.transfer_id}`.execute(dbTx)
    return failedChecks
  })
  expect(findings).toEqual(['transfer', 'transfer sides'])
})
