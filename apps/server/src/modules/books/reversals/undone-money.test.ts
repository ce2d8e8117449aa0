import { parseMicros, toChainUnits } from '@rif/rules'
import pg from 'pg'
import { stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAside, stuckEvent } from '../../../chain/indexer/set-aside.ts'
import { inTx } from '../../../db/database.ts'
import { BLOCKS_TO_FINALITY } from '../../../local/anvil.ts'
import {
  allowUsdt,
  blockNumber,
  depositRevenue,
  payOtherTerms,
  recover,
  reorganiseAfter,
} from '../../../testing/bank-actions.ts'
import { fundActions } from '../../../testing/fund-actions.ts'
import { allowTriggers } from '../../../testing/tampering.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { booksOf } from './testing/books.ts'

// Receipts that paid no order: payments in `suspense` and attested revenue, all below L1 finality.

let product: TestProduct
let root: TestMember
let payer: TestMember
let nextOrder = 1_000n

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
  await product.publishPrice('AMC', '0.5')
  payer = await product.join(root)
  // Revenue of the operator, to cover shortfalls.
  const { order_id: orderId } = await product.order(root, 5)
  await product.pay(root, orderId)
  await product.finalise()
})
afterAll(() => product.stop())

const operatorHolds = async () => {
  const sums = await product.services.ledger.flows.accountsNow(product.db, ['revenue', 'fees', 'shortfall'])
  return sums.filter(({ asset }) => asset === 'USDT').reduce((sum, { micros }) => sum + micros, 0n)
}
const pool = async (account: 'suspense' | 'yield_pool') =>
  (await product.services.ledger.pools.balances(product.db, account)).USDT
const available = async () =>
  (await product.services.ledger.balances(product.db, payer.memberId)).USDT.available
const suspended = () =>
  product.db.selectFrom('unmatched_payments').selectAll().where('payer', '=', payer.address).execute()

/** Pays 10 USDT for a nonexistent order. Returns the block before. */
async function payForNothing(): Promise<number> {
  const orderId = nextOrder++
  await allowUsdt(product, payer, toChainUnits(20_000_000n, 6))
  const before = await blockNumber(product)
  await payOtherTerms(product, payer, orderId, { usdt: toChainUnits(10_000_000n, 6), amc: 0n })
  await product.finalise()
  return before
}

/** Releases the last payment from `suspense` to its payer. */
async function release(): Promise<void> {
  const { tx_hash: txHash, log_index: logIndex, member_id: memberId } = (await suspended()).at(-1)!
  await inTx(product.db, (dbTx) =>
    product.services.checkout.release(
      dbTx,
      { memberId, txHash, logIndex },
      { toMemberId: payer.memberId, isFree: false, actor: 'anna' },
    ),
  )
}

/** Ends two days and settles them; the yield pool pays static rewards. */
async function settleDays(): Promise<void> {
  await product.services.settlement.begin(product.now().toISOString().slice(0, 10))
  for (let day = 0; day < 2; day++) await product.advance(86_400_000)
  await product.finalise()
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
  expect(await product.services.settlement.catchUp(0)).toHaveLength(2)
}

/** Deposits 100 USDT and attests them for the yield pool. Returns the block before. */
async function attest(text: string): Promise<number> {
  const before = await blockNumber(product)
  await depositRevenue(product, payer, { amountMicros: 100_000_000n, text })
  await product.finalise()
  const { attestedRevenue } = product.services
  const { rows } = await product.database.pool.query<{ id: string }>(
    'select max(deposit_id::bigint)::text as id from revenue_deposits',
  )
  const { attestationId } = await inTx(product.db, (dbTx) =>
    attestedRevenue.prepare(dbTx, {
      pool: 'yield_pool',
      asset: 'USDT',
      amountMicros: 100_000_000n,
      source: 'rent',
      actor: 'anna',
      documentHash: stringToHex(text, { size: 32 }),
      depositId: BigInt(rows[0]!.id),
    }),
  )
  await inTx(product.db, (dbTx) => attestedRevenue.approve(dbTx, { attestationId, actor: 'ben' }))
  return before
}

