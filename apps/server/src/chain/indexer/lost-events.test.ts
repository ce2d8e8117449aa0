import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../../testing/test-product.ts'
import { connectChain } from '../client.ts'
import { LIES } from '../testing/lies.ts'
import { type RpcProxy, startRpcProxy, type Tamper } from '../testing/rpc-proxy.ts'
import { createIndexer, type Indexer } from './indexer.ts'

const DEADLINES_PASS_MS = 61 * 60_000

let product: TestProduct
let proxy: RpcProxy
let root: TestMember
let member: TestMember
let oldHead: unknown

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  proxy = await startRpcProxy(product.testChain.rpcUrl)
})
afterAll(async () => {
  await proxy.close()
  await product.stop()
})
beforeEach(async () => {
  member = await product.join(root)
  await product.grant(member, 'USDT', '100')
  await product.finalise()
  oldHead = await product.testChain.rpc('eth_getBlockByNumber', ['latest', false])
})
afterEach(() => proxy.setTamper(undefined))

/** Starts a new indexer, as after a restart: without state in memory, reading through the proxy. */
async function restartedIndexer(): Promise<Indexer> {
  const { db, database, services, now, chain } = product
  const throughProxy = await connectChain({
    rpcUrls: [proxy.url],
    chainId: chain.chainId,
    contracts: chain.contracts,
  })
  const indexer = createIndexer({
    db,
    databaseUrl: database.url,
    chain: throughProxy,
    now,
    log: pino({ level: 'silent' }),
    startBlock: 1n,
    confirmations: CONFIRMATIONS,
  })
  indexer.registerHandlers(services.eventHandlers)
  return indexer
}
const available = async () =>
  (await product.services.ledger.balances(product.db, member.memberId)).USDT.available
const walletBalance = () =>
  product.chain.untrustedClient.readContract({
    address: product.chain.contracts.usdt,
    abi: [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ type: 'address' }],
        outputs: [{ type: 'uint256' }],
      },
    ],
    functionName: 'balanceOf',
    args: [member.wallet],
  })

const withOldHead: Tamper = (call, answer) =>
  call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
    ? { ...answer, result: oldHead }
    : answer
const attacks: [string, Tamper][] = [
  ['an empty answer about logs, by range, by block and by receipts', LIES['no logs and no receipts']!],
  ['receipts without the event', LIES['receipts without logs']!],
  ['a header whose bloom hides the event', LIES['a header with an empty bloom']!],
  ['an old head', withOldHead],
]

/** Polls like the indexer, while the node lies; a thrown error stops it. */
async function pollAgainst(lie: Tamper): Promise<Indexer> {
  const indexer = await restartedIndexer()
  proxy.setTamper(lie)
  await product.advance(DEADLINES_PASS_MS)
  await product.testChain.mine(CONFIRMATIONS)
  for (let poll = 0; poll < 4; poll++) await indexer.runOnce().catch(() => undefined)
  return indexer
}

describe.each(attacks)('the attack "got 178 USDT out of 100" with %s', (_name, lie) => {
  test('fails: a seen claim is not dropped, so its withdrawal cannot be cancelled', async () => {
    const before = await walletBalance()
    const { withdraw_id } = await product.withdraw(member, 'USDT', '90')
    expect((await product.claim(member, withdraw_id)).status).toBe('success')
    await product.indexer.runOnce()
    const cancel = () => product.cancelWithdrawal(member, withdraw_id)

    const indexer = await pollAgainst(lie)
    await expect(cancel()).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })
    await expect(product.withdraw(member, 'USDT', '90')).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    })
    expect(await available()).toBe(10_000_000n)

    proxy.setTamper(undefined)
    await indexer.runOnce()
    await expect(cancel()).rejects.toMatchObject({ code: 'NOTHING_TO_CANCEL' })
    expect((await walletBalance()) - before).toBe(89_000_000n)
    expect(await available()).toBe(10_000_000n)
    expect(await product.audit()).toEqual([])
  })
})

describe.each(attacks)('the attack "a payment in no book" with %s', (_name, lie) => {
  test('fails: a seen payment is not dropped, so its order does not expire', async () => {
    const order = await product.order(member, 1)
    expect((await product.pay(member, order.order_id)).status).toBe('success')
    await product.indexer.runOnce()
    const get = () => product.services.shop.get(product.db, member.memberId, BigInt(order.order_id))
    expect(await get()).toMatchObject({ status: 'Processing' })

    const indexer = await pollAgainst(lie)
    await product.services.shop.expire(product.db)
    expect(await get()).toMatchObject({ status: 'Processing' })

    proxy.setTamper(undefined)
    await indexer.runOnce()
    await product.services.shop.expire(product.db)
    expect(await get()).toMatchObject({ status: 'Paid' })
    expect(await product.audit()).toEqual([])
  })
})
