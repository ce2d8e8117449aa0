import { formatMicros } from '@rif/rules'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

let product: TestProduct

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
})
afterAll(() => product.stop())

const buy = async (member: TestMember, level: number) => {
  const order = await product.order(member, level)
  expect((await product.pay(member, order.order_id)).status).toBe('success')
  await product.finalise()
  return product.services.shop.get(product.db, member.memberId, BigInt(order.order_id))
}

const rewardsOf = async (member: TestMember) => {
  const { items } = await product.services.rewards.list(product.db, member.memberId, { limit: 50 })
  return items.toReversed().map(({ type, base, value, usdt, amc }) => ({ type, base, value, usdt, amc }))
}

test('the worked example of the rules, to the micro-unit', async () => {
  const { services, db } = product
  const root = await product.join(null)
  const a = await product.join(root, 'left')
  const b = await product.join(root, 'right')
  const c = await product.join(a, 'auto')

  const first = await buy(root, 5)
  expect(first).toMatchObject({
    status: 'Paid',
    quote: { due: '10000.000000', usdt: '7000.000000', amc: '6000.000000' },
  })
  expect(first.confirmations).toBe(3)
  await buy(a, 3)
  await buy(b, 2)
  await buy(c, 1)

  const reward = (type: string, base: string, value: string, usdt: string, amc: string) => ({
    type,
    base: `${base}.000000`,
    value: `${value}.000000`,
    usdt: `${usdt}00000`,
    amc: `${amc}00000`,
  })
  expect(await rewardsOf(root)).toEqual([
    reward('ReferralReward', '1000', '100', '70.0', '60.0'),
    reward('TeamReward', '1000', '100', '70.0', '60.0'),
    reward('ReferralReward', '500', '50', '35.0', '30.0'),
    reward('TeamReward', '500', '50', '35.0', '30.0'),
    reward('TeamReward', '100', '4', '2.8', '2.4'),
  ])
  expect(await rewardsOf(a)).toEqual([
    reward('ReferralReward', '100', '8', '5.6', '4.8'),
    reward('TeamReward', '100', '6', '4.2', '3.6'),
  ])
  expect(await rewardsOf(b)).toEqual([])

  const balances = await services.ledger.balances(db, root.memberId)
  expect(formatMicros(balances.USDT.available)).toBe('212.800000')
  expect(formatMicros(balances.AMC.locked)).toBe('182.400000')
  const income = await services.rewards.income(db, root.memberId)
  expect(income.sums).toEqual({ tjjl: 150_000_000n, pdjl: 154_000_000n, jtjl: 0n, gljl: 0n })
  expect(await services.me.me(a.memberId)).toMatchObject({
    investment_sum: '1000.000000',
    fixed_invest_amount_usdt: '700.000000',
    fixed_invest_amount_amc: '600.000000',
    remaining_dividends: '2000.000000',
  })
  expect(await services.me.me(root.memberId)).toMatchObject({
    receive_address: getAddress(root.wallet),
    state: 'active',
    level: 5,
    register_days: 0,
    invited_count_all: 2,
    invited_count_valid: 2,
    team_size_all: 3,
    team_size_valid: 3,
    left_team_investment: '1100.000000',
    right_team_investment: '500.000000',
    month_team_invest: '1600.000000',
    day_top_profit: '10000.000000',
    manage_leve: 0,
    manage_award_base: '0.000000',
    fund_level: 0,
    fund_available_profit: '0.000000',
    profit_sum: '304.000000',
    realized_profit_usdt: '212.800000',
    realized_profit_amc: '182.400000',
    yesterday_profit: '0.000000',
    yesterday_profit_amc: '0.000000',
    available_profit: '212.800000',
    locked_profit: '182.400000',
    withdrawable_usdt: '212.800000',
    withdrawable_vc: '0.000000',
    dividend_rate: '1.000000',
    vc_rate: '1.000000',
    service_fee: 10_000,
    redemption_fee: 0,
    use_hash_rate_percent: 100_000,
    tjjl: '150.000000',
    pdjl: '154.000000',
    jtjl: '0.000000',
    gljl: '0.000000',
  })
  expect(await services.rewards.coverage30Days(db)).toMatchObject({ commission: 1_000_000, static: null })
  // 35% of 8,120 USDT and of 6,960 AMC entered the pool, 222.6 USDT and 190.8 AMC left it.
  expect(await services.ledger.pools.balances(db, 'commission_pool')).toEqual({
    USDT: 2_842_000_000n - 222_600_000n,
    AMC: 2_436_000_000n - 190_800_000n,
  })
  expect(await services.members.get(db, c.memberId)).toMatchObject({ level: 1, investedMicros: 100_000_000n })
  expect(await product.audit()).toEqual([])
})

test('a page of rewards continues where the previous one ended, and can be limited to a type', async () => {
  const { services, db } = product
  const root = (await services.members.findByAddress(db, product.testChain.accounts[1]!))!
  const first = await services.rewards.list(db, root.memberId, { limit: 2 })
  const second = await services.rewards.list(db, root.memberId, { limit: 10, cursor: first.next ?? '' })
  expect([...first.items, ...second.items].map((item) => item.value)).toEqual(
    ['4', '50', '50', '100', '100'].map((value) => `${value}.000000`),
  )
  expect(second.next).toBeNull()
  const referral = await services.rewards.list(db, root.memberId, { limit: 10, type: 'ReferralReward' })
  expect(referral.items).toHaveLength(2)
  expect(referral.items[0]!.source_address).toMatch(/^0x/)
})
