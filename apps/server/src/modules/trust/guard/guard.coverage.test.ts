import { type Route, type RouteName, routes } from '@rif/api-schema'
import { dayOf, parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { TAKING } from '../../../plugins/reach.ts'
import { decide, newAdmin, prepare, type TestAdmin } from '../../../testing/admin-actions.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { closeGate, endCause, pause, resume } from '../../access/gates/gates.service.ts'

interface Sent {
  /** The path with its parameters; by default the route's path. */
  readonly path?: string
  readonly payload?: object
  readonly as?: SignedIn
}

let server: TestServer
let operator: TestAdmin
let approver: TestAdmin
let member: SignedIn
/** The ids of the records that the calls use. */
const ids = { product: '', launch: '', order: '', fundOrder: '', withdrawal: '' }
const amount = '1'

/**
 * A call that the gate blocks, with the areas whose pause blocks it too; or the reason why it passes a closed
 * gate.
 */
type Gated = readonly [
  send: () => Sent,
  ...areas: ('orders' | 'withdrawals' | 'transfers' | 'savings' | 'exchange' | 'fund')[],
]
const toOther = () => ({ address: server.root.wallet.address, asset: 'USDT', amount })

const CALLS: Partial<Record<RouteName, Gated | string>> = {
  createOrder: [() => ({ payload: { product_id: '2' } }), 'orders'],
  orderTx: [() => ({ path: `order/tx/${ids.order}` }), 'orders'],
  fundBuy: [
    () => ({ payload: { product_id: ids.product, units: amount, pay_with: 'available' } }),
    ...(['orders', 'fund'] as const),
  ],
  fundTx: [() => ({ path: `fund/tx/${ids.fundOrder}` }), 'orders', 'fund'],
  fundRedeem: [() => ({ payload: { product_id: ids.product, units: amount } }), 'fund'],
  fundIncomeWithdraw: [() => ({ payload: { amount } }), 'fund'],
  withdraw: [() => ({ payload: { asset: 'USDT', amount: '20' } }), 'withdrawals'],
  claim: [() => ({ path: `withdraw/claim/${ids.withdrawal}` })],
  transfer: [() => ({ payload: toOther() }), 'withdrawals', 'transfers'],
  savingsIn: [() => ({ payload: { asset: 'USDT', amount } }), 'savings'],
  savingsOut: [() => ({ payload: { asset: 'USDT', amount } }), 'savings'],
  makeExchange: [() => ({ payload: { quote_id: '1' } }), 'exchange'],
  buyHashRate: [() => ({ payload: { quote_id: '1' } }), 'exchange'],
  subscribeLaunch: [
    () => ({ path: `exchange/launches/${ids.launch}/subscribe`, payload: { amount } }),
    'exchange',
  ],
  exitTx: [() => ({ path: 'admin/treasury/exits/1/tx/announce', as: operator })],

  approveUsdt: 'An allowance of the own wallet moves nothing.',
  approveAmc: 'An allowance of the own wallet moves nothing.',
  fundApprove: 'An allowance of the own wallet moves nothing.',
  payOrder: 'It reports what the chain has done.',
  fundPay: 'It reports what the chain has done.',
  cancelOrder: 'It gives back.',
  fundCancel: 'It gives back.',
  fundCancelRedemption: 'It gives back.',
  cancelWithdrawal: 'It gives back.',
  cancelTransfer: 'It gives back.',
  withdrawExit: 'It gives back.',
  setManagement: 'It moves nothing.',
  prepareProposal:
    'Admins decide while the gate is closed, also on opening it; what pays out passes the gate when it is applied.',
  withdrawProposal: 'It moves nothing.',
  decideProposal: 'As the preparation.',
}

/**
 * The other calls that write: none moves money. A new call fails the test until it is listed here with a
 * reason.
 */
const OTHERS: Partial<Record<RouteName, string>> = {
  auth: 'A session.',
  signOut: 'A session.',
  endSessions: 'Sessions.',
  acceptTerms: 'A signed text.',
  exchangeQuote: 'A price; making the exchange passes.',
  hashRateQuote: 'A price; buying passes.',
  tellSend: 'It records what the own wallet has sent.',
  noteTransaction: 'As tellSend.',
  setLabel: 'A text.',
  deleteLabel: 'A text.',
  setNote: 'A text.',
  addMemberNote: 'A text.',
  seeNotifications: 'A time.',
  transferCheck: 'A preview.',
  withdrawCheck: 'A preview.',
  previewProposal: 'A preview.',
  saveContact: 'An address.',
  removeContact: 'An address.',
  setSavedOnly: 'A switch.',
  startDryRun: 'It computes in a copy.',
  comparePlans: 'As startDryRun.',
  cancelPlanComparison: 'As startDryRun.',
  startAudit: 'It reads.',
  startSettlementRerun: 'It pays what is due for days that are over, within the books.',
  decisionStatement: 'A statement to sign; deciding is a call of its own.',
  freezeMember: 'It stops a member.',
  flagMember: 'It stops a member.',
  priceFeed: 'A price, which is published or waits for two people.',
  chooseNotice: 'A choice.',
  noticeEmail: 'An address.',
  confirmNoticeEmail: 'An address.',
  removeNoticeEmail: 'An address.',
  noticePush: 'A browser.',
  removeNoticePush: 'A browser.',
  testNotice: 'A message.',
  stopNotices: 'A choice.',
  stopNoticesOneClick: 'A choice.',
  requestErasure: 'Data beside the books.',
  cancelErasure: 'As requestErasure.',
  requestStatement: 'A file.',
  removeStatement: 'A file.',
  makeShare: 'A link that reads.',
  revokeShare: 'It ends one.',
  shared: 'It reads.',
  requestAdminStatement: 'A file.',
  removeAdminStatement: 'A file.',
  savingsStandingSet: 'An instruction; each of its transfers passes the gate.',
  savingsStandingEnd: 'As its set.',
  webhookSecret: 'It reads.',
  replayWebhook: 'It sends a message again.',
  dismissAnnouncement: 'A choice.',
  withdrawAnnouncement: 'It hides a text.',
  announceBankCall: 'It records what an admin is about to do in the bank contract.',
}
const isMoving = ({ movesMoney, path }: Route) => movesMoney || /\/(tx|approve|claim)\//.test(path)
const ROUTES = Object.entries(routes) as [RouteName, Route][]
/** The calls that move money, and those that return a transaction that does. */
const MOVING = ROUTES.filter(([, route]) => isMoving(route)).map(([name]) => name)
const WRITING = ROUTES.filter(([, route]) => route.method !== 'GET').map(([name]) => name)
const GATED = MOVING.flatMap((name) => {
  const gatedCall = CALLS[name]
  if (typeof gatedCall !== 'object') return []
  const [build, ...areas] = gatedCall
  return [{ name, build, areas }]
})

beforeAll(async () => {
  server = await startTestServer()
  const { services, database } = server
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  member = await signIn(server, newWallet())
  await inTx(database.db, async (dbTx) => {
    await services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' })
    const at = services.now()
    await services.ledger.post(dbTx, {
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
  })
  await openWhatTheCallsName()
})
afterAll(() => server.close())

async function openWhatTheCallsName(): Promise<void> {
  const as = member
  const opened = await prepare(server, operator, 'fund_product', {
    name: 'Bonds',
    introduction: { en: 'a', 'zh-Hans': 'a', ja: 'a', ko: 'a' },
    risk_level: 2,
    estimated_annual_return: 50_000,
    minimum_usd: '0',
    lock_days: 0,
    subscription_ppm: 0,
    redeemable_weekdays: [1, 2, 3, 4, 5, 6, 7],
    redemption_ppm: 0,
    management_ppm: 0,
    documents: [],
    opening_nav: '10',
    max_member_units: null,
    max_units: null,
    sold_ppm: null,
  })
  await decide(server, approver, opened)
  const [product] = (await call(server, 'fund/products')).data.items
  ids.product = product.product_id
  const startsAt = Date.now() + 3_600_000
  const launched = await prepare(server, operator, 'launch', {
    name: 'Launch',
    introduction: 'a',
    allocation: '100',
    price: '1',
    starts_at: new Date(startsAt).toISOString(),
    ends_at: new Date(startsAt + 86_400_000).toISOString(),
  })
  await decide(server, approver, launched)
  ids.launch = (await call(server, 'exchange/launches', { as })).data.items[0].launch_id
  ids.order = (await call(server, 'order', { as, payload: { product_id: '1' } })).data.order_id
  const bought = { product_id: ids.product, units: '1', pay_with: 'wallet' }
  ids.fundOrder = (await call(server, 'fund/buy', { as, payload: bought })).data.order_id
  const withdrawal = await callSigned(server, 'withdraw', { as, payload: { asset: 'USDT', amount: '20' } })
  ids.withdrawal = withdrawal.data.withdraw_id
  if (withdrawal.data.status === 'Withdrawable') return
  const withdrawals = [{ member_id: `${member.memberId}`, withdraw_id: ids.withdrawal }]
  await decide(
    server,
    approver,
    await prepare(server, operator, 'withdrawals', { approve: true, withdrawals }),
  )
}

function send(name: RouteName, build: () => Sent) {
  const { path = routes[name].path, payload, as = member } = build()
  return call(server, path, { as, ...(payload !== undefined && { payload }) })
}

/** Refuses the member's wallet in the database only, which the edge does not query; null serves it again. */
async function refuseMember(level: string | null): Promise<void> {
  const address = member.address.toLowerCase()
  const { db } = server.database
  if (level === null) await sql`delete from refused_addresses where address = ${address}`.execute(db)
  else
    await sql`insert into refused_addresses (address, level, reason, approved_by, changed_at)
      values (${address}, ${level}, 'as tested', 'test', now())`.execute(db)
}

/** Makes the edge read the lists of refusals, which it then caches for five seconds. */
async function readRefusals(): Promise<void> {
  const { reach } = server.services
  const nobody = { list: 'countries', action: 'serve', values: [] } as const
  await reach.change(server.database.db, { ...nobody, level: 'may_leave', reason: '', approvedBy: 'test' })
  await reach.refusalOf({ country: 'CH' })
}

/** Returns the number of transactions and postings in the ledger and of the records that hold money. */
async function entries(): Promise<unknown> {
  const tables = [
    'ledger_transactions',
    'ledger_postings',
    'orders',
    'fund_orders',
    'fund_redemptions',
    'withdrawals',
    'transfers',
    'conversions',
    'exits',
  ]
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)})`)
  const { rows } = await sql`select ${sql.join(counts)}`.execute(server.database.db)
  return rows
}

test('every call that writes is classified: it passes the gate, moves no money, or has a reason not to', () => {
  expect(MOVING.filter((name) => CALLS[name] === undefined)).toEqual([])
  expect(Object.keys(CALLS).filter((name) => !MOVING.includes(name as RouteName))).toEqual([])
  const classes = (name: RouteName) => [CALLS[name], OTHERS[name]].filter((item) => item !== undefined)
  expect(WRITING.filter((name) => classes(name).length !== 1)).toEqual([])
  expect(Object.keys(OTHERS).filter((name) => !WRITING.includes(name as RouteName))).toEqual([])
})

/** Returns the paths in a printed tree of routes, whose lines indent each level by four characters. */
function pathsIn(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, method] = /^([^/]*)(\/\S*)(?: \((.*)\))?/.exec(line) ?? []
    if (indent === undefined) return []
    parts.length = indent.length / 4 - 1
    parts.push(part!)
    return method === undefined ? [] : [parts.join('')]
  })
}

test('the server has no route that writes beside those of the table', () => {
  const tablePaths = ROUTES.filter(([, { method }]) => method === 'POST').map(
    ([, { path }]) => `/api/v1/${path}`,
  )
  const served = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).flatMap((method) =>
    pathsIn(server.app.printRoutes({ method, commonPrefix: false })),
  )
  // It reads the file of a link, whose token must not be in a URL.
  const reading = '/api/v1/shared/file'
  expect(served.sort()).toEqual([...tablePaths, reading].sort())
})

test.each(GATED)(
  '$name is refused while the gate is closed, and while its area is paused',
  async ({ name, build, areas }) => {
    const { db } = server.database
    const since = new Date()
    await closeGate(db, { cause: 'shortfall', detail: 'as tested', since })
    const before = await entries()
    try {
      expect(await send(name, build)).toMatchObject({
        status: 409,
        data: { error: 'GUARD_CLOSED', details: { causes: 'shortfall' } },
      })
      expect(await entries()).toEqual(before)
    } finally {
      await endCause(db, 'shortfall')
    }
    for (const area of areas) {
      await pause(db, { area, pausedBy: 'test', reason: 'as tested', pausedAt: since })
      expect(await send(name, build), area).toMatchObject({
        status: 409,
        data: { error: 'PAUSED', details: { area } },
      })
      await resume(db, area)
    }
    // The edge has just read that nobody is refused, so here the service decides.
    await readRefusals()
    await refuseMember('may_leave')
    const refused = (await send(name, build)).data.error === 'NOT_SERVED'
    await refuseMember(null)
    await readRefusals()
    expect(refused).toBe(TAKING.has(name))
    expect(await entries()).toEqual(before)
    const { data } = await send(name, build)
    expect(['GUARD_CLOSED', 'PAUSED']).not.toContain(data.error)
  },
)

test('all callers see why the gate is closed, and operators the detail; the product stays ready', async () => {
  const { db } = server.database
  expect((await call(server, 'pauses')).data).toMatchObject({ paused: [], guard: [] })
  await closeGate(db, { cause: 'difference', detail: 'balance of member 1', since: new Date() })
  expect((await call(server, 'pauses')).data).toMatchObject({ paused: [], guard: ['difference'] })
  const { guard } = (await call(server, 'admin/emergency', { as: operator })).data
  expect(guard.causes).toMatchObject([{ cause: 'difference', detail: 'balance of member 1' }])
  await endCause(db, 'difference')
})

test('two admins clear a difference, which is shown in the text they sign', async () => {
  const { guard } = server.services
  const finding = { check: 'balance', subject: 'member 7 USDT available', expected: '5', actual: '6' }
  await guard.recordFindings([finding])
  expect((await call(server, 'pauses')).data.guard).toEqual(['difference'])
  const proposal = await prepare(server, operator, 'guard_clear', {})
  expect(JSON.parse(proposal.content).difference).toEqual([
    { item: finding.subject, field: 'balance', before: 'expected 5', after: 'is 6' },
  ])
  // Another difference was found in the meantime: the signed text no longer matches.
  await guard.recordFindings([{ ...finding, actual: '7' }])
  expect((await decide(server, approver, proposal)).data.error).toBe('PROPOSAL_CHANGED')
  await call(server, `admin/proposals/${proposal.proposal_id}/withdraw`, { as: operator, payload: {} })
  const again = await prepare(server, operator, 'guard_clear', {})
  expect((await decide(server, approver, again)).data.state).toBe('Applied')
  expect((await call(server, 'pauses')).data.guard).toEqual([])
  await guard.recordFindings([finding])
  expect((await call(server, 'pauses')).data.guard).toEqual([])
})
