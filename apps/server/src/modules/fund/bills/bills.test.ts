import { setTimeout as sleep } from 'node:timers/promises'
import { LOCALES } from '@rif/api-schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { signal } from '../../../testing/signal.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createFundBooks, type FundBooks, usdt } from '../testing/fund-books.ts'

const MONTH = '2026-01'
const TERMS = {
  minimum: 0n,
  lockDays: 0,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  subscription: 10_000n,
  redemption: 5_000n,
  management: 200_000n,
}

let database: TestDatabase
let books: FundBooks
let member: { memberId: bigint; address: string }

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  books = createFundBooks(database, '2026-01-10T10:00:00Z')
  await books.begin()
  member = await books.join(null, usdt(10_000))
  await buy(await books.open('Rental, "prime"', TERMS, usdt(10)))
})
afterAll(() => database.close())

const bills = () => books.services.fund.bills
const buy = (productId: bigint) =>
  inTx(books.db, (dbTx) =>
    books.services.fund.orders.buy(dbTx, member, { productId, units: 5n, payWith: 'available' }),
  )
const pdf = async (month: string, locale: (typeof LOCALES)[number]) =>
  Buffer.from((await bills().pdf(books.db, member.memberId, month, locale)).base64, 'base64')

test('bills are made once, only after the month has ended, and never change', async () => {
  await expect(bills().makeMonth(books.db, MONTH)).rejects.toMatchObject({ code: 'MONTH_NOT_ENDED' })
  books.goTo('2026-02-01T00:01:59Z')
  await expect(bills().makeMonth(books.db, MONTH)).rejects.toMatchObject({ code: 'MONTH_NOT_ENDED' })
  expect(await bills().makeDue(books.db)).toBe(0)
  books.goTo('2026-02-01T00:02:01Z')
  const both = await Promise.all([bills().makeDue(books.db), bills().makeDue(books.db)])
  expect(both.sort()).toEqual([0, 1])
  expect(await bills().makeMonth(books.db, MONTH)).toBe(0)
  const change = sql`update fund_bills set month = '2025-01'`.execute(books.db)
  await expect(change).rejects.toMatchObject({ code: '42501' })
  await expect(bills().get(books.db, member.memberId, '2020-01')).rejects.toMatchObject({
    code: 'BILL_NOT_FOUND',
  })
})

test('a transaction with a time in the old month is on its bill, however late it commits', async () => {
  const productId = await books.open('Late', TERMS, usdt(1))
  books.goTo('2026-02-28T23:59:59Z')
  const committing = signal()
  const bought = signal()
  const late = inTx(books.db, async (dbTx) => {
    const wanted = { productId, units: 7n, payWith: 'available' } as const
    await books.services.fund.orders.buy(dbTx, member, wanted)
    bought.give()
    await committing.promise
  })
  await bought.promise
  books.goTo('2026-03-01T00:10:00Z')
  const made = bills().makeMonth(books.db, '2026-02')
  expect(await Promise.race([made, sleep(150, 'waits')])).toBe('waits')
  committing.give()
  await late
  expect(await made).toBe(1)
  const { lines } = await bills().get(books.db, member.memberId, '2026-02')
  expect(lines).toMatchObject([{ opening_units: '5' }, { purchased_units: '7', product_name: 'Late' }])
  expect(await books.audit()).toEqual([])
})

test("units count in the balance history at each day's net value, until they are paid out", async () => {
  const at = (day: string) => books.goTo(`${day}T12:00:00Z`)
  at('2026-03-02')
  const holder = await books.join(member.memberId, usdt(1_000))
  const own = { ...TERMS, subscription: 0n, redemption: 0n, management: 0n }
  const productId = await books.open('Daily', own, usdt(10))
  const { orders, redemptions, payouts } = books.services.fund
  await inTx(books.db, (dbTx) => orders.buy(dbTx, holder, { productId, units: 20n, payWith: 'available' }))
  at('2026-03-04')
  await books.invest(productId, usdt(100))
  await books.value(productId, usdt(140))
  const { redemption_id } = await inTx(books.db, (dbTx) =>
    redemptions.request(dbTx, holder.memberId, productId, 5n),
  )
  await books.decide(holder.memberId, BigInt(redemption_id), true)
  at('2026-03-08')
  await books.value(productId, usdt(140))
  await payouts.payDue(books.db)
  // The member joined on the second day, and the history begins with the day before.
  const { days } = await books.services.portfolio.history(books.db, holder.memberId, 8)
  expect(days.map(({ day, usdt, fund }) => [day.slice(-2), usdt, fund])).toEqual([
    ['01', '0.000000', '0.000000'],
    ['02', '800.000000', '200.000000'],
    ['03', '800.000000', '200.000000'],
    ['04', '800.000000', '240.000000'],
    ['05', '800.000000', '240.000000'],
    ['06', '800.000000', '240.000000'],
    ['07', '800.000000', '240.000000'],
    ['08', '860.000000', '180.000000'],
  ])
  const { market_value } = await books.services.fund.overview.holdings(books.db, holder.memberId)
  expect(market_value).toBe(days.at(-1)!.fund)
})

test('a bill is a PDF in every language, with embedded fonts and the same bytes whatever was typeset before', async () => {
  const first = await Promise.all(LOCALES.map((locale) => pdf(MONTH, locale)))
  // Names in scripts and with characters that no earlier bill had.
  await buy(await books.open('租金收入基金 임대 収益ファンド', TERMS, usdt(1)))
  books.goTo('2026-04-02T00:00:00Z')
  await bills().makeDue(books.db)
  for (const [index, locale] of LOCALES.entries()) {
    const named = (await pdf('2026-03', locale)).toString('latin1')
    expect(named.match(/\/FontFile[23]/g)!.length).toBeGreaterThan(1)
    expect(await pdf(MONTH, locale)).toEqual(first[index])
    const text = first[index]!.toString('latin1')
    expect(text.startsWith('%PDF-')).toBe(true)
    // Embedded, and only the used ones of 4 to 8 MB of glyphs.
    expect(text).toMatch(/\/FontFile[23]/)
    expect(text.length).toBeLessThan(100_000)
  }
})

test('a bill as CSV has a row per product and the totals, with names quoted', async () => {
  const file = await bills().csv(books.db, member.memberId, MONTH)
  const rows = Buffer.from(file.base64, 'base64').toString().trim().split('\r\n')
  expect(rows).toHaveLength(3)
  expect(rows[1]).toContain('"Rental, ""prime"""')
  expect(rows[2]).toMatch(/,TOTAL,/)
})
