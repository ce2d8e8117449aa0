import { type RefusalLevel, type Route, type RouteName, routes } from '@rif/api-schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../app.ts'
import { inTx } from '../../../db/database.ts'
import { TAKING } from '../../../plugins/reach.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import {
  call,
  messageOf,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { isCountry } from './reach.service.ts'

const HEADER = 'cf-ipcountry'

let server: TestServer
/** The same product behind a proxy that states the country. */
let proxied: TestServer
let operator: TestAdmin
let approver: TestAdmin
let member: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  const rateLimits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
  const edge = { rateLimits, trustProxy: 1, countryHeader: HEADER }
  proxied = { ...server, app: await createApp(server.services, { ...edge, log: server.services.log }) }
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  member = await signIn(server, newWallet())
})
afterAll(async () => {
  await proxied.app.close()
  await server.close()
})
beforeEach(async () => {
  const { db } = server.database
  for (const list of ['countries', 'addresses'] as const) {
    const values = (await server.services.reach.entries(db, list)).map(({ value }) => value)
    await server.services.reach.change(db, { ...change(list, values, 'may_leave'), action: 'serve' })
  }
})

const change = (list: 'countries' | 'addresses', values: string[], level: RefusalLevel) => ({
  list,
  values,
  level,
  action: 'refuse' as const,
  reason: 'a law',
  approvedBy: 'test',
})
const refuse = (list: 'countries' | 'addresses', value: string, level: RefusalLevel = 'may_leave') =>
  inTx(server.database.db, (dbTx) =>
    server.services.reach.change(dbTx, change(list, [value.toLowerCase()].map(stored(list)), level)),
  )
const stored = (list: 'countries' | 'addresses') => (value: string) =>
  list === 'countries' ? value.toUpperCase() : value

const NOT_SERVED = { status: 451, data: { error: 'NOT_SERVED' } }
const from = (country: string) => ({ headers: { [HEADER]: country } })

