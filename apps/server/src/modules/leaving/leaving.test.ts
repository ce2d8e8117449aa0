import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { deployWalletFactory } from '../../testing/fixtures/contract-wallet.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signedBy,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'
import { auditLedger } from '../books/ledger/audit.ts'
import { TRANSFER_CHECKS } from './transfers/audit.ts'
import { WITHDRAWAL_CHECKS } from './withdrawals/audit.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STRANGER = `0x${'77'.repeat(20)}`

let server: TestServer
let victim: SignedIn
let friend: SignedIn
let thief: SignedIn
let offsetMs = 0
/** The time at which the clock stands still, if any. */
let fixed: number | undefined

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(fixed ?? Date.now() + offsetMs) })
})
afterAll(() => server.close())
afterEach(async () => {
  expect(
    await auditLedger(server.database.db, { checks: [...TRANSFER_CHECKS, ...WITHDRAWAL_CHECKS] }),
  ).toEqual([])
})

/** Signs in a victim of level 5 with 40,000 USDT, who has paid a friend before, and a thief. */
async function begin(): Promise<void> {
  untilHour(1)
  const join = () => signIn(server, newWallet())
  ;[victim, friend, thief] = [await join(), await join(), await join()]
  await grant(victim, 40_000n)
  await level(victim, 5)
  await signed('transfer', { address: friend.address, asset: 'USDT', amount: '1' })
  untilHour(2)
}

/** Advances to an hour of the next UTC day. */
function untilHour(hour: number): void {
  offsetMs += DAY_MS - ((Date.now() + offsetMs) % DAY_MS) + hour * HOUR_MS
}

async function grant(member: SignedIn, usdt: bigint): Promise<void> {
  const at = server.services.now()
  const line = { memberId: member.memberId, asset: 'USDT', amountMicros: usdt * 1_000_000n } as const
  await server.services.ledger.post(server.database.db, {
    key: `grant/${crypto.randomUUID()}`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    at,
    accountingDay: at.toISOString().slice(0, 10),
    lines: [{ ...line, source: 'external', destination: 'available' }],
  })
}

const level = ({ memberId }: SignedIn, to: number) =>
  sql`update members set level = ${to} where member_id = ${memberId}`.execute(server.database.db)

/** Sends a request with the bearer token only, like a stolen session. */
const stolen = (path: string, payload: object) => call(server, path, { as: victim, payload })
/** Sends the same request with the signature of the victim's wallet. */
const signed = (path: string, payload: object) => callSigned(server, path, { as: victim, payload })
const transfer = (to: string, amount: string) => ({ address: to, asset: 'USDT', amount })
const withdrawal = (amount: string, address?: string) => ({
  asset: 'USDT',
  amount,
  ...(address && { address }),
})

const decide = (transferId: string, approve: boolean) =>
  inTx(server.database.db, (dbTx) =>
    server.services.transferReview.decide(dbTx, {
      memberId: victim.memberId,
      transferId: BigInt(transferId),
      approve,
      actor: 'admin',
      reason: 'as tested',
    }),
  )

const balances = async (member: SignedIn) =>
  (await server.services.ledger.balances(server.database.db, member.memberId)).USDT

test('a stolen session cannot send to a new person, to another address, or above 100 USDT', async () => {
  await begin()
  const before = await balances(victim)
  const attempts: [string, object][] = [
    ['transfer', transfer(thief.address, '1')],
    ['withdraw', withdrawal('20', thief.address)],
    ['withdraw', withdrawal('100.000001')],
    ['transfer', transfer(friend.address, '100.000001')],
    ['transfer/contacts', { address: thief.address, label: 'me' }],
    ['transfer/contacts/remove', { address: friend.address }],
    ['transfer/contacts/saved-only', { on: true }],
  ]
  for (const [path, payload] of attempts) {
    const { status, data } = await stolen(path, payload)
    expect([path, status, data.error]).toEqual([path, 428, 'SIGNATURE_REQUIRED'])
    const { primaryType, message, domain } = JSON.parse(data.details.typed_data)
    expect({ primaryType, ...domain }).toMatchObject({ chainId: 42161 })
    expect(message.wallet).toBe(victim.address.toLowerCase())
  }
  expect(await balances(victim)).toEqual(before)
  // A signature by the thief's wallet is not the victim's.
  const { data } = await stolen('transfer', transfer(thief.address, '1'))
  const forged = await signedBy(thief.wallet, data.details)
  expect((await stolen('transfer', { ...transfer(thief.address, '1'), signed: forged })).data).toMatchObject({
    error: 'SIGNATURE_INVALID',
  })
  expect(await balances(victim)).toEqual(before)
})

