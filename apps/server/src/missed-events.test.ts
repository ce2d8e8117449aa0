import { amcTokenAbi } from '@rif/contracts/abi'
import pg from 'pg'
import { pino } from 'pino'
import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNodes } from './chain/nodes/nodes.ts'
import { explainSurplus } from './modules/rewards/attested-revenue/audit.ts'
import { missedPayments } from './modules/shop/checkout/audit.ts'
import { createServices } from './services.ts'
import { depositRevenue } from './testing/bank-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from './testing/test-product.ts'

const MINUTE_MS = 60_000

let product: TestProduct
let root: TestMember
let member: TestMember
let owner: pg.Client
const alarms: string[] = []

beforeAll(async () => {
  product = await startTestProduct({ log: pino({ level: 'error' }, { write: (line) => alarms.push(line) }) })
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  await owner.query(
    `create function lose_event() returns trigger language plpgsql as 'begin return null; end'`,
  )
})
afterAll(async () => {
  await owner.end()
  await product.stop()
})
beforeEach(async () => {
  member = await product.join(root)
  await product.finalise()
})
afterEach(() => owner.query('drop trigger if exists lose on chain_events'))

/** Loses the events of a name although the chain has them, like undetected wrong logs. */
const lose = (name: 'Claimed' | 'OrderPaid' | 'RevenueDeposited') =>
  owner.query(`create trigger lose before insert on chain_events for each row
    when (new.name = '${name}') execute function lose_event()`)
const balances = async () => (await product.services.ledger.balances(product.db, member.memberId)).USDT
const inWallet = () =>
  product.chain.untrustedClient.readContract({
    address: product.chain.contracts.usdt,
    abi: amcTokenAbi,
    functionName: 'balanceOf',
    args: [member.wallet],
  })
/** The same product with a node that does not answer. */
const withoutNode = () => {
  const nodes = createNodes({ rpcUrls: ['http://127.0.0.1:9'], chainId: product.chain.chainId })
  return createServices({ ...product.services, chain: { ...product.chain, nodes } })
}

test('178 USDT out of 100: a claim whose event was lost is neither cancelled nor paid again', async () => {
  await product.grant(member, 'USDT', '100')
  const before = await inWallet()
  const { withdraw_id } = await product.withdraw(member, 'USDT', '90')
  await lose('Claimed')
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await product.advance(32 * MINUTE_MS)
  await product.finalise()

  const cannotAsk = withoutNode().withdrawals.requireUnclaimed(
    product.db,
    member.memberId,
    BigInt(withdraw_id),
  )
  await expect(cannotAsk).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await expect(product.cancelWithdrawal(member, withdraw_id)).rejects.toMatchObject({ code: 'PAID_ON_CHAIN' })
  // One cause raises one alarm, however often and in whichever process the member tries.
  await expect(product.cancelWithdrawal(member, withdraw_id)).rejects.toMatchObject({ code: 'PAID_ON_CHAIN' })
  expect(alarms.filter((line) => line.includes('the bank has paid a withdrawal'))).toHaveLength(1)
  expect(await balances()).toMatchObject({ available: 10_000_000n, withdrawing: 90_000_000n })
  // A new voucher has the same terms, which the bank pays once.
  expect((await product.claim(member, withdraw_id)).status).toBe('reverted')
  expect((await inWallet()) - before).toBe(89_000_000n)
  expect(await product.audit()).toEqual([
    expect.objectContaining({ check: 'bank', subject: expect.stringContaining('USDT') }),
  ])
})

test('an unbooked payment: an order whose payment was lost can be neither cancelled nor expire', async () => {
  const order = await product.order(member, 1)
  await lose('OrderPaid')
  expect((await product.pay(member, order.order_id)).status).toBe('success')
  await product.advance(32 * MINUTE_MS)
  await product.finalise()

  const { shop } = product.services
  await expect(withoutNode().shop.expire(product.db)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  for (let round = 0; round < 2; round++) expect(await shop.expire(product.db)).toBe(0)
  await expect(product.cancelOrder(member, order.order_id)).rejects.toMatchObject({ code: 'PAID_ON_CHAIN' })
  expect(await shop.get(product.db, member.memberId, BigInt(order.order_id))).toMatchObject({
    status: 'UnPaid',
  })
  expect(alarms.filter((line) => line.includes('the bank was paid for an order'))).toHaveLength(1)
  // The surplus alone is a note, as for a stranger's tokens; `rif audit` fails because of the payment that
  // explains it.
  expect(await missedPayments(product.db, product.chain)).toMatchObject([
    { check: 'missed payment', subject: expect.stringContaining(order.chain_order_id) },
  ])
})

test('a withdrawal whose deadline L1 has not finalised keeps its money', async () => {
  await product.grant(member, 'USDT', '100')
  const { withdraw_id } = await product.withdraw(member, 'USDT', '90')
  await product.services.claims.voucher(product.db, member.memberId, BigInt(withdraw_id))
  await product.advance(32 * MINUTE_MS)
  await product.finalise()
  const tenMinutesAgo = new Date(product.now().getTime() - 10 * MINUTE_MS)
  await owner.query('update chain_cursors set l1_final_block_at = $1', [tenMinutesAgo])
  await expect(product.cancelWithdrawal(member, withdraw_id)).rejects.toMatchObject({
    code: 'CLAIM_STILL_VALID',
  })
  await product.finalise()
  expect(await product.cancelWithdrawal(member, withdraw_id)).toMatchObject({ status: 'Cancelled' })
  expect(await balances()).toMatchObject({ available: 100_000_000n, withdrawing: 0n })
})

test("a surplus is explained: a waiting deposit, a stranger's transaction, and a lost deposit, which fails", async () => {
  const { db, chain } = product
  const explained = async () => {
    const findings = await product.audit()
    return [...findings, ...(await explainSurplus(db, chain, findings))]
  }
  const before = await explained()
  await depositRevenue(product, member, { amountMicros: 5_000_000n, text: 'rent' })
  const data = encodeFunctionData({
    abi: amcTokenAbi,
    functionName: 'transfer',
    args: [chain.contracts.bank, 3_000_000n],
  } as const)
  const sent = await product.receiptOf(
    await product.testChain.rpc('eth_sendTransaction', [
      { from: member.wallet, to: chain.contracts.usdt, data },
    ]),
  )
  await product.finalise()
  const news = (await explained()).filter(({ subject }) => !before.some((old) => old.subject === subject))
  expect(news).toMatchObject([
    { isNote: true, subject: 'USDT of deposits that nobody has attested', actual: '5000000' },
    {
      isNote: true,
      actual: '3000000',
      subject: `USDT that ${getAddress(member.wallet)} transferred in transaction ${sent.hash}`,
    },
  ])

  await lose('RevenueDeposited')
  await depositRevenue(product, member, { amountMicros: 4_000_000n, text: 'lost' })
  await product.finalise()
  const lost = (await explained()).filter(({ isNote }) => !isNote)
  expect(lost.map(({ check, subject }) => `${check}: ${subject.split(' ')[0]}`)).toContain(
    'missed event: RevenueDeposited',
  )
})
