import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Db, inTx } from '../../db/database.ts'
import { forAll } from '../../db/lanes.ts'
import { deferred } from '../../lib/deferred.ts'
import { runs } from '../../testing/level.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

let product: TestProduct
let members: TestMember[]

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  const root = await product.join(null)
  members = [root]
  for (let index = 1; index < 12; index++) members.push(await product.join(root))
  await product.finalise()
})
afterEach(() => cancelAll())
afterAll(() => product.stop())

/** Runs operations at once, like calls. */
const atOnce = <T>(operations: readonly (() => Promise<T>)[]) =>
  forAll('writes', () => Promise.allSettled(operations.map((operate) => operate())))
const order = (member: TestMember, level: number, usdt?: string) => () =>
  product.services.shop.order(product.db, member, {
    productId: BigInt(level),
    useHashRate: false,
    expected: usdt === undefined ? undefined : { usdt, amc: '0', rif: '0' },
  })
async function cancelAll(): Promise<void> {
  for (const member of members) {
    const { items } = await product.services.shop.list(product.db, member.memberId, {
      status: 'UnPaid',
      limit: 50,
    })
    for (const { order_id } of items) await product.cancelOrder(member, order_id)
  }
}
/** Returns the unpaid orders of each package, as they are counted on their days. */
const counted = async () => {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(ordered - cancelled), 0)::integer as open
    from packages left join order_days using (package_id) group by package_id order by package_id`.execute(
    product.db,
  )
  return rows.map((row) => row.open)
}

test('simultaneous orders are each stored and counted, and so are cancellations', async () => {
  const before = await counted()
  const outcomes = await atOnce(members.map((member, index) => order(member, 1 + (index % 5))))
  const made = outcomes.map((outcome) => (outcome as PromiseFulfilledResult<{ order_id: string }>).value)
  for (const [index, member] of members.entries()) {
    const stored = await product.services.shop.get(product.db, member.memberId, BigInt(made[index]!.order_id))
    expect(stored).toEqual(made[index])
  }
  expect(await counted()).toEqual(before.map((count, index) => count + (index < 2 ? 3 : 2)))
  const cancelled = await atOnce(
    members.map((member, index) => () => product.cancelOrder(member, made[index]!.order_id)),
  )
  for (const [index, outcome] of cancelled.entries())
    expect(outcome).toMatchObject({ value: { order_id: made[index]!.order_id, status: 'Cancelled' } })
  expect(await counted()).toEqual(before)
})

test('a refused order rolls back no other, even if its event is subscribed', async () => {
  await sql`
    insert into webhook_endpoints (name, url, events, active, approved_by, changed_at)
    values ('orders', 'https://orders.example/', '{order.created}', true, 'test', now())`.execute(
    product.database.adminDb,
  )
  const outcomes = await atOnce(
    members.map((member, index) => order(member, 1, index === 5 ? '1' : undefined)),
  )
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.order_id] : []))
  expect(made).toHaveLength(members.length - 1)
  await sql`update webhook_endpoints set active = false`.execute(product.database.adminDb)
})

test('a refused order does not affect simultaneous ones', async () => {
  const [first, second, third, fourth] = members as [TestMember, TestMember, TestMember, TestMember]
  const open = await product.order(fourth, 2)
  const outcomes = await atOnce([order(first, 2), order(second, 2, '1'), order(third, 9), order(fourth, 2)])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'QUOTE_CHANGED' } },
    { reason: { code: 'PACKAGE_NOT_FOUND' } },
    { reason: { code: 'ORDER_OPEN', details: { order_id: open.order_id } } },
  ])
  expect(await product.audit()).toEqual([])
})

test('simultaneous orders are refused once all copies are paid', async () => {
  const pay = (by: number) =>
    sql`update package_copies set paid = paid + ${by} where package_id = 3`.execute(product.database.adminDb)
  await pay(200)
  const outcomes = await atOnce(members.map((member, index) => order(member, index === 0 ? 4 : 3)))
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
  expect(refusals).toEqual(Array(members.length - 1).fill('SOLD_OUT'))
  await pay(-200)
  expect(await product.audit()).toEqual([])
})

const lockHead = (dbTx: Db, memberId: bigint) => product.services.ledger.lock(dbTx, { memberIds: [memberId] })
const lockPackage = (dbTx: Db) => sql`select from packages where package_id = 4 for update`.execute(dbTx)

test.each([
  ['the head of its member', lockHead],
  ['its package', lockPackage],
])('an order waits for %s, and those of the same moment do not', async (_, lock) => {
  const [first, second, third] = members as [TestMember, TestMember, TestMember]
  const [isLocked, mayEnd] = [deferred<void>(), deferred<void>()]
  const holding = inTx(product.database.adminDb, async (dbTx) => {
    await lock(dbTx, first.memberId)
    isLocked.resolve()
    await mayEnd.promise
  })
  await isLocked.promise
  let isDone = false
  const waiting = atOnce([order(first, 4)]).finally(() => {
    isDone = true
  })
  await sleep(200)
  expect(isDone).toBe(false)
  const others = lock === lockHead ? [order(second, 4), order(third, 5)] : [order(second, 5)]
  expect((await atOnce(others)).every(({ status }) => status === 'fulfilled')).toBe(true)
  mayEnd.resolve()
  await holding
  expect(await waiting).toMatchObject([{ status: 'fulfilled' }])
})

test('three concurrent requests with one key create one order', async () => {
  const [member] = members as [TestMember]
  const request = {
    memberId: member.memberId,
    key: randomUUID(),
    operation: 'createOrder',
    input: { product_id: '5' },
  }
  const wanted = { productId: 5n, useHashRate: false }
  const same = () => product.services.shop.order(product.db, member, wanted, request)
  const outcomes = await atOnce([same, same, same])
  const ids = outcomes.map(
    (outcome) => (outcome as PromiseFulfilledResult<{ order_id: string }>).value.order_id,
  )
  expect(new Set(ids).size).toBe(1)
})

test('after random orders and cancellations each day counts its orders, and the books agree', async () => {
  const step = fc.record({
    who: fc.nat({ max: 11 }),
    level: fc.integer({ min: 1, max: 5 }),
    cancels: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), async (steps) => {
      const open = new Map<string, string>()
      for (const member of members) {
        const { items } = await product.services.shop.list(product.db, member.memberId, {
          status: 'UnPaid',
          limit: 50,
        })
        for (const { order_id, product_id } of items) open.set(`${member.memberId} ${product_id}`, order_id)
      }
      await atOnce<unknown>(
        steps.map(({ who, level, cancels }) => {
          const member = members[who]!
          const openId = open.get(`${member.memberId} ${level}`)
          return cancels && openId !== undefined
            ? () => product.cancelOrder(member, openId)
            : order(member, level)
        }),
      )
      expect(await product.audit()).toEqual([])
    }),
    { numRuns: runs({ usual: 3, full: 50 }) },
  )
})
