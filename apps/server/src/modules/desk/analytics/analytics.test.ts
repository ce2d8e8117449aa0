import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPlan, formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../../lib/logger.ts'
import { createServices, type Services } from '../../../services.ts'
import { parseScenario } from '../../../simulate/scenario.ts'
import { simulatedChain } from '../../../simulate/simulated-chain.ts'
import { SIMULATION_SETTINGS, simulate } from '../../../simulate/simulation.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { ANALYTICS_CHECKS } from './audit.ts'
import { REWARDS_COLUMNS } from './csv.ts'

const FIXTURES = join(import.meta.dirname, '../../../simulate/fixtures')
/** The range of the scenario, the longest that the API accepts. */
const YEAR = { from: '2026-01-01', to: '2026-12-31' }
const NOW = new Date('2026-12-31T12:00:00Z')
/** Milliseconds since `NOW`. */
let laterMs = 0

interface Books {
  readonly database: TestDatabase
  readonly services: Services
}

/** Creates a database with the results of a scenario, produced through the services with the server's rights. */
async function booksOf(name: string): Promise<Books> {
  const database = await createTestDatabase({ max: 4, role: 'rif_app' })
  const text = await readFile(join(FIXTURES, `${name}.jsonl`), 'utf8')
  await simulate(database.db, parseScenario(text), defaultPlan)
  const services = createServices({
    db: database.db,
    now: () => new Date(NOW.getTime() + laterMs),
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: SIMULATION_SETTINGS,
  })
  return { database, services }
}

const NAMES = ['worked-example', 'withdrawals', 'fund'] as const
const books = new Map<(typeof NAMES)[number], Books>()
beforeAll(async () => {
  for (const name of NAMES) books.set(name, await booksOf(name))
})
afterAll(() => Promise.all([...books.values()].map(({ database }) => database.close())))

const differences = async ({ database }: Books) =>
  (await auditLedger(database.db, { checks: ANALYTICS_CHECKS })).filter(({ check }) =>
    ANALYTICS_CHECKS.some(({ name }) => name === check),
  )

async function firstRow<Row>({ database }: Books, query: ReturnType<typeof sql>): Promise<Row> {
  const { rows } = await (query as ReturnType<typeof sql<Row>>).execute(database.db)
  return rows[0]!
}

it.each(NAMES)('has correct daily counts, folded or not: %s', async (name) => {
  const example = books.get(name)!
  expect(await differences(example)).toEqual([])
  const { services, database } = example
  const before = await services.ledger.flows.turnover(database.db, YEAR)
  // Several concurrent transactions, one of which is rolled back.
  const undone = database.db.transaction().execute(async (dbTx) => {
    await services.ledger.flows.fold(dbTx)
    throw new Error('killed')
  })
  await Promise.allSettled([
    undone,
    ...Array.from({ length: 3 }, () => services.ledger.flows.fold(database.db)),
  ])
  await services.ledger.flows.fold(database.db)
  expect(await services.ledger.flows.fold(database.db)).toBe(0n)
  expect(await services.ledger.flows.turnover(database.db, YEAR)).toEqual(before)
  expect(await differences(example)).toEqual([])
})

it('does not let the server write the sums of the books', async () => {
  const { database } = books.get('fund')!
  await expect(sql`update ledger_flow_days set amount = amount + 1`.execute(database.db)).rejects.toThrow(
    /permission denied/,
  )
  await expect(sql`delete from ledger_flow_deltas`.execute(database.db)).rejects.toThrow(/permission denied/)
})

