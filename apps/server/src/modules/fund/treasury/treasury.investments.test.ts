import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { markSimulation } from '../../../db/simulation.ts'
import {
  blockNumber as blockNumberOf,
  reorganiseAfter as replaceBlocksAfter,
} from '../../../testing/bank-actions.ts'
import { fundActions } from '../../../testing/fund-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { DAY_MS, treasuryBank } from './testing/treasury-bank.ts'

const BLOCKS_TO_FINALITY = 64
const M = 1_000_000n

let product: TestProduct
let bank: ReturnType<typeof treasuryBank>
let fund: ReturnType<typeof fundActions>
let member: TestMember
let destination: string
let productId: bigint
let place = 0

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  bank = treasuryBank(product)
  fund = fundActions(product)
  member = await product.join(null)
  destination = await bank.list()
  await product.grant(member, 'USDT', '10000')
})
afterAll(() => product.stop())

/** Creates a separate product for each test, with 100 units of 10 USDT. */
beforeEach(async () => {
  place++
  productId = await fund.open(`Bonds ${place}`, '10')
  await fund.buy(member, productId, 100n)
})

const settle = () => product.services.exits.settleEnded()
const reorganiseAfter = async (block: number) => {
  await replaceBlocksAfter(product, block)
  await product.indexer.runOnce()
}
/** Returns the cash, announced and invested amounts, in whole USDT. */
async function assets() {
  const { products, assets } = product.services.fund
  const { cashMicros, announcedMicros, investedMicros, isInvested, navMicros } = await assets.read(
    product.db,
    await products.get(product.db, productId),
  )
  return [cashMicros / M, announcedMicros / M, investedMicros / M, isInvested, navMicros / M]
}
const executable = async () => {
  await product.advance(2 * DAY_MS)
  await bank.publish('0', '1000')
}

test('an investment is set aside in custody, leaves the bank once, counts at cost, and follows the chain back', async () => {
  const exit = await bank.approveInvestment(productId, '600', destination)
  expect(await assets()).toEqual([1000n, 600n, 0n, false, 10n])
  await bank.announce(exit)
  await product.finalise()
  expect(await bank.audit()).toEqual([])
  await expect(bank.approveInvestment(productId, '401', destination)).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })

  await executable()
  const block = await blockNumberOf(product)
  expect((await bank.execute(exit)).status).toBe('success')
  await product.finalise()
  expect(await bank.state(exit)).toMatchObject({ state: 'Executed', product_id: `${productId}` })
  expect(await assets()).toEqual([400n, 0n, 600n, true, 10n])
  expect(await bank.audit()).toEqual([])

  await reorganiseAfter(block)
  expect((await bank.state(exit)).state).toBe('Announced')
  expect(await assets()).toEqual([1000n, 600n, 0n, false, 10n])
  expect(await bank.audit()).toEqual([])

  // Executed again, and valued below its cost before the chain drops it once more.
  await bank.execute(exit)
  await product.finalise()
  await fund.value(productId, '500')
  expect(await assets()).toEqual([400n, 0n, 500n, true, 9n])
  await reorganiseAfter(block)
  expect((await bank.state(exit)).state).toBe('Announced')
  expect((await assets()).slice(0, 4)).toEqual([1000n, 600n, 0n, false])
  expect(await bank.audit()).toEqual([])
  await bank.execute(exit)
  await product.finalise()
  await settle()
  expect((await assets()).slice(0, 4)).toEqual([400n, 0n, 600n, true])
  expect(await bank.audit()).toEqual([])
})

test('an investment that has ended when the chain drops its exit remains booked, and its exit is booked once', async () => {
  const exit = await bank.approveInvestment(productId, '500', destination)
  await bank.announce(exit)
  await product.finalise()
  await executable()
  const block = await blockNumberOf(product)
  await bank.execute(exit)
  await product.finalise()
  // A total loss, before L1 has finalised that the money left.
  await fund.divest(productId, '0', '0')
  await reorganiseAfter(block)
  expect((await bank.state(exit)).state).toBe('Executed')
  expect(await assets()).toEqual([500n, 0n, 0n, false, 5n])
  await bank.execute(exit)
  await product.finalise()
  expect(await assets()).toEqual([500n, 0n, 0n, false, 5n])
  expect(await bank.audit()).toEqual([])
})

