import { MONEY_WAYS, type MoneyPolicy } from '@rif/api-schema'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let policy: MoneyPolicy
beforeAll(async () => {
  server = await startTestServer()
  const answer = await server.app.inject({ method: 'GET', url: '/api/v1/money/policy' })
  expect(answer.statusCode).toBe(200)
  policy = answer.json().data
})
afterAll(() => server.close())

test('the policy lists exactly the kinds of the flow table that touch `external`', async () => {
  const { rows } = await sql<{ kind: string; direction: string; assets: string[]; accounts: string[] }>`
    select kind, direction, array_agg(distinct asset order by asset) as assets,
      array_agg(distinct account order by account) as accounts
    from ledger_flows, lateral (values
      (case when destination = 'external' then 'out' when asset in ('USDT', 'AMC') then 'in' else 'credit' end,
       case when destination = 'external' then source else destination end)) as way (direction, account)
    where 'external' in (source, destination)
    group by kind, direction`.execute(server.database.db)
  const ways = policy.ways.map(({ kind, direction, assets, accounts }) => ({
    kind,
    direction,
    assets: assets.toSorted(),
    accounts: accounts.toSorted(),
  }))
  const refund = {
    kind: 'suspense_release',
    direction: 'out',
    assets: ['AMC', 'USDT'],
    accounts: ['suspense'],
  }
  const byKind = (a: { kind: string; direction: string }, b: typeof a) =>
    `${a.kind} ${a.direction}` < `${b.kind} ${b.direction}` ? -1 : 1
  expect(ways.toSorted(byKind)).toEqual([...rows, refund].toSorted(byKind))
  expect(new Set(ways.map(({ kind }) => kind))).toEqual(new Set(MONEY_WAYS))
})

test('only attested revenue fills the pools of rewards, interest and dividends, and only sales the pool of commissions', () => {
  const into = (account: string) => [
    ...new Set(
      policy.flows
        .filter(({ destination }) => destination === account)
        .map(({ kind, source }) => `${kind} from ${source}`),
    ),
  ]
  for (const pool of ['yield_pool', 'savings_pool', 'dividend_pool'])
    expect(into(pool)).toEqual(['attested_revenue from external'])
  // A reversed commission returns to its pool; the operator covers the missing part.
  expect(into('commission_pool')).toEqual(['order_payment from external', 'reversal_advance from shortfall'])
  expect(into('fund_custody')).toEqual([
    'fund_purchase from available',
    'fund_purchase from external',
    'fund_divest from external',
    'reversal_advance from shortfall',
  ])
})

test("money leaves in exactly four ways, exits after the contract's delay", () => {
  const out = policy.ways.filter(({ direction }) => direction === 'out')
  // The last two are bookings only: no token leaves by them.
  expect(out.map(({ kind, ordered_by, delay_ms }) => [kind, ordered_by, delay_ms])).toEqual([
    ['withdrawal_paid', 'member', null],
    ['treasury_payout', 'two_admins', 48 * 3_600_000],
    ['fund_invest', 'two_admins', 48 * 3_600_000],
    ['suspense_release', 'two_admins', null],
    ['claim_set_aside', 'nobody', null],
    ['payment_made_good', 'nobody', null],
  ])
})

test('states the rules that the contract enforces, and lists the whole flow table', async () => {
  const { bank } = server.chain.contracts
  expect(policy.contract).toMatchObject({
    address: getAddress(bank),
    hand_over_delay_ms: 7 * 86_400_000,
    destinations: [],
  })
  expect(policy.contract!.caps.map(({ asset, claimed_today }) => [asset, claimed_today])).toEqual([
    ['USDT', '0.000000'],
    ['AMC', '0.000000'],
  ])
  const { rows } = await sql<object>`select kind, asset, source, destination from ledger_flows`.execute(
    server.database.db,
  )
  expect(policy.flows).toEqual(rows)
})
