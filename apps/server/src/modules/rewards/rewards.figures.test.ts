import {
  addDays,
  dayOf,
  defaultPlan,
  parseMicros,
  parsePlan,
  payReward,
  serialisePlan,
  splitPayment,
  startOfDay,
} from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

// The worked example of the rules: four orders on day 1, settled, and 56.05 USDT attested for day 2.

const HOUR_MS = 3_600_000
const TX_HASH = `0x${'cd'.repeat(32)}` as const

let product: TestProduct
let members: Record<'r' | 'a' | 'b' | 'c', TestMember>
let firstDay: string

const figures = () => product.services.rewardFigures
const today = () => dayOf(product.now().getTime())

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  firstDay = today()
  await product.services.settlement.begin(firstDay)
  const r = await product.join(null)
  const a = await product.join(r, 'left')
  const b = await product.join(r, 'right')
  const c = await product.join(a, 'auto')
  members = { r, a, b, c }
  for (const [member, level] of [
    [r, 5],
    [a, 3],
    [b, 2],
    [c, 1],
  ] as const) {
    const order = await product.order(member, level)
    await product.pay(member, order.order_id)
    await product.finalise()
  }
  await nextDay()
  await product.services.settlement.settle(firstDay)
  await attest('56.05')
  await nextDay()
  await product.services.settlement.settle(addDays(firstDay, 1))
})
afterAll(() => product.stop())

const nextDay = () => product.advance(startOfDay(addDays(today(), 1)) - product.now().getTime() + HOUR_MS)

async function attest(amount: string) {
  const { attestedRevenue } = product.services
  const amountMicros = parseMicros(amount)
  const documentHash = `0x${'ab'.repeat(32)}` as const
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
        from: members.r.wallet,
        token: product.testChain.contracts.usdt,
        amount: amountMicros,
        label: TX_HASH,
        documentHash,
      },
    }),
  )
  const { attestationId } = await inTx(product.db, (dbTx) =>
    attestedRevenue.prepare(dbTx, {
      pool: 'yield_pool',
      asset: 'USDT',
      amountMicros,
      source: 'Node fees',
      documentHash,
      depositId: 7n,
      actor: 'first',
    }),
  )
  await inTx(product.db, (dbTx) => attestedRevenue.approve(dbTx, { attestationId, actor: 'second' }))
}

const detailsOf = async (member: TestMember) => {
  const { items } = await product.services.rewards.list(product.db, member.memberId, { limit: 50 })
  return Promise.all(
    items.map((item) => figures().detail(product.db, member.memberId, BigInt(item.reward_id))),
  )
}

describe('the detail of a reward', () => {
  test('shows the inputs of a static reward, and the payments into its pool', async () => {
    const [detail] = await detailsOf(members.c)
    expect(detail).toMatchObject({
      type: 'Interest',
      day: addDays(firstDay, 1),
      base: '100.000000',
      ratio_ppm: 6_000,
      level: 1,
      value: '0.600000',
      coverage_ppm: 500_000,
      paid: '0.300000',
      usdt: '0.300000',
      package_paid_before: '0.000000',
      covered_ppm: null,
      plan: { version: '1', effective_day: '2000-01-01' },
      batch: {
        class: 'static',
        pool: 'yield_pool',
        pool_usdt: '56.050000',
        pool_amc: '0.000000',
        value: '112.100000',
        paid: '56.050000',
        count: 4,
        amc_price: '0.500000',
      },
      attestations: [{ amount: '56.050000', source: 'Node fees', pool: 'yield_pool', tx_hash: TX_HASH }],
    })
  })

  test('shows the share of an organisation reward covered by the members between', async () => {
    const details = await detailsOf(members.r)
    const covered = details
      .filter((detail) => detail.type === 'TeamReward')
      .map(({ base, ratio_ppm, covered_ppm }) => ({ base, ratio_ppm, covered_ppm }))
    expect(covered).toEqual([
      { base: '100.000000', ratio_ppm: 40_000, covered_ppm: 60_000 },
      { base: '500.000000', ratio_ppm: 100_000, covered_ppm: 0 },
      { base: '1000.000000', ratio_ppm: 100_000, covered_ppm: 0 },
    ])
  })

  test('contains everything needed to recompute the payment', async () => {
    const details = (await Promise.all(Object.values(members).map(detailsOf))).flat()
    expect(new Set(details.map((detail) => detail.type))).toEqual(
      new Set(['ReferralReward', 'TeamReward', 'PairingReward', 'Interest']),
    )
    for (const detail of details) {
      const payout = payReward(
        parseMicros(detail.value),
        detail.coverage_ppm,
        { usdtSharePpm: detail.usdt_share_ppm, amcSharePpm: detail.amc_share_ppm },
        detail.batch.amc_price === null ? null : parseMicros(detail.batch.amc_price),
      )
      expect([payout.paidMicros, payout.usdtMicros, payout.amcMicros]).toEqual(
        [detail.paid, detail.usdt, detail.amc].map(parseMicros),
      )
    }
  })

  test('lists all payments of one order, which came from the share of its payment that the ledger booked to the pool', async () => {
    const details = (await detailsOf(members.a)).filter(({ source_address }) => source_address !== null)
    expect(details.map(({ type }) => type).sort()).toEqual(['ReferralReward', 'TeamReward'])
    for (const { of_order, batch, base, plan, source_label } of details) {
      expect(source_label).toBeNull()
      expect(of_order.map(({ type, ratio_ppm, paid }) => [type, ratio_ppm, paid])).toEqual([
        ['ReferralReward', 80_000, '8.000000'],
        ['TeamReward', 60_000, '6.000000'],
      ])
      // 4 more were paid to R, from the 35% of 100 that were booked: 24.5 USDT, and 21 AMC at 0.50.
      expect(batch.paid).toBe('18.000000')
      const { rows } = await sql<{ micros: bigint }>`
        select sum(case asset when 'AMC' then amount / 2 else amount end)::bigint as micros
        from ledger_postings where member_id = ${members.c.memberId} and kind = 'order_payment'
          and destination = 'commission_pool'`.execute(product.db)
      const read = parsePlan(plan.figures)
      if (!read.ok) throw new Error('no plan')
      expect(splitPayment(parseMicros(base), read.plan).poolMicros).toBe(rows[0]!.micros)
      expect(rows[0]!.micros).toBe(35_000_000n)
    }
    expect((await detailsOf(members.c))[0]!.of_order).toEqual([])
  })

  test('are summed by the member whose orders paid them, as posted in the ledger', async () => {
    const from = (of: TestMember, source: TestMember) =>
      figures().from(product.db, of.memberId, source.memberId)
    expect(await from(members.a, members.c)).toEqual({
      value: '14.000000',
      paid: '14.000000',
      types: [
        { type: 'ReferralReward', count: 1, value: '8.000000', paid: '8.000000' },
        { type: 'TeamReward', count: 1, value: '6.000000', paid: '6.000000' },
      ],
    })
    const { rows } = await sql<{ micros: bigint }>`
      select sum(case asset when 'AMC' then amount / 2 else amount end)::bigint as micros
      from ledger_postings where member_id = ${members.a.memberId} and kind = 'commission'`.execute(
      product.db,
    )
    expect(rows[0]!.micros).toBe(14_000_000n)
    // Nothing that others receive, and nothing from somebody outside the line.
    expect(await from(members.c, members.a)).toEqual({ value: '0.000000', paid: '0.000000', types: [] })
    expect(await from(members.b, members.c)).toMatchObject({ paid: '0.000000', types: [] })
  })

  test('does not exist for another member', async () => {
    const { items } = await product.services.rewards.list(product.db, members.r.memberId, { limit: 1 })
    const rewardId = BigInt(items[0]!.reward_id)
    await expect(figures().detail(product.db, members.a.memberId, rewardId)).rejects.toMatchObject({
      code: 'REWARD_NOT_FOUND',
    })
  })
})