test("cancelling an investment releases the product's cash", async () => {
  const exit = await bank.approveInvestment(productId, '600', destination)
  await bank.announce(exit)
  await product.finalise()
  await bank.send('guardian', 'cancelExit', [bank.terms(exit).exitId])
  await product.finalise()
  await settle()
  expect(await assets()).toEqual([1000n, 600n, 0n, false, 10n])
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
  await settle()
  expect(await assets()).toEqual([1000n, 0n, 0n, false, 10n])
  expect(await bank.audit()).toEqual([])
})

test('units whose payment is not final on L1 cannot be redeemed, so that their payment can still be undone', async () => {
  const order = await fund.buy(member, productId, 2n, 'wallet')
  await fund.pay(member, order)
  await product.finalise()
  expect(await fund.order(member, order.order_id)).toMatchObject({ status: 'Paid' })
  // The older lot comes first.
  await expect(fund.redeem(member, productId, 101n)).rejects.toMatchObject({ code: 'PAYMENT_NOT_FINAL' })
  await fund.redeem(member, productId, 100n)
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
  await fund.redeem(member, productId, 1n)
  expect(await bank.audit()).toEqual([])
})

test('the contract refuses an investment beyond the published cash of the funds', async () => {
  const exit = await bank.approveInvestment(productId, '600', destination)
  await bank.announce(exit)
  await product.advance(2 * DAY_MS)
  await bank.publish('0', '599')
  expect((await bank.execute(exit)).status).toBe('reverted')
  await product.finalise()
  expect((await bank.state(exit)).state).toBe('Announced')
  expect(await bank.audit()).toEqual([])
})

test('a dropped deposit takes its divestment back with it', async () => {
  await fund.invest(productId, '600')
  const block = await blockNumberOf(product)
  const { depositId } = await fund.deposit(member, '250')
  await product.finalise()
  await fund.return(productId, `${depositId}`, '250', '350')
  expect(await assets()).toEqual([650n, 0n, 350n, true, 10n])
  await reorganiseAfter(block)
  expect(await assets()).toEqual([400n, 0n, 600n, true, 10n])
})

test('the database refuses an investment without an executed exit, and the audit flags one', async () => {
  const { investments } = product.services.fund
  const invest = (investmentId: bigint) =>
    inTx(product.db, (dbTx) => investments.invest(dbTx, { investmentId }))
  const refused = { code: 'RL008' }
  const exit = await bank.approveInvestment(productId, '100', destination)
  await expect(invest(exit.investmentId!)).rejects.toMatchObject(refused)
  await bank.announce(exit)
  await product.finalise()
  await expect(invest(exit.investmentId!)).rejects.toMatchObject(refused)

  // Without any exit: allowed only in a simulation.
  await markSimulation(product.database.adminUrl, false)
  const placed = await inTx(product.db, (dbTx) =>
    investments.setAside(dbTx, {
      productId,
      amountMicros: 50n * M,
      destination,
      evidence: fund.evidence,
      preparedBy: 'anna',
      approvedBy: 'ben',
    }),
  )
  await markSimulation(product.database.adminUrl, true)
  await expect(invest(placed.investment_id)).rejects.toMatchObject(refused)
  const change = sql`update fund_investments set is_simulated = true where investment_id = ${placed.investment_id}`
  await expect(change.execute(product.db)).rejects.toMatchObject({ code: 'RL012' })
  expect(await assets()).toEqual([1000n, 150n, 0n, false, 10n])
  const flagged = async () =>
    (await bank.audit())
      .filter(({ check }) => check.startsWith('exit'))
      .map(({ check, subject }) => `${check}: ${subject}`)
  const finding = `exit investment: exit none: investment ${placed.investment_id}`
  expect(await flagged()).toEqual([finding])
  // Booked by an attacker who can disable the database's guards.
  await product.database.adminDb.transaction().execute(async (dbTx) => {
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await investments.invest(dbTx, { investmentId: placed.investment_id })
  })
  expect(await assets()).toEqual([950n, 100n, 50n, true, 10n])
  expect(await flagged()).toEqual([finding])
})
