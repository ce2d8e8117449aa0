import { routes } from '@rif/api-schema'
import { ALL_WEEKDAYS, type Asset, parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import {
  type Answer,
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signedBy,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'
import { auditLedger } from '../books/ledger/audit.ts'

/**
 * The policy of each route for a stolen session, GETs that hand out signatures included. Rules, section 10.
 * `counts` and `signed`: by the policy of what cannot be taken back at the same worth. `signs`: changes
 * without money that need the signature. `returns`: the member keeps it or gets it back at the same worth.
 * `wallet`: the wallet itself pays. `claims`: pays out what was judged when it was asked for.
 */
const ROUTES = {
  withdraw: 'counts',
  transfer: 'counts',
  buyHashRate: 'counts',
  makeExchange: 'counts',
  fundBuy: 'counts',
  savingsIn: 'counts',
  savingsStandingSet: 'signed',
  subscribeLaunch: 'signed',
  saveContact: 'signs',
  removeContact: 'signs',
  setSavedOnly: 'signs',
  requestErasure: 'signs',
  cancelWithdrawal: 'returns',
  cancelTransfer: 'returns',
  savingsOut: 'returns',
  savingsStandingEnd: 'returns',
  // It can be cancelled for the 72 hours between its approval and its payment.
  fundRedeem: 'returns',
  fundCancelRedemption: 'returns',
  fundIncomeWithdraw: 'returns',
  // A paused award goes on growing, and is resumed at any time.
  setManagement: 'returns',
  createOrder: 'wallet',
  payOrder: 'wallet',
  cancelOrder: 'wallet',
  fundPay: 'wallet',
  fundCancel: 'wallet',
  orderTx: 'wallet',
  approveUsdt: 'wallet',
  approveAmc: 'wallet',
  fundTx: 'wallet',
  fundApprove: 'wallet',
  tellSend: 'wallet',
  claim: 'claims',
} as const

/** Calls of members that move neither money nor what protects it. */
const MOVES_NOTHING = [
  'withdrawCheck',
  'transferCheck',
  'hashRateQuote',
  'exchangeQuote',
  'setLabel',
  'deleteLabel',
  'setNote',
  'seeNotifications',
  'noteTransaction',
  'cancelErasure',
  'makeShare',
  'revokeShare',
  'requestStatement',
  'removeStatement',
  'dismissAnnouncement',
  'chooseNotice',
  'noticeEmail',
  'confirmNoticeEmail',
  'removeNoticeEmail',
  'noticePush',
  'removeNoticePush',
  'testNotice',
]

/** The postings that take from what a member has available, by the routes of above that make them. */
const POSTINGS: Readonly<Record<string, readonly (keyof typeof ROUTES)[]>> = {
  withdrawal_request: ['withdraw'],
  transfer: ['transfer'],
  transfer_hold: ['transfer'],
  hash_power_purchase: ['buyHashRate'],
  exchange: ['makeExchange'],
  fund_purchase: ['fundBuy'],
  savings_in: ['savingsIn', 'savingsStandingSet'],
  vc_subscription: ['subscribeLaunch'],
  order_discount_hold: ['createOrder'],
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const whole = (text: string) => parseMicros(text)

let server: TestServer
let productId: bigint
let launchId: bigint
let offsetMs = 0

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(Date.now() + offsetMs) })
  await price('AMC', '0.5')
  await inTx(server.database.db, async (dbTx) => {
    const { fund, launchReview, now } = server.services
    ;({ productId } = await fund.products.prepare(dbTx, {
      name: 'Growth',
      introduction: { en: 'Growth' },
      riskLevel: 1,
      estimatedAnnualReturnPpm: 0,
      terms: {
        minimumMicros: 0n,
        lockDays: 30,
        redeemableWeekdays: ALL_WEEKDAYS,
        subscriptionPpm: 10_000,
        redemptionPpm: 0,
        managementPpm: 0,
      },
      openingMicros: whole('1'),
      limits: { maxMemberUnits: null, maxUnits: null, soldPpm: null },
      documents: [],
      actor: 'anna',
    }))
    await fund.products.approve(dbTx, { productId, actor: 'ben' })
    const at = now().getTime()
    ;({ launchId } = await launchReview.prepare(dbTx, {
      name: 'Moon',
      introduction: '',
      actor: 'anna',
      priceMicros: whole('1'),
      allocationMicros: whole('100000'),
      startsAt: new Date(at),
      endsAt: new Date(at + 300 * DAY_MS),
    }))
    await launchReview.review(dbTx, { launchId, approve: true, actor: 'ben' })
  })
})
afterAll(async () => {
  expect(await auditLedger(server.database.db)).toEqual([])
  await server.close()
})

