import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, type Day } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { signal } from '../../testing/signal.ts'
import { tamperAs } from '../../testing/tampering.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { pause, resume } from '../access/gates/gates.service.ts'
import { createTestBooks, type TestBooks } from '../settlement/testing/test-books.ts'
import { createSavingsAccounts } from './savings.account.service.ts'
import type { SavingsService } from './savings.service.ts'
import { createStandingSavings } from './savings.standing.service.ts'

const FIRST_DAY: Day = '2026-03-01'
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const M = 1_000_000n

let database: TestDatabase
let books: TestBooks
let root: bigint

beforeAll(async () => {
  database = await createTestDatabase({ max: 20, role: 'rif_app' })
  books = createTestBooks(database, FIRST_DAY)
  await books.begin()
  root = await books.join(null, 'auto')
})
afterAll(() => database.close())

type Asset = 'USDT' | 'AMC'

/** Creates a member with this amount available. */
async function member(amounts: Partial<Record<Asset, bigint>>): Promise<bigint> {
  const memberId = await books.join(root, 'auto')
  for (const asset of ['USDT', 'AMC'] as const) {
    if (amounts[asset] !== undefined) await books.grant(memberId, asset, amounts[asset])
  }
  return memberId
}
const into = (memberId: bigint, asset: Asset, amountMicros: bigint) =>
  inTx(books.db, (dbTx) => books.savings.transferIn(dbTx, memberId, { asset, amountMicros }))
const outOf = (memberId: bigint, asset: Asset, amountMicros: bigint) =>
  inTx(books.db, (dbTx) => books.savings.transferOut(dbTx, memberId, { asset, amountMicros }))
