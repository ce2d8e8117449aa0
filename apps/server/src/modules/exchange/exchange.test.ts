import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestCentre, type TestCentre } from './testing/exchange-actions.ts'

const whole = (amount: number) => BigInt(amount) * 1_000_000n
let database: TestDatabase
let centre: TestCentre

beforeAll(async () => {
  database = await createTestDatabase({ max: 20, role: 'rif_app' })
  centre = createTestCentre(database)
  await centre.services.plans.ensureDefault(database.db)
})
afterAll(async () => {
  expect(await centre.audit()).toEqual([])
  await database.close()
})

describe('an exchange', () => {
  test('converts RIF into DIV and VC at 1.0, and moves exactly that', async () => {
    const member = await centre.join()
    await centre.give(member, 'RIF', '10')
    expect(await centre.exchange(member, 'DIV', '3.5')).toMatchObject({
      from: 'RIF',
      to: 'DIV',
      pays: '3.500000',
      receives: '3.500000',
      rate: '1.000000',
    })
    await centre.exchange(member, 'VC', '2')
    const { RIF, DIV, VC } = await centre.balances(member)
    expect([RIF.available, DIV.available, VC.available]).toEqual([4_500_000n, 3_500_000n, whole(2)])
    expect(await centre.audit()).toEqual([])
  })

  test('keeps the quoted rate for 60 seconds, whatever the operator changes', async () => {
    const member = await centre.join()
    await centre.give(member, 'RIF', '10')
    const [first, second] = [await centre.quote(member, 'VC', '1'), await centre.quote(member, 'VC', '1')]
    expect(first.valid_ms).toBe(60_000)
    await centre.setTerms('VC', '2.5')
    centre.advance(60_000)
    expect(await centre.make(member, first.quote_id)).toMatchObject({ receives: '1.000000' })
    centre.advance(1)
    await expect(centre.make(member, second.quote_id)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
    expect(await centre.exchange(member, 'VC', '1')).toMatchObject({ receives: '2.500000' })
    await centre.setTerms('VC', '1')
    expect((await centre.balances(member)).VC.available).toBe(3_500_000n)
  })

  test('is executed once, however often its quote is sent, and only by its member', async () => {
    const [member, other] = [await centre.join(), await centre.join()]
    await centre.give(member, 'RIF', '9')
    await centre.give(other, 'RIF', '9')
    const { quote_id } = await centre.quote(member, 'DIV', '2')
    await expect(centre.make(other, quote_id)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
    const made = await Promise.all(Array.from({ length: 8 }, () => centre.make(member, quote_id)))
    expect(new Set(made.map((item) => JSON.stringify(item))).size).toBe(1)
    // A quote to buy hash power cannot be used to exchange it, nor the reverse.
    await expect(
      inTx(database.db, (dbTx) => centre.services.hashPower.buy(dbTx, member, BigInt(quote_id))),
    ).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
    expect((await centre.balances(member)).DIV.available).toBe(whole(2))
    expect((await centre.balances(other)).RIF.available).toBe(whole(9))
  })

  test('concurrent exchanges never spend more than the balance', async () => {
    const member = await centre.join()
    await centre.give(member, 'RIF', '10')
    const quotes = await Promise.all(Array.from({ length: 12 }, () => centre.quote(member, 'DIV', '3')))
    const made = await Promise.allSettled(quotes.map(({ quote_id }) => centre.make(member, quote_id)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(made.filter((item) => item.status === 'rejected').map((item) => item.reason.code)).toEqual(
      Array.from({ length: 9 }, () => 'INSUFFICIENT_BALANCE'),
    )
    const { RIF, DIV } = await centre.balances(member)
    expect([RIF.available, DIV.available]).toEqual([whole(1), whole(9)])
  })

  test('the day cap is never exceeded, not by concurrent exchanges, and resets each day', async () => {
    const member = await centre.join()
    await centre.give(member, 'RIF', '100')
    await centre.setTerms('DIV', '1', '10')
    const quotes = await Promise.all(Array.from({ length: 8 }, () => centre.quote(member, 'DIV', '4')))
    const made = await Promise.allSettled(quotes.map(({ quote_id }) => centre.make(member, quote_id)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(centre.quote(member, 'DIV', '2.000001')).rejects.toMatchObject({
      code: 'DAILY_LIMIT',
      details: { remaining_amount: '2.000000' },
    })
    await centre.exchange(member, 'DIV', '2')
    await centre.exchange(member, 'VC', '50')
    expect((await centre.services.exchange.overview(member)).terms).toEqual([
      { to: 'DIV', rate: '1.000000', day_cap: '10.000000', remaining_today: '0.000000' },
      { to: 'VC', rate: '1.000000', day_cap: null, remaining_today: null },
    ])
    centre.goTo('2026-01-06T00:00:00Z')
    await centre.exchange(member, 'DIV', '10')
    await centre.setTerms('DIV', '1')
    expect((await centre.balances(member)).DIV.available).toBe(whole(20))
  })

  test('invalid requests are refused, in the order of the format', async () => {
    const member = await centre.join()
    await centre.give(member, 'RIF', '1')
    await expect(centre.quote(member, 'VC', '0')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(centre.quote(member, 'VC', '-1')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(centre.quote(member, 'VC', '9223372036854.775808')).rejects.toMatchObject({
      code: 'INVALID_AMOUNT',
    })
    await expect(centre.quote(member, 'VC', '1.000001')).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    })
    const { quote_id } = await centre.quote(member, 'VC', '1')
    await centre.exchange(member, 'DIV', '0.5')
    await expect(centre.make(member, quote_id)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  })

  test('the list and the overview show the exchanges', async () => {
    const member = await centre.join()
    await centre.give(member, 'RIF', '6')
    for (const to of ['DIV', 'VC', 'DIV'] as const) await centre.exchange(member, to, '1')
    await centre.quote(member, 'DIV', '1')
    const { conversions, exchange } = centre.services
    const page = await conversions.list(database.db, member, { limit: 2 })
    expect(page.items.map(({ to }) => to)).toEqual(['DIV', 'VC'])
    const rest = await conversions.list(database.db, member, { limit: 2, cursor: page.next! })
    expect([rest.items.length, rest.next]).toEqual([1, null])
    expect((await conversions.list(database.db, member, { to: 'VC', limit: 9 })).items).toHaveLength(1)
    const { rif, div, vc } = await exchange.overview(member)
    expect([rif, div.available, vc.available]).toEqual(['3.000000', '2.000000', '1.000000'])
    expect(div.share_ppm).toBeGreaterThan(0)
    expect(div.share_ppm).toBeLessThan(1_000_000)
  })
})

describe('terms', () => {
  const prepare = (change: object = {}) =>
    inTx(database.db, (dbTx) =>
      centre.services.exchangeTerms.prepare(dbTx, {
        asset: 'DIV',
        rateMicros: whole(3),
        dayCapMicros: null,
        actor: 'anna',
        ...change,
      }),
    )
  const review = (termsId: bigint, actor: string, approve = true) =>
    inTx(database.db, (dbTx) => centre.services.exchangeTerms.review(dbTx, { termsId, actor, approve }))
  const rateAt = async (at: Date) => {
    const { rateMicros } = await centre.services.exchangeTerms.at(database.db, 'DIV', at)
    return rateMicros
  }

  test('need a second admin, and apply from their time on', async () => {
    const later = new Date(centre.now().getTime() + 3_600_000)
    const { termsId } = await prepare({ validFrom: later })
    expect(await rateAt(later)).toBe(whole(1))
    await expect(review(termsId, 'anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await review(termsId, 'ben')
    await expect(review(termsId, 'carl')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
    await expect(review(999n, 'carl')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect([await rateAt(new Date(later.getTime() - 1)), await rateAt(later)]).toEqual([whole(1), whole(3)])
    const member = await centre.join()
    expect(await centre.services.me.me(member)).toMatchObject({
      dividend_rate: '1.000000',
      vc_rate: '1.000000',
    })
    centre.goTo(later.toISOString())
    expect(await centre.services.me.me(member)).toMatchObject({
      dividend_rate: '3.000000',
      vc_rate: '1.000000',
    })
    await centre.setTerms('DIV', '1')
  })

  test('are refused when they are invalid or their time has passed', async () => {
    await expect(prepare({ rateMicros: 0n })).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(prepare({ dayCapMicros: 0n })).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    const passed = new Date(centre.now().getTime() - 1)
    await expect(prepare({ validFrom: passed })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    const { termsId } = await prepare({ validFrom: centre.now() })
    centre.advance(1)
    await expect(review(termsId, 'ben')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await review(termsId, 'anna', false)
    expect(await rateAt(centre.now())).toBe(whole(1))
  })
})
