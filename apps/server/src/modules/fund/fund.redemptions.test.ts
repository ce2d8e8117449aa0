import { parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { subscribed } from '../../testing/subscribed.ts'
import { type FundProduct, HOUR_MS, PAYOUT_MS, startFundProduct } from './testing/fund-product.ts'

let product: FundProduct['product']
let fund: FundProduct['fund']
let root: FundProduct['root']
let member: FundProduct['member']
let other: FundProduct['other']
let services: FundProduct['services']
let audit: FundProduct['audit']
let payDue: FundProduct['payDue']

beforeAll(async () => {
  ;({ product, fund, root, member, other, services, audit, payDue } = await startFundProduct())
})
afterAll(() => product.stop())

test('requests of a product are approved in order of request, and an approved one can be cancelled', async () => {
  const productId = await fund.open('Ordered', '10')
  const { order_id } = await fund.buy(member, productId, 10n)
  await fund.buy(other, productId, 10n)
  const first = await fund.redeem(member, productId, 4n)
  const second = await fund.redeem(other, productId, 10n)
  await expect(fund.decide(other, second.redemption_id, true)).rejects.toMatchObject({ code: 'NOT_FIRST' })
  await fund.decide(member, first.redemption_id, true)
  await fund.decide(other, second.redemption_id, true)
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 2 })
  await inTx(product.db, (dbTx) =>
    services().redemptions.cancel(dbTx, member.memberId, BigInt(first.redemption_id)),
  )
  expect(await fund.order(member, order_id)).toMatchObject({ status: 'Paid', units_redeeming: '0' })
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 1 })
  // There is enough cash, and 72 hours have not passed.
  await product.advance(PAYOUT_MS - HOUR_MS)
  expect(await payDue()).toBe(0)
  await product.advance(HOUR_MS)
  expect(await payDue()).toBe(1)
  const late = inTx(product.db, (dbTx) =>
    services().redemptions.cancel(dbTx, other.memberId, BigInt(second.redemption_id)),
  )
  await expect(late).rejects.toMatchObject({ code: 'REDEMPTION_FINAL' })
  expect(await audit()).toEqual([])
})

test('of concurrent redemptions of the same lot one succeeds', async () => {
  const productId = await fund.open('Contended', '10')
  const { order_id } = await fund.buy(member, productId, 10n)
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => fund.redeem(member, productId, 6n)),
  )
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused).toHaveLength(7)
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: 'UNITS_NOT_REDEEMABLE', details: { redeemable: '4' } })
  }
  expect(await fund.order(member, order_id)).toMatchObject({ status: 'Redemption', units_redeeming: '6' })
})

