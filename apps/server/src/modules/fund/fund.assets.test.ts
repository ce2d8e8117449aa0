import { parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { finalDeposit } from '../../testing/exit-actions.ts'
import { subscribed } from '../../testing/subscribed.ts'
import { type FundProduct, HOUR_MS, PAYOUT_MS, startFundProduct } from './testing/fund-product.ts'

let product: FundProduct['product']
let fund: FundProduct['fund']
let root: FundProduct['root']
let member: FundProduct['member']
let other: FundProduct['other']
let services: FundProduct['services']
let audit: FundProduct['audit']
let fundAudit: FundProduct['fundAudit']
let payDue: FundProduct['payDue']

beforeAll(async () => {
  ;({ product, fund, root, member, other, services, audit, fundAudit, payDue } = await startFundProduct())
})
afterAll(() => product.stop())

test('a proposed valuation stops dealing for a day at most, and after a failed one the next does not stop dealing', async () => {
  const productId = await fund.open('Proposed', '10')
  await fund.buy(member, productId, 10n)
  await fund.invest(productId, '50')
  const { valuations } = services()
  const propose = (actor: string) =>
    inTx(product.db, (dbTx) =>
      valuations.propose(dbTx, { productId, valueMicros: parseMicros('60'), evidence: fund.evidence, actor }),
    )
  const decide = (way: 'approve' | 'reject', valuationId: bigint, actor: string) =>
    inTx(product.db, async (dbTx) => void (await valuations[way](dbTx, { valuationId, actor })))
  const first = await propose('dora')
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  await expect(propose('emil')).rejects.toMatchObject({ code: 'VALUATION_OPEN' })
  await expect(decide('approve', first.valuation_id, 'dora')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await product.advance(24 * HOUR_MS + 1_000)
  await expect(decide('approve', first.valuation_id, 'emil')).rejects.toMatchObject({
    code: 'NOTHING_TO_REVIEW',
  })
  await fund.buy(member, productId, 1n)
  const second = await propose('dora')
  expect(second.stops_dealing).toBe(false)
  await fund.buy(member, productId, 1n)
  await decide('reject', second.valuation_id, 'emil')
  await product.advance(2 * 24 * HOUR_MS)
  const third = await propose('emil')
  expect(third.stops_dealing).toBe(true)
  await decide('approve', third.valuation_id, 'dora')
  // A further investment does not count as a valuation of the others.
  await product.advance(2 * 24 * HOUR_MS)
  await fund.invest(productId, '10')
  await product.advance(24 * HOUR_MS + 1_000)
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  await product.advance(3 * 24 * HOUR_MS)
  expect((await propose('dora')).stops_dealing).toBe(true)
  expect(await audit()).toEqual([])
})

test('products need two admins, and two to close and to open them', async () => {
  const productId = await fund.open('Backed', '10')
  const propose = { productId, state: 'closed', actor: 'anna' } as const
  await inTx(product.db, (dbTx) => services().products.proposeState(dbTx, propose))
  const close = (actor: string) =>
    inTx(product.db, (dbTx) => services().products.approveState(dbTx, { productId, actor }))
  await expect(close('anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await close('ben')
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  await expect(fund.open('Backed', '1')).rejects.toMatchObject({ code: 'PRODUCT_EXISTS' })
  await expect(fund.open('Cheap', '0.009999')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
})

test("A and B buy for 1,000 each, the value halves, A redeems, it recovers: B is never paid from A's principal", async () => {
  const terms = { subscriptionPpm: 0, redemptionPpm: 0, managementPpm: 0 }
  const productId = await fund.open('Two holders', '10', terms)
  await fund.buy(member, productId, 100n)
  await fund.buy(other, productId, 100n)
  await fund.invest(productId, '1000')
  const { noticeSpreads } = product.services
  await noticeSpreads.writeDue()
  const [notices, noHolders] = [
    await subscribed(product.db, member.memberId),
    await subscribed(product.db, root.memberId),
  ]
  await fund.value(productId, '0')
  await noticeSpreads.writeDue()
  const facts = { product: 'Two holders', product_id: `${productId}`, nav: '5.000000' }
  expect(await notices()).toEqual([{ topic: 'nav_published', facts }])
  expect(await noHolders()).toEqual([])
  expect(await fund.nav(productId)).toBe(parseMicros('5'))
  const before = { a: await fund.balance(member), b: await fund.balance(other) }
  const a = await fund.redeem(member, productId, 100n)
  await fund.decide(member, a.redemption_id, true)
  await product.advance(PAYOUT_MS - HOUR_MS)
  await fund.value(productId, '0')
  await product.advance(HOUR_MS)
  expect(await payDue()).toBe(1)
  expect((await fund.balance(member)).available - before.a.available).toBe(parseMicros('500'))
  // The old rule would have kept A's 500 as proceeds and paid B 1,500 once a net value of 15 was typed.
  expect(await fund.custody(productId)).toBe(parseMicros('500'))
  await fund.value(productId, '1000')
  expect(await fund.nav(productId)).toBe(parseMicros('15'))
  const b = await fund.redeem(other, productId, 100n)
  await fund.decide(other, b.redemption_id, true)
  await product.advance(PAYOUT_MS)
  await fund.value(productId, '1000')
  expect(await payDue()).toBe(0)
  expect(await fund.redemption(other, b.redemption_id)).toMatchObject({
    status: 'Approved',
    is_estimate: true,
  })
  // Only outside money pays B: without it the custody holds B's own 500.
  await fund.divest(productId, '1000', '0')
  expect(await payDue()).toBe(1)
  expect((await fund.balance(other)).available - before.b.available).toBe(parseMicros('1500'))
  expect(await fund.custody(productId)).toBe(0n)
  expect(await audit()).toEqual([])
})

test('an investment that ends below the NAV at which it began closes the product; a recovery goes to the remaining holders', async () => {
  const productId = await fund.open('Lost', '10', { redemptionPpm: 0, managementPpm: 0 })
  await fund.buy(member, productId, 10n)
  await expect(fund.value(productId, '1')).rejects.toMatchObject({ code: 'NOTHING_INVESTED' })
  await expect(fund.divest(productId, '1', '0')).rejects.toMatchObject({ code: 'NOTHING_INVESTED' })
  await expect(fund.invest(productId, '100.000001')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await fund.invest(productId, '100')
  const stop = { productId, state: 'closed', actor: 'anna' } as const
  await inTx(product.db, (dbTx) => services().products.proposeState(dbTx, stop))
  await fund.divest(productId, '0', '0')
  // Proposals from before the loss have no effect any more.
  const stopped = inTx(product.db, (dbTx) =>
    services().products.approveState(dbTx, { productId, actor: 'ben' }),
  )
  await expect(stopped).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  expect(await fund.nav(productId)).toBe(0n)
  await expect(fund.buy(member, productId, 1n)).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  const resume = { productId, state: 'open', actor: 'anna' } as const
  const proposed = inTx(product.db, (dbTx) => services().products.proposeState(dbTx, resume))
  await expect(proposed).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  const { redemption_id } = await fund.redeem(member, productId, 10n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  // Nothing is paid at a NAV of 0.
  expect(await payDue()).toBe(0)
  await fund.divest(productId, '30', '0')
  expect(await fund.nav(productId)).toBe(parseMicros('3'))
  await expect(fund.invest(productId, '1')).rejects.toMatchObject({ code: 'PRODUCT_CLOSED' })
  expect(await payDue()).toBe(1)
  expect(await fund.redemption(member, redemption_id)).toMatchObject({ net: '30.000000', nav: '3.000000' })
  // Without holders, late proceeds belong to nobody and go to revenue.
  await fund.divest(productId, '7', '0')
  expect(await fund.custody(productId)).toBe(0n)
  const { rows } = await sql`
    select sum(amount)::bigint as micros from ledger_postings where kind = 'fund_remainder'`.execute(
    product.db,
  )
  expect(rows).toEqual([{ micros: parseMicros('7') }])
  expect(await audit()).toEqual([])
})

test('the values of the investments add up to the valuation and name each investment once', async () => {
  const productId = await fund.open('Lines', '10')
  await fund.buy(member, productId, 10n)
  await fund.invest(productId, '60')
  await fund.invest(productId, '20')
  const placed = async () => services().investments.of(product.db, productId, ['invested'])
  const [first, second] = (await placed()).map(({ investment_id }) => investment_id)
  const value = (lines: [bigint, string][]) =>
    inTx(product.db, async (dbTx) => {
      const { valuation_id: valuationId } = await services().valuations.propose(dbTx, {
        productId,
        valueMicros: parseMicros('90'),
        evidence: fund.evidence,
        actor: 'anna',
        lines: lines.map(([investmentId, worth]) => ({ investmentId, valueMicros: parseMicros(worth) })),
      })
      await services().valuations.approve(dbTx, { valuationId, actor: 'ben' })
    })
  for (const lines of [
    [[first, '90']],
    [
      [first, '70'],
      [second, '21'],
    ],
    [
      [first, '70'],
      [first, '20'],
    ],
    [
      [first, '70'],
      [second, '10'],
      [999n, '10'],
    ],
  ] as [bigint, string][][]) {
    await expect(value(lines)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  }
  await value([
    [first!, '70'],
    [second!, '20'],
  ])
  expect((await placed()).map(({ value_micros }) => value_micros)).toEqual(['70', '20'].map(parseMicros))
  expect(await fund.nav(productId)).toBe(parseMicros('11'))
  expect(await audit()).toEqual([])
})

test('announced cash is neither paid out nor invested twice, and returns if the exit does not happen', async () => {
  const productId = await fund.open('Announced', '10', { redemptionPpm: 0 })
  await fund.buy(member, productId, 10n)
  const { investments } = services()
  const draft = {
    productId,
    amountMicros: parseMicros('60'),
    destination: '0x',
    evidence: fund.evidence,
    preparedBy: 'anna',
    approvedBy: 'ben',
  }
  const twice = await Promise.allSettled(
    [1, 2].map(() => inTx(product.db, (dbTx) => investments.setAside(dbTx, draft))),
  )
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [announced] = await investments.of(product.db, productId, ['announced'])
  const { investment_id: investmentId } = announced!
  const { redemption_id } = await fund.redeem(member, productId, 5n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  expect(await payDue()).toBe(0)
  const release = () => inTx(product.db, (dbTx) => investments.release(dbTx, { investmentId }))
  await Promise.all([release(), release()])
  expect(await payDue()).toBe(1)
  await inTx(product.db, (dbTx) => investments.invest(dbTx, { investmentId }))
  expect(await fund.custody(productId)).toBe(parseMicros('50'))
  expect(await audit()).toEqual([])
})

test('the database refuses units without assets, and money without an approval', async () => {
  const productId = await fund.open('Guarded', '10')
  await fund.buy(member, productId, 10n)
  const writes = [
    sql`update fund_products set nav_micros = nav_micros + 1 where product_id = ${productId}`,
    sql`update fund_products set units_outstanding = 11 where product_id = ${productId}`,
    sql`update fund_products set announced_micros = 100000001 where product_id = ${productId}`,
  ]
  for (const write of writes) {
    const refused = inTx(product.db, (dbTx) => write.execute(dbTx))
    await expect(refused).rejects.toMatchObject({ code: 'RL011' })
  }
  const at = product.now()
  const day = at.toISOString().slice(0, 10)
  const post = (kind: 'fund_invest' | 'fund_divest' | 'fund_remainder', flow: [string, string]) =>
    inTx(product.db, (dbTx) =>
      product.services.ledger.post(dbTx, {
        key: `forged/${kind}`,
        kind,
        cause: { type: 'test', id: '1' },
        accountingDay: day,
        at,
        lines: [
          {
            memberId: 0n,
            asset: 'USDT',
            amountMicros: 1n,
            source: flow[0] as never,
            destination: flow[1] as never,
          },
        ],
      }),
    )
  const custody = `fund_custody:${productId}`
  await expect(post('fund_divest', ['external', custody])).rejects.toMatchObject({ code: 'RL008' })
  await expect(post('fund_invest', [custody, 'external'])).rejects.toMatchObject({ code: 'RL008' })
  await expect(post('fund_remainder', [custody, 'revenue'])).rejects.toMatchObject({ code: 'RL011' })
  expect(await audit()).toEqual([])
})

test('an investment and a divestment that the chain dropped are reversed, and no unit loses its backing', async () => {
  const cause = { type: 'test', id: 'dropped' }
  const productId = await fund.open('Dropped', '10')
  await fund.buy(member, productId, 10n)
  const { investments, valuations } = services()
  await fund.invest(productId, '60')
  const [placed] = await investments.of(product.db, productId, ['invested'])
  const uninvest = () =>
    inTx(product.db, (dbTx) => investments.uninvest(dbTx, { investmentId: placed!.investment_id, cause }))
  expect(await uninvest()).toBe('undone')
  expect(await uninvest()).toBe('undone')
  expect(await fund.custody(productId)).toBe(parseMicros('100'))
  expect(await fundAudit()).toEqual([])
  await inTx(product.db, (dbTx) => investments.invest(dbTx, { investmentId: placed!.investment_id }))
  await fund.value(productId, '90')
  expect(await uninvest()).toBe('covered')
  const draft = { productId, amountMicros: parseMicros('50'), valueMicros: parseMicros('40') }
  await finalDeposit(product, 7001n, '50')
  const { valuation_id: valuationId } = await inTx(product.db, (dbTx) =>
    valuations.propose(dbTx, { ...draft, depositId: '7001', evidence: fund.evidence, actor: 'anna' }),
  )
  await inTx(product.db, async (dbTx) => void (await valuations.approve(dbTx, { valuationId, actor: 'ben' })))
  const { redemption_id } = await fund.redeem(member, productId, 5n)
  await fund.decide(member, redemption_id, true)
  await product.advance(PAYOUT_MS)
  await fund.value(productId, '40')
  expect(await payDue()).toBe(1)
  const undo = () => inTx(product.db, (dbTx) => valuations.undo(dbTx, { depositId: '7001', cause }))
  await inTx(product.db, (dbTx) =>
    investments.setAside(dbTx, {
      productId,
      amountMicros: parseMicros('10'),
      destination: '0x',
      evidence: fund.evidence,
      preparedBy: 'anna',
      approvedBy: 'ben',
    }),
  )
  expect(await undo()).toBe('undone')
  expect(await undo()).toBeUndefined()
  // 90 of cash less 65 paid out left 25, of which 10 are announced; the operator added the other 35.
  expect(await fund.custody(productId)).toBe(parseMicros('10'))
  expect((await services().products.get(product.db, productId)).invested_micros).toBe(parseMicros('90'))
  expect(await fund.nav(productId)).toBe(parseMicros('13'))
  expect(await fundAudit()).toEqual([])
})

test('the audit finds a value, a NAV, a queue and a cost that do not match the records', async () => {
  const productId = await fund.open('Tampered', '10')
  await fund.buy(member, productId, 10n)
  await fund.invest(productId, '60')
  const { investments } = services()
  const [placed] = await investments.of(product.db, productId, ['invested'])
  const id = placed!.investment_id
  const of = sql`where product_id = ${productId}`
  const tamper = (statement: ReturnType<typeof sql>) =>
    product.database.adminDb.transaction().execute(async (dbTx) => {
      await sql`set local session_replication_role = replica`.execute(dbTx)
      await statement.execute(dbTx)
    })
  const tampered: [ReturnType<typeof sql>, ReturnType<typeof sql>, string][] = [
    [sql`value_micros = value_micros - 1`, sql`value_micros = value_micros + 1`, 'fund assets'],
    [sql`cost_micros = cost_micros - 1`, sql`cost_micros = cost_micros + 1`, 'fund investment'],
  ]
  for (const [change, back, check] of tampered) {
    await tamper(sql`update fund_investments set ${change} where investment_id = ${id}`)
    expect((await fundAudit()).map((difference) => difference.check)).toEqual([check])
    await tamper(sql`update fund_investments set ${back} where investment_id = ${id}`)
  }
  await sql`update fund_products set nav_micros = nav_micros - 1 ${of}`.execute(product.db)
  expect((await fundAudit()).map((difference) => difference.check)).toEqual(['fund assets'])
  await sql`update fund_products set nav_micros = nav_micros + 1, units_approved = 1 ${of}`.execute(
    product.db,
  )
  expect((await fundAudit()).map((difference) => difference.check)).toEqual(['fund queue'])
  await sql`update fund_products set units_approved = 0 ${of}`.execute(product.db)
  expect(await fundAudit()).toEqual([])
})
