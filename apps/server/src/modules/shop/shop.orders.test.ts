import { randomUUID } from 'node:crypto'
import { formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

let product: TestProduct
let root: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
})
afterAll(() => product.stop())

const rifOf = async ({ memberId }: TestMember) => {
  const { RIF } = await product.services.ledger.balances(product.db, memberId)
  return { available: formatMicros(RIF.available), locked: formatMicros(RIF.locked) }
}
const copiesLeft = async (level: number) =>
  (await product.services.shop.products(product.db))[level - 1]!.copies_left
/** Members whose wallets are not used. */
const crowd = (count: number) =>
  inTx(product.db, async (dbTx) => {
    const members: TestMember[] = []
    for (let index = 0; index < count; index++) {
      const address = `0x${(index + 1).toString(16).padStart(40, '0')}` as const
      const { memberId } = await product.services.members.join(dbTx, {
        address,
        sponsorId: root.memberId,
        side: 'left',
      })
      members.push({ memberId, address, wallet: address })
    }
    return members
  })
const cancel = (member: TestMember, orderId: string) =>
  inTx(product.db, (dbTx) => product.services.shop.cancel(dbTx, member.memberId, BigInt(orderId)))
const choose = (member: TestMember, orderId: string, useHashRate?: boolean) =>
  inTx(product.db, (dbTx) =>
    product.services.shop.choose(dbTx, { memberId: member.memberId, orderId: BigInt(orderId), useHashRate }),
  )

test('an order that needs a price that was never published is refused', async () => {
  await expect(product.order(root, 1)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  await product.publishPrice('AMC', '0.5')
  await expect(product.order(root, 1, true)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  const order = await product.order(root, 1)
  await expect(choose(root, order.order_id, true)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  await product.publishPrice('RIF', '2')
  // The order keeps the prices of its creation, even a missing one.
  await expect(choose(root, order.order_id, true)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  await cancel(root, order.order_id)
  await expect(product.order(root, 6)).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
})

test('an order keeps the price of its creation', async () => {
  const before = await product.order(root, 1)
  await product.publishPrice('AMC', '0.25')
  const after = await product.order(root, 2)
  await product.publishPrice('AMC', '0.5')
  expect(before.quote).toMatchObject({ due: '100.000000', usdt: '70.000000', amc: '60.000000' })
  expect(after.quote).toMatchObject({ due: '500.000000', usdt: '350.000000', amc: '600.000000' })
  expect((await choose(root, before.order_id)).full_amc_micros).toBe(60_000_000n)
  await cancel(root, before.order_id)
  await cancel(root, after.order_id)
})

test('RIF are held from the first discounted quote until the order closes', async () => {
  const member = await product.join(root)
  const without = await product.order(member, 1, true)
  expect(without).toMatchObject({ use_hash_rate: false, quote: { discount: '0.000000', due: '100.000000' } })

  await product.grant(member, 'RIF', '3')
  await choose(member, without.order_id, true)
  expect(await rifOf(member)).toEqual({ available: '0.000000', locked: '3.000000' })
  const discounted = await product.services.shop.get(product.db, member.memberId, BigInt(without.order_id))
  // 3 RIF are worth 6 USDT, less than the allowed 10%.
  expect(discounted).toMatchObject({
    use_hash_rate: true,
    quote: { discount: '6.000000', rif: '3.000000', due: '94.000000', usdt: '65.800000', amc: '56.400000' },
    full_quote: { discount: '0.000000', due: '100.000000' },
  })

  await choose(member, without.order_id, false)
  await choose(member, without.order_id, true)
  expect(await rifOf(member)).toEqual({ available: '0.000000', locked: '3.000000' })
  await cancel(member, without.order_id)
  expect(await rifOf(member)).toEqual({ available: '3.000000', locked: '0.000000' })
})

test.each([
  { pays: 'the discounted quote', useHashRate: true, left: '5.000000', due: '90.000000', usdt: '63.000000' },
  { pays: 'the full quote', useHashRate: false, left: '10.000000', due: '100.000000', usdt: '70.000000' },
])('the event tells that $pays was paid', async ({ useHashRate, left, due, usdt }) => {
  const member = await product.join(root)
  await product.grant(member, 'RIF', '10')
  const order = await product.order(member, 1, true)
  expect(order.quote).toMatchObject({ discount: '10.000000', rif: '5.000000', due: '90.000000' })
  expect((await product.pay(member, order.order_id, useHashRate)).status).toBe('success')
  await product.finalise()

  const paid = await product.services.shop.get(product.db, member.memberId, BigInt(order.order_id))
  expect(paid).toMatchObject({ status: 'Paid', use_hash_rate: useHashRate, quote: { due, usdt } })
  expect(await rifOf(member)).toEqual({ available: left, locked: '0.000000' })
  expect((await product.services.members.get(product.db, member.memberId)).investedMicros).toBe(
    BigInt(due.replace('.', '')),
  )
  expect(await product.audit()).toEqual([])
})

test('reading a price creates no order, takes no copy and locks no RIF', async () => {
  const member = await product.join(root)
  await product.grant(member, 'RIF', '3')
  const { db } = product
  const traces = async () => ({
    orders: (await sql`select * from orders order by order_id`.execute(db)).rows,
    postings: (await sql`select count(*) from ledger_postings`.execute(db)).rows,
    copies: (await sql`select * from package_copies order by package_id`.execute(db)).rows,
    rif: await rifOf(member),
  })
  const before = await traces()
  const { memberId, address } = member
  const look = (useHashRate: boolean) =>
    product.services.shop.preview(db, { memberId, address, productId: 1n, useHashRate })
  const seen = await look(true)
  expect(seen).toMatchObject({
    quote: { discount: '6.000000', rif: '3.000000', usdt: '65.800000', amc: '56.400000' },
    amc_price: '0.500000',
    valid_ms: 1_800_000,
    newest_own: null,
  })
  expect((await look(false)).quote).toMatchObject({ discount: '0.000000', usdt: '70.000000' })
  expect(await traces()).toEqual(before)

  const confirm = (expected: typeof seen.quote) =>
    inTx(db, (dbTx) =>
      product.services.shop.create(
        dbTx,
        { memberId, address },
        { productId: 1n, useHashRate: true, expected },
      ),
    )
  await product.publishPrice('AMC', '0.25')
  // Publishing a price does not change the compared rows.
  await expect(confirm(seen.quote)).rejects.toMatchObject({ code: 'QUOTE_CHANGED' })
  expect(await traces()).toEqual(before)
  await product.publishPrice('AMC', '0.5')
  const order = await confirm((await look(true)).quote)
  expect(order.quote).toEqual(seen.quote)
  expect(await rifOf(member)).toEqual({ available: '0.000000', locked: '3.000000' })
  await cancel(member, order.order_id)
  expect(await product.audit()).toEqual([])
})

test('a processed order refuses every change', async () => {
  const member = await product.join(root)
  const order = await product.order(member, 1)
  const { hash } = await product.pay(member, order.order_id)
  await product.finalise()
  const { shop } = product.services
  const report = (txHash: string) =>
    inTx(product.db, (dbTx) => shop.reportPayment(dbTx, member.memberId, BigInt(order.order_id), txHash))
  const isFinal = { code: 'ORDER_FINAL' }
  await expect(cancel(member, order.order_id)).rejects.toMatchObject(isFinal)
  await expect(choose(member, order.order_id)).rejects.toMatchObject(isFinal)
  await expect(report(`0x${'1'.repeat(64)}`)).rejects.toMatchObject(isFinal)
  expect(await report(hash)).toMatchObject({ status: 'Paid', tx_hash: hash })
  await expect(cancel(root, order.order_id)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
})

test('one key creates one order, even with five concurrent requests', async () => {
  const member = await product.join(root)
  await product.grant(member, 'RIF', '10')
  const request = {
    memberId: member.memberId,
    key: randomUUID(),
    operation: 'createOrder',
    input: { level: 1 },
  }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      inTx(product.db, (dbTx) =>
        idempotent(dbTx, request, product.now(), () =>
          product.services.shop.create(dbTx, member, { productId: 1n, useHashRate: true }),
        ),
      ),
    ),
  )
  expect(new Set(answers.map((order) => order.order_id)).size).toBe(1)
  expect(await rifOf(member)).toEqual({ available: '5.000000', locked: '5.000000' })
})

test('a member has one open order for a package, even with ten concurrent requests', async () => {
  const member = await product.join(root)
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => product.order(member, 3)))
  const [placed, ...more] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(more).toEqual([])
  expect(refusals).toHaveLength(9)
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ code: 'ORDER_OPEN', details: { order_id: placed!.order_id } })
  }
  expect(await copiesLeft(3)).toBe(200)
  // Other packages and members are not affected; once the order is cancelled, or its quote has expired,
  // neither is this package.
  await cancel(member, (await product.order(member, 2)).order_id)
  await cancel(root, (await product.order(root, 3)).order_id)
  await cancel(member, placed!.order_id)
  const again = await product.order(member, 3)
  await product.advance(31 * 60_000)
  await cancel(member, (await product.order(member, 3)).order_id)
  await cancel(member, again.order_id)
})