test('sums and counts by type over the requested days', async () => {
  const range = { from: firstDay, to: firstDay }
  expect(await figures().byType(product.db, members.r.memberId, range)).toEqual({
    ...range,
    items: [
      sums('PairingReward', 1, '50.000000', '35.000000', '30.000000'),
      sums('ReferralReward', 2, '150.000000', '105.000000', '90.000000'),
      sums('TeamReward', 3, '154.000000', '107.800000', '92.400000'),
    ],
    sums: { tjjl: '150.000000', pdjl: '204.000000', jtjl: '0.000000', gljl: '0.000000' },
  })
  const lately = await figures().byType(product.db, members.r.memberId, {})
  expect(lately).toMatchObject({ from: addDays(today(), -29), to: today() })
  expect(lately.items[0]).toMatchObject({
    type: 'Interest',
    count: 1,
    value: '100.000000',
    paid: '50.000000',
  })
})

const sums = (type: string, count: number, value: string, usdt: string, amc: string) => ({
  type,
  count,
  value,
  paid: value,
  usdt,
  amc,
})

test('days in pages, newest first, grouped as today, yesterday, older', async () => {
  const first = await figures().byDay(product.db, members.r.memberId, { limit: 1 })
  expect(first.items).toMatchObject([{ day: addDays(firstDay, 1), group: 2, paid: '50.000000' }])
  const second = await figures().byDay(product.db, members.r.memberId, { limit: 1, cursor: first.next! })
  expect(second).toMatchObject({
    items: [{ day: firstDay, group: 3, paid: '354.000000', sums: { pdjl: '204.000000' } }],
    next: null,
  })
})

test('coverage by day and class, with the attestations of that time', async () => {
  const coverage = await figures().coverage(product.db)
  expect(coverage.totals).toEqual(
    expect.arrayContaining([
      { class: 'static', value: '112.100000', paid: '56.050000', coverage_ppm: 500_000 },
      { class: 'pairing', value: '50.000000', paid: '50.000000', coverage_ppm: 1_000_000 },
    ]),
  )
  expect(coverage.days).toContainEqual({
    day: firstDay,
    class: 'pairing',
    value: '50.000000',
    paid: '50.000000',
  })
  expect(coverage.attestations).toMatchObject([{ amount: '56.050000', day: addDays(firstDay, 1) }])
})

test('covered shares follow the rates of the plan, even where a lower level has the higher rate', async () => {
  const packages = defaultPlan.packages.map((terms) => {
    const organisationPpm = terms.level === 2 ? 90_000 : 40_000
    return { ...terms, organisationPpm }
  })
  await inTx(product.db, (dbTx) =>
    product.services.plans.publish(dbTx, {
      plan: serialisePlan({ ...defaultPlan, packages }),
      effectiveDay: addDays(today(), 1),
      actor: 'first',
    }),
  )
  await nextDay()
  // Above the buyer is a member of level 5 at 4%, and above that one B, of level 2, at 9%.
  const above = await product.join(members.b, 'right')
  const buyer = await product.join(above, 'right')
  for (const [member, level] of [
    [above, 5],
    [buyer, 1],
  ] as const) {
    await product.pay(member, (await product.order(member, level)).order_id)
    await product.finalise()
  }
  const [newest] = await detailsOf(members.b)
  expect(newest).toMatchObject({
    type: 'TeamReward',
    base: '100.000000',
    ratio_ppm: 50_000,
    covered_ppm: 40_000,
  })
})