const holdings = async (memberId: bigint, asset: Asset) => {
  const { available, savings, savings_leaving } = (await books.ledger.balances(books.db, memberId))[asset]
  return [available, savings, savings_leaving]
}
const postings = async (memberId: bigint) => {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', kind, asset, source, destination, amount) as line from ledger_postings
    where member_id = ${memberId} and kind like 'savings%' order by seq, line`.execute(books.db)
  return rows.map(({ line }) => line)
}
const accounts = () => {
  const { now, ledger, plans, pricing } = books
  return createSavingsAccounts({ now, ledger, plans, pricing })
}

test('deposits are immediate; withdrawals take 5 minutes, and until then nobody can spend them', async () => {
  const memberId = await member({ USDT: 100n * M })
  expect(await into(memberId, 'USDT', 60n * M)).toMatchObject({ direction: 'in', amount: '60.000000' })
  expect(await holdings(memberId, 'USDT')).toEqual([40n * M, 60n * M, 0n])

  const out = await outOf(memberId, 'USDT', 25n * M)
  expect(Date.parse(out.arrives_at) - Date.parse(out.created_at)).toBe(5 * MINUTE_MS)
  expect(out.arrived_at).toBeNull()
  expect(await holdings(memberId, 'USDT')).toEqual([40n * M, 35n * M, 25n * M])
  await expect(into(memberId, 'USDT', 40n * M + 1n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await expect(outOf(memberId, 'USDT', 35n * M + 1n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })

  books.advance(5 * MINUTE_MS - 1)
  expect(await books.savings.arriveDue()).toBe(0)
  expect(await books.savings.nextArrival()).toEqual(new Date(out.arrives_at))
  books.advance(1)
  expect(await books.savings.arriveDue()).toBe(1)
  expect(await books.savings.arriveDue()).toBe(0)
  expect(await holdings(memberId, 'USDT')).toEqual([65n * M, 35n * M, 0n])
  expect(await postings(memberId)).toEqual([
    'savings_in USDT available savings 60000000',
    'savings_out USDT savings savings_leaving 25000000',
    'savings_arrival USDT savings_leaving available 25000000',
  ])
  expect(await books.audit()).toEqual([])
})

/** Takes an amount out of savings and returns the hours until it arrives. */
async function hoursOut(memberId: bigint, asset: Asset, amountMicros: bigint): Promise<number> {
  const { created_at, arrives_at } = await outOf(memberId, asset, amountMicros)
  return (Date.parse(arrives_at) - Date.parse(created_at)) / HOUR_MS
}
const [FAST, SLOW] = [1 / 12, 72]

test('more than 1,000 USDT worth in 24 hours, or AMC that never had a price, takes 72 hours', async () => {
  const memberId = await member({ USDT: 3_000n * M, AMC: 9_000n * M })
  await into(memberId, 'USDT', 3_000n * M)
  await into(memberId, 'AMC', 9_000n * M)
  const hours = (asset: Asset, amountMicros: bigint) => hoursOut(memberId, asset, amountMicros)
  expect(await hours('USDT', 1_000n * M)).toBe(FAST)
  expect(await hours('USDT', 1n)).toBe(SLOW)
  books.advance(24 * HOUR_MS)
  // AMC that never had a price counts as above the bound, and so does what follows within 24 hours.
  expect(await hours('AMC', 1n)).toBe(SLOW)
  expect(await hours('USDT', 1n)).toBe(SLOW)
  await books.price('AMC', '0.5')
  expect(await hours('AMC', 9_000n * M - 1n)).toBe(SLOW)
  books.advance(72 * HOUR_MS)
  expect(await books.savings.arriveDue()).toBe(5)
  expect(await holdings(memberId, 'AMC')).toEqual([9_000n * M, 0n, 0n])
  expect(await books.audit()).toEqual([])
})

test('invalid amounts and other assets are refused without effect', async () => {
  const memberId = await member({ USDT: M })
  for (const amount of [0n, -1n, 2n ** 63n]) {
    await expect(into(memberId, 'USDT', amount)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(outOf(memberId, 'USDT', amount)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  }
  expect(await postings(memberId)).toEqual([])
})

test('concurrent transfers of one balance never overdraw it and never spend it twice', async () => {
  const memberId = await member({ USDT: 100n * M })
  await into(memberId, 'USDT', 50n * M)
  const attempts = Array.from({ length: 24 }, (_, number) =>
    number % 2 === 0 ? into(memberId, 'USDT', 7n * M) : outOf(memberId, 'USDT', 11n * M),
  )
  const done = (await Promise.allSettled(attempts)).map(({ status }) => status === 'fulfilled')
  const [ins, outs] = [0, 1].map((parity) => done.filter((ok, n) => ok && n % 2 === parity).length)
  expect(await holdings(memberId, 'USDT')).toEqual([
    50n * M - BigInt(ins!) * 7n * M,
    50n * M + BigInt(ins!) * 7n * M - BigInt(outs!) * 11n * M,
    BigInt(outs!) * 11n * M,
  ])
  expect(ins).toBe(7)
  books.advance(5 * MINUTE_MS)
  expect(await books.savings.arriveDue()).toBe(outs)
  expect(await books.audit()).toEqual([])
})

test('with concurrent, late and disconnected workers each amount arrives once', async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => member({ USDT: 100n * M })))
  for (const memberId of members) {
    await into(memberId, 'USDT', 100n * M)
    for (let part = 0; part < 6; part++) await outOf(memberId, 'USDT', 6n * M)
  }
  books.advance(40 * HOUR_MS)
  const cutter = await createTestDatabase()
  let running = true
  const cutting = (async () => {
    // On a busy machine a transaction takes longer than the first pauses, so they grow.
    for (let longestMs = 40; running; longestMs *= 1.1) {
      await cutter.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and state <> 'idle'`,
        [new URL(database.url).pathname.slice(1)],
      )
      await sleep(10 + Math.random() * longestMs)
    }
  })()
  const workers = () => Promise.allSettled([1, 2, 3].map(() => books.savings.arriveDue()))
  try {
    for (let round = 0; round < 3; round++) await workers()
  } finally {
    running = false
    await cutting
  }
  await cutter.close()
  await workers()
  expect(await books.savings.nextArrival()).toBeNull()
  for (const memberId of members) {
    expect(await holdings(memberId, 'USDT')).toEqual([36n * M, 64n * M, 0n])
    const arrivals = (await postings(memberId)).filter((line) => line.startsWith('savings_arrival'))
    expect(arrivals).toHaveLength(6)
  }
  expect(await books.audit()).toEqual([])
})

test('a transfer that began before midnight counts for its day, however late it commits', async () => {
  const day = addDays(books.today(), 1)
  await catchUp()
  const memberId = await member({ USDT: 1_000n * M })
  books.goTo(day, -1)
  const [transferred, committed] = [signal(), signal()]
  const late = inTx(books.db, async (dbTx) => {
    await books.savings.transferIn(dbTx, memberId, { asset: 'USDT', amountMicros: 1_000n * M })
    transferred.give()
    await committed.promise
  })
  await transferred.promise
  books.goTo(addDays(day, 1))
  let settled = false
  const settling = books.settlement.settle(addDays(day, -1)).then(() => {
    settled = true
  })
  await sleep(200)
  expect(settled).toBe(false)
  committed.give()
  await Promise.all([late, settling])
  await books.attest('USDT', 10n * M, 'savings_pool')
  books.goTo(addDays(day, 1), 1)
  await books.settlement.settle(day)
  // Attested after the day: the pool was empty at its end.
  expect((await interestOf(memberId)).map(({ day, paid, due }) => [day, due, paid])).toEqual([
    [day, '0.493150', '0.000000'],
  ])
  expect(await books.audit()).toEqual([])
})

