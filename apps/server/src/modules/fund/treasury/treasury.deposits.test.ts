import { dayOf, parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { markSimulation } from '../../../db/simulation.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import { finalDeposit } from '../../../testing/exit-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { unsigned } from '../../../testing/unsigned.ts'

const PAPER = `0x${'ab'.repeat(32)}`
const EVIDENCE = {
  held_at: 'the custodian',
  document: { title: 'Statement', media_type: 'text/plain', content: 'AAAA' },
}

let server: TestServer
let operator: TestAdmin
let approver: TestAdmin
let other: TestAdmin
let member: SignedIn
let aheadMs = 0
let productId: bigint
const db = () => server.database.db

/** Creates a product with 100 USDT of cash, of which 80 are invested. */
beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(Date.now() + aheadMs) })
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  other = await newAdmin(server, 'approver')
  member = await signIn(server, newWallet())
  const { ledger } = server.services
  const at = new Date()
  await ledger.post(db(), {
    key: 'gift',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [
      {
        memberId: member.memberId,
        asset: 'USDT',
        source: 'external',
        destination: 'available',
        amountMicros: parseMicros('1000'),
      },
    ],
  })
  productId = await openInvested('Bonds')
})
afterAll(() => server.close())

const divestOf = (deposit_id: string | null, amount: string, of = productId) => ({
  product_id: `${of}`,
  amount,
  left: '50',
  deposit_id,
  ...EVIDENCE,
})
const attestationOf = (deposit_id: string, amount: string) => ({
  pool: 'yield_pool',
  asset: 'USDT',
  amount,
  source: 'rent',
  document_hash: PAPER,
  deposit_id,
})
const error = async (kind: 'fund_divest' | 'attestation', payload: object) =>
  (await tryPrepare(server, operator, kind, payload)).data

test('cash returns only with a final deposit of exactly its amount', async () => {
  const deposit = await finalDeposit(server, 801n, '30')
  const refused = { error: 'VALIDATION_FAILED' }
  expect(await error('fund_divest', divestOf(null, '30'))).toMatchObject(refused)
  expect(await error('fund_divest', divestOf('899', '30'))).toMatchObject(refused)
  expect(await error('fund_divest', divestOf(deposit, '31'))).toMatchObject(refused)
  expect(await error('fund_divest', divestOf(deposit, '0'))).toMatchObject(refused)
})