const price = (asset: 'AMC' | 'RIF', usdt: string) =>
  inTx(server.database.db, (dbTx) =>
    server.services.pricing.publish(dbTx, { asset, priceMicros: whole(usdt), actor: 'test' }),
  )

/** Creates a member of level 5 with these balances, whose session is stolen. */
async function victim(balances: Partial<Record<Asset, string>>): Promise<SignedIn> {
  const member = await signIn(server, newWallet())
  const { db } = server.database
  await sql`update members set level = 5 where member_id = ${member.memberId}`.execute(db)
  const at = server.services.now()
  for (const [asset, amount] of Object.entries(balances)) {
    await server.services.ledger.post(db, {
      key: `grant/${crypto.randomUUID()}`,
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      at,
      accountingDay: at.toISOString().slice(0, 10),
      lines: [
        {
          memberId: member.memberId,
          asset: asset as Asset,
          source: 'external',
          destination: 'available',
          amountMicros: whole(amount),
        },
      ],
    })
  }
  return member
}

const balancesOf = ({ memberId }: SignedIn) => server.services.ledger.balances(server.database.db, memberId)

type Send = (as: SignedIn, path: string, payload: object) => Promise<Answer>
/** Sends a request with the bearer token only, like a stolen session. */
const stolen: Send = (as, path, payload) => call(server, path, { as, payload })
const signed: Send = (as, path, payload) => callSigned(server, path, { as, payload })

/** Quotes a conversion and executes the quote. */
async function convert(send: Send, as: SignedIn, path: string, quote: object): Promise<Answer> {
  const quoted = await call(server, `${path}/quote`, { as, payload: quote })
  expect([path, quoted.status]).toEqual([path, 200])
  return send(as, path, { quote_id: quoted.data.quote_id })
}

interface Way {
  readonly gives: Asset
  /** Moves what is worth this many USDT. */
  readonly move: (send: Send, as: SignedIn, usdt: number) => Promise<Answer>
}

/** Every way by which an amount can be moved without its return at the same worth. */
const WAYS: readonly (readonly [name: string, way: Way])[] = [
  [
    'AMC into RIF',
    { gives: 'AMC', move: (send, as, usdt) => convert(send, as, 'hashrate', { amount: `${usdt * 2}` }) },
  ],
  [
    'RIF into DIV',
    {
      gives: 'RIF',
      move: (send, as, usdt) => convert(send, as, 'exchange', { to: 'DIV', amount: `${usdt * 4}` }),
    },
  ],
  [
    'RIF into VC',
    {
      gives: 'RIF',
      move: (send, as, usdt) => convert(send, as, 'exchange', { to: 'VC', amount: `${usdt * 4}` }),
    },
  ],
  [
    'a fund purchase from the balance',
    {
      gives: 'USDT',
      // A unit costs 1.00 and its fee 0.01, so 100 units cost 101.
      move: (send, as, usdt) =>
        send(as, 'fund/buy', {
          product_id: `${productId}`,
          units: `${Math.floor(usdt / 1.01)}`,
          pay_with: 'available',
        }),
    },
  ],
  [
    'USDT into savings',
    { gives: 'USDT', move: (send, as, usdt) => send(as, 'savings/in', { asset: 'USDT', amount: `${usdt}` }) },
  ],
  [
    'AMC into savings',
    {
      gives: 'AMC',
      move: (send, as, usdt) => send(as, 'savings/in', { asset: 'AMC', amount: `${usdt * 2}` }),
    },
  ],
  [
    'a withdrawal to the own wallet',
    { gives: 'USDT', move: (send, as, usdt) => send(as, 'withdraw', { asset: 'USDT', amount: `${usdt}` }) },
  ],
]