const interestOf = async (memberId: bigint) =>
  (await accounts().interest(books.db, memberId, { limit: 100 })).items

test("the account shows totals in USDT worth, yesterday's and total interest, and the coverage", async () => {
  books.goTo(addDays(books.today(), 1))
  await catchUp()
  await books.price('AMC', '0.5')
  const memberId = await member({ USDT: 1_000n * M, AMC: 4_000n * M })
  await into(memberId, 'USDT', 1_000n * M)
  await into(memberId, 'AMC', 4_000n * M)
  await books.attest('AMC', 3n * M, 'savings_pool')
  const day = books.today()
  books.goTo(addDays(day, 2), HOUR_MS)
  await catchUp()
  const [first] = (await interestOf(memberId)).filter(({ asset }) => asset === 'AMC')
  // 4,000 x 18% / 365 = 1.972602...; only this member has AMC in savings.
  expect(first).toEqual({
    asset: 'AMC',
    day: addDays(day, 1),
    principal: '4000.000000',
    rate_ppm: 180_000,
    due: '1.972602',
    coverage_ppm: 1_000_000,
    paid: '1.972602',
  })
  await outOf(memberId, 'AMC', 1_000n * M)
  const account = await accounts().account(books.db, memberId)
  const amc = account.assets.find(({ asset }) => asset === 'AMC')!
  expect(amc).toEqual({
    asset: 'AMC',
    savings: '3001.972602',
    leaving: '1000.000000',
    available: '0.000000',
    yesterday_income: '1.972602',
    total_earned: '1.972602',
    rate_ppm: 180_000,
  })
  const usdt = account.assets[0]!
  expect(account).toMatchObject({
    total_amount: sum(usdt.savings, '1500.986301'),
    yesterday_income: sum(usdt.yesterday_income, '0.986301'),
    total_earned: sum(usdt.total_earned, '0.986301'),
    total_holding_value: sum(usdt.savings, '2000.986301'),
    locked_amc: '0.000000',
    prices: { AMC: '0.500000' },
    fast_up_to_usdt: '1000.000000',
    fast_delay_ms: 5 * MINUTE_MS,
    slow_delay_ms: 72 * HOUR_MS,
  })

  books.goTo(addDays(day, 3), HOUR_MS)
  await catchUp()
  // Principal 3,001.972602 - due 1.480424; the pool holds 3 - 1.972602.
  expect((await interestOf(memberId))[1]).toMatchObject({
    due: '1.480424',
    coverage_ppm: 693_989,
    paid: '1.027397',
  })
  const { totals, days } = await accounts().coverage(books.db)
  expect(totals.find(({ asset }) => asset === 'AMC')).toEqual({
    asset: 'AMC',
    due: '3.453026',
    paid: '2.999999',
    coverage_ppm: 868_802,
  })
  expect(days.filter(({ asset }) => asset === 'AMC')).toHaveLength(2)
  expect(await books.audit()).toEqual([])
})

test('lists are paged, and contain only the member’s own entries', async () => {
  const memberId = await member({ USDT: 10n * M })
  for (let n = 1n; n <= 5n; n++) await into(memberId, 'USDT', n)
  await outOf(memberId, 'USDT', 3n)
  const list = (query: object) => books.savings.transfers(books.db, memberId, { limit: 4, ...query })
  const first = await list({})
  expect(first.items.map(({ direction, amount }) => `${direction} ${amount}`)).toEqual([
    'out 0.000003',
    'in 0.000005',
    'in 0.000004',
    'in 0.000003',
  ])
  const second = await list({ cursor: first.next! })
  expect([second.items.length, second.next]).toEqual([2, null])
  expect((await list({ leaving: true })).items).toHaveLength(1)
  expect((await list({ direction: 'in' })).items.every(({ direction }) => direction === 'in')).toBe(true)

  const saver = (
    await sql<{ id: bigint }>`
    select member_id as id from savings_interest group by member_id order by count(*) desc limit 1`.execute(
      books.db,
    )
  ).rows[0]!.id
  const all = await interestOf(saver)
  const paged: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await accounts().interest(books.db, saver, { limit: 2, cursor })
    paged.push(...page.items)
    if (page.next === null) break
    cursor = page.next
  }
  expect(all.length).toBeGreaterThan(2)
  expect(paged).toEqual(all)
  expect(await interestOf(memberId)).toEqual([])
})

