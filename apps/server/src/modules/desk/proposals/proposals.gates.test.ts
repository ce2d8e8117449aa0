import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import { executeInvestment, listDestination } from '../../../testing/exit-actions.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { TEST_APPROVERS } from '../../../testing/test-signer.ts'
import { unsigned } from '../../../testing/unsigned.ts'

const M = 1_000_000n
let server: TestServer
let member: SignedIn
let other: SignedIn
let operator: TestAdmin
let approver: TestAdmin
let owner: TestAdmin
let owner2: TestAdmin
const db = () => server.database.db

beforeAll(async () => {
  server = await startTestServer()
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver', 'Vera', TEST_APPROVERS[0]!.account)
  owner = await newAdmin(server, 'owner')
  owner2 = await newAdmin(server, 'owner')
  member = await signIn(server, newWallet())
  other = await signIn(server, newWallet())
  await gift(member, 5_000n)
  for (const [asset, price] of [
    ['AMC', '0.5'],
    ['RIF', '0.5'],
  ]) {
    const proposal = await prepare(server, operator, 'price', { asset, price })
    expect((await decide(server, approver, proposal)).status).toBe(200)
  }
})
afterAll(() => server.close())

async function gift({ memberId }: SignedIn, whole: bigint): Promise<void> {
  const at = new Date()
  await server.services.ledger.post(db(), {
    key: `gift/${memberId}`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [
      { memberId, asset: 'USDT', source: 'external', destination: 'available', amountMicros: whole * M },
    ],
  })
}
const available = async ({ memberId }: SignedIn) =>
  (await server.services.ledger.balances(db(), memberId)).USDT.available
const withdraw = (as: SignedIn, amount: string, address?: string) =>
  callSigned(server, 'withdraw', { as, payload: { asset: 'USDT', amount, ...(address && { address }) } })
const path = (as: SignedIn, what: string) => `admin/members/${as.memberId}/${what}`

it('withdrawals under audit are decided, small ones together, with their risks', async () => {
  const target = newWallet().address
  const requests = [await withdraw(member, '30', target), await withdraw(member, '40', target)]
  const queue = (await call(server, 'admin/withdrawals', { as: operator })).data
  expect(queue).toMatchObject({ waiting: 2, items: [{ bulk: true }, { bulk: true }] })
  expect(queue.items[0].reasons).toEqual(['new_address'])
  const withdrawals = requests.map(({ data }) => ({
    member_id: `${member.memberId}`,
    withdraw_id: data.withdraw_id,
  }))
  const both = await prepare(server, operator, 'withdrawals', { approve: true, withdrawals })
  const proposed = (await call(server, 'admin/withdrawals', { as: operator })).data.items
  expect(proposed.map((row: { proposal_id: string }) => row.proposal_id)).toEqual(
    Array(2).fill(both.proposal_id),
  )
  expect((await decide(server, approver, both)).data.state).toBe('Applied')
  const { data } = await call(server, `withdraw/${requests[0]!.data.withdraw_id}`, { as: member })
  expect(data.status).toBe('Withdrawable')

  const third = await withdraw(member, '20', target)
  const thirdIds = { member_id: `${member.memberId}`, withdraw_id: third.data.withdraw_id }
  const rejection = await prepare(server, operator, 'withdrawals', {
    approve: false,
    withdrawals: [thirdIds],
  })
  const [row] = (await call(server, 'admin/withdrawals', { as: operator })).data.items
  expect(row.proposal_id).toBe(rejection.proposal_id)
  const before = await available(member)
  expect((await decide(server, approver, rejection)).status).toBe(200)
  expect((await available(member)) - before).toBe(20n * M)
  expect((await tryPrepare(server, operator, 'withdrawals', { approve: true, withdrawals })).data.error).toBe(
    'NOTHING_TO_REVIEW',
  )
})