it('agrees with the rows on members and sales', async () => {
  const example = books.get('worked-example')!
  const { services, database } = example
  const members = await services.analytics.members(database.db, YEAR)
  const rows = await firstRow<{ members: bigint; valid: bigint }>(
    example,
    sql`select count(*) as members, count(valid_at) as valid from members`,
  )
  expect([members.members, members.valid]).toEqual([Number(rows.members), Number(rows.valid)])
  expect(members.days).toHaveLength(365)
  expect(members.days.at(-1)).toMatchObject({ members: members.members, valid: members.valid })
  expect(members.days[0]!.members).toBe(members.days[0]!.joined)
  const sales = await services.analytics.sales(database.db, YEAR)
  const paid = await firstRow<{ paid: bigint; base: string }>(
    example,
    sql`select count(*) as paid, sum(price_micros - case when use_hash_rate then discount_micros else 0 end)::text as base
      from orders where status = 'Paid'`,
  )
  expect(sales.totals).toMatchObject({ paid: Number(paid.paid), base: formatMicros(BigInt(paid.base)) })
  const funnel = await services.analytics.funnel(database.db, YEAR)
  expect(funnel.totals).toMatchObject({ joined: members.members, paid: members.valid })
  expect(funnel.totals.ordered).toBeGreaterThanOrEqual(funnel.totals.paid)
})

it('names a reward before coverage calculated in the file, never due', async () => {
  const { services, database } = books.get('worked-example')!
  const { days } = await services.analytics.rewards(database.db, YEAR)
  const owed = days.find(({ class: kind, due }) => kind === 'commission' && due !== '0.000000')!
  const row = Object.fromEntries(REWARDS_COLUMNS.map(([heading, of]) => [heading, of(owed)]))
  expect(row).toEqual({
    day: owed.day,
    class: 'commission',
    unit: 'USDT',
    calculated: owed.due,
    paid: owed.paid,
    coverage_ppm: owed.coverage_ppm,
  })
})

it('agrees with the books on rewards, pools and liabilities', async () => {
  for (const name of NAMES) {
    const example = books.get(name)!
    const { services, database } = example
    const rewards = await services.analytics.rewards(database.db, YEAR)
    const recorded = await sql<{ class: string; paid: string }>`
      select case type when 'PairingReward' then 'pairing' when 'Interest' then 'static'
        when 'ManagementReward' then 'management' else 'commission' end as class, sum(paid_micros)::text as paid
      from rewards group by 1`.execute(database.db)
    for (const { class: rewardClass, paid } of recorded.rows) {
      const total = rewards.totals.find((row) => row.class === rewardClass)
      expect(total, `${name} ${rewardClass}`).toMatchObject({
        unit: 'USDT',
        paid: formatMicros(BigInt(paid)),
      })
    }
    const pools = await services.analytics.pools(database.db, YEAR)
    const stored = await sql<{ account: string; asset: string; balance: bigint }>`
      select account, asset, balance from ledger_pool_sums where balance > 0`.execute(database.db)
    for (const { account, asset, balance } of stored.rows) {
      const pool = pools.accounts.find((row) => row.account === account && row.asset === asset)
      expect(pool, `${name} ${account}`).toMatchObject({
        opening: formatMicros(0n),
        closing: formatMicros(balance),
      })
    }
    const { assets, days } = await services.analytics.liabilities(database.db, YEAR)
    const balances = await sql<{ asset: string; account: string; amount: string }>`
      select asset, account, sum(balance)::text as amount from ledger_balances
      where ledger_account_class(account) = 'member' group by asset, account having sum(balance) > 0`.execute(
      database.db,
    )
    for (const { asset, account, amount } of balances.rows) {
      expect(assets.find((row) => row.asset === asset)).toMatchObject({
        [account]: formatMicros(BigInt(amount)),
      })
    }
    for (const { asset, members } of assets) {
      expect(days.findLast((row) => row.asset === asset)!.members).toBe(members)
    }
  }
})

