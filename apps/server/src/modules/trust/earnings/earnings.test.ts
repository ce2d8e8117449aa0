import type { EarningsFigures } from '@rif/api-schema'
import { addDays, type Day, defaultPlan, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { earningsReport } from '../../../cli/earnings.ts'
import { inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createServices, type Services } from '../../../services.ts'
import { parseScenario } from '../../../simulate/scenario.ts'
import { createBankEvents, simulatedChain } from '../../../simulate/simulated-chain.ts'
import { SIMULATION_SETTINGS, simulate } from '../../../simulate/simulation.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { checkEarnings } from './audit.ts'

const FIRST: Day = '2026-01-01'
const LAST: Day = '2026-01-30'
const NEXT = addDays(LAST, 1)
/** 22 members at level 1, of whom two invite one more each, and 3 at level 2. */
const NAMES = Array.from({ length: 22 }, (_, index) => `M${index}`)

function scenario(): string {
  const at = (day: Day, second: number) => new Date(startOfDay(day) + second * 1_000).toISOString()
  const join = (name: string, sponsor: string | null, second: number) => ({
    type: 'join',
    at: at(FIRST, second),
    member: name,
    sponsor,
    side: 'auto',
  })
  const order = (day: Day, second: number, name: string, price: number) => ({
    type: 'order',
    at: at(day, second),
    member: name,
    package: `Launch ${price}`,
    hash_power: false,
  })
  const attest = (day: Day, amount: string) => ({
    type: 'attest',
    at: at(day, 60),
    pool: 'yield_pool',
    asset: 'USDT',
    amount,
  })
  const events: { at: string }[] = [
    { type: 'price', at: at(FIRST, 0), asset: 'AMC', usdt: '0.5' } as { at: string },
    join('M0', null, 1),
    ...NAMES.slice(1).map((name, index) => join(name, 'M0', 2 + index)),
    ...['A', 'B', 'C'].map((name, index) => join(name, `M${index}`, 40 + index)),
    join('nobody', 'M0', 50),
    ...NAMES.map((name, index) => order(FIRST, 100 + index, name, 100)),
    // A second package within the first 30 days counts as paid.
    order('2026-01-10', 100, 'M3', 100),
    // On the last of the first 30 days of their sponsors.
    ...['A', 'B', 'C'].map((name, index) => order(LAST, 200 + index, name, 500)),
    attest('2026-01-02', '3'),
    attest('2026-01-20', '2'),
    ...Array.from({ length: 30 }, (_, index) => {
      const day = addDays(FIRST, index)
      return { type: 'close_day', at: at(addDays(day, 1), 0), day } as { at: string }
    }),
    // After the last settled day, so no figure includes it.
    order(NEXT, 100, 'B', 100),
  ]
  return events
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map((event) => JSON.stringify(event))
    .join('\n')
}

let database: TestDatabase
let services: Services
let clock = new Date(startOfDay(NEXT) + 3_600_000)
beforeAll(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app' })
  await simulate(database.db, parseScenario(scenario()), defaultPlan)
  services = createServices({
    db: database.db,
    now: () => clock,
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: SIMULATION_SETTINGS,
  })
})
afterAll(() => database.close())

/**
 * Sums in JavaScript the amounts that each member paid and received by the end of a day, directly from the
 * ledger postings.
 */
async function fromPostings(until: Day) {
  const { rows } = await sql<{
    memberId: bigint
    kind: string
    asset: string
    amount: bigint
    price: bigint | null
  }>`
    select p.member_id as "memberId", p.kind, p.asset, p.amount, b.amc_price_micros as price
    from ledger_standing as p left join reward_batches as b on b.batch = p.idempotency_key
    where p.accounting_day <= ${until}
      and p.kind in ('order_payment', 'commission', 'pairing', 'management', 'static')`.execute(database.db)
  const sums = new Map<bigint, { paid: bigint; back: bigint }>()
  for (const { memberId, kind, asset, amount, price } of rows) {
    const own = sums.get(memberId) ?? { paid: 0n, back: 0n }
    sums.set(memberId, own)
    const micros = asset === 'USDT' ? amount : (amount * (price ?? 500_000n)) / 1_000_000n
    if (kind === 'order_payment') own.paid += micros
    else own.back += micros
  }
  return [...sums.values()].filter(({ paid }) => paid > 0n)
}

const levelOf = ({ levels }: EarningsFigures, level: number) => levels.find((item) => item.level === level)!
async function firstRow<Row>(query: ReturnType<typeof sql>): Promise<Row> {
  const { rows } = await (query as ReturnType<typeof sql<Row>>).execute(database.db)
  return rows[0]!
}
const newest = async () => {
  const query = sql`select figures from earnings_days order by day desc limit 1`
  return (await firstRow<{ figures: EarningsFigures }>(query)).figures
}