/** The reason why a call that moves money is open to those who may only withdraw. */
const LEAVING: Partial<Record<RouteName, string>> = {
  withdraw: 'Takes out.',
  claim: 'Takes out.',
  savingsOut: 'Takes out.',
  fundRedeem: 'Takes out.',
  fundIncomeWithdraw: 'Takes out.',
  payOrder: 'Reports what the chain has done.',
  fundPay: 'As payOrder.',
  cancelOrder: 'Gives back.',
  fundCancel: 'Gives back.',
  cancelWithdrawal: 'Gives back.',
  cancelTransfer: 'Gives back.',
  fundCancelRedemption: 'Gives back.',
  setManagement: 'Moves nothing.',
}
const ROUTES = Object.entries(routes) as [RouteName, Route][]
const MOVING = ROUTES.filter(
  ([, { access, movesMoney, path }]) =>
    (access === 'member' || access === 'session') && (movesMoney || /\/(tx|approve|claim)\//.test(path)),
).map(([name]) => name)

const ledgerSize = async () => {
  const { rows } = await sql<{ count: bigint }>`select count(*) from ledger_transactions`.execute(
    server.database.db,
  )
  return rows[0]!.count
}

/** Calls a route with empty input: the edge refuses before it parses the input. */
function send(name: RouteName, as: SignedIn, more: object = {}) {
  const { method, path } = routes[name] as Route
  const url = path.replace(/:\w+/g, '1')
  return call(proxied, url, { as, ...(method === 'POST' && { payload: {} }), ...more })
}

describe('every call that moves money', () => {
  it('is listed as accepting money, or as withdrawing with a reason', () => {
    const classes = (name: RouteName) => Number(TAKING.has(name)) + Number(name in LEAVING)
    expect(MOVING.filter((name) => classes(name) !== 1)).toEqual([])
    expect(Object.keys(LEAVING).filter((name) => !MOVING.includes(name as RouteName))).toEqual([])
  })

  it.each([...TAKING])('%s is refused to a refused wallet and in a refused country', async (name) => {
    const before = await ledgerSize()
    expect((await send(name, member)).data?.error).not.toBe('NOT_SERVED')
    await refuse('addresses', member.address)
    expect(await send(name, member)).toMatchObject(NOT_SERVED)
    const other = await signIn(server, newWallet())
    expect((await send(name, other)).data?.error).not.toBe('NOT_SERVED')
    await refuse('countries', 'KP')
    expect(await send(name, other, from('KP'))).toMatchObject({
      status: 451,
      data: { details: { by: 'country', value: 'KP', level: 'may_leave', reason: 'a law' } },
    })
    expect(await ledgerSize()).toBe(before)
  })

  it.each(Object.keys(LEAVING) as RouteName[])('%s stays open to those who may withdraw', async (name) => {
    await refuse('addresses', member.address)
    await refuse('countries', 'KP')
    expect((await send(name, member, from('KP'))).data?.error).not.toBe('NOT_SERVED')
  })
})

describe('no service at all', () => {
  it('closes every call of members except signing out and the own data', async () => {
    await refuse('addresses', member.address, 'no_service')
    const own = ROUTES.filter(([, { access }]) => access === 'member' || access === 'session')
    for (const [name] of own.filter(([name]) => name !== 'signOut'))
      expect((await send(name, member)).data?.error === 'NOT_SERVED', name).toBe(name !== 'personData')
  })

  it('closes signing in, by wallet and by country, but not to operators', async () => {
    const wallet = newWallet()
    const as = await signIn(server, wallet)
    await refuse('addresses', as.address, 'no_service')
    expect(await enter(wallet)).toMatchObject(NOT_SERVED)
    const abroad = newWallet()
    await signIn(server, abroad)
    await refuse('countries', 'KP', 'no_service')
    expect(await enter(abroad, 'KP')).toMatchObject(NOT_SERVED)
    expect(await enter(abroad, 'FR')).toMatchObject({ status: 200 })
    await refuse('addresses', operator.address, 'no_service')
    expect(await enter(operator.wallet, 'KP', false)).toMatchObject({ status: 200 })
    expect(await call(proxied, 'admin/reach', { as: operator, ...from('KP') })).toMatchObject({ status: 200 })
  })
})

/** Signs in a wallet from a country, with an invitation unless it has none. */
async function enter(wallet: ReturnType<typeof newWallet>, country = 'FR', invited = true) {
  const { data: terms } = await call(proxied, `nonce?address=${wallet.address}`)
  const message = messageOf(terms, wallet.address)
  const signature = await wallet.signMessage({ message })
  const payload = { message, signature, ...(invited && { invite_code: server.root.inviteCode }) }
  return call(proxied, 'auth', { payload, ...from(country) })
}

describe('signing up', () => {
  it('is refused and creates no member; existing members can sign in to withdraw', async () => {
    const wallet = newWallet()
    await refuse('countries', 'KP')
    expect(await enter(wallet, 'KP')).toMatchObject(NOT_SERVED)
    await refuse('addresses', wallet.address)
    expect(await enter(wallet)).toMatchObject(NOT_SERVED)
    expect((await call(server, `nonce?address=${wallet.address}`)).data.registered).toBe(false)
    const registeredWallet = newWallet()
    const as = await signIn(server, registeredWallet)
    await refuse('addresses', as.address)
    expect(await enter(registeredWallet, 'KP')).toMatchObject({ status: 200, data: { new_member: false } })
  })
})

describe('the country of a request', () => {
  it('is the value stated by the trusted proxy, the last in the header, and is returned to the visitor', async () => {
    await refuse('countries', 'KP')
    const refusedAt = async (at: TestServer, country: string) =>
      (await call(at, 'config', from(country))).data.refused
    const refusal = { by: 'country', value: 'KP', level: 'may_leave', reason: 'a law' }
    expect(await refusedAt(proxied, 'KP')).toEqual(refusal)
    expect(await refusedAt(proxied, 'kp')).toEqual(refusal)
    expect(await refusedAt(proxied, 'FR, KP')).toEqual(refusal)
    for (const other of ['KP, FR', 'FR', 'XX', 'T1', '', 'North Korea'])
      expect(await refusedAt(proxied, other), other).toBeNull()
  })

  it('is ignored without a trusted proxy, and without a configured header', async () => {
    await refuse('countries', 'KP')
    expect((await call(server, 'config', from('KP'))).data.refused).toBeNull()
    const rateLimits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
    const { log } = server.services
    for (const edge of [{ countryHeader: HEADER }, { trustProxy: 1 }]) {
      const app = await createApp(server.services, { rateLimits, log, ...edge })
      expect((await call({ app }, 'config', from('KP'))).data.refused, JSON.stringify(edge)).toBeNull()
      const { data } = await call({ app }, 'order', { as: member, payload: {}, ...from('KP') })
      expect(data.error).not.toBe('NOT_SERVED')
      expect((await call({ app }, 'admin/reach', { as: operator })).data.knows_country).toBe(false)
      await app.close()
    }
  })

  it('must be a valid country', () => {
    expect(['KP', 'US', 'GB', 'XK'].filter(isCountry)).toEqual(['KP', 'US', 'GB', 'XK'])
    expect(['ZZ', 'kp', 'USA', 'QQ', '', '99'].filter(isCountry)).toEqual([])
  })
})

describe('the lists', () => {
  const payload = {
    list: 'countries',
    action: 'refuse',
    values: ['kp', 'IR'],
    level: 'may_leave',
    reason: 'law 1',
  }
  const listed = async () => (await call(server, 'admin/reach', { as: operator })).data

  it('change only when a second person approves, and back again', async () => {
    const proposal = await prepare(server, operator, 'reach', payload)
    expect(proposal.summary).toBe('Refuse (may_leave) 2 countries: IR, KP')
    expect((await listed()).countries).toEqual([])
    const own = await tryPrepare(server, member, 'reach', payload)
    expect(own.status).toBe(403)
    await decide(server, approver, proposal)
    const entry = { level: 'may_leave', reason: 'law 1', approved_by: approver.address.toLowerCase() }
    expect((await listed()).countries).toMatchObject([
      { value: 'IR', ...entry },
      { value: 'KP', ...entry },
    ])
    expect((await call(proxied, 'config', from('IR'))).data.refused).toMatchObject({ value: 'IR' })
    const back = { ...payload, action: 'serve', values: ['IR'] }
    await decide(server, approver, await prepare(server, operator, 'reach', back))
    expect((await listed()).countries).toMatchObject([{ value: 'KP' }])
    expect((await call(proxied, 'config', from('IR'))).data.refused).toBeNull()
  })

  it('store wallets in one form, whatever the case', async () => {
    const addresses = { ...payload, list: 'addresses', values: [member.address], level: 'no_service' }
    await decide(server, approver, await prepare(server, operator, 'reach', addresses))
    expect((await listed()).addresses).toMatchObject([
      { value: member.address.toLowerCase(), level: 'no_service' },
    ])
    expect(await call(server, 'me', { as: member })).toMatchObject(NOT_SERVED)
  })

  it.each([
    ['countries', 'ZZ'],
    ['countries', 'USA'],
    ['addresses', '0x123'],
    ['addresses', 'KP'],
  ])('refuse what is none of the %s: %s', async (list, value) => {
    expect(await tryPrepare(server, operator, 'reach', { ...payload, list, values: [value] })).toMatchObject({
      status: 400,
      data: {
        error: 'VALIDATION_FAILED',
        details: {
          field: 'values',
          problem: value.toLowerCase() === '0x123' ? '0x123' : expect.any(String),
        },
      },
    })
  })
})