test('an amount that cannot arrive does not block others', async () => {
  const [stuck, other] = [await member({ USDT: 10n * M }), await member({ USDT: 10n * M })]
  for (const memberId of [stuck, other]) await into(memberId, 'USDT', 10n * M)
  const { transfer_id } = await outOf(stuck, 'USDT', 10n * M)
  await outOf(other, 'USDT', 10n * M)
  // Its key is used by another posting, which must not happen.
  const at = books.now()
  await books.ledger.post(books.db, {
    key: `savings/${transfer_id}/available`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: books.today(),
    at,
    lines: [
      { memberId: stuck, asset: 'USDT', source: 'external', destination: 'available', amountMicros: 1n },
    ],
  })
  books.advance(5 * MINUTE_MS)
  await expect(books.savings.arriveDue()).rejects.toThrow('savings did not arrive')
  expect(await holdings(other, 'USDT')).toEqual([10n * M, 0n, 0n])
  expect(await holdings(stuck, 'USDT')).toEqual([1n, 0n, 10n * M])
  expect(await books.audit()).toEqual([])
})

async function catchUp(): Promise<void> {
  await books.settlement.catchUp(0)
}

function sum(a: string, b: string): string {
  const micros = (text: string) => BigInt(text.replace('.', ''))
  const total = `${micros(a) + micros(b)}`.padStart(7, '0')
  return `${total.slice(0, -6)}.${total.slice(-6)}`
}

/** Nobody signs in these books. */
const walletOf = (memberId: bigint) => ({ memberId, address: `0x${'0'.repeat(40)}` })
const standingOf = (savings: Pick<SavingsService, 'transferIn'>) =>
  createStandingSavings({ db: books.db, now: books.now, oneWay: books.oneWay, savings })

test('a standing transfer moves its amount once on each of its days, and nothing if less is available', async () => {
  const memberId = await member({ USDT: 100n * M })
  const standing = standingOf(books.savings)
  const set = (amount: string) =>
    inTx(books.db, (dbTx) =>
      standing.set(dbTx, walletOf(memberId), { asset: 'USDT', amount, every: 'day', on_day: 1 }),
    )
  expect((await set('60')).items[0]).toMatchObject({
    amount: '60.000000',
    next_day: addDays(books.today(), 1),
    last_day: null,
    last_outcome: null,
  })
  expect(await standing.moveDue()).toBe(0)
  for (const [every, on_day] of [
    ['day', 2],
    ['week', 8],
    ['month', 29],
  ] as const)
    await expect(
      inTx(books.db, (dbTx) =>
        standing.set(dbTx, walletOf(memberId), { asset: 'USDT', amount: '1', every, on_day }),
      ),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })

  // Two processes and two missed days make one transfer.
  books.advance(3 * 24 * HOUR_MS)
  const made = await Promise.all([standing.moveDue(), standing.moveDue()])
  expect(made.toSorted()).toEqual([0, 1])
  expect(await holdings(memberId, 'USDT')).toEqual([40n * M, 60n * M, 0n])
  expect((await standing.list(books.db, memberId)).items[0]).toMatchObject({
    last_day: books.today(),
    last_outcome: 'moved',
    next_day: addDays(books.today(), 1),
  })

  books.advance(24 * HOUR_MS)
  expect(await standing.moveDue()).toBe(0)
  expect(await holdings(memberId, 'USDT')).toEqual([40n * M, 60n * M, 0n])
  expect((await standing.list(books.db, memberId)).items[0]).toMatchObject({ last_outcome: 'short' })

  await set('40')
  await inTx(books.db, (dbTx) => standing.end(dbTx, memberId, 'USDT'))
  books.advance(24 * HOUR_MS)
  expect(await standing.moveDue()).toBe(0)
  expect(await postings(memberId)).toEqual(['savings_in USDT available savings 60000000'])
  expect(await books.audit()).toEqual([])
})