/** Returns a victim who has 1,000 USDT worth in savings already, so that every further amount counts. */
async function rich(): Promise<SignedIn> {
  const as = await victim({ USDT: '5000', AMC: '5000', RIF: '5000', VC: '500' })
  expect((await stolen(as, 'savings/in', { asset: 'USDT', amount: '1000' })).status).toBe(200)
  return as
}

const refused = ({ status, data }: Answer) => [status, data.error]
const REQUIRED = [428, 'SIGNATURE_REQUIRED']

describe('a stolen session', () => {
  beforeAll(() => price('RIF', '0.25'))

  test.each(WAYS)(
    'cannot destroy more than 100 USDT worth in 24 hours by %s',
    async (_name, { gives, move }) => {
      const as = await rich()
      const before = await balancesOf(as)
      expect(refused(await move(stolen, as, 101))).toEqual(REQUIRED)
      expect(await balancesOf(as)).toEqual(before)
      // In parts, all at once.
      const parts = await Promise.all(Array.from({ length: 8 }, () => move(stolen, as, 20)))
      const moved = parts.filter(({ status }) => status === 200)
      expect(moved).toHaveLength(5)
      for (const part of parts) if (part.status !== 200) expect(refused(part)).toEqual(REQUIRED)
      const gone = before[gives].available - (await balancesOf(as))[gives].available
      const worthOf = { USDT: gone, AMC: gone / 2n, RIF: gone / 4n }[gives as 'USDT']
      expect(worthOf <= whole('100')).toBe(true)
      // By another way neither.
      for (const [, other] of WAYS) expect(refused(await other.move(stolen, as, 20))).toEqual(REQUIRED)
      // With the signature, which counts neither way.
      expect((await move(signed, as, 150)).status).toBe(200)
      offsetMs += DAY_MS
      expect((await move(stolen, as, 20)).status).toBe(200)
    },
  )

  test.each(WAYS)('cannot use a signature for %s twice or for more', async (_name, { move }) => {
    const as = await rich()
    const request = await lastOf(move, as, 150)
    const signature = await signedBy(
      as.wallet,
      (await stolen(as, request.path, request.payload)).data.details,
    )
    const send = async ({ path, payload }: Asked) =>
      (await stolen(as, path, { ...payload, signed: signature })).data.error
    const before = await balancesOf(as)
    expect(await send(await lastOf(move, as, 160))).toBe('SIGNATURE_INVALID')
    expect(await balancesOf(as)).toEqual(before)
    expect(await send(request)).toBeUndefined()
    const after = await balancesOf(as)
    expect(after).not.toEqual(before)
    // A quote that was executed answers the same again.
    const isQuote = 'quote_id' in request.payload
    expect(await send(request)).toBe(isQuote ? undefined : 'NONCE_INVALID')
    expect(await send(await lastOf(move, as, 150))).toBe('NONCE_INVALID')
    expect(await balancesOf(as)).toEqual(after)
  })

  test('cannot move anything without a price, or any VC into a launch', async () => {
    const as = await victim({ VC: '50' })
    const launch = `exchange/launches/${launchId}/subscribe`
    expect(refused(await stolen(as, launch, { amount: '1' }))).toEqual(REQUIRED)
    const { details } = (await stolen(as, launch, { amount: '1' })).data
    expect(JSON.parse(details.typed_data).message).toMatchObject({
      statement: `I put 1.000000 VC into the launch ${launchId} "Moon"`,
      gives: '1.000000 VC',
    })
    expect((await signed(as, launch, { amount: '1' })).status).toBe(200)
    expect((await balancesOf(as)).VC.locked).toBe(whole('1'))
  })

  test('cannot make or change a standing transfer, which moves its whole amount once it is signed', async () => {
    const as = await victim({ USDT: '5000' })
    const standing = { asset: 'USDT', amount: '2000', every: 'day', on_day: 1 }
    const small = { ...standing, amount: '1' }
    expect(refused(await stolen(as, 'savings/standing', small))).toEqual(REQUIRED)
    expect((await signed(as, 'savings/standing', small)).status).toBe(200)
    expect(refused(await stolen(as, 'savings/standing', standing))).toEqual(REQUIRED)
    expect((await signed(as, 'savings/standing', standing)).status).toBe(200)
    for (const saved of ['2000', '4000']) {
      offsetMs += DAY_MS
      expect(await server.services.standingSavings.moveDue()).toBe(1)
      expect((await balancesOf(as)).USDT.savings).toBe(whole(saved))
    }
    // What a signed standing transfer moved is not counted.
    expect((await stolen(as, 'withdraw', { asset: 'USDT', amount: '100' })).status).toBe(200)
  })

  test('a standing transfer of an earlier release moves only what needs no signature', async () => {
    const as = await victim({ USDT: '3000' })
    const standing = { asset: 'USDT', amount: '1050', every: 'day', on_day: 1 }
    await signed(as, 'savings/standing', standing)
    await sql`update standing_savings set consent_nonce = null where member_id = ${as.memberId}`.execute(
      server.database.db,
    )
    const outcomes = []
    for (let day = 0; day < 2; day++) {
      offsetMs += DAY_MS
      await server.services.standingSavings.moveDue()
      outcomes.push((await call(server, 'savings/standing', { as })).data.items[0].last_outcome)
    }
    expect(outcomes).toEqual(['moved', 'unsigned'])
    expect((await balancesOf(as)).USDT.savings).toBe(whole('1050'))
  })
})