test('200 accounts that order and report invented hashes take no copy', async () => {
  expect(await copiesLeft(4)).toBe(200)
  const { shop } = product.services
  const wanted = { productId: 4n, useHashRate: false }
  const attack = async (buyer: TestMember, index: number) => {
    // In the background, where nobody is refused for a short wait.
    const { order_id } = await shop.order(product.db, buyer, wanted)
    const hash = `0x${(index + 1).toString(16).padStart(64, '0')}`
    return inTx(product.db, (dbTx) => shop.reportPayment(dbTx, buyer.memberId, BigInt(order_id), hash))
  }
  const buyers = await crowd(200)
  const statuses = new Set<string>()
  // In groups, because a cluster takes longer for all of them than anybody waits for a connection.
  for (let first = 0; first < buyers.length; first += 40) {
    const group = buyers.slice(first, first + 40)
    for (const { status } of await Promise.all(group.map((buyer, n) => attack(buyer, first + n))))
      statuses.add(status)
  }
  expect(statuses).toEqual(new Set(['Processing']))
  expect(await copiesLeft(4)).toBe(200)

  const member = await product.join(root)
  const { order_id } = await product.order(member, 4)
  expect((await product.pay(member, order_id)).status).toBe('success')
  await product.finalise()
  expect(await copiesLeft(4)).toBe(199)
  expect((await shop.get(product.db, member.memberId, BigInt(order_id))).status).toBe('Paid')
  expect(await product.audit()).toEqual([])
})

test("a member's orders are listed in pages, newest first, by status", async () => {
  const member = await product.join(root)
  const ids = []
  for (const level of [1, 2, 3]) ids.unshift((await product.order(member, level)).order_id)
  await cancel(member, ids[1]!)
  const { list } = product.services.shop
  const first = await list(product.db, member.memberId, { limit: 2 })
  const second = await list(product.db, member.memberId, { limit: 2, cursor: first.next! })
  expect([...first.items, ...second.items].map((order) => order.order_id)).toEqual(ids)
  const cancelled = await list(product.db, member.memberId, { limit: 2, status: 'Cancelled' })
  expect(cancelled.items.map((order) => order.order_id)).toEqual([ids[1]])
})
