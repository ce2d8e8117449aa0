import { addDays, dayOf, defaultPlan, parseMicros, serialisePlan, startOfDay } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

const HOUR_MS = 3_600_000
const TX_HASH = `0x${'cd'.repeat(32)}` as const

let product: TestProduct
let member: TestMember
let firstDay: string

const today = () => dayOf(product.now().getTime())
const nextDay = () => product.advance(startOfDay(addDays(today(), 1)) - product.now().getTime() + HOUR_MS)
const settle = (day: string) => product.services.settlement.settle(day)
const rewards = (query: { type?: 'Interest' | 'PairingReward'; cursor?: string } = { type: 'Interest' }) =>
  product.services.search.rewards(product.db, member.memberId, { limit: 10, ...query })
const why = async () => (await rewards()).no_static

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  firstDay = today()
  await product.services.settlement.begin(firstDay)
  member = await product.join(null)
})
afterAll(() => product.stop())

test('a member without a static reward is told apart: no package, a day that goes on, a day that is not settled', async () => {
  expect(await why()).toEqual({
    reason: 'no_package',
    first_day: null,
    settled_to: null,
    attested: false,
  })
  const order = await product.order(member, 1)
  // An order is no package before it is paid and final.
  expect(await why()).toMatchObject({ reason: 'no_package' })
  await product.pay(member, order.order_id)
  await product.finalise()
  const due = addDays(firstDay, 1)
  expect(await why()).toMatchObject({ reason: 'day_not_ended', first_day: due, settled_to: null })
  await nextDay()
  await settle(firstDay)
  // The day after the payment goes on.
  expect(await why()).toMatchObject({ reason: 'day_not_ended', first_day: due, settled_to: firstDay })
  await nextDay()
  expect(await why()).toMatchObject({ reason: 'not_settled', first_day: due, settled_to: firstDay })
  // Only where static rewards were asked for, and on the first page.
  expect((await rewards({})).no_static).toBeNull()
  expect((await rewards({ type: 'PairingReward' })).no_static).toBeNull()
  await settle(due)
  const { items, no_static } = await rewards()
  // Nothing was attested: the reward is recorded, and nothing of it is paid.
  expect(items).toMatchObject([{ day: due, value: '0.600000', coverage_ppm: 0, usdt: '0.000000' }])
  expect(no_static).toBeNull()
})

test('revenue attested for the pool is known, and a settled day on which nothing was due', async () => {
  const { attestedRevenue } = product.services
  const documentHash = `0x${'ab'.repeat(32)}` as const
  const amountMicros = parseMicros('10')
  await inTx(product.db, (dbTx) =>
    attestedRevenue.handler.onFinal(dbTx, {
      name: 'RevenueDeposited',
      blockNumber: 1n,
      blockHash: TX_HASH,
      blockAt: product.now(),
      txHash: TX_HASH,
      logIndex: 0,
      contract: product.testChain.contracts.bank,
      args: {
        depositId: 7n,
        from: member.wallet,
        token: product.testChain.contracts.usdt,
        amount: amountMicros,
        label: TX_HASH,
        documentHash,
      },
    }),
  )
  const deposit = { pool: 'yield_pool', asset: 'USDT', amountMicros, source: 'Node fees' } as const
  const { attestationId } = await inTx(product.db, (dbTx) =>
    attestedRevenue.prepare(dbTx, { ...deposit, documentHash, depositId: 7n, actor: 'first' }),
  )
  member = await product.join(member)
  expect(await why()).toMatchObject({ reason: 'no_package', attested: false })
  await inTx(product.db, (dbTx) => attestedRevenue.approve(dbTx, { attestationId, actor: 'second' }))
  expect(await why()).toMatchObject({ reason: 'no_package', attested: true })
})

test('a settled day for which the plan gave nothing is told apart from one that is not settled', async () => {
  const packages = defaultPlan.packages.map((terms) => ({ ...terms, staticPpm: 0 }))
  await inTx(product.db, (dbTx) =>
    product.services.plans.publish(dbTx, {
      plan: serialisePlan({ ...defaultPlan, packages }),
      effectiveDay: addDays(today(), 1),
      actor: 'first',
    }),
  )
  const order = await product.order(member, 1)
  await product.pay(member, order.order_id)
  await product.finalise()
  const paidOn = today()
  await nextDay()
  await settle(paidOn)
  await nextDay()
  const first_day = addDays(paidOn, 1)
  expect(await why()).toMatchObject({ reason: 'not_settled', first_day, settled_to: paidOn })
  await settle(first_day)
  expect(await why()).toEqual({ reason: 'nothing_due', first_day, settled_to: first_day, attested: true })
})