test('a lost payment in suspense leaves suspense and the books in their earlier state', async () => {
  const books = await booksOf(product)
  const before = await payForNothing()
  expect(await pool('suspense')).toBe(10_000_000n)
  await reorganiseAfter(product, before)
  const plan = await recover(product)
  expect(plan?.events).toEqual([expect.objectContaining({ name: 'OrderPaid', outcome: 'undone' })])
  expect(await pool('suspense')).toBe(0n)
  expect(await suspended()).toEqual([])
  expect(await booksOf(product)).toEqual(books)
  expect(await product.audit()).toEqual([])
})

test('the operator covers a payment that was released from suspense and is lost, until it is sent again', async () => {
  const operatorBalances = await operatorHolds()
  const owned = await available()
  const before = await payForNothing()
  await release()
  const [payment] = await suspended()
  const signed = await product.testChain.rpc('eth_getRawTransactionByHash', [payment!.tx_hash])
  await reorganiseAfter(product, before)
  const plan = await recover(product)
  expect(plan?.events).toEqual([expect.objectContaining({ name: 'OrderPaid', outcome: 'covered' })])
  expect(plan?.postings).toContainEqual(
    expect.objectContaining({ kind: 'payment_made_good', source: 'shortfall', destination: 'external' }),
  )
  // The member keeps the released amount, and only the operator pays for it.
  expect(await available()).toBe(owned + 10_000_000n)
  expect(await operatorHolds()).toBe(operatorBalances - 10_000_000n)
  expect(await product.services.reversals.debts(product.db)).toEqual([])
  expect(await product.audit()).toEqual([])

  // The payer's transaction is still signed: sent again, it repays the operator, and is not refunded twice.
  await product.testChain.rpc('eth_sendRawTransaction', [signed])
  await product.finalise()
  expect(await suspended()).toHaveLength(1)
  expect(await pool('suspense')).toBe(0n)
  expect(await available()).toBe(owned + 10_000_000n)
  expect(await operatorHolds()).toBe(operatorBalances)
  expect(await product.audit()).toEqual([])
})

test('attested revenue whose deposit is lost leaves its pool, and another deposit with that number can be attested', async () => {
  const books = await booksOf(product)
  const before = await attest('first')
  expect(await pool('yield_pool')).toBe(100_000_000n)
  await reorganiseAfter(product, before)
  const plan = await recover(product)
  expect(plan?.events).toEqual([expect.objectContaining({ name: 'RevenueDeposited', outcome: 'undone' })])
  expect(await pool('yield_pool')).toBe(0n)
  expect(await booksOf(product)).toEqual(books)
  expect(await product.audit()).toEqual([])
})

test('attested revenue that its pool has paid out stays with the members, and the operator covers the deposit', async () => {
  const before = await attest('second')
  await settleDays()
  const operatorBalances = await operatorHolds()
  const left = await pool('yield_pool')
  expect(left).toBeLessThan(100_000_000n)
  await reorganiseAfter(product, before)
  const plan = await recover(product)
  expect(plan?.events).toEqual([expect.objectContaining({ name: 'RevenueDeposited', outcome: 'covered' })])
  expect(await pool('yield_pool')).toBe(left)
  expect(await operatorHolds()).toBe(operatorBalances - 100_000_000n)
  expect(await product.audit()).toEqual([])

  // The contract counts its deposits: another one gets the number of the lost one, and is recorded and
  // attested as usual.
  await attest('third')
  expect(await pool('yield_pool')).toBe(left + 100_000_000n)
  expect(await product.audit()).toEqual([])
})