interface Asked {
  readonly path: string
  readonly payload: object
}

/** Returns the last request that a move sends, without sending it. */
async function lastOf(move: Way['move'], as: SignedIn, usdt: number): Promise<Asked> {
  let last: Asked = { path: '', payload: {} }
  await move(
    async (_as, path, payload) => {
      last = { path, payload }
      return undefined as never
    },
    ...([as, usdt] as const),
  )
  return last
}

test('calls at the same moment in several processes count each other', async () => {
  const { db } = server.database
  const services = server.services
  await price('RIF', '0.25')
  const friend = await signIn(server, newWallet())
  for (let round = 0; round < 3; round++) {
    const as = await rich()
    const first = { asset: 'USDT', amount: '1', address: friend.address }
    expect((await signed(as, 'transfer', first)).status).toBe(200)
    const quotes = await Promise.all([
      call(server, 'hashrate/quote', { as, payload: { amount: '120' } }),
      call(server, 'exchange/quote', { as, payload: { to: 'DIV', amount: '240' } }),
      call(server, 'exchange/quote', { as, payload: { to: 'VC', amount: '240' } }),
    ])
    const [power, div, vc] = quotes.map(({ data }) => BigInt(data.quote_id))
    const before = await balancesOf(as)
    const id = as.memberId
    const buyer = { memberId: id, address: as.address }
    const purchase = { productId, units: 59n, payWith: 'available' } as const
    const usdt = { asset: 'USDT', amountMicros: whole('60') } as const
    const parts: Promise<unknown>[] = [
      inTx(db, (dbTx) => services.hashPower.buy(dbTx, id, power!)),
      inTx(db, (dbTx) => services.exchange.make(dbTx, id, div!)),
      inTx(db, (dbTx) => services.exchange.make(dbTx, id, vc!)),
      inTx(db, (dbTx) => services.fund.orders.buy(dbTx, buyer, purchase)),
      inTx(db, (dbTx) => services.savings.transferIn(dbTx, id, usdt)),
      inTx(db, (dbTx) => services.withdrawals.request(dbTx, id, { ...usdt, address: undefined })),
      services.transfers.send(db, id, { ...usdt, address: friend.address }),
    ]
    const ended = await Promise.allSettled(parts)
    const codes = ended.map((item) =>
      item.status === 'fulfilled' ? 'done' : (item.reason.code ?? item.reason),
    )
    expect(codes.toSorted()).toEqual([...Array(6).fill('SIGNATURE_REQUIRED'), 'done'])
    const after = await balancesOf(as)
    const [gaveUsdt, gaveAmc, gaveRif] = (['USDT', 'AMC', 'RIF'] as const).map((asset) => {
      const gave = before[asset].available - after[asset].available
      return gave > 0n ? gave : 0n
    })
    const worth = gaveUsdt! + gaveAmc! / 2n + gaveRif! / 4n
    expect(worth > whole('59') && worth <= whole('60')).toBe(true)
  }
})