describe('the published earnings', () => {
  it('are published once for the last settled day, by any number of workers', async () => {
    expect((await checkEarnings(database.db)) === undefined).toBe(true)
    const days = await Promise.all([services.earnings.publishDue(), services.earnings.publishDue()])
    expect(days.filter((day) => day !== null)).toEqual([LAST])
    expect(await services.earnings.publishDue()).toBeNull()
  })

  it('count every member with a package, and equal the sums of the postings', async () => {
    const figures = await newest()
    expect(figures).toMatchObject({ members: 25, without_package: 1, since: FIRST, fewest: 20 })
    const members = await fromPostings(LAST)
    const whole = members.filter(({ paid, back }) => back >= paid).length
    // M0 has 21 invited members and got back more than it paid; most got static rewards alone.
    expect(whole).toBeGreaterThan(0)
    expect(figures.all).toMatchObject({ whole, whole_by_commission: whole })
    const rates = members.map(({ paid, back }) => (100n * back) / paid)
    const parts = [0n, 5n, 10n, 25n, 50n, 100n]
    expect(figures.all!.spread.map((part) => part.members)).toEqual(
      parts.map((from, place) => {
        const to = parts[place + 1] ?? 1_000_000n
        return rates.filter((rate) => rate >= from && rate < to).length
      }),
    )
  })

  it('include the median of members who reached an age, and nothing for fewer than 20', async () => {
    const figures = await newest()
    const [month, quarter, year] = levelOf(figures, 1).ages
    expect(month).toMatchObject({ days: 30, members: 22 })
    expect(month!.median_ppm).toBeGreaterThan(0)
    expect(month!.median_ppm).toBeLessThan(100_000)
    expect([quarter, year]).toMatchObject([
      { members: 0, median_ppm: null },
      { members: 0, median_ppm: null },
    ])
    // The three of level 2 are too few, so the one other level is not published either.
    expect(levelOf(figures, 2)).toMatchObject({
      members: 3,
      whole: null,
      ages: [{ members: 0, median_ppm: null }, {}, {}],
    })
    expect(levelOf(figures, 1).whole).toBeNull()
  })

  it('are the same when recomputed from the ledger', async () => {
    const check = (await checkEarnings(database.db, LAST))!
    expect(check).toMatchObject({ day: LAST, unconfirmed: [], agrees: true })
    expect(check.recomputed).toEqual(await newest())
    expect(earningsReport(check)).toMatchObject({ exitCode: 0 })
  })

  it('are served to everybody', async () => {
    expect(await services.earnings.latest()).toMatchObject({ published: { day: LAST } })
  })
})

describe('after a reorganisation', () => {
  it('omits a reversed order and its reversed rewards, also from an age that has ended', async () => {
    const before = await newest()
    const { rows } = await sql<{ memberId: bigint; orderId: bigint; txHash: `0x${string}` }>`
      select member_id as "memberId", order_id as "orderId", tx_hash as "txHash" from orders
      where member_id = (select min(member_id) from orders where level = 2) and level = 2`.execute(
      database.db,
    )
    const { memberId, orderId, txHash } = rows[0]!
    const sponsor = sql`select back_micros as back from earnings_windows
      where age = 30 and member_id = (select sponsor_id from members where member_id = ${memberId})`
    const backBefore = await firstRow<{ back: bigint }>(sponsor)
    clock = new Date(startOfDay(NEXT) + 7_200_000)
    const order = await services.shop.get(database.db, memberId, orderId)
    const event = { ...createBankEvents(simulatedChain()).orderPaid(order, clock), txHash }
    await inTx(database.db, (dbTx) => services.eventHandlers.OrderPaid!.onUndone!(dbTx, event))
    clock = new Date(startOfDay(addDays(NEXT, 1)))
    await services.settlement.settle(NEXT)
    expect(await services.earnings.publishDue()).toBe(NEXT)

    const after = await newest()
    expect(after).toMatchObject({ members: before.members - 1, without_package: 2 })
    expect(levelOf(after, 2).members).toBe(2)
    expect(levelOf(after, 1).ages[0]!.members).toBe(22)
    // The sponsor lost the commission of the order, although the sponsor's 30 days had ended.
    expect((await firstRow<{ back: bigint }>(sponsor)).back).toBeLessThan(backBefore.back)
    const check = (await checkEarnings(database.db))!
    expect(check).toMatchObject({ day: NEXT, unconfirmed: [], agrees: true })
  })

  it('reports figures of an earlier day that the books no longer confirm', async () => {
    const check = (await checkEarnings(database.db, LAST))!
    expect(check.agrees).toBe(false)
    expect(earningsReport(check).exitCode).toBe(1)
    expect(earningsReport(check).lines.join('\n')).toContain('DIFFERENT')
  })

  it('does not let the server change what it published', async () => {
    await expect(sql`update earnings_days set figures = '{}'`.execute(database.db)).rejects.toThrow(
      /permission denied/,
    )
  })
})