/** Opens a product of 10 units, of whose 100 USDT 80 are invested. */
async function openInvested(name: string): Promise<bigint> {
  const { fund } = server.services
  const introduction = { en: name, 'zh-Hans': name, ja: name, ko: name }
  const opened = await prepare(server, operator, 'fund_product', {
    name,
    introduction,
    risk_level: 2,
    estimated_annual_return: 50_000,
    minimum_usd: '0',
    lock_days: 0,
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
  const { items } = (await call(server, 'admin/fund/products', { as: operator })).data
  const opening = BigInt(items.find((item: { name: string }) => item.name === name).product_id)
  await inTx(db(), async (dbTx) => {
    await unsigned(server.services).fund.orders.buy(dbTx, member as never, {
      productId: opening,
      units: 10n,
      payWith: 'available',
    })
    const { investment_id: investmentId } = await fund.investments.setAside(dbTx, {
      productId: opening,
      amountMicros: parseMicros('80'),
      destination: '0x',
      preparedBy: 'a',
      approvedBy: 'b',
      evidence: { heldAt: 'the custodian', document: null },
    })
    await fund.investments.invest(dbTx, { investmentId })
  })
  return opening
}

test('one deposit serves either a divestment or an attestation, however close the approvals are', async () => {
  const deposit = await finalDeposit(server, 802n, '30')
  const waiting = async () => (await call(server, 'admin/deposits', { as: operator })).data.waiting
  const before = await waiting()
  const divest = await prepare(server, operator, 'fund_divest', divestOf(deposit, '30'))
  const attest = await prepare(server, operator, 'attestation', attestationOf(deposit, '30'))
  const answers = await Promise.all([decide(server, approver, divest), decide(server, other, attest)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject({ data: { error: 'DEPOSIT_USED' } })
  const isDivested = answers[0]!.status === 200
  const { rows } = await sql<{ use: string }>`
    select use from deposit_uses where deposit_id = ${deposit}`.execute(db())
  expect(rows).toEqual([{ use: isDivested ? 'divest' : 'attestation' }])
  const { ledger } = server.services
  const came = async () => [
    (await ledger.pools.balances(db(), `fund_custody:${productId}`)).USDT - parseMicros('20'),
    (await ledger.pools.balances(db(), 'yield_pool')).USDT,
  ]
  expect((await came()).toSorted()).toEqual([0n, parseMicros('30')].toSorted())
  expect(await waiting()).toBe(before - 1)
  // The other one can never be approved any more.
  expect((await decide(server, isDivested ? other : approver, isDivested ? attest : divest)).status).not.toBe(
    200,
  )
  expect((await came()).toSorted()).toEqual([0n, parseMicros('30')].toSorted())
})

test('a deposit that returned invested money is shown as such, and cannot be attested or used again', async () => {
  const deposit = await finalDeposit(server, 803n, '10')
  const open = (await call(server, 'admin/proposals?show=open', { as: operator })).data.items
  for (const { proposal_id } of open)
    await call(server, `admin/proposals/${proposal_id}/withdraw`, { as: operator, payload: {} })
  const divest = await prepare(server, operator, 'fund_divest', divestOf(deposit, '10'))
  expect((await decide(server, approver, divest)).data.state).toBe('Applied')
  expect(await error('attestation', attestationOf(deposit, '10'))).toMatchObject({
    error: 'DEPOSIT_USED',
  })
  expect(await error('fund_divest', divestOf(deposit, '10'))).toMatchObject({ error: 'DEPOSIT_USED' })
  const { items } = (await call(server, 'admin/deposits', { as: operator })).data
  expect(items.find((item: { deposit_id: string }) => item.deposit_id === deposit)).toMatchObject({
    attested: null,
    divested: true,
  })
})

test('one deposit serves one product, however close the proposals are, and is free again when a proposal lapses', async () => {
  const deposit = await finalDeposit(server, 814n, '20')
  const others = [await openInvested('Loans'), await openInvested('Ships')]
  const propose = (of: bigint) => tryPrepare(server, operator, 'fund_divest', divestOf(deposit, '20', of))
  const answers = await Promise.all(others.map(propose))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject({ data: { error: 'DEPOSIT_USED' } })
  const [won, lost] = answers[0]!.status === 200 ? [others[0]!, others[1]!] : [others[1]!, others[0]!]
  expect((await propose(lost)).data.error).toBe('DEPOSIT_USED')

  aheadMs = 25 * 3_600_000
  const { fund } = server.services
  const draft = { productId: lost, valueMicros: parseMicros('50'), amountMicros: parseMicros('20') }
  const evidence = { heldAt: 'the custodian', document: null }
  await inTx(db(), (dbTx) =>
    fund.valuations.propose(dbTx, { ...draft, depositId: deposit, evidence, actor: 'a' }),
  )
  aheadMs = 0
  expect(await fund.valuations.proposed(db(), lost)).toMatchObject({ deposit_id: deposit })
  const { rows } = await sql`select state from fund_valuations where product_id = ${won}`.execute(db())
  expect(rows).toEqual([{ state: 'lapsed' }])
})

test('the database refuses cash of a divestment without a deposit of its amount', async () => {
  const { fund, ledger } = server.services
  const divest = (depositId?: string) =>
    inTx(db(), async (dbTx) => {
      const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, {
        productId,
        amountMicros: parseMicros('5'),
        valueMicros: 0n,
        depositId,
        actor: 'anna',
        evidence: { heldAt: 'the custodian', document: null },
      })
      await fund.valuations.approve(dbTx, { valuationId, actor: 'ben' })
    })
  const custody = () => ledger.pools.balances(db(), `fund_custody:${productId}`)
  const before = await custody()
  await markSimulation(server.database.adminUrl, false)
  try {
    await expect(divest()).rejects.toMatchObject({ code: 'RL008' })
    await expect(divest('898')).rejects.toMatchObject({ code: 'RL008' })
    await expect(divest(await finalDeposit(server, 804n, '4'))).rejects.toMatchObject({ code: 'RL008' })
    expect(await custody()).toEqual(before)
    await divest(await finalDeposit(server, 805n, '5'))
  } finally {
    await markSimulation(server.database.adminUrl, true)
  }
  expect((await custody()).USDT - before.USDT).toBe(parseMicros('5'))
  // Nor can it be posted again under another key.
  const [last] = await fund.valuations.applied(db(), productId, 1)
  const { valuation_id: id } = last!
  for (const key of [`fund-divestment/${id}/2`, `fund-divestment/${id}/3`, `divestment/${id}`]) {
    const at = new Date()
    const again = ledger.post(db(), {
      key,
      kind: 'fund_divest',
      cause: { type: 'fund_valuation', id: `${id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        {
          memberId: 0n,
          asset: 'USDT',
          amountMicros: parseMicros('5'),
          source: 'external',
          destination: `fund_custody:${productId}`,
        },
      ],
    })
    await expect(again).rejects.toMatchObject({ code: 'RL008' })
  }
})