it('a frozen member can move nothing, and unfreezing takes two', async () => {
  expect((await call(server, path(member, 'freeze'), { as: approver, payload: {} })).status).toBe(403)
  const frozen = await call(server, path(member, 'freeze'), {
    as: operator,
    payload: { reason: 'stolen key' },
  })
  expect(frozen.data).toMatchObject({ frozen: true, freeze_reason: 'stolen key' })
  const transfer = { address: other.address, asset: 'USDT', amount: '1' }
  const [claimable] = (await call(server, 'withdraws?status=Withdrawable', { as: member })).data.items
  const refused = await Promise.all([
    withdraw(member, '20'),
    call(server, 'order', { as: member, payload: { product_id: '1' } }),
    call(server, 'transfer', { as: member, payload: transfer }),
    call(server, 'savings/in', { as: member, payload: { asset: 'USDT', amount: '1' } }),
    call(server, 'fund/income/withdraw', { as: member, payload: { amount: '1' } }),
    call(server, `withdraw/claim/${claimable.withdraw_id}`, { as: member }),
  ])
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 403, data: { error: 'MEMBER_FROZEN' } })
  }
  const thaw = await prepare(server, operator, 'unfreeze', { member_id: `${member.memberId}` })
  expect((await decide(server, approver, thaw)).data.state).toBe('Applied')
  const flag = (flagged: boolean) =>
    call(server, path(member, 'flag'), { as: operator, payload: { flagged, reason: 'stolen key' } })
  expect((await flag(true)).status).toBe(200)
  const sent = await callSigned(server, 'transfer', { as: member, payload: transfer })
  expect(sent.data.status).toBe('Auditing')
  expect((await flag(false)).status).toBe(200)
  const [row] = (await call(server, 'admin/withdrawals', { as: operator })).data.items
  expect(row).toMatchObject({ is: 'transfer', id: sent.data.transfer_id, proposal_id: null, bulk: true })
  const transfers = [{ member_id: `${member.memberId}`, transfer_id: sent.data.transfer_id }]
  const before = await available(other)
  const approval = await prepare(server, operator, 'transfers', { approve: true, transfers })
  expect((await decide(server, approver, approval)).data.state).toBe('Applied')
  expect((await available(other)) - before).toBe(M)
})

it('a pause begins at once, affects only its area, and never an approved claim', async () => {
  for (const area of ['withdrawals', 'orders', 'sign_ups', 'settlement']) {
    expect((await tryPrepare(server, operator, 'pause', { area })).status).toBe(403)
    // A pause that was never signed does not block the next.
    const unsigned = await prepare(server, owner2, 'pause', { area })
    const stop = await prepare(server, owner, 'pause', { area })
    expect((await decide(server, owner2, unsigned)).data.error).toBe('PROPOSAL_FINAL')
    expect((await decide(server, owner, stop)).data.state).toBe('Applied')
  }
  expect((await withdraw(member, '20')).data.error).toBe('PAUSED')
  expect((await call(server, 'order', { as: member, payload: { product_id: '1' } })).data).toMatchObject({
    error: 'PAUSED',
    details: { area: 'orders' },
  })
  const transfer = { address: other.address, asset: 'USDT', amount: '1' }
  expect((await call(server, 'transfer', { as: member, payload: transfer })).data.error).toBe('PAUSED')
  const [claimable] = (await call(server, 'withdraws?status=Withdrawable', { as: member })).data.items
  expect((await call(server, `withdraw/claim/${claimable.withdraw_id}`, { as: member })).status).toBe(200)
  expect(await signIn(server, newWallet()).catch(() => 'refused')).toBe('refused')
  expect(await server.services.settlement.catchUp(0)).toEqual([])
  expect((await call(server, 'pauses')).data.paused).toHaveLength(4)

  for (const area of ['withdrawals', 'orders', 'sign_ups', 'settlement']) {
    const go = await prepare(server, owner, 'resume', { area })
    expect((await decide(server, owner, go)).data.error).toBe('OWN_PROPOSAL')
    expect((await decide(server, owner2, go)).data.state).toBe('Applied')
  }
  expect((await withdraw(member, '20')).status).toBe(200)
})

const orderAudit = async () => (await call(server, 'admin/orders', { as: operator })).data

