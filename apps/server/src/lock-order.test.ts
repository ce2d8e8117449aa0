import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { PROJECT_ROOT } from './config.ts'
import { inTx } from './db/database.ts'
import { idempotencyJobs } from './lib/idempotency-jobs.ts'
import type { Job } from './lib/job.ts'
import { createLogger } from './lib/logger.ts'
import { ledgerJobs } from './modules/books/ledger/ledger.worker.ts'
import { reversalJobs } from './modules/books/reversals/reversals.worker.ts'
import { proposalJobs } from './modules/desk/proposals/proposals.worker.ts'
import { exchangeJobs } from './modules/exchange/exchange.worker.ts'
import { statementJobs } from './modules/files/statements/statements.worker.ts'
import { fundJobs } from './modules/fund/fund.worker.ts'
import { savingsJobs } from './modules/savings/savings.worker.ts'
import { settlementJobs } from './modules/settlement/settlement.worker.ts'
import { shopJobs } from './modules/shop/shop.worker.ts'
import { decide, newAdmin } from './testing/admin-actions.ts'
import { fundActions } from './testing/fund-actions.ts'
import { recordLocks, type TakenLocks } from './testing/recorded-locks.ts'
import { isOnCluster } from './testing/test-database.ts'
import { startTestProduct, type TestMember, type TestProduct } from './testing/test-product.ts'
import { call, callSigned, newWallet, signIn, type TestServer } from './testing/test-server.ts'

const NO_LIMITS = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
const DAY_MS = 86_400_000
/** Locks of the list that nothing here takes: of launches, and of rates of other currencies. */
const NOT_TRIED = ['display-rate', 'laun']

let product: TestProduct
let app: TestServer['app']
let transactions: readonly TakenLocks[]

beforeAll(async () => {
  if (isOnCluster()) return
  product = await startTestProduct()
  transactions = await recordLocks(product.database)
  app = await createApp(product.services, { log: createLogger({ level: 'silent' }), rateLimits: NO_LIMITS })
  await useEverything()
})
afterAll(async () => {
  if (isOnCluster()) return
  await app.close()
  await product.stop()
})

/** Has members, operators, the chain and the worker do each kind of thing that takes locks. */
async function useEverything(): Promise<void> {
  const { services, db, database } = product
  await product.publishPrice('AMC', '0.5')
  await product.publishPrice('RIF', '0.5')
  await services.settlement.begin(dayOf(product.now().getTime()))
  const root = await product.join(null)
  const { inviteCode } = await services.members.get(db, root.memberId)
  const server = { app, services, database, root: { ...root, inviteCode } } as unknown as TestServer
  const member = await product.join(root)
  const as = await signIn(server, newWallet())
  const other = await signIn(server, newWallet())
  for (const to of [member, as as unknown as TestMember])
    for (const asset of ['USDT', 'AMC', 'RIF'] as const) await product.grant(to, asset, '300')
  const product_id = `${await fundActions(product).open('Bonds', '10')}`
  await product.finalise()

  let keys = 0
  const done = async (path: string, payload?: object) => {
    const headers = { 'idempotency-key': `k${keys++}` }
    const { status, data } = await (payload
      ? callSigned(server, path, { as, payload, headers })
      : call(server, path, { as }))
    expect({ path, status, data }).toMatchObject({ status: 200 })
    return data
  }
  const hash = (digit: string) => `0x${digit.repeat(64)}`
  const order = await done('order', { product_id: '1' })
  await done(`order/tx/${order.order_id}?useHashRate=true`)
  await done('order/pay', { order_id: order.order_id, tx_hash: hash('1') })
  const discounted = await done('order', { product_id: '2', useHashRate: true })
  await done('order/cancel', { order_id: discounted.order_id })
  await refundFree(as.memberId)
  const claimed = await done('withdraw', { asset: 'USDT', amount: '20' })
  await done(`withdraw/claim/${claimed.withdraw_id}`)
  const cancelled = await done('withdraw', { asset: 'USDT', amount: '20' })
  await done(`withdraw/cancel/${cancelled.withdraw_id}`, {})
  await done('transfer', { address: other.address, asset: 'USDT', amount: '1' })
  await done('savings/in', { asset: 'USDT', amount: '2' })
  await done('savings/out', { asset: 'USDT', amount: '1' })
  await done('savings/standing', { asset: 'USDT', amount: '1', keep: '0', every: 'day', on_day: 1 })
  await done('fund/buy', { product_id, units: '3', pay_with: 'available' })
  const unpaid = await done('fund/buy', { product_id, units: '1', pay_with: 'wallet' })
  await done('fund/cancel', { order_id: unpaid.order_id })
  const paying = await done('fund/buy', { product_id, units: '1', pay_with: 'wallet' })
  await done(`fund/tx/${paying.order_id}`)
  await done('fund/pay', { order_id: paying.order_id, tx_hash: hash('2') })
  const redeemed = await done('fund/redeem', { product_id, units: '1' })
  await done('fund/redemption/cancel', { redemption_id: redeemed.redemption_id })
  await done('exchange', { quote_id: (await done('exchange/quote', { to: 'DIV', amount: '2' })).quote_id })
  await done('hashrate', { quote_id: (await done('hashrate/quote', { amount: '2' })).quote_id })
  await done('profit/mng', { action: 'resume' })
  await done('transfer/contacts', { address: other.address, label: 'a friend' })
  const day = dayOf(product.now().getTime())
  await done('me/statements', { kind: 'account', format: 'csv', from: day, to: day })

  const paid = await product.order(member, 1)
  await product.pay(member, paid.order_id)
  const [first, second] = [await newAdmin(server, 'owner'), await newAdmin(server, 'owner')]
  const price = {
    asset: 'AMC',
    price: '0.51',
    valid_from: new Date(product.now().getTime() + DAY_MS / 2).toISOString(),
  }
  for (const [kind, payload] of [
    ['price', price],
    ['pause', { area: 'orders' }],
  ] as const) {
    const body = { kind, payload, reason: 'as tested' }
    const { data: proposal } = await call(server, 'admin/proposals', {
      as: first,
      payload: body,
      headers: { 'idempotency-key': kind },
    })
    expect(await decide(server, second, proposal)).toMatchObject({ status: 200 })
  }

  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  await product.claim(member, withdraw_id)
  await product.finalise()
  await product.advance(DAY_MS)
  await product.publishPrice('AMC', '0.5')
  await product.finalise()
  for (const job of jobsOf(product)) await job.run()
}