test('a stolen session cannot split: small amounts that sum above 100 USDT, one by one and at once', async () => {
  await begin()
  const before = await balances(victim)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? stolen('transfer', transfer(friend.address, '20'))
        : stolen('withdraw', withdrawal('20')),
    ),
  )
  const codes = answers.map(({ data }) => data.error ?? 'moved')
  expect(codes.filter((code) => code === 'moved')).toHaveLength(5)
  expect(codes.filter((code) => code === 'SIGNATURE_REQUIRED')).toHaveLength(5)
  expect((await stolen('transfer', transfer(friend.address, '1'))).data.error).toBe('SIGNATURE_REQUIRED')
  expect(before.available - (await balances(victim)).available).toBe(100_000_000n)
})

test('a signature is valid for one request: not again, not for more, for another receiver or fee, or too late', async () => {
  await begin()
  const request = transfer(friend.address, '150')
  const { data } = await stolen('transfer', request)
  const signature = await signedBy(victim.wallet, data.details)
  for (const other of [transfer(friend.address, '151'), transfer(thief.address, '150')]) {
    const answer = await stolen('transfer', { ...other, signed: signature })
    expect(answer.data.error).toBe('SIGNATURE_INVALID')
  }
  const both = await Promise.all([1, 2].map(() => stolen('transfer', { ...request, signed: signature })))
  expect(both.map(({ data: answer }) => answer.error ?? answer.status).sort()).toEqual([
    'NONCE_INVALID',
    'Success',
  ])
  const late = await stolen('withdraw', withdrawal('130'))
  const consent = await signedBy(victim.wallet, late.data.details)
  const wrongFee = { ...consent, fee: '0.500000' }
  expect((await stolen('withdraw', { ...withdrawal('130'), signed: wrongFee })).data.error).toBe(
    'SIGNATURE_INVALID',
  )
  offsetMs += 11 * 60_000
  expect((await stolen('withdraw', { ...withdrawal('130'), signed: consent })).data.error).toBe(
    'NONCE_INVALID',
  )
})

test('splitting: 30 requests of 1,000 USDT are held for their sum', async () => {
  await begin()
  const statuses = []
  for (let index = 0; index < 30; index++) {
    const answer =
      index % 3 === 0
        ? await signed('transfer', transfer(friend.address, '1000'))
        : await signed('withdraw', withdrawal('1000'))
    statuses.push(answer.data.status ?? answer.data.error)
  }
  expect(statuses[0]).toBe('Success')
  expect(new Set(statuses.slice(1))).toEqual(new Set(['Auditing']))
  expect((await balances(friend)).available).toBe(1_001_000_000n)
  expect((await signed('withdraw', withdrawal('2'))).data.error).toBe('DAILY_LIMIT')
  // The sum continues across midnight, the daily limit does not.
  offsetMs += 23 * HOUR_MS
  expect((await signed('withdraw', withdrawal('2'))).data).toMatchObject({
    status: 'Auditing',
    reasons: ['large_amount'],
  })
})

test('transfers to new members are held above 100 USDT in 24 hours in all, until a payment is a day old or reviewed', async () => {
  await begin()
  const other = await signIn(server, newWallet())
  const send = async (to: SignedIn, amount: string): Promise<[status: string, transferId: string]> => {
    const { data } = await signed('transfer', transfer(to.address, amount))
    return [[data.status, ...data.reasons].join(' '), data.transfer_id]
  }
  const statusOf = async (to: SignedIn, amount: string) => (await send(to, amount))[0]
  expect(await statusOf(thief, '60')).toBe('Success')
  // Neither parts to the same member nor parts to several of them add up to more.
  const [status, transferId] = await send(thief, '40.000001')
  expect(status).toBe('Auditing new_address')
  expect(await statusOf(other, '1')).toBe('Auditing new_address')
  expect(await statusOf(friend, '90')).toBe('Success')
  await decide(transferId, true)
  expect(await statusOf(thief, '200')).toBe('Success')
  expect(await statusOf(other, '98')).toBe('Success')
  expect(await statusOf(other, '2')).toBe('Auditing new_address')
  offsetMs += DAY_MS
  expect(await statusOf(other, '2')).toBe('Success')
})