test('savings up to 1,000 USDT worth in both assets need no signature, and what is on its way out counts', async () => {
  const as = await victim({ USDT: '3000', AMC: '1000' })
  const save = (asset: 'USDT' | 'AMC', amount: string) => stolen(as, 'savings/in', { asset, amount })
  expect((await save('AMC', '1000')).status).toBe(200)
  expect((await save('USDT', '500')).status).toBe(200)
  expect((await stolen(as, 'savings/out', { asset: 'USDT', amount: '500' })).status).toBe(200)
  // 500 of AMC and 500 on the way out: 100 more count, and that is all.
  expect((await save('USDT', '100')).status).toBe(200)
  expect(refused(await save('USDT', '0.000001'))).toEqual(REQUIRED)
  expect(refused(await stolen(as, 'withdraw', { asset: 'USDT', amount: '2' }))).toEqual(REQUIRED)
})

test('a purchase is bound to its price: the server asks again when it has changed', async () => {
  const as = await victim({ USDT: '3000' })
  const purchase = { product_id: `${productId}`, units: '200', pay_with: 'available' }
  const { data } = await stolen(as, 'fund/buy', purchase)
  expect(data.details).toMatchObject({ total: '202.000000', fee: '2.000000' })
  expect(JSON.parse(data.details.typed_data).message).toMatchObject({
    gives: '202.000000 USDT',
    fee: '2.000000 USDT',
    gets: `200 units of the fund product ${productId} "Growth"`,
  })
  const cheaper = await signedBy(as.wallet, data.details)
  const forged = { ...cheaper, total: '1.000000' }
  expect((await stolen(as, 'fund/buy', { ...purchase, signed: forged })).data.error).toBe('SIGNATURE_INVALID')
  const other = { ...purchase, units: '201' }
  expect((await stolen(as, 'fund/buy', { ...other, signed: cheaper })).data.error).toBe('SIGNATURE_INVALID')
  expect((await stolen(as, 'fund/buy', { ...purchase, signed: cheaper })).status).toBe(200)
})

describe('every call of a member', () => {
  const isOfMembers = ({ access }: { access: string }) => access === 'member' || access === 'session'
  const handsOutSignature = (path: string) => /\/(tx|approve|claim)\//.test(path)

  test('is in one policy', () => {
    const calls = Object.entries(routes).filter(
      ([, route]) => isOfMembers(route) && (route.method === 'POST' || handsOutSignature(route.path)),
    )
    const names = calls.map(([name]) => name).filter((name) => !SESSION.includes(name))
    expect(names.toSorted()).toEqual([...Object.keys(ROUTES), ...MOVES_NOTHING].toSorted())
    const moving = calls.filter(([, route]) => 'movesMoney' in route && route.movesMoney)
    for (const [name] of moving) expect([name, name in ROUTES]).toEqual([name, true])
  })

  test('that takes from the balance does so by a posting of a known way', async () => {
    const { rows } = await sql<{ kind: string }>`
      select distinct kind from ledger_flows where source = 'available' and kind not like '%:reversal'
      order by kind`.execute(server.database.adminDb)
    const kinds = rows.map(({ kind }) => kind).filter((kind) => !OPERATORS_KINDS.includes(kind))
    expect(kinds).toEqual(Object.keys(POSTINGS).toSorted())
  })
})

/** Sign-in and its end, terms. */
const SESSION = ['signOut', 'endSessions', 'acceptTerms']
/** Not at the member's request: a debt that a reorganisation left is paid out of the next rewards. */
const OPERATORS_KINDS: readonly string[] = ['debt_repayment']