it('a payment without an order is refunded to its payer', async () => {
  const { ledger } = server.services
  const at = new Date()
  const txHash = `0x${'d'.repeat(64)}`
  await inTx(db(), async (dbTx) => {
    await ledger.post(dbTx, {
      key: `unmatched/${txHash}/0`,
      kind: 'unmatched_payment',
      cause: { type: 'payment', id: txHash },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        {
          memberId: 0n,
          asset: 'USDT',
          amountMicros: 5n * M,
          source: 'external',
          destination: 'suspense',
        },
      ],
    })
    await sql`
      insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros,
        amc_micros, usdt_dust, amc_dust, paid_at, collected_at)
      values (0, ${txHash}, 0, 1, ${other.address.toLowerCase()}, 'unknown_order', ${5n * M}, 0, 0,
        0, ${at}, ${at})`.execute(dbTx)
  })
  const [waiting] = (await orderAudit()).payments.items
  expect(waiting).toMatchObject({
    member_id: '0',
    payer_member_id: `${other.memberId}`,
    order_member_id: null,
  })
  const payload = {
    member_id: '0',
    tx_hash: txHash,
    log_index: 0,
    to_member_id: waiting.payer_member_id,
    is_free: false,
  }
  const before = await available(other)
  const proposal = await prepare(server, operator, 'suspense', payload)
  expect((await decide(server, approver, proposal)).data.state).toBe('Applied')
  expect((await available(other)) - before).toBe(5n * M)
})

it('a refund states whether it is free, and its payer withdraws it without a fee', async () => {
  const at = new Date()
  const txHash = `0x${'e'.repeat(64)}`
  await inTx(db(), async (dbTx) => {
    await server.services.ledger.post(dbTx, {
      key: `unmatched/${txHash}/0`,
      kind: 'unmatched_payment',
      cause: { type: 'payment', id: txHash },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        {
          memberId: other.memberId,
          asset: 'USDT',
          amountMicros: 15n * M,
          source: 'external',
          destination: 'suspense',
        },
      ],
    })
    await sql`
      insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros,
        amc_micros, usdt_dust, amc_dust, paid_at, collected_at)
      values (${other.memberId}, ${txHash}, 0, 1, ${other.address.toLowerCase()}, 'price_changed', ${15n * M}, 0, 0,
        0, ${at}, ${at})`.execute(dbTx)
  })
  const payload = { member_id: `${other.memberId}`, tx_hash: txHash, log_index: 0 }
  const own = { ...payload, to_member_id: `${other.memberId}` }
  expect((await tryPrepare(server, operator, 'suspense', own)).data).toMatchObject({
    error: 'VALIDATION_FAILED',
    details: { field: 'payload.is_free' },
  })
  const foreign = { ...payload, to_member_id: `${member.memberId}`, is_free: true }
  expect((await tryPrepare(server, operator, 'suspense', foreign)).data).toMatchObject({
    error: 'VALIDATION_FAILED',
    details: { field: 'is_free' },
  })

  const proposal = await prepare(server, operator, 'suspense', { ...own, is_free: true })
  const content = JSON.parse(proposal.content)
  expect(content.summary).toMatch(/, free to withdraw \(the payer did not err\)$/)
  expect(content.headline.name).toBe('refund_free')
  expect(content.difference.at(-1)).toMatchObject({ field: 'withdrawal_fee', after: 'none' })
  expect((await decide(server, approver, proposal)).data.state).toBe('Applied')

  const limit = (await call(server, 'withdraw/limit', { as: other })).data
  expect(limit.free_refunds).toEqual({ USDT: '15.000000', AMC: '0.000000' })
  const checked = await call(server, 'withdraw/check', {
    as: other,
    payload: { asset: 'USDT', amount: '15' },
  })
  expect(checked.data).toMatchObject({ refund: '15.000000', fee: '0.000000', receives: '15.000000' })
  expect((await withdraw(other, '15')).data).toMatchObject({ refund: '15.000000', fee: '0.000000' })
})

it('stuck orders and redemptions wait for an admin', async () => {
  await sql`
    insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
      full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at)
    select ${member.memberId}, 1, 'VIP 1', 1, ${member.address.toLowerCase()}, '0x', ${100n * M}, ${M}, ${70n * M},
      ${30n * M}, false, 'UnPaid', now() - interval '2 hours', now() + late
    from unnest(array[interval '-1 hour', interval '-1 minute']) as late`.execute(db())
  const { orders, redemptions } = await orderAudit()
  expect(orders).toMatchObject({
    waiting: 1,
    items: [{ type: 'package', member_id: `${member.memberId}`, status: 'UnPaid', tx_hash: null }],
  })
  expect(redemptions).toEqual({ items: [], waiting: 0 })
})