it('agrees with the outcomes of withdrawals', async () => {
  const example = books.get('withdrawals')!
  const { services, database } = example
  const { assets } = await services.analytics.withdrawals(database.db, YEAR)
  for (const { asset, ...figures } of assets) {
    const rows = await firstRow<Record<string, string>>(
      example,
      sql`select count(*) as requested_count, coalesce(sum(amount_micros), 0) as requested,
          count(*) filter (where status = 'Success') as paid_count,
          coalesce(sum(amount_micros - fee_micros) filter (where status = 'Success'), 0) as paid,
          coalesce(sum(fee_micros) filter (where status = 'Success'), 0) as fees,
          count(*) filter (where status in ('Rejected', 'Cancelled')) as returned_count,
          coalesce(sum(amount_micros) filter (where status in ('Rejected', 'Cancelled')), 0) as returned,
          coalesce(sum(amount_micros) filter (where status in ('Auditing', 'Withdrawable')), 0) as under_way
        from withdrawals where asset = ${asset}`,
    )
    const expected = Object.entries(rows).map(([key, value]) => [
      key,
      key.endsWith('_count') ? Number(value) : formatMicros(BigInt(value)),
    ])
    expect(figures).toEqual(Object.fromEntries(expected))
  }
})

it("agrees with the fund's orders and redemptions", async () => {
  const example = books.get('fund')!
  const { services, database } = example
  const fund = await services.analytics.fund(database.db, YEAR)
  expect(fund.products.length).toBeGreaterThan(0)
  for (const product of fund.products) {
    const id = BigInt(product.product_id)
    const bought = await firstRow<{ count: bigint; value: string }>(
      example,
      sql`select count(*), coalesce(sum(units * nav_micros), 0)::text as value from fund_orders
        where product_id = ${id} and paid_at is not null`,
    )
    const redeemed = await firstRow<{ count: bigint; value: string }>(
      example,
      sql`select count(*), coalesce(sum(units * nav_micros), 0)::text as value from fund_redemptions
        where product_id = ${id} and status = 'Completed'`,
    )
    expect(product).toMatchObject({
      purchases: Number(bought.count),
      purchased: formatMicros(BigInt(bought.value)),
      redemptions: Number(redeemed.count),
      redeemed: formatMicros(BigInt(redeemed.value)),
    })
  }
  const fees = await firstRow<{ fees: string }>(
    example,
    sql`select coalesce(sum(fee_micros), 0)::text as fees from fund_orders where paid_at is not null`,
  )
  expect(fund.purchase_fees).toBe(formatMicros(BigInt(fees.fees)))
})

it('counts a wallet that requests a nonce once a day, and not once it is a member', async () => {
  const { services, database } = books.get('worked-example')!
  const stranger = `0x${'5e'.repeat(20)}` as const
  const visited = async () => (await services.analytics.funnel(database.db, YEAR)).totals.visited
  for (let time = 0; time < 3; time++) await services.auth.issueNonce(stranger)
  const root = await services.members.root(database.db)
  await services.auth.issueNonce(root!.address as `0x${string}`)
  await services.auth.tidy()
  expect(await visited()).toBe(1)
  // Another process sees the same wallet, at the same moment as this one again.
  const both = [services, createServices(services)]
  for (const { auth } of both) await auth.issueNonce(stranger)
  await Promise.all(both.map(({ auth }) => auth.tidy()))
  expect(await visited()).toBe(1)
  // Deleted rows remain counted.
  laterMs = 86_400_000
  await services.auth.tidy()
  laterMs = 0
  const left = await sql`select from sign_in_visits where address = ${stranger}`.execute(database.db)
  expect(left.rows).toEqual([])
  expect(await visited()).toBe(1)
})

it('lists pending items, alarms first', async () => {
  const { services, database } = books.get('withdrawals')!
  const { items } = await services.analytics.pending(database.db)
  const kinds = items.map(({ kind }) => kind)
  const auditing = await sql`select from withdrawals where status = 'Auditing'`.execute(database.db)
  expect(items.find(({ kind }) => kind === 'withdrawal_audit')?.count).toBe(
    auditing.rows.length === 0 ? undefined : auditing.rows.length,
  )
  // The scenario ends long before the clock of this test, so later days are not settled.
  expect(kinds).toContain('settlement_late')
  const severities = items.map(({ severity }) => severity)
  expect(severities).toEqual(severities.toSorted())
})
