import { addDays, dayOf } from '@rif/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import { call, startTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let operator: TestAdmin
let approvers: TestAdmin[]
const today = () => dayOf(Date.now())

beforeAll(async () => {
  server = await startTestServer()
  operator = await newAdmin(server, 'operator')
  approvers = [await newAdmin(server, 'approver'), await newAdmin(server, 'approver')]
})
afterAll(() => server.close())

const rateOf = (currency: string, rate: string, day = today(), source = 'ECB reference rates') => ({
  currency,
  published: { rate, day, source },
})
const propose = (payload: object) => prepare(server, operator, 'display_rate', payload)
const tryPropose = (payload: object) => tryPrepare(server, operator, 'display_rate', payload)
async function publish(payload: object) {
  const answer = await decide(server, approvers[0]!, await propose(payload))
  expect(answer.data).toMatchObject({ state: 'Applied' })
}
const current = async () => (await call(server, 'display/rates')).data.items
const history = async (currency: string, more = '') =>
  (await call(server, `display/rate-history?currency=${currency}${more}`)).data

it('a rate is prepared by one, approved by another, and shown to everybody with its source', async () => {
  expect(await current()).toEqual([])
  const proposal = await propose(rateOf('EUR', '0.92'))
  expect(proposal).toMatchObject({ kind: 'display_rate', approvals_needed: 1 })
  expect((await decide(server, operator, proposal)).status).toBe(403)
  expect(await current()).toEqual([])
  expect((await decide(server, approvers[0]!, proposal)).data).toMatchObject({ state: 'Applied' })
  expect(await current()).toEqual([
    {
      currency: 'EUR',
      rate: '0.920000',
      day: today(),
      source: 'ECB reference rates',
      published_at: expect.any(String),
    },
  ])
})

it('a jump needs two people besides the preparer', async () => {
  await publish(rateOf('JPY', '150'))
  const within = await propose(rateOf('JPY', '165'))
  expect(within.approvals_needed).toBe(1)
  await call(server, `admin/proposals/${within.proposal_id}/withdraw`, { as: operator, payload: {} })

  const jump = await propose(rateOf('JPY', '165.000001'))
  expect(jump.approvals_needed).toBe(2)
  expect(JSON.parse(jump.content).effects).toEqual([{ name: 'rate_jump', values: { percent: '10' } }])
  expect((await decide(server, approvers[0]!, jump)).data).toMatchObject({ state: 'Open' })
  expect((await decide(server, approvers[0]!, jump)).data.error).toBe('OWN_PROPOSAL')
  expect((await current()).find(({ currency }: { currency: string }) => currency === 'JPY').rate).toBe(
    '150.000000',
  )
  expect((await decide(server, approvers[1]!, jump)).data).toMatchObject({ state: 'Applied' })
  const { items } = await history('JPY')
  expect(items.map(({ rate }: { rate: string }) => rate)).toEqual(['165.000001', '150.000000'])
  const first = await history('JPY', '&limit=1')
  const second = await history('JPY', `&limit=1&cursor=${first.next}`)
  expect([...first.items, ...second.items]).toEqual(items)
})

it('a withdrawn currency is gone, keeps its history, and is compared with its last rate', async () => {
  await publish(rateOf('GBP', '0.8'))
  await publish({ currency: 'GBP', published: null })
  expect((await current()).some(({ currency }: { currency: string }) => currency === 'GBP')).toBe(false)
  expect((await history('GBP')).items).toMatchObject([
    { rate: null, day: null, source: null },
    { rate: '0.800000', day: today() },
  ])
  expect(await tryPropose({ currency: 'GBP', published: null })).toMatchObject({ status: 404 })
  expect((await propose(rateOf('GBP', '1.2'))).approvals_needed).toBe(2)
})

it.each([
  ['an unknown currency', () => rateOf('QQQ', '1'), { field: 'currency' }],
  ['gold', () => rateOf('XAU', '1'), { field: 'currency' }],
  ['a day to come', () => rateOf('KRW', '1380', addDays(today(), 1)), { field: 'day' }],
  ['a day too old to be shown', () => rateOf('KRW', '1380', addDays(today(), -15)), { field: 'day' }],
])('%s is refused', async (_name, payload, details) => {
  expect(await tryPropose(payload())).toMatchObject({
    status: 400,
    data: { error: 'VALIDATION_FAILED', details },
  })
})

it('a rate is not replaced by one of an earlier day', async () => {
  await publish(rateOf('CNY', '7.1'))
  const answer = await tryPropose(rateOf('CNY', '7.1', addDays(today(), -1)))
  expect(answer).toMatchObject({ status: 400, data: { details: { field: 'day' } } })
})

it.each(['0', '-1'])('a rate of %s is refused', async (rate) => {
  expect(await tryPropose(rateOf('KRW', rate))).toMatchObject({ data: { error: 'INVALID_AMOUNT' } })
})

it('the database refuses a rate without approval, and a jump with one approval', async () => {
  const { db } = server.database
  const at = new Date()
  const row = {
    currency: 'EUR',
    rate_micros: 920_000n,
    rate_day: today(),
    source: 'a slip',
    published_at: at,
  }
  const insert = (more: object) =>
    expect(
      db
        .insertInto('display_rates')
        .values({ ...row, share_ppm: 100_000, published_by: 'somebody', proposal_id: 1n, ...more } as never)
        .execute(),
    ).rejects
  await insert({}).toThrow('was not approved')
  await insert({ proposal_id: null }).toThrow('was not approved')
  await insert({ source: null }).toThrow('violates check')
  await insert({ rate_micros: 0n }).toThrow('violates check')
  const proposal = await propose(rateOf('EUR', '0.93'))
  await decide(server, approvers[0]!, proposal)
  const approved = {
    proposal_id: BigInt(proposal.proposal_id),
    published_by: approvers[0]!.address.toLowerCase(),
  }
  await insert({ ...approved, rate_micros: 1_100_000n }).toThrow('was not approved')
})