/** Releases a payment of 30 USDT out of suspense, free to withdraw: a withdrawal uses it, and a cancelled one gives it back. */
async function refundFree(memberId: bigint): Promise<void> {
  const { db, services } = product
  const txHash = `0x${'3'.repeat(64)}`
  const [at, amountMicros] = [product.now(), 30_000_000n]
  await services.ledger.post(db, {
    key: `unmatched/${txHash}/0`,
    kind: 'unmatched_payment',
    cause: { type: 'payment', id: txHash },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [{ memberId: 0n, asset: 'USDT', source: 'external', destination: 'suspense', amountMicros }],
  })
  await sql`
    insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros, amc_micros,
      usdt_dust, amc_dust, paid_at, collected_at)
    select 0, ${txHash}, 0, 1, address, 'unknown_order', ${amountMicros}, 0, 0, 0, ${at}, ${at}
    from members where member_id = ${memberId}`.execute(db)
  const key = { memberId: 0n, txHash, logIndex: 0 }
  await inTx(db, (dbTx) =>
    services.checkout.release(dbTx, key, { toMemberId: memberId, isFree: true, actor: 'test' }),
  )
}

function jobsOf({ services, db, now }: TestProduct): Job[] {
  return [
    ...shopJobs({ db, shop: services.shop }),
    ...savingsJobs(services.savings, services.standingSavings),
    ...fundJobs({ db, fund: services.fund }),
    ...ledgerJobs({ db, ledger: services.ledger }),
    ...settlementJobs(services.settlement),
    ...exchangeJobs(services.allocation),
    ...proposalJobs(services.proposals),
    ...reversalJobs({ db, reversals: services.reversals }),
    ...statementJobs(services),
    ...idempotencyJobs({ db, now }),
  ]
}

/** Returns the groups of the list in docs/invariants.md, and the group of each lock that it names. */
async function readOrder(): Promise<{ groups: string[]; groupOf: ReadonlyMap<string, string> }> {
  const text = await readFile(join(PROJECT_ROOT, 'docs/invariants.md'), 'utf8')
  const list = /^## Order of locks$(.*?)^## /ms.exec(text)![1]!
  const items = [...list.matchAll(/^\d+\. \*\*([^*]+)\*\*([^.:]*)/gm)]
  const groups = items.map(([, group]) => group!)
  const named = items.flatMap(([, group, names]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name!, group!] as const),
  )
  return { groups, groupOf: new Map(named) }
}

/** Nobody waits for a row that is only inserted, but for the one of a key or of a used nonce. */
const UNIQUE = ['+idempotency_keys', '+sign_in_nonces']
const isWaitedFor = (lock: string) => !lock.startsWith('+') || UNIQUE.includes(lock)

const onOneMachine = test.skipIf(isOnCluster())

onOneMachine('every transaction takes its locks in the documented order', async () => {
  const { groups, groupOf } = await readOrder()
  const rankOf = (lock: string) => {
    const group = groupOf.get(lock)
    return group === undefined ? undefined : groups.indexOf(group)
  }
  const heads = groups.indexOf('heads')
  /** Any row may be locked after the head; none before it but those that the list names. */
  const mayFollow = (earlier: string, lock: string) => {
    const [before, rank] = [rankOf(earlier), rankOf(lock)]
    if (rank === undefined) return true
    return before === undefined ? rank > heads : rank >= before
  }
  const wrong = transactions.filter((all) => {
    const locks = all.filter(isWaitedFor)
    return locks.some((lock, index) => !locks.slice(0, index).every((earlier) => mayFollow(earlier, lock)))
  })
  expect(wrong).toEqual([])
})

onOneMachine('no two locks are taken in both orders, but rows under the head', async () => {
  const { groupOf } = await readOrder()
  const pairs = new Set<string>()
  for (const all of transactions) {
    const head = all.indexOf('ledger_heads')
    const isUnderHead = (lock: string) => !groupOf.has(lock) && head !== -1 && all.indexOf(lock) > head
    const locks = all.filter((lock) => isWaitedFor(lock) && !isUnderHead(lock))
    for (const [index, lock] of locks.entries())
      for (const later of locks.slice(index + 1)) pairs.add(`${lock} before ${later}`)
  }
  const turned = [...pairs].filter((pair) => pairs.has(pair.split(' before ').reverse().join(' before ')))
  expect(turned).toEqual([])
})

onOneMachine('the list names every advisory lock, and the locks were really recorded', async () => {
  const { groupOf } = await readOrder()
  const seen = new Set(transactions.flat())
  expect([...groupOf.keys()].filter((lock) => !seen.has(lock))).toEqual(NOT_TRIED)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p')`.execute(product.database.adminDb)
  const tables = new Set(rows.map(({ name }) => name))
  const advisory = [...seen].filter((lock) => !tables.has(lock.replace('+', '')))
  expect(advisory.filter((lock) => !groupOf.has(lock))).toEqual([])
})