test('a redemption needs one reviewer and another who confirms; cancelling or rejecting returns the units', async () => {
  const productId = await fund.open('Reviewed', '10')
  const { order_id } = await fund.buy(member, productId, 10n)
  const first = await fund.redeem(member, productId, 4n)
  const subject = { memberId: member.memberId, redemptionId: BigInt(first.redemption_id) }
  const confirm = (actor: string) =>
    inTx(product.db, (dbTx) => services().review.confirm(dbTx, { ...subject, actor }))
  await expect(confirm('ben')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  await inTx(product.db, (dbTx) =>
    services().review.review(dbTx, { ...subject, approve: true, reason: 'fine', actor: 'anna' }),
  )
  await expect(confirm('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const cancel = () =>
    inTx(product.db, (dbTx) => services().redemptions.cancel(dbTx, subject.memberId, subject.redemptionId))
  expect(await cancel()).toMatchObject({ status: 'Cancelled' })
  await expect(cancel()).rejects.toMatchObject({ code: 'REDEMPTION_FINAL' })
  await expect(confirm('ben')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  const second = await fund.redeem(member, productId, 10n)
  await fund.decide(member, second.redemption_id, false)
  expect(await fund.redemption(member, second.redemption_id)).toMatchObject({
    status: 'Rejected',
    reject_reason: 'looked at',
  })
  expect(await fund.order(member, order_id)).toMatchObject({ status: 'Paid', units_redeeming: '0' })
})

test("redemptions are paid 72 hours after approval, in that order, at the NAV of the payment, as far as the product's cash allows", async () => {
  const productId = await fund.open('Queue', '10')
  const rich = await fund.open('Rich', '10')
  await fund.buy(other, rich, 100n)
  await fund.buy(member, productId, 10n)
  await fund.buy(other, productId, 10n)
  await fund.invest(productId, '150')
  const first = await fund.redeem(member, productId, 10n)
  await fund.decide(member, first.redemption_id, true)
  const second = await fund.redeem(other, productId, 1n)
  await fund.decide(other, second.redemption_id, true)
  await product.advance(PAYOUT_MS - HOUR_MS)
  await fund.value(productId, '190')
  expect(await payDue()).toBe(0)
  await product.advance(2 * HOUR_MS)
  // The second one could be paid, but must not overtake.
  expect(await payDue()).toBe(0)
  expect(await fund.redemption(member, first.redemption_id)).toMatchObject({
    status: 'Approved',
    waits_for: 'cash',
    queue_place: 1,
    net: '115.400000',
    is_estimate: true,
  })
  expect(await fund.redemption(other, second.redemption_id)).toMatchObject({ queue_place: 2 })
  const before = {
    member: await fund.balance(member),
    other: await fund.balance(other),
    root: await fund.balance(root),
  }
  const notices = await subscribed(product.db, member.memberId)
  await fund.divest(productId, '90', '100')
  const paid = await Promise.all([payDue(), payDue(), payDue()])
  expect(paid.reduce((sum, count) => sum + count, 0)).toBe(2)
  expect((await fund.balance(member)).available - before.member.available).toBe(parseMicros('115.4'))
  expect(await notices()).toEqual([
    { topic: 'redemption_paid', facts: { amount: '115.400000', units: '10', product: 'Queue' } },
  ])
  expect((await fund.balance(other)).available - before.other.available).toBe(parseMicros('11.54'))
  expect((await fund.balance(root)).fund_income - before.root.fund_income).toBe(parseMicros('0.44'))
  const last = async (who: typeof member) => {
    const { items } = await services().overview.transactions(product.db, who.memberId, { limit: 2 })
    return items.map(({ kind, product_name }) => [kind, product_name])
  }
  expect(await last(member)).toEqual([
    ['fund_redemption', 'Queue'],
    ['fund_purchase', 'Queue'],
  ])
  await inTx(product.db, (dbTx) => services().income.withdraw(dbTx, root.memberId, parseMicros('0.44')))
  expect(await last(root)).toEqual([
    ['fund_income_transfer', null],
    ['fund_income', 'Queue'],
  ])
  expect(await fund.custody(productId)).toBe(parseMicros('8'))
  expect(await fund.custody(rich)).toBe(parseMicros('1000'))
  expect(await fund.nav(productId)).toBe(parseMicros('12'))
  expect(await audit()).toEqual([])
})

test('the remainder after the last payment goes to revenue at once', async () => {
  const productId = await fund.open('Remainder', '10', { redemptionPpm: 0, managementPpm: 0 })
  await fund.buy(member, productId, 3n)
  await fund.invest(productId, '10')
  await fund.divest(productId, '10.000001', '0')
  expect(await fund.nav(productId)).toBe(parseMicros('10'))
  const { redemption_id } = await fund.redeem(member, productId, 3n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  expect(await payDue()).toBe(1)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({ net: '30.000000' })
  expect(await fund.custody(productId)).toBe(0n)
  const { rows } = await sql`
    select amount, destination from ledger_postings
    where kind = 'fund_remainder' and source = ${`fund_custody:${productId}`}`.execute(product.db)
  expect(rows).toEqual([{ amount: 1n, destination: 'revenue' }])
  expect(await audit()).toEqual([])
})

test('a product whose redemption cannot be paid does not block other products', async () => {
  const [broken, sound] = [await fund.open('Broken', '10'), await fund.open('Sound', '10')]
  const ids: string[] = []
  for (const [holder, productId] of [
    [member, broken],
    [other, sound],
  ] as const) {
    await fund.buy(holder, productId, 3n)
    const { redemption_id } = await fund.redeem(holder, productId, 3n)
    await fund.decide(holder, redemption_id, true)
    ids.push(redemption_id)
  }
  await product.advance(PAYOUT_MS)
  const { available } = await fund.balance(member)
  // The payment would exceed 64 bits.
  const setAvailable = (micros: bigint) =>
    sql`update ledger_heads set balances[1] = ${micros} where member_id = ${member.memberId}`.execute(
      product.database.adminDb,
    )
  await setAvailable(2n ** 63n - 1n)
  await expect(payDue()).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  expect(await fund.redemption(member, ids[0]!)).toMatchObject({ status: 'Approved' })
  expect(await fund.redemption(other, ids[1]!)).toMatchObject({ status: 'Completed' })
  await setAvailable(available)
  expect(await payDue()).toBe(1)
  expect(await audit()).toEqual([])
})

const walletOf = ({ address }: { address: string }) => getAddress(address)

test('everybody sees cash, investments with evidence, valuations and the queue; the desk sees the missing cash', async () => {
  const productId = await fund.open('Public', '10', { subscriptionPpm: 0 })
  await fund.buy(member, productId, 10n)
  await fund.buy(other, productId, 10n)
  await fund.invest(productId, '150')
  for (const holder of [member, other]) {
    const { redemption_id } = await fund.redeem(holder, productId, 4n)
    await fund.decide(holder, redemption_id, true)
  }
  await fund.value(productId, '170')
  const { desk } = services()
  const evidence = { title: 'Statement', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
  expect(await desk.books(product.db, productId)).toMatchObject({
    cash: '50.000000',
    announced: '0.000000',
    invested: '170.000000',
    cost: '150.000000',
    net_assets: '220.000000',
    units: '20',
    opening_nav: '10.000000',
    closed_reason: null,
    valued_at: expect.any(String),
    valuation_proposed: false,
    investments: [
      {
        destination: '0x',
        cost: '150.000000',
        value: '170.000000',
        state: 'invested',
        invested_at: expect.any(String),
        evidence,
      },
    ],
    valuations: [{ value: '170.000000', nav: '11.000000', held_at: 'the custodian', evidence }],
    queue: {
      length: 2,
      units: '8',
      value: '88.000000',
      items: [
        { place: 1, units: '4', value: '44.000000' },
        { place: 2, units: '4', value: '44.000000' },
      ],
    },
  })
  expect(await desk.desk(product.db, productId)).toMatchObject({
    nav: '11.000000',
    began_nav: '10.000000',
    investable: '0.000000',
    stale: false,
    redemptions: [
      { place: 1, address: walletOf(member), cash_needed: '0.000000', waits_for: 'time' },
      { place: 2, address: walletOf(other), cash_needed: '38.000000', waits_for: 'time' },
    ],
  })
})

test('killed around approval and payment, no step is done partly or twice', async () => {
  const productId = await fund.open('Killed', '10')
  await fund.buy(member, productId, 3n)
  const ids: string[] = []
  for (let index = 0; index < 3; index++) ids.push((await fund.redeem(member, productId, 1n)).redemption_id)
  for (const id of ids) {
    const subject = { memberId: member.memberId, redemptionId: BigInt(id) }
    const review = { ...subject, approve: true, reason: 'ok', actor: 'anna' }
    await inTx(product.db, (dbTx) => services().review.review(dbTx, review))
    const dying = inTx(product.db, async (dbTx) => {
      await services().review.confirm(dbTx, { ...subject, actor: 'ben' })
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(dbTx)
    })
    await expect(dying).rejects.toThrow()
    expect(await fund.redemption(member, id)).toMatchObject({ status: 'Pending' })
    await inTx(product.db, (dbTx) => services().review.confirm(dbTx, { ...subject, actor: 'ben' }))
  }
  await product.advance(PAYOUT_MS)
  const before = (await fund.balance(member)).available
  const dying = inTx(product.db, async (dbTx) => {
    expect(await services().payouts.payDue(dbTx)).toBe(3)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(dbTx)
  })
  await expect(dying).rejects.toThrow()
  expect((await fund.balance(member)).available).toBe(before)
  expect(await payDue()).toBe(3)
  expect(await payDue()).toBe(0)
  expect((await fund.balance(member)).available - before).toBe(parseMicros('29.85'))
  expect(await audit()).toEqual([])
})

test("another member's records are not found", async () => {
  const productId = await fund.open('Private', '10')
  const order = await fund.buy(member, productId, 2n)
  const { redemption_id } = await fund.redeem(member, productId, 1n)
  await expect(fund.order(other, order.order_id)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
  await expect(fund.redemption(other, redemption_id)).rejects.toMatchObject({ code: 'REDEMPTION_NOT_FOUND' })
  const cancel = inTx(product.db, (dbTx) =>
    services().redemptions.cancel(dbTx, other.memberId, BigInt(redemption_id)),
  )
  await expect(cancel).rejects.toMatchObject({ code: 'REDEMPTION_NOT_FOUND' })
  await expect(fund.redeem(other, productId, 1n)).rejects.toMatchObject({ code: 'UNITS_NOT_REDEEMABLE' })
  const { orders } = services()
  for (const ask of [orders.approval, orders.payment]) {
    const answer = ask(product.db, other.memberId, BigInt(order.order_id))
    await expect(answer).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
  }
})
