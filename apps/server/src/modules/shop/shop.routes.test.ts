import { setTimeout as sleep } from 'node:timers/promises'
import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { sql } from 'kysely'
import { decodeFunctionData, type Hex, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { deferred } from '../../lib/deferred.ts'
import { isOnCluster } from '../../testing/test-database.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'

let server: TestServer
let member: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  member = await signIn(server, newWallet())
})
afterAll(() => server.close())

const createOrder = (payload: object, key?: string) =>
  call(server, 'order', {
    as: member,
    payload,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const decode = (rawTx: Hex, abi: typeof rifBankAbi | typeof amcTokenAbi) => {
  const { to, chainId, data, value } = parseTransaction(rawTx)
  return { to: to?.toLowerCase(), chainId, value: value ?? 0n, ...decodeFunctionData({ abi, data: data! }) }
}

test('prices are null until they are published', async () => {
  expect((await call(server, 'token/price')).data).toEqual({
    asset: 'AMC',
    price: null,
    valid_from: null,
    source: null,
  })
  expect(await createOrder({ product_id: '1' })).toMatchObject({
    status: 409,
    data: { error: 'PRICE_UNAVAILABLE' },
  })
  await inTx(server.database.db, (dbTx) =>
    server.services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' }),
  )
  expect((await call(server, 'token/price')).data).toMatchObject({ asset: 'AMC', price: '0.500000' })
  expect((await call(server, 'token/price2')).data).toMatchObject({ asset: 'RIF', price: null })
})

test('the packages of the plan, with their copies', async () => {
  const { items } = (await call(server, 'products')).data
  expect(items.map((item: { name: string }) => item.name)).toEqual(
    [100, 500, 1000, 5000, 10000].map((price) => `Launch ${price}`),
  )
  expect(items[0]).toMatchObject({
    product_id: '1',
    price: '100.000000',
    copies_limit: 200,
    copies_left: 200,
  })
})

test('an order from quote to raw payment', async () => {
  const first = await createOrder({ product_id: '2' }, 'key-1')
  expect(first).toMatchObject({ status: 200, data: { status: 'UnPaid', payment_method: 'USDT+AMC' } })
  expect((await createOrder({ product_id: '2' }, 'key-1')).data).toEqual(first.data)
  expect(await createOrder({ product_id: '3' }, 'key-1')).toMatchObject({
    status: 409,
    data: { error: 'IDEMPOTENCY_CONFLICT' },
  })
  const { order_id, chain_order_id, expires_at } = first.data
  const { contracts } = server.chain

  const usdt = (await call(server, `order/approve/usdt/${order_id}?useHashRate`, { as: member })).data
  expect(usdt).toMatchObject({ error: 'PRICE_UNAVAILABLE' })
  const approval = (await call(server, `order/approve/amc/${order_id}?useHashRate=false`, { as: member }))
    .data
  expect(approval.before).toEqual([])
  expect(decode(approval.tx, amcTokenAbi)).toMatchObject({
    to: contracts.amc.toLowerCase(),
    chainId: 42161,
    value: 0n,
    functionName: 'approve',
    args: [expect.stringMatching(new RegExp(contracts.bank, 'i')), 300n * 10n ** 18n],
  })
  const payment = (await call(server, `order/tx/${order_id}`, { as: member })).data
  expect(payment.deadline).toBe(expires_at)
  expect(decode(payment.tx, rifBankAbi)).toMatchObject({
    to: contracts.bank.toLowerCase(),
    functionName: 'payOrder',
    args: [
      {
        orderId: BigInt(chain_order_id),
        payer: member.address,
        usdtAmount: 350_000_000n,
        amcAmount: 300n * 10n ** 18n,
        deadline: BigInt(Date.parse(expires_at) / 1_000),
      },
      expect.stringMatching(/^0x[0-9a-f]{130}$/),
    ],
  })

  const tx_hash = `0x${'12'.repeat(32)}`
  const reported = await call(server, 'order/pay', { as: member, payload: { order_id, tx_hash } })
  expect(reported.data).toMatchObject({ status: 'Processing', tx_hash })
  expect(await call(server, 'order/cancel', { as: member, payload: { order_id } })).toMatchObject({
    status: 409,
    msg: 'Order status cannot be modified',
    data: { error: 'ORDER_FINAL' },
  })
  expect((await call(server, 'order/all?status=Processing', { as: member })).data.items).toHaveLength(1)
  expect((await call(server, `order/${order_id}`, { as: member })).data).toEqual(reported.data)
})

test("another member's order is not found, and neither is an id that is too large", async () => {
  const { order_id } = (await createOrder({ product_id: '1' })).data
  const other = await signIn(server, newWallet())
  for (const path of [`order/${order_id}`, `order/tx/${order_id}`, 'order/999999999999999999']) {
    expect(await call(server, path, { as: other })).toMatchObject({
      status: 404,
      data: { error: 'ORDER_NOT_FOUND' },
    })
  }
  expect(await call(server, 'order/99999999999999999999', { as: other })).toMatchObject({ status: 400 })
})

/** Counts the sessions of this database that wait for a lock. */
const waiting = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(server.database.adminDb)
  return rows[0]!.count
}

test.skipIf(isOnCluster())(
  'of two requests with one key, the second waits before it reaches the database',
  async () => {
    const { order_id } = (await createOrder({ product_id: '3' })).data
    const [isLocked, mayEnd] = [deferred<void>(), deferred<void>()]
    const holding = inTx(server.database.adminDb, async (dbTx) => {
      await server.services.ledger.lock(dbTx, { memberIds: [member.memberId] })
      isLocked.resolve()
      await mayEnd.promise
    })
    await isLocked.promise
    const key = 'used-for-two-kinds'
    const tx_hash = `0x${'34'.repeat(32)}`
    const headers = { 'idempotency-key': key }
    const paid = call(server, 'order/pay', { as: member, payload: { order_id, tx_hash }, headers })
    await expect.poll(waiting).toBe(1)
    const ordered = createOrder({ product_id: '4' }, key)
    await sleep(200)
    expect(await waiting()).toBe(1)
    mayEnd.resolve()
    await holding
    expect((await paid).data).toMatchObject({ order_id, tx_hash })
    expect(await ordered).toMatchObject({ status: 409, data: { error: 'IDEMPOTENCY_CONFLICT' } })
  },
)

test('a withdrawal is quoted, limited and requested', async () => {
  await server.services.ledger.post(server.database.db, {
    key: 'grant',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: new Date().toISOString().slice(0, 10),
    at: new Date(),
    lines: [
      {
        memberId: member.memberId,
        asset: 'USDT',
        source: 'external',
        destination: 'available',
        amountMicros: 150_000_000n,
      },
    ],
  })
  const payload = { asset: 'USDT', amount: '60' }
  expect((await call(server, 'withdraw/check', { as: member, payload })).data).toMatchObject({
    fee: '1.000000',
    receives: '59.000000',
    to: member.address,
    status: 'Withdrawable',
    remaining_today: '100.000000',
    remaining_after: '40.000000',
  })
  const headers = { 'idempotency-key': 'withdraw-1' }
  const requested = await call(server, 'withdraw', { as: member, payload, headers })
  expect((await call(server, 'withdraw', { as: member, payload, headers })).data).toEqual(requested.data)
  expect((await call(server, 'withdraw/limit', { as: member })).data).toMatchObject({
    level: 0,
    limit: '100.000000',
    used: '60.000000',
    remaining: '40.000000',
    available: { USDT: '90.000000', AMC: '0.000000' },
  })
  expect(await call(server, 'withdraw', { as: member, payload })).toMatchObject({
    status: 409,
    data: { error: 'DAILY_LIMIT', details: { remaining: '40.000000' } },
  })
  const { withdraw_id, chain_withdrawal_id } = requested.data
  const claim = (await call(server, `withdraw/claim/${withdraw_id}`, { as: member })).data
  expect(decode(claim.tx, rifBankAbi)).toMatchObject({
    to: server.chain.contracts.bank.toLowerCase(),
    functionName: 'claim',
    args: [
      {
        withdrawalId: BigInt(chain_withdrawal_id),
        to: member.address,
        amount: 59_000_000n,
        token: expect.any(String),
        deadline: BigInt(Date.parse(claim.deadline) / 1_000),
      },
      expect.any(String),
    ],
  })
  expect(await call(server, `withdraw/cancel/${withdraw_id}`, { as: member, method: 'POST' })).toMatchObject({
    status: 409,
    data: { error: 'CLAIM_STILL_VALID' },
  })
  expect((await call(server, 'withdraws', { as: member })).data.items).toHaveLength(1)
})

test('rewards are empty at first', async () => {
  expect((await call(server, 'profit/all', { as: member })).data).toEqual({
    items: [],
    next: null,
    profit_sum: '0.000000',
    yesterday_profit: '0.000000',
    yesterday_profit_amc: '0.000000',
    sums: { tjjl: '0.000000', pdjl: '0.000000', jtjl: '0.000000', gljl: '0.000000' },
  })
})
