import { rifBankAbi } from '@rif/contracts/abi'
import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { decodeFunctionData, getAddress, parseTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import { listDestination, listOnChain } from '../../../testing/exit-actions.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

const M = 1_000_000n
const PAPER = `0x${'ab'.repeat(32)}` as const
const READS = ['admin/treasury', 'admin/treasury/exits', 'admin/treasury/destinations']
const TX = 'admin/treasury/exits/1/tx/announce'
const WITHDRAW = 'admin/treasury/exits/1/withdraw'

let server: TestServer
let viewer: TestAdmin
let operator: TestAdmin
let approver: TestAdmin
let member: SignedIn
const db = () => server.database.db

beforeAll(async () => {
  server = await startTestServer()
  viewer = await newAdmin(server, 'viewer')
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
  member = await signIn(server, newWallet())
  const at = new Date()
  await server.services.ledger.post(db(), {
    key: 'sale',
    kind: 'order_payment',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [
      {
        memberId: member.memberId,
        asset: 'USDT',
        source: 'external',
        destination: 'revenue',
        amountMicros: 1_000n * M,
      },
    ],
  })
})
afterAll(() => server.close())

const list = (address?: string) => listDestination(server, { operator, approver }, address)

const payout = (destination: string, amount = '100') => ({
  source: 'revenue',
  asset: 'USDT',
  amount,
  destination,
  purpose: 'rent of May',
  document_hash: PAPER,
})

describe('the routes of the treasury', () => {
  it.each([...READS, TX])('%s is not open to members', async (path) => {
    expect((await call(server, path)).status).toBe(401)
    expect((await call(server, path, { as: member })).status).toBe(403)
  })

  it.each(READS)('%s is open to every admin', async (path) => {
    for (const as of [viewer, operator, approver]) expect((await call(server, path, { as })).status).toBe(200)
  })

  it('returns the transaction of an exit, and gives one up, for operators only', async () => {
    const payload = { reason: 'as tested' }
    for (const as of [viewer, approver, member]) {
      expect((await call(server, TX, { as })).status).toBe(403)
      expect((await call(server, WITHDRAW, { as, payload })).status).toBe(403)
    }
    expect((await call(server, TX, { as: operator })).data.error).toBe('NOT_FOUND')
    expect((await call(server, WITHDRAW, { as: operator, payload })).data.error).toBe('NOT_FOUND')
  })
})

describe('a treasury payout', () => {
  it('takes two persons and a signed statement in plain words, and gives the treasurer the exact call', async () => {
    const destination = await list()
    const proposal = await prepare(server, operator, 'treasury_payout', payout(destination))
    expect(JSON.parse(proposal.content).summary).toBe(
      `Pay 100 USDT of revenue out of the bank to Our landlord (${destination.toLowerCase()}), for rent of May`,
    )
    expect((await decide(server, operator, proposal)).status).toBe(403)
    expect((await call(server, 'admin/treasury/exits', { as: viewer })).data.items).toEqual([])
    expect(await decide(server, approver, proposal)).toMatchObject({ data: { state: 'Applied' } })
    const [exit] = (await call(server, 'admin/treasury/exits', { as: viewer })).data.items
    expect(exit).toMatchObject({
      kind: 'treasury_payout',
      source: 'revenue',
      amount: '100.000000',
      state: 'Approved',
      destination: getAddress(destination),
      destination_name: 'Our landlord',
      purpose: 'rent of May',
    })
    const path = `admin/treasury/exits/${exit.exit_id}`
    const { data } = await call(server, `${path}/tx/announce`, { as: operator })
    const { to, value, data: calldata } = parseTransaction(data.raw_tx)
    const { chain } = server.services
    expect(getAddress(to!)).toBe(chain.contracts.bank)
    expect(value ?? 0n).toBe(0n)
    expect(decodeFunctionData({ abi: rifBankAbi, data: calldata! })).toMatchObject({
      functionName: 'announceExit',
      args: [
        {
          exitId: BigInt(exit.onchain_id),
          kind: 0,
          productId: 0n,
          amount: 100_000_000n,
          token: chain.contracts.usdt,
          to: getAddress(destination),
        },
      ],
    })
    expect((await call(server, `${path}/tx/execute`, { as: operator })).data.error).toBe('EXIT_NOT_ANNOUNCED')
    // A guardian may hold any role here, and gets the cancelling transaction as soon as there is something to
    // cancel.
    for (const as of [viewer, approver]) {
      expect((await call(server, `${path}/tx/announce`, { as })).status).toBe(403)
      expect((await call(server, `${path}/tx/execute`, { as })).status).toBe(403)
      expect((await call(server, `${path}/tx/cancel`, { as })).data.error).toBe('EXIT_NOT_ANNOUNCED')
    }

    const withdraw = () =>
      call(server, `${path}/withdraw`, { as: operator, payload: { reason: 'not needed' } })
    expect(await withdraw()).toMatchObject({ status: 200, data: { state: 'Withdrawn' } })
    expect((await withdraw()).data.error).toBe('EXIT_ANNOUNCED')
    expect((await call(server, `${path}/tx/announce`, { as: operator })).data.error).toBe('EXIT_ANNOUNCED')
    expect((await server.services.ledger.pools.balances(db(), 'exit_hold')).USDT).toBe(0n)
  })

  it('to a wallet of an approver must be approved by another person', async () => {
    const own = newWallet()
    await newAdmin(server, 'approver', 'carla', own)
    const carla = await newAdmin(server, 'approver', 'carla')
    const destination = await list(own.address)
    const proposal = await prepare(server, operator, 'treasury_payout', payout(destination))
    expect((await decide(server, carla, proposal)).data.error).toBe('OWN_PROPOSAL')
    const about = await prepare(server, operator, 'exit_destination', {
      address: newWallet().address,
      name: 'Other',
      purpose: 'rent',
    })
    expect((await decide(server, carla, about)).data.state).toBe('Applied')
  })

  it('above revenue, or to an unapproved or unlisted destination, is refused', async () => {
    const destination = await list()
    const error = async (payload: object) =>
      (await tryPrepare(server, operator, 'treasury_payout', payload)).data.error
    expect(await error(payout(destination, '1000.000001'))).toBe('INSUFFICIENT_BALANCE')
    expect(await error({ ...payout(destination), source: 'fees' })).toBe('INSUFFICIENT_BALANCE')
    expect(await error(payout(destination, '0'))).toBe('INVALID_AMOUNT')
    expect(await error(payout(destination, '-1'))).toBe('INVALID_AMOUNT')
    const unlisted = newWallet().address
    expect(await error(payout(unlisted))).toBe('VALIDATION_FAILED')
    await listOnChain(server, unlisted)
    expect(await error(payout(unlisted))).toBe('VALIDATION_FAILED')
    const { unapproved } = server.services.exitDestinations
    expect((await unapproved(db())).map(({ address }) => address)).toEqual([unlisted.toLowerCase()])
  })
})

it('the database refuses a payout without an exit, and a second hold of one', async () => {
  const at = new Date()
  const line = { memberId: 0n, asset: 'USDT', amountMicros: M } as const
  const post = (kind: 'exit_hold' | 'exit_release' | 'treasury_payout', key: string, cause: string) =>
    server.services.ledger.post(db(), {
      key,
      kind,
      cause: { type: 'exit', id: cause },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        kind === 'exit_hold'
          ? { ...line, source: 'revenue', destination: 'exit_hold' }
          : { ...line, source: 'exit_hold', destination: kind === 'exit_release' ? 'revenue' : 'external' },
      ],
    })
  await expect(post('exit_hold', 'exit/999/hold', '999')).rejects.toMatchObject({ code: 'RL012' })
  const [exit] = (await call(server, 'admin/treasury/exits', { as: viewer })).data.items
  await expect(post('exit_hold', 'again', exit.exit_id)).rejects.toMatchObject({ code: 'RL012' })
  const kept = await prepare(server, operator, 'treasury_payout', payout(await list(), '5'))
  await decide(server, approver, kept)
  const [open] = (await call(server, 'admin/treasury/exits?show=open', { as: viewer })).data.items
  for (const kind of ['exit_release', 'treasury_payout'] as const) {
    const key = `exit/${open.exit_id}/${kind === 'exit_release' ? 'release' : 'payout'}`
    await expect(post(kind, key, open.exit_id)).rejects.toMatchObject({ code: 'RL012' })
  }
  const change = inTx(db(), (dbTx) =>
    sql`update exits set amount_micros = amount_micros + 1 where exit_id = ${open.exit_id}`.execute(dbTx),
  )
  await expect(change).rejects.toMatchObject({ code: 'RL012' })
})
