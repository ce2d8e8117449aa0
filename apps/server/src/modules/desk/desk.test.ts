import { dayOf } from '@rif/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decide, newAdmin, prepare, type TestAdmin } from '../../testing/admin-actions.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'

const M = 1_000_000n

let server: TestServer
let operator: TestAdmin
let approver: TestAdmin
let member: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  member = await signIn(server, newWallet())
  const at = new Date()
  await server.services.ledger.post(server.database.db, {
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
        amountMicros: 500n * M,
      },
    ],
  })
})
afterAll(() => server.close())

const today = async (as: SignedIn) => (await call(server, 'admin/today', { as })).data
const readOf = (path: string) => call(server, path, { as: approver })

/** Creates a member's withdrawal to a new address, and the proposal to release it. */
async function released(amount: string, approve = true) {
  const to = newWallet().address
  const { data } = await callSigned(server, 'withdraw', {
    as: member,
    payload: { asset: 'USDT', amount, address: to },
  })
  const withdrawals = [{ member_id: `${member.memberId}`, withdraw_id: data.withdraw_id }]
  return { to, proposal: await prepare(server, operator, 'withdrawals', { approve, withdrawals }) }
}

it("an approver sees the risks shown in the queue, the member's history, and the bank's holdings afterwards", async () => {
  const { to, proposal } = await released('30')
  const [queued] = (await readOf('admin/withdrawals')).data.items
  // A fresh account is no risk up to 100 USDT worth.
  expect(queued.reasons).toEqual(['new_address'])
  const [listed] = (await readOf('admin/proposals?show=mine')).data.items
  const seen = (await readOf(`admin/proposals/${proposal.proposal_id}`)).data
  for (const view of [listed, seen]) {
    expect(view).toMatchObject({
      risks: queued.reasons,
      headline: { name: 'release', values: { amount: '30.000000', asset: 'USDT', to } },
    })
  }
  const { data } = await readOf(`admin/proposals/${proposal.proposal_id}/briefing`)
  expect(data).toMatchObject({
    departures: [{ id: queued.id, reasons: queued.reasons, amount: '30.000000', to }],
    departures_count: 1,
    member: { member_id: `${member.memberId}`, withdrawals_done: 0, withdrawn: '0.000000' },
  })
  const [usdt] = data.bank
  expect(Number(usdt.owed.before) - Number(usdt.owed.after)).toBe(30)
  expect((await readOf('admin/proposals/999/briefing')).status).toBe(404)
})

it('the desk counts pending items, and approvals only for those who can decide on them', async () => {
  expect(await today(approver)).toMatchObject({
    approvals: { count: 1, more: false },
    withdrawals: { count: 1, worth_usdt: '30.000000' },
    redemptions: { count: 0, oldest_at: null },
    payments: { count: 0, proposed: 0 },
  })
  expect((await today(operator)).approvals).toMatchObject({ count: 0, oldest_at: null, oldest_by: null })
  const { proposal } = await released('40')
  expect(await today(approver)).toMatchObject({
    approvals: { count: 2 },
    withdrawals: { count: 2, worth_usdt: '70.000000' },
  })
  expect((await decide(server, approver, proposal)).status).toBe(200)
  expect(await today(approver)).toMatchObject({ approvals: { count: 1 }, withdrawals: { count: 1 } })
  const done = (await readOf(`admin/proposals/${proposal.proposal_id}`)).data
  expect(done).toMatchObject({ state: 'Applied', risks: [], headline: { name: 'release' } })
})

it('operators list withdrawals and transfers in every state, with filters', async () => {
  const { to } = await released('10')
  expect((await decide(server, approver, (await released('11', false)).proposal)).status).toBe(200)
  const payload = { asset: 'USDT', amount: '12', address: newWallet().address }
  const { data: unproposed } = await callSigned(server, 'withdraw', { as: member, payload })
  const list = async (query: string) => (await readOf(`admin/withdrawals?${query}`)).data
  const amounts = async (query: string) =>
    (await list(query)).items.map(({ amount }: { amount: string }) => Number(amount))

  expect(await amounts('state=open')).toEqual([30, 40, 10, 12])
  expect(await amounts('state=open&order=newest')).toEqual([12, 10, 40, 30])
  expect(await amounts('state=open&order=largest')).toEqual([40, 30, 12, 10])
  expect(await amounts('state=proposed')).toEqual([30, 10])
  expect(await amounts('state=ready')).toEqual([40])
  expect(await amounts('state=done')).toEqual([])
  expect(await amounts('least=10.000001')).toEqual([30, 12])
  expect(await amounts('asset=AMC')).toEqual([])
  expect(await amounts('is=transfer')).toEqual([])
  expect(await amounts('risk=sudden_amount')).toEqual([])
  expect(await amounts('risk=fresh_account')).toEqual([])
  expect(await amounts('risk=new_address')).toEqual([30, 10, 12])
  expect(await amounts(`q=${to.slice(0, 8).toUpperCase().replace('X', 'x')}`)).toEqual([10])
  expect(await amounts(`q=W-${unproposed.withdraw_id}`)).toEqual([12])
  expect(await amounts(`q=${member.address}`)).toEqual([30, 10, 12])
  expect(await amounts('q=nobody')).toEqual([])
  const day = new Date().toISOString().slice(0, 10)
  expect(await amounts(`from=${day}&to=${day}`)).toEqual([30, 10, 12])
  expect(await amounts('to=2020-01-01')).toEqual([])
  const [rejected] = (await list('state=rejected')).items
  expect(rejected).toMatchObject({ status: 'Rejected', proposal_id: null })
  expect(rejected.ended_at).not.toBeNull()
  expect(rejected.reviewed_by.toLowerCase()).toBe(approver.address.toLowerCase())
  expect(await list('state=ready')).toMatchObject({
    waiting: 3,
    ready: { count: 1, worth_usdt: '40.000000' },
  })

  for (const order of ['oldest', 'newest', 'largest']) {
    const walked: number[] = []
    let cursor = ''
    do {
      const { items, next } = await list(`state=open&order=${order}&limit=1${cursor}`)
      walked.push(...items.map(({ amount }: { amount: string }) => Number(amount)))
      cursor = `&cursor=${next}`
    } while (!cursor.endsWith('null'))
    expect(walked).toEqual(await amounts(`state=open&order=${order}`))
  }
})
