import { dayOf, formatMicros, nextDay, parseMicros, startOfDay } from '@rif/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundActions } from '../../../testing/fund-actions.ts'
import { runs } from '../../../testing/level.ts'
import {
  startTestProduct,
  TEST_SALT_KEY,
  type TestMember,
  type TestProduct,
} from '../../../testing/test-product.ts'
import { owedMicros } from './solvency.service.ts'
import { createSolvency } from './solvency.ts'

let product: TestProduct
let members: TestMember[]
let bonds: bigint

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  const root = await product.join(null)
  members = [root, await product.join(root), await product.join(root)]
  await product.services.settlement.begin(dayOf(product.now().getTime()))
  for (const member of members) {
    const { order_id } = await product.order(member, 5)
    await product.pay(member, order_id)
    await product.grant(member, 'USDT', '500')
    await product.grant(member, 'AMC', '500')
  }
  bonds = await fundActions(product).open('Bonds', '10', { subscriptionPpm: 0 })
  await product.finalise()
})
afterAll(() => product.stop())

const MOVES = ['transfer', 'withdraw', 'fund', 'order', 'transferAmc'] as const
const move = fc.record({
  kind: fc.constantFrom(...MOVES),
  from: fc.integer({ min: 0, max: 2 }),
  by: fc.integer({ min: 1, max: 2 }),
  amount: fc.integer({ min: 20, max: 40 }),
})

/** Makes a movement of money; a refused one has no effect. */
async function make({ kind, from, by, amount }: typeof move extends fc.Arbitrary<infer M> ? M : never) {
  const [member, other] = [members[from]!, members[(from + by) % 3]!]
  const text = `${amount}.${by}00001`
  const made = {
    transfer: () => product.transfer(member, other, 'USDT', text),
    transferAmc: () => product.transfer(member, other, 'AMC', text),
    withdraw: async () => {
      const { withdraw_id } = await product.withdraw(member, 'USDT', `${amount}`)
      await product.claim(member, withdraw_id)
    },
    fund: () => fundActions(product).buy(member, bonds, BigInt(by)),
    order: async () => {
      const { order_id } = await product.order(member, by)
      await product.pay(member, order_id)
    },
  }
  await made[kind]().catch((error: { code?: string }) => expect(error.code).toMatch(/^[A-Z_]+$/))
}

/** Returns the amounts owed and held and the ratio of each asset from the four places that use them. */
async function figures() {
  const { db, services } = product
  // A new one, because the product's services share an answer for some seconds.
  const { solvency } = createSolvency({ ...services, saltKey: TEST_SALT_KEY })
  const [guard, page, operators, home] = [
    await solvency.position(),
    await solvency.overview(),
    await solvency.books(),
    await services.analytics.holdings(db),
  ]
  return (['USDT', 'AMC'] as const).map((asset) => {
    const own = operators.items.find((item) => item.asset === asset)!
    const shown = page.assets.find((item) => item.asset === asset)!
    const summary = home.assets.find((item) => item.asset === asset)!
    return {
      asset,
      owed: [formatMicros(owedMicros(guard[asset])), shown.owed, own.owed, summary.liabilities],
      heldAmounts: [formatMicros(guard[asset].heldMicros!), shown.held, own.held, summary.chain],
      ratios: [shown.ratio_ppm, own.ratio_ppm, summary.ratio_ppm],
      /** The amounts in the books besides the operator's own. */
      rest: parseMicros(own.books) - own.own.reduce((sum, entry) => sum + parseMicros(entry.amount), 0n),
    }
  })
}

test("gate, public page, operators' page and report show the same figures after any movements of money", async () => {
  for (const moves of fc.sample(fc.array(move, { minLength: 5, maxLength: 8 }), {
    numRuns: runs({ usual: 1, full: 10 }),
    seed: 15,
  })) {
    for (const step of moves) await make(step)
    await product.finalise()
    for (const { asset, owed, heldAmounts, ratios, rest } of await figures()) {
      expect(new Set(owed), asset).toEqual(new Set([formatMicros(rest)]))
      expect(new Set(heldAmounts), asset).toHaveLength(1)
      expect(new Set(ratios), asset).toHaveLength(1)
    }
  }
  const day = dayOf(product.now().getTime())
  await product.advance(startOfDay(nextDay(day)) + 120_000 - product.now().getTime())
  await product.finalise()
  await product.services.settlement.settle(day)
  await product.services.solvencySnapshots.catchUp()
  const [reported] = (await product.services.solvency.overview()).days
  expect(reported!.day).toBe(day)
  for (const { asset, owed } of await figures())
    expect(reported!.ratios.find((ratio) => ratio.asset === asset)!.owed, asset).toBe(owed[0])
})
