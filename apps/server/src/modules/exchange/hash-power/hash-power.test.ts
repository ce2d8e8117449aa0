import { parseMicros } from '@rif/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createTestCentre, type TestCentre } from '../testing/exchange-actions.ts'

let database: TestDatabase
let centre: TestCentre
let member: bigint

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  centre = createTestCentre(database)
  await centre.services.plans.ensureDefault(database.db)
  member = await centre.join()
})
afterAll(async () => {
  expect(await centre.audit()).toEqual([])
  await database.close()
})

const rif = async (of = member) => (await centre.balances(of)).RIF

describe('a grant', () => {
  const give = (key: string, amountMicros: bigint, memberId = member, approvedBy = 'ben') =>
    inTx(database.db, (dbTx) =>
      centre.services.hashPowerGrants.give(dbTx, { preparedBy: 'anna', approvedBy }, [
        { key, memberId, amountMicros, reason: 'welcome' },
      ]),
    )

  test('arrives once, however often it is given, and is logged with both admins', async () => {
    await expect(give('g1', 7_000_000n, member, 'anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await rif()).available).toBe(0n)
    const counts = await Promise.all(Array.from({ length: 5 }, () => give('g1', 7_000_000n)))
    expect(counts.toSorted()).toEqual([0, 0, 0, 0, 1])
    expect(await rif()).toMatchObject({ available: 7_000_000n, locked: 0n })
    const logged = await database.db
      .selectFrom('admin_actions')
      .select(['actor', 'after'])
      .where('action', '=', 'hash-power.give')
      .execute()
    expect(logged).toMatchObject([{ actor: 'ben', after: { key: 'g1', preparedBy: 'anna' } }])
  })

  test('is refused under a used key, for zero, for too much, and without a member', async () => {
    const before = await rif()
    await expect(give('g1', 8_000_000n)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    await expect(give('g3', 0n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(give('g4', 2n ** 63n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(give('g5', 1n, 999_999n)).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' })
    await expect(give('g6', 2n ** 63n - 1n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    expect(await rif()).toEqual(before)
  })
})

describe('buying', () => {
  const quote = (of: bigint, amount: string) =>
    inTx(database.db, (dbTx) => centre.services.hashPower.quote(dbTx, of, parseMicros(amount)))
  const buy = (of: bigint, quoteId: string) =>
    inTx(database.db, (dbTx) => centre.services.hashPower.buy(dbTx, of, BigInt(quoteId)))

  test('needs both prices, keeps the quoted ones, and moves exactly the quoted amounts', async () => {
    const buyer = await centre.join()
    await centre.give(buyer, 'AMC', '100')
    await expect(quote(buyer, '1')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
    await centre.price('AMC', '0.5')
    await expect(quote(buyer, '1')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
    await centre.price('RIF', '2.5')
    await expect(quote(buyer, '0')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(quote(buyer, '100.000001')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    const quoted = await quote(buyer, '60')
    expect(quoted).toMatchObject({
      pays: '60.000000',
      receives: '12.000000',
      amc_price: '0.500000',
      rif_price: '2.500000',
    })
    centre.advance(1)
    await centre.price('RIF', '5')
    expect(await buy(buyer, quoted.quote_id)).toMatchObject({ receives: '12.000000' })
    expect(await buy(buyer, quoted.quote_id)).toMatchObject({ receives: '12.000000' })
    const { AMC, RIF } = await centre.balances(buyer)
    expect([AMC.available, RIF.available]).toEqual([40_000_000n, 12_000_000n])
    const late = await quote(buyer, '10')
    expect(late.receives).toBe('1.000000')
    centre.advance(60_001)
    await expect(buy(buyer, late.quote_id)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
  })

  test('concurrent purchases never spend more than the balance', async () => {
    const buyer = await centre.join()
    await centre.give(buyer, 'AMC', '10')
    const quotes = await Promise.all(Array.from({ length: 6 }, () => quote(buyer, '4')))
    const bought = await Promise.allSettled(quotes.map(({ quote_id }) => buy(buyer, quote_id)))
    expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect((await centre.balances(buyer)).AMC.available).toBe(2_000_000n)
  })

  test('history and discounts are complete', async () => {
    const buyer = await centre.join()
    await centre.give(buyer, 'AMC', '50')
    await centre.give(buyer, 'RIF', '1')
    const { services } = centre
    await buy(buyer, (await quote(buyer, '20')).quote_id)
    await centre.exchange(buyer, 'VC', '0.5')
    const first = await services.hashPower.overview(database.db, buyer, { limit: 2 })
    expect(first).toMatchObject({
      available: '2.500000',
      worth_usdt: '12.500000',
      available_amc: '30.000000',
    })
    const rest = await services.hashPower.overview(database.db, buyer, { limit: 2, cursor: first.next! })
    expect([...first.items, ...rest.items].map(({ kind, change }) => [kind, change])).toEqual([
      ['exchange', '-0.500000'],
      ['hash_power_purchase', '2.000000'],
      ['grant', '1.000000'],
    ])
    const { percent_ppm, packages } = await services.hashPower.discounts(database.db, buyer)
    expect(percent_ppm).toBe(100_000)
    expect(packages.slice(0, 2)).toMatchObject([
      { name: 'Launch 100', discount: '10.000000', rif: '2.000000' },
      { name: 'Launch 500', discount: '12.500000', rif: '2.500000' },
    ])
  })
})