test('what was signed for counts neither way, and what is exactly 24 hours old counts no longer', async () => {
  await begin()
  expect((await signed('transfer', transfer(friend.address, '500'))).data.status).toBe('Success')
  expect((await stolen('withdraw', withdrawal('60'))).data.status).toBe('Withdrawable')
  const { created_at: before } = (await stolen('transfer', transfer(friend.address, '40'))).data
  expect((await stolen('transfer', transfer(friend.address, '1'))).data.error).toBe('SIGNATURE_REQUIRED')
  expect((await call(server, 'withdraw/limit', { as: victim })).data).toMatchObject({
    used: '600.000000',
    recent: '600.000000',
    unsigned: '100.000000',
  })
  // Not by UTC days: at midnight nothing is free again.
  offsetMs += 23 * HOUR_MS
  expect((await stolen('transfer', transfer(friend.address, '1'))).data.error).toBe('SIGNATURE_REQUIRED')
  fixed = Date.parse(before) + DAY_MS - 1
  expect((await stolen('transfer', transfer(friend.address, '100'))).data.error).toBe('SIGNATURE_REQUIRED')
  fixed = Date.parse(before) + DAY_MS
  expect((await stolen('transfer', transfer(friend.address, '100'))).data.status).toBe('Success')
  fixed = undefined
})

test('a held transfer stays in the books, arrives by a decision, and returns by a decision or by its sender', async () => {
  await begin()
  const send = async () => (await signed('transfer', transfer(thief.address, '150'))).data
  const [first, second, third] = [await send(), await send(), await send()]
  expect(first).toMatchObject({ status: 'Auditing', reasons: ['new_address'], completed_at: null })
  expect((await balances(victim)).locked).toBe(450_000_000n)
  expect((await balances(thief)).available).toBe(0n)
  expect((await call(server, 'transfer', { as: thief })).data.items).toEqual([])
  await decide(second.transfer_id, false)
  await expect(decide(second.transfer_id, true)).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  expect((await stolen(`transfer/cancel/${third.transfer_id}`, {})).data.status).toBe('Cancelled')
  expect((await stolen(`transfer/cancel/${third.transfer_id}`, {})).data.error).toBe('NOTHING_TO_CANCEL')
  await decide(first.transfer_id, true)
  expect((await balances(victim)).locked).toBe(0n)
  expect((await balances(thief)).available).toBe(150_000_000n)
  const { items } = (await call(server, 'transfer', { as: victim })).data
  expect(items.slice(0, 3).map((item: { status: string }) => item.status)).toEqual([
    'Cancelled',
    'Rejected',
    'Success',
  ])
  expect(items[1].reject_reason).toBe('as tested')
  // Only completed transfers count towards the daily limit.
  expect((await call(server, 'withdraw/limit', { as: victim })).data.used).toBe('150.000000')
})

test('operators find transfers and withdrawals by a prefix of either address', async () => {
  await begin()
  const { transfer_id: sent } = (await signed('transfer', transfer(thief.address, '150'))).data
  const { withdraw_id: away } = (await signed('withdraw', withdrawal('20', STRANGER))).data
  const { withdraw_id: home } = (await signed('withdraw', withdrawal('10'))).data
  const find = async (address: string, letters: number) => {
    const page = await server.services.departureQueue.page(server.database.db, {
      filter: {
        statuses: ['Auditing', 'Withdrawable'],
        addressStart: address.toLowerCase().slice(0, 2 + letters),
      },
      order: 'oldest',
      after: undefined,
      limit: 100,
    })
    return page.map(({ departure }) => `${departure.is} ${departure.id}`)
  }
  const all = [`transfer ${sent}`, `withdrawal ${away}`, `withdrawal ${home}`]
  for (const letters of [12, 40]) {
    expect(await find(victim.address, letters)).toEqual(all)
    expect(await find(thief.address, letters)).toEqual([all[0]])
    expect(await find(STRANGER, letters)).toContain(all[1])
    expect(await find(`0x${'0'.repeat(40)}`, letters)).toEqual([])
  }
  // A prefix that many addresses share finds them too.
  for (const letters of [0, 1]) {
    expect(await find(victim.address, letters)).toEqual(expect.arrayContaining(all))
    expect(await find(STRANGER, letters)).toContain(all[1])
  }
})

