import { addDays, dayOf, defaultPlan, type Plan, serialisePlan } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

const DAY_MS = 86_400_000

let product: TestProduct
let root: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
})
afterAll(() => product.stop())

const today = () => dayOf(product.now().getTime())
const publish = (plan: Plan, effectiveDay: string) =>
  inTx(product.db, (dbTx) =>
    product.services.plans.publish(dbTx, { plan: serialisePlan(plan), effectiveDay, actor: 'admin' }),
  )
const withShare = (usdtSharePpm: number): Plan => ({
  ...defaultPlan,
  order: { ...defaultPlan.order, usdtSharePpm },
})

test('set-up stores the default plan once', async () => {
  await product.services.plans.ensureDefault(product.db)
  expect(await product.services.plans.planAt(product.db, '2020-02-02')).toEqual(defaultPlan)
  expect(await product.db.selectFrom('plans').selectAll().execute()).toHaveLength(1)
})

test('a new version applies from its day on, and a day that has begun keeps its plan', async () => {
  await product.publishPrice('AMC', '0.5')
  const begun = today()
  await publish(withShare(500_000), addDays(begun, 1))
  expect((await product.order(root, 1)).quote).toMatchObject({ usdt: '70.000000', amc: '60.000000' })
  for (const day of [begun, addDays(begun, 1)]) {
    await expect(publish(withShare(600_000), day)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  await product.advance(DAY_MS)
  expect((await product.order(root, 1)).quote).toMatchObject({ usdt: '50.000000', amc: '100.000000' })
  expect(await product.services.plans.planAt(product.db, begun)).toEqual(defaultPlan)
})

test('an invalid plan is refused with its problems', async () => {
  await expect(publish(withShare(2_000_000), addDays(today(), 5))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'plan', problem: expect.stringContaining('usdtSharePpm') },
  })
})

test('a price applies from its time on, and cannot be published for a past time', async () => {
  const { pricing } = product.services
  const at = product.now()
  const soon = new Date(at.getTime() + 60_000)
  const price = { asset: 'RIF', actor: 'admin' } as const
  await inTx(product.db, (dbTx) => pricing.publish(dbTx, { ...price, priceMicros: 3n, validFrom: soon }))
  expect(await pricing.priceAt(product.db, 'RIF', at)).toBeNull()
  expect(await pricing.priceAt(product.db, 'RIF', soon)).toEqual({ priceMicros: 3n, validFrom: soon })
  const refused = (draft: { priceMicros: bigint; validFrom?: Date }) =>
    expect(inTx(product.db, (dbTx) => pricing.publish(dbTx, { ...price, ...draft }))).rejects
  // A past time without a price may still get one; from then on it keeps it.
  const passed = new Date(at.getTime() - 60_000)
  await inTx(product.db, (dbTx) => pricing.publish(dbTx, { ...price, priceMicros: 3n, validFrom: passed }))
  expect(await pricing.priceAt(product.db, 'RIF', at)).toEqual({ priceMicros: 3n, validFrom: passed })
  await refused({ priceMicros: 4n, validFrom: passed }).toMatchObject({ code: 'VALIDATION_FAILED' })
  await refused({ priceMicros: 0n }).toMatchObject({ code: 'INVALID_AMOUNT' })
  const logged = await product.db.selectFrom('admin_actions').selectAll().orderBy('action_id').execute()
  expect(logged.at(-1)).toMatchObject({
    action: 'price.publish',
    actor: 'admin',
    after: { price: '0.000003' },
  })
  await expect(product.db.deleteFrom('admin_actions').execute()).rejects.toThrow('permission denied')
})
