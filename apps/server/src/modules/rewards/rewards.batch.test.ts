import { defaultPlan, formatMicros, parseMicros, staticDue } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { isOnCluster } from '../../testing/test-database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'
import { postAttested } from './attested-revenue/testing/post-attested.ts'
import { type DueReward, recordBatches, workOutBatch } from './batch.ts'

const DAY = '2026-01-02'

let product: TestProduct
let members: TestMember[]

beforeAll(async () => {
  product = await startTestProduct()
  const root = await product.join(null)
  members = [root]
  for (let count = 0; count < 3; count++) members.push(await product.join(root))
})
afterAll(() => product.stop())

/** The static amounts due on day 2 of the worked example: R 100, A 8, B 3.50, C 0.60. */
const dues = (): DueReward[] =>
  [5, 3, 2, 1].map((level, index) => {
    const terms = defaultPlan.packages[level - 1]!
    const paid = { priceMicros: terms.priceMicros, staticPpm: terms.staticPpm, paidSoFarMicros: 0n }
    return {
      type: 'Interest',
      memberId: members[index]!.memberId,
      sourceMemberId: null,
      orderId: BigInt(index + 1),
      level,
      baseMicros: terms.priceMicros,
      ratioPpm: terms.staticPpm,
      flushedMicros: 0n,
      valueMicros: staticDue(paid, defaultPlan),
    }
  })

const pay = (key: string, rewards: DueReward[], day = DAY) =>
  inTx(product.db, async (dbTx) => {
    const { ledger } = product.services
    await ledger.lock(dbTx, { pools: ['yield_pool'], memberIds: rewards.map((reward) => reward.memberId) })
    const work = workOutBatch(
      {
        class: 'static',
        key,
        cause: { type: 'day', id: day },
        amcPriceMicros: 500_000n,
        plan: defaultPlan,
        day,
        at: product.now(),
        rewards,
      },
      await ledger.pools.balances(dbTx, 'yield_pool', day),
    )
    if (work.entry !== null) await ledger.post(dbTx, work.entry)
    await recordBatches(dbTx, [work])
  })

const attest = (amount: string, day = DAY) =>
  postAttested(product.db, {
    destination: 'yield_pool',
    asset: 'USDT',
    amountMicros: parseMicros(amount),
    accountingDay: day,
    at: product.now(),
  })

const recordsOf = async (member: TestMember) => {
  const { items } = await product.services.rewards.list(product.db, member.memberId, { limit: 10 })
  return items.map(({ value, coverage_ppm, usdt, amc }) => ({ value, coverage_ppm, usdt, amc }))
}
const differences = async () => (await product.audit()).filter(({ check }) => check !== 'bank')

test('an empty pool pays nothing, which the records show', async () => {
  await product.finalise()
  await pay('static/empty', dues(), '2026-01-01')
  expect(await recordsOf(members[3]!)).toEqual([
    { value: '0.600000', coverage_ppm: 0, usdt: '0.000000', amc: '0.000000' },
  ])
  expect(await product.services.ledger.balances(product.db, members[3]!.memberId)).toMatchObject({
    USDT: { available: 0n },
  })
  expect(await differences()).toEqual([])
})

test("the worked example's day 2: half covered, all in USDT", async () => {
  await attest('56.05')
  await pay('static/half', dues())
  const half = (value: string, usdt: string) => ({ value, coverage_ppm: 500_000, usdt, amc: '0.000000' })
  expect((await recordsOf(members[0]!))[0]).toEqual(half('100.000000', '50.000000'))
  expect((await recordsOf(members[1]!))[0]).toEqual(half('8.000000', '4.000000'))
  expect((await recordsOf(members[2]!))[0]).toEqual(half('3.500000', '1.750000'))
  expect((await recordsOf(members[3]!))[0]).toEqual(half('0.600000', '0.300000'))
  expect(await product.services.ledger.pools.balances(product.db, 'yield_pool')).toMatchObject({ USDT: 0n })
  expect(await differences()).toEqual([])
})

test('a batch is paid once: the same key fails and changes nothing', async () => {
  await attest('10', '2026-01-03')
  await pay('static/once', dues(), '2026-01-03')
  const before = await product.services.ledger.pools.balances(product.db, 'yield_pool')
  await expect(pay('static/once', dues(), '2026-01-03')).rejects.toThrow()
  expect(await product.services.ledger.pools.balances(product.db, 'yield_pool')).toEqual(before)
  expect(await differences()).toEqual([])
})

test('payments into the pool after the settled day do not count', async () => {
  await attest('1000', '2026-01-05')
  const before = await product.services.rewards.income(product.db, members[0]!.memberId)
  await pay('static/late', dues(), '2026-01-04')
  const after = await product.services.rewards.income(product.db, members[0]!.memberId)
  expect(formatMicros(after.sums.jtjl - before.sums.jtjl)).toMatch(/^0\.0000/)
})

test('reward records cannot be changed', async () => {
  const change = product.db.updateTable('rewards').set({ value_micros: 1n }).execute()
  await expect(change).rejects.toMatchObject({ code: '42501' })
})

// On a cluster the login of the application has the rights of the functions that undo rewards (decision 49).
test.skipIf(isOnCluster())('reward records are not deleted', async () => {
  await expect(product.db.deleteFrom('rewards').execute()).rejects.toMatchObject({ code: '42501' })
})