/** Makes an insert fail while events arrive, and sets aside the event that it blocks. */
async function setAsideStuck(table: string, condition: string): Promise<void> {
  const owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  await allowTriggers(owner)
  await owner.query(`create or replace function refuse_row() returns trigger language plpgsql
    as 'begin raise exception ''this row is refused''; end'`)
  await owner.query(
    `create trigger refused before insert on ${table} for each row ${condition} execute function refuse_row()`,
  )
  await expect(product.finalise()).rejects.toThrow(/this row is refused/)
  await owner.query(`drop trigger refused on ${table}`)
  await owner.end()
  const { chain, db, services } = product
  const { event } = (await stuckEvent(db, chain.chainId))!
  const decision = { preparedBy: 'anna', decidedBy: 'ben', reason: 'as tested', at: product.now() }
  const { eventHandlers: handlers } = services
  await inTx(db, (dbTx) => setAside(dbTx, { chainId: chain.chainId, handlers }, event, decision))
  await product.finalise()
}

test('a deposit and a claim that were set aside and are lost leave suspense, and the withdrawal open again', async () => {
  await product.grant(payer, 'USDT', '50')
  const { withdraw_id: id } = await product.withdraw(payer, 'USDT', '50')
  await product.finalise()
  const books = await booksOf(product)
  const before = await blockNumber(product)
  const { tx } = await product.services.claims.voucher(product.db, payer.memberId, BigInt(id))
  await depositRevenue(product, payer, { amountMicros: 7_000_000n, text: 'set aside' })
  await setAsideStuck('revenue_deposits', '')
  await product.send(payer, tx)
  await setAsideStuck('ledger_entries', "when (new.kind = 'withdrawal_paid')")
  const get = () => product.services.withdrawals.get(product.db, payer.memberId, BigInt(id))
  expect(await pool('suspense')).toBe(7_000_000n)
  expect(await get()).toMatchObject({ status: 'Success' })
  expect(await product.audit()).toEqual([])

  await reorganiseAfter(product, before)
  await recover(product)
  expect(await pool('suspense')).toBe(0n)
  expect(await get()).toMatchObject({ status: 'Withdrawable', tx_hash: null })
  expect(await booksOf(product)).toEqual(books)
  expect(await product.audit()).toEqual([])
})

test("units whose payment is lost are taken back, and those in redemption stand at the operator's cost", async () => {
  const fund = fundActions(product)
  const productId = await fund.open('Undone', '10')
  const order = await fund.buy(payer, productId, 5n, 'wallet')
  await product.finalise()
  const books = await booksOf(product)
  const pay = async () => {
    const before = await blockNumber(product)
    await fund.pay(payer, order)
    await product.finalise()
    expect(await fund.order(payer, order.order_id)).toMatchObject({ status: 'Paid', units_left: '5' })
    expect(await fund.custody(productId)).toBe(50_000_000n)
    return before
  }
  await reorganiseAfter(product, await pay())
  const undone = await recover(product)
  expect(undone?.events).toEqual([expect.objectContaining({ name: 'OrderPaid', outcome: 'undone' })])
  expect(await fund.order(payer, order.order_id)).toMatchObject({ status: 'UnPaid', units_left: '0' })
  expect(await fund.custody(productId)).toBe(0n)
  expect(await booksOf(product)).toEqual(books)
  expect(await product.audit()).toEqual([])

  const before = await pay()
  const operatorBalances = await operatorHolds()
  await fund.redeem(payer, productId, 2n)
  await reorganiseAfter(product, before)
  const covered = await recover(product)
  expect(covered?.events).toEqual([expect.objectContaining({ name: 'OrderPaid', outcome: 'covered' })])
  expect(await fund.order(payer, order.order_id)).toMatchObject({ status: 'Redemption', units_left: '5' })
  expect(await fund.custody(productId)).toBe(50_000_000n)
  expect(await operatorHolds()).toBe(operatorBalances - parseMicros(order.total))
  expect(await product.audit()).toEqual([])
})