test('a pause of withdrawals stops transfers too, and a review cannot bypass it', async () => {
  await begin()
  const heldTransfer = (await signed('transfer', transfer(thief.address, '101'))).data
  const { db } = server.database
  await sql`insert into pauses values ('withdrawals', 'test', 'test', now())`.execute(db)
  expect((await signed('transfer', transfer(friend.address, '5'))).data.error).toBe('PAUSED')
  await expect(decide(heldTransfer.transfer_id, true)).rejects.toMatchObject({ code: 'PAUSED' })
  await sql`delete from pauses`.execute(db)
  expect((await signed('transfer', transfer(friend.address, '5'))).data.status).toBe('Success')
})

test('saved addresses only: a new address is usable after 24 hours, and switching off takes 24 hours too', async () => {
  await begin()
  const book = await signed('transfer/contacts/saved-only', { on: true })
  expect(book.data.saved_only).toEqual({ on: true, off_from: null })
  const refusal = async (payload: object, path = 'transfer') => (await signed(path, payload)).data.error
  expect(await refusal(transfer(friend.address, '5'))).toBe('ADDRESS_NOT_SAVED')
  expect(await refusal(withdrawal('5', STRANGER), 'withdraw')).toBe('ADDRESS_NOT_SAVED')
  expect(await refusal(withdrawal('5'), 'withdraw')).toBeUndefined()
  const { saved } = (await signed('transfer/contacts', { address: friend.address, label: 'Friend' })).data
  const early = await signed('transfer', transfer(friend.address, '5'))
  expect(early.data).toMatchObject({
    error: 'ADDRESS_TOO_NEW',
    details: { usable_from: saved[0].usable_from },
  })
  const off = await signed('transfer/contacts/saved-only', { on: false })
  const offFrom = off.data.saved_only.off_from
  expect(off.data.saved_only.on).toBe(true)
  offsetMs += HOUR_MS
  // Neither a second request to switch off nor a new name restarts the time.
  const again = await signed('transfer/contacts/saved-only', { on: false })
  expect(again.data.saved_only).toEqual({ on: true, off_from: offFrom })
  await signed('transfer/contacts', { address: friend.address, label: 'My friend' })
  expect(await refusal(transfer(thief.address, '5'))).toBe('ADDRESS_NOT_SAVED')
  offsetMs += 23 * HOUR_MS + 60_000
  expect(await refusal(transfer(friend.address, '5'))).toBeUndefined()
  expect((await call(server, 'transfer/contacts', { as: victim })).data.saved_only.on).toBe(false)
  expect(await refusal(transfer(thief.address, '5'))).toBeUndefined()
})

test('the owner signs for a contract wallet (EIP-1271), and after the key is revoked nothing can leave', async () => {
  await begin()
  const owner = newWallet()
  const factory = await deployWalletFactory(server.chain.rpcUrl, server.chain.accounts[0]!)
  await factory.deploy(owner.address)
  const safe = await signIn(server, { ...owner, address: await factory.addressOf(owner.address) })
  await grant(safe, 100n)
  const send = (path: string, payload: object) => callSigned(server, path, { as: safe, payload })
  const sent = await send('transfer', transfer(friend.address, '5'))
  expect([sent.status, sent.data.status]).toEqual([200, 'Success'])
  const withdrawn = await send('withdraw', withdrawal('20', STRANGER))
  expect([withdrawn.status, withdrawn.data.status]).toEqual([200, 'Auditing'])
  const before = await balances(safe)
  // The signature of another key is not the wallet's.
  const stranger = { ...safe, wallet: { ...newWallet(), address: safe.address as `0x${string}` } }
  const forged = await callSigned(server, 'withdraw', { as: stranger, payload: withdrawal('20', STRANGER) })
  expect([forged.status, forged.data.error]).toEqual([400, 'SIGNATURE_INVALID'])
  await factory.revoke(owner.address)
  for (const [path, payload] of [
    ['transfer', transfer(thief.address, '5')],
    ['withdraw', withdrawal('20', STRANGER)],
    ['transfer/contacts', { address: STRANGER, label: 'mine' }],
  ] as const) {
    const { data } = await send(path, payload)
    expect([path, data.error]).toEqual([path, 'SIGNATURE_INVALID'])
  }
  expect(await balances(safe)).toEqual(before)
})