it('a payment in suspense is assigned to a member once', async () => {
  const { ledger } = server.services
  const at = new Date()
  const txHash = `0x${'c'.repeat(64)}`
  await inTx(db(), async (dbTx) => {
    await ledger.post(dbTx, {
      key: `unmatched/${txHash}/3`,
      kind: 'unmatched_payment',
      cause: { type: 'payment', id: txHash },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        {
          memberId: member.memberId,
          asset: 'USDT',
          amountMicros: 70n * M,
          source: 'external',
          destination: 'suspense',
        },
      ],
    })
    await sql`
      insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros,
        amc_micros, usdt_dust, amc_dust, paid_at, collected_at)
      values (${member.memberId}, ${txHash}, 3, 1, ${member.address.toLowerCase()}, 'closed_order', ${70n * M}, 0, 0,
        0, ${at}, ${at})`.execute(dbTx)
  })
  const where = { member_id: `${member.memberId}`, tx_hash: txHash, log_index: 3 }
  const payload = { ...where, to_member_id: `${other.memberId}`, is_free: false }
  const before = await available(other)
  const [waiting] = (await orderAudit()).payments.items
  expect(waiting).toMatchObject({
    ...where,
    payer_member_id: `${member.memberId}`,
    order_member_id: null,
    usdt: '70.000000',
    reason: 'closed_order',
    proposal_id: null,
  })
  const proposal = await prepare(server, operator, 'suspense', payload)
  expect((await orderAudit()).payments.items[0].proposal_id).toBe(proposal.proposal_id)
  expect((await decide(server, approver, proposal)).data.state).toBe('Applied')
  expect((await available(other)) - before).toBe(70n * M)
  expect((await orderAudit()).payments).toEqual({ items: [], waiting: 0 })
  expect((await tryPrepare(server, operator, 'suspense', payload)).data.error).toBe('NOTHING_TO_REVIEW')
})

it('a mistake is reversed in full, never below zero', async () => {
  const last = async ({ memberId }: SignedIn, kind: string) =>
    (
      await sql<{ seq: string }>`select seq::text from ledger_transactions
        where member_id = ${memberId} and kind = ${kind} order by seq desc limit 1`.execute(db())
    ).rows[0]!.seq
  const grant = { batch: 'welcome', lines: [{ address: other.address, amount: '25', reason: 'welcome' }] }
  const granted = await prepare(server, operator, 'hash_power', grant)
  expect((await decide(server, approver, granted)).data.state).toBe('Applied')
  expect((await tryPrepare(server, operator, 'hash_power', grant)).data.error).toBe('NOTHING_TO_REVIEW')
  const stranger = () => ({ ...grant.lines[0]!, address: newWallet().address })
  const wrong = { batch: 'x', lines: [...grant.lines, stranger(), ...grant.lines, stranger()] }
  expect((await tryPrepare(server, operator, 'hash_power', wrong)).data).toMatchObject({
    error: 'MEMBER_NOT_FOUND',
    details: { line: 2, lines: '2,4' },
  })
  const payload = { member_id: `${other.memberId}`, seq: await last(other, 'grant') }
  const reversal = await prepare(server, operator, 'reversal', payload)
  expect((await decide(server, approver, reversal)).data.state).toBe('Applied')
  expect((await server.services.ledger.balances(db(), other.memberId)).RIF.available).toBe(0n)
  const transfer = { member_id: `${member.memberId}`, seq: await last(member, 'transfer') }
  const back = await prepare(server, operator, 'reversal', transfer)
  const before = await available(member)
  expect((await decide(server, approver, back)).data.state).toBe('Applied')
  expect((await available(member)) - before).toBe(M)
  const request = { member_id: `${member.memberId}`, seq: await last(member, 'withdrawal_request') }
  expect((await tryPrepare(server, operator, 'reversal', request)).data.error).toBe('NOT_REVERSIBLE')
})

