import type { FundDesk } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { decide, newAdmin, prepare, type TestAdmin } from '../../../testing/admin-actions.ts'
import { executeInvestment, finalDeposit, listDestination } from '../../../testing/exit-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { unsigned } from '../../../testing/unsigned.ts'

let server: TestServer
let operator: TestAdmin
let approver: TestAdmin
let viewer: TestAdmin
let member: SignedIn
let productId: bigint
const db = () => server.database.db
const EVIDENCE = {
  held_at: 'Harbour Bank',
  document: { title: 'rent.txt', media_type: 'text/plain', content: 'AAAA' },
}

beforeAll(async () => {
  server = await startTestServer()
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  viewer = await newAdmin(server, 'viewer')
  member = await signIn(server, newWallet())
  const { ledger } = server.services
  const at = new Date()
  await ledger.post(db(), {
    key: 'gift',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: at.toISOString().slice(0, 10),
    at,
    lines: [
      {
        memberId: member.memberId,
        asset: 'USDT',
        amountMicros: parseMicros('1000'),
        source: 'external',
        destination: 'available',
      },
    ],
  })
  const text = 'Flats that are let'
  const opened = await prepare(server, operator, 'fund_product', {
    name: 'Flats',
    risk_level: 2,
    estimated_annual_return: 0,
    minimum_usd: '10',
    lock_days: 0,
    introduction: { en: text, 'zh-Hans': text, ja: text, ko: text },
    redeemable_weekdays: [1, 2, 3, 4, 5, 6, 7],
    subscription_ppm: 0,
    redemption_ppm: 0,
    management_ppm: 0,
    documents: [],
    opening_nav: '10',
    max_member_units: null,
    max_units: null,
    sold_ppm: null,
  })
  await decide(server, approver, opened)
  productId = BigInt((await call(server, 'admin/fund/products', { as: viewer })).data.items[0].product_id)
  await inTx(db(), (dbTx) =>
    unsigned(server.services).fund.orders.buy(dbTx, member as never, {
      productId,
      units: 100n,
      payWith: 'available',
    }),
  )
})
afterAll(() => server.close())

const path = () => `admin/fund/products/${productId}/desk`
const desk = async (): Promise<FundDesk> => (await call(server, path(), { as: viewer })).data
const ask = (units: bigint) =>
  inTx(db(), (dbTx) => server.services.fund.redemptions.request(dbTx, member.memberId, productId, units))

test('the desk of a product is visible to every admin, and to nobody else', async () => {
  expect((await call(server, path())).status).toBe(401)
  expect((await call(server, path(), { as: member })).status).toBe(403)
  expect((await call(server, 'admin/fund/products/999/desk', { as: viewer })).data.error).toBe(
    'PRODUCT_NOT_FOUND',
  )
})

test('the desk shows the requests, the open proposal about the first one, and the amount that may be invested', async () => {
  const [first, second] = [await ask(10n), await ask(5n)]
  const payload = { member_id: `${member.memberId}`, redemption_id: first.redemption_id, approve: true }
  const proposal = await prepare(server, operator, 'fund_redemption', payload)
  expect(await desk()).toMatchObject({
    cash: '1000.000000',
    investable: '1000.000000',
    is_invested: false,
    stale_at: null,
    began_nav: null,
    pending: {
      length: 2,
      units: '15',
      value: '150.000000',
      items: [
        { redemption_id: first.redemption_id, member_id: `${member.memberId}`, units: '10' },
        { redemption_id: second.redemption_id, value: '50.000000' },
      ],
    },
    proposals: { redemption: proposal.proposal_id, valuation: null, invest: null },
  })
  expect((await decide(server, approver, proposal)).status).toBe(200)
  const after = await desk()
  expect(after).toMatchObject({ investable: '900.000000', pending: { length: 1, units: '5' } })
  expect(after.redemptions).toMatchObject([{ place: 1, units: '10', waits_for: 'time' }])
  expect(Date.parse(after.redemptions[0]!.due_at) - Date.parse(after.redemptions[0]!.approved_at)).toBe(
    72 * 3_600_000,
  )
})

test('an investment, a valuation and a return are on the desk with their evidence and both people', async () => {
  const destination = await listDestination(server, { operator, approver })
  const invest = await prepare(server, operator, 'fund_invest', {
    product_id: `${productId}`,
    amount: '600',
    destination,
    ...EVIDENCE,
  })
  expect((await desk()).proposals.invest).toBe(invest.proposal_id)
  const { data } = await decide(server, approver, invest)
  expect(data.state).toBe('Applied')
  expect(await desk()).toMatchObject({ announced: '600.000000', proposals: { invest: null } })
  const [placed] = (await desk()).investments
  await executeInvestment(server, BigInt(placed!.investment_id))
  const value = { product_id: `${productId}`, value: '650', ...EVIDENCE }
  const valuation = await prepare(server, operator, 'fund_valuation', value)
  expect(await desk()).toMatchObject({
    proposed: { kind: 'valuation', value: '650.000000', stops_dealing: true },
    proposals: { valuation: valuation.proposal_id },
  })
  await decide(server, approver, valuation)
  const deposit_id = await finalDeposit(server, 701n, '50')
  const divest = { product_id: `${productId}`, amount: '50', left: '600', deposit_id, ...EVIDENCE }
  await decide(server, approver, await prepare(server, operator, 'fund_divest', divest))
  const people = { prepared_by: operator.address }
  const { investments, valuations, ...after } = await desk()
  expect(after).toMatchObject({
    cash: '450.000000',
    invested: '600.000000',
    net_assets: '1050.000000',
    nav: '10.500000',
    is_invested: true,
    began_nav: '10.000000',
    stale: false,
    proposed: null,
  })
  expect(Date.parse(after.stale_at!) - Date.parse(after.valued_at!)).toBe(3 * 86_400_000)
  const evidence = { title: 'rent.txt', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
  expect(investments).toMatchObject([
    { state: 'invested', cost: '600.000000', value: '600.000000', evidence, ...people },
  ])
  expect(valuations).toMatchObject([
    { kind: 'divestment', amount: '50.000000', evidence, ...people, decided_by: approver.address },
    { kind: 'valuation', value: '650.000000', held_at: 'Harbour Bank', evidence, ...people },
  ])
})