test('a standing transfer that fails half-way is executed later, and a refused one stays due', async () => {
  const memberId = await member({ USDT: 10n * M })
  const order = { asset: 'USDT', amount: '10', every: 'day', on_day: 1 } as const
  const dying = standingOf({
    async transferIn(...args) {
      await books.savings.transferIn(...args)
      throw new Error('the process dies here')
    },
  })
  await inTx(books.db, (dbTx) => dying.set(dbTx, walletOf(memberId), order))
  books.advance(24 * HOUR_MS)
  await expect(dying.moveDue()).rejects.toThrow('standing transfers were not made')
  expect(await holdings(memberId, 'USDT')).toEqual([10n * M, 0n, 0n])

  const standing = standingOf(books.savings)
  const pausing = { area: 'savings', pausedBy: 'test', reason: 'test', pausedAt: books.now() } as const
  await inTx(books.db, (dbTx) => pause(dbTx, pausing))
  expect(await standing.moveDue()).toBe(0)
  expect((await standing.list(books.db, memberId)).items[0]).toMatchObject({ last_outcome: null })
  await inTx(books.db, (dbTx) => resume(dbTx, 'savings'))
  expect(await standing.moveDue()).toBe(1)
  expect(await holdings(memberId, 'USDT')).toEqual([0n, 10n * M, 0n])
  expect(await books.audit()).toEqual([])
})

test('splitting does not shorten the wait: the worth of 24 hours counts, over both assets', async () => {
  const memberId = await member({ USDT: 3_000n * M, AMC: 3_000n * M })
  await into(memberId, 'USDT', 3_000n * M)
  await into(memberId, 'AMC', 3_000n * M)
  const hours = (asset: Asset, amountMicros: bigint) => hoursOut(memberId, asset, amountMicros)
  await books.price('AMC', '0.5')
  expect(await hours('AMC', 1_000n * M)).toBe(FAST)
  expect(await hours('USDT', 500n * M)).toBe(FAST)
  expect((await accounts().account(books.db, memberId)).recent_out_usdt).toBe('1000.000000')
  // Each counts at its worth when it was asked for.
  await books.price('AMC', '0.1')
  expect(await hours('USDT', 1n)).toBe(SLOW)
  await books.price('AMC', '0.5')
  // One exactly 24 hours old no longer counts.
  books.advance(24 * HOUR_MS - 1)
  expect(await hours('USDT', 1n)).toBe(SLOW)
  books.advance(1)
  expect(await hours('USDT', 999n * M)).toBe(FAST)
  expect(await hours('AMC', 2n * M)).toBe(SLOW)
  // At once, no more than the bound leaves fast.
  books.advance(24 * HOUR_MS)
  const parts = await Promise.all(Array.from({ length: 4 }, () => hours('USDT', 350n * M)))
  expect(parts.toSorted((a, b) => a - b)).toEqual([FAST, FAST, SLOW, SLOW])
  expect(await books.audit()).toEqual([])
})

test('the audit detects savings that differ from the ledger', async () => {
  const checks = async () => [...new Set((await books.audit()).map(({ check }) => check))]
  const memberId = await member({ USDT: 1_000n * M })
  await into(memberId, 'USDT', 1_000n * M)
  books.goTo(addDays(books.today(), 2))
  await catchUp()
  expect(await checks()).toEqual([])
  const owner = await createTestDatabase({ copyOf: await closedCopy() })
  const broken = createTestBooks(owner, FIRST_DAY)
  const checksBrokenBy = async (breach: string) => {
    const client = await owner.pool.connect()
    await tamperAs(client, ...breach.split(';')).finally(() => client.release())
    return [...new Set((await broken.audit()).map(({ check }) => check))]
  }
  expect(
    await checksBrokenBy(`update savings_transfers set amount_micros = 7 where member_id = ${memberId}`),
  ).toEqual(['savings transfer'])
  expect(
    await checksBrokenBy(`update savings_transfers set amount_micros = 1000000000, arrived_at = null, direction = 'out'
      where member_id = ${memberId}`),
  ).toEqual(['savings transfer', 'savings leaving'])
  expect(
    await checksBrokenBy(`update savings_transfers set arrived_at = created_at, direction = 'in' where member_id = ${memberId};
      update savings_interest set principal_micros = principal_micros + 10000 where member_id = ${memberId}`),
  ).toEqual(['savings principal', 'savings due'])
  expect(
    await checksBrokenBy(`update savings_interest set principal_micros = principal_micros - 10000 where member_id = ${memberId};
      update savings_batches set account_count = account_count + 1 where asset = 'USDT'`),
  ).toEqual(['savings batch'])
  await owner.close()
})

/** Copies the books of a database without open connections. */
async function closedCopy(): Promise<string> {
  await database.db.destroy()
  return database.url
}