it('a valuation takes two people, stops dealing until decided, and determines the net value', async () => {
  const text = 'Bonds of one year'
  const product = {
    name: 'Bonds',
    risk_level: 2,
    estimated_annual_return: 50_000,
    minimum_usd: '5',
    lock_days: 0,
    introduction: { en: text, 'zh-Hans': text, ja: text, ko: text },
    redeemable_weekdays: [1, 2, 3, 4, 5, 6, 7],
    subscription_ppm: 0,
    redemption_ppm: 10_000,
    management_ppm: 0,
    documents: [],
    opening_nav: '10',
    max_member_units: null,
    max_units: '1000',
    sold_ppm: 250_000,
  }
  const opened = await prepare(server, operator, 'fund_product', product)
  expect(await decide(server, approver, opened)).toMatchObject({ data: { state: 'Applied' } })
  const list = async () => (await call(server, 'admin/fund/products', { as: operator })).data.items
  const [fresh] = await list()
  expect(fresh).toMatchObject({
    name: 'Bonds',
    state: 'open',
    nav: '10.000000',
    stale: false,
    cash: '0.000000',
  })
  const { product_id } = fresh
  const { fund } = server.services
  const productId = BigInt(product_id)
  const buy = (units: bigint) =>
    inTx(db(), (dbTx) =>
      unsigned(server.services).fund.orders.buy(dbTx, member as never, {
        productId,
        units,
        payWith: 'available',
      }),
    )
  await buy(10n)
  const evidence = {
    held_at: 'the custodian',
    document: { title: 'Statement', media_type: 'text/plain', content: 'AAAA' },
  }
  const value = (amount: string) => ({ product_id, value: amount, ...evidence })
  const nothing = await tryPrepare(server, operator, 'fund_valuation', value('39'))
  expect(nothing.data.error).toBe('NOTHING_INVESTED')

  const destination = await listDestination(server, { operator, approver })
  const investing = { product_id, amount: '80', destination, ...evidence }
  const tooMuch = await tryPrepare(server, operator, 'fund_invest', { ...investing, amount: '101' })
  expect(tooMuch.data.error).toBe('INSUFFICIENT_BALANCE')
  const invest = await prepare(server, operator, 'fund_invest', investing)
  const { data } = await decide(server, approver, invest)
  expect(data.state).toBe('Applied')
  expect((await list())[0]).toMatchObject({ cash: '100.000000', invested: '0.000000' })
  const [announced] = await fund.investments.of(db(), productId, ['announced'])
  const { investment_id: investmentId } = announced!
  await executeInvestment(server, investmentId)
  expect((await list())[0]).toMatchObject({ cash: '20.000000', invested: '80.000000', nav: '10.000000' })

  const first = await prepare(server, operator, 'fund_valuation', value('82.5'))
  expect((await list())[0].valuation_proposal_id).toBe(first.proposal_id)
  const { effects, summary } = JSON.parse(first.content)
  expect(effects.slice(0, 2)).toEqual([
    { name: 'nav_becomes', values: { before: '10.000000', after: '10.250000' } },
    { name: 'nav_change', values: { percent: '+2.5' } },
  ])
  expect(summary).toContain('the NAV goes from 10.000000 to 10.250000 USDT')
  await expect(buy(1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  expect((await decide(server, approver, first)).data.state).toBe('Applied')
  expect((await list())[0]).toMatchObject({
    nav: '10.250000',
    stale: false,
    units: '10',
    units_worth: '102.500000',
    cash: '20.000000',
    invested: '82.500000',
    valuation_proposal_id: null,
  })
  await buy(1n)
  // After the operator withdraws it, the next one of the same admin does not stop dealing.
  const second = await prepare(server, operator, 'fund_valuation', value('80'))
  await expect(buy(1n)).rejects.toMatchObject({ code: 'NAV_STALE' })
  const withdrawn = await call(server, `admin/proposals/${second.proposal_id}/withdraw`, {
    as: operator,
    payload: {},
  })
  expect(withdrawn.data.state).toBe('Withdrawn')
  const divest = { product_id, amount: '0', left: '80', deposit_id: null, ...evidence }
  const third = await prepare(server, operator, 'fund_divest', divest)
  await buy(1n)
  expect((await decide(server, approver, third, { approve: false })).data.state).toBe('Refused')
  const state = await prepare(server, operator, 'fund_product_state', { product_id, state: 'closed' })
  expect((await list())[0].state_proposal_id).toBe(state.proposal_id)
})

it('a launch is executed as signed: its fields keep the order in which they were shown', async () => {
  const day = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const launch = {
    name: 'Harbour',
    introduction: 'Berths',
    allocation: '1000',
    price: '0.5',
    starts_at: day(1),
    ends_at: day(2),
  }
  const proposal = await prepare(server, operator, 'launch', launch)
  const shown = JSON.parse(proposal.content).difference.map(({ field }: { field: string }) => field)
  expect(shown).toEqual(Object.keys(launch))
  expect(await decide(server, approver, proposal)).toMatchObject({ status: 200, data: { state: 'Applied' } })
})
