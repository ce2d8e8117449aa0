import { parseMicros } from '@rif/rules'
import { stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveRecovery } from '../chain/indexer/recovery.ts'
import { inTx } from '../db/database.ts'
import { BLOCKS_TO_FINALITY } from '../local/anvil.ts'
import { recoveryKind } from '../modules/desk/operations/proposal-kinds.ts'
import { depositRevenue } from '../testing/bank-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../testing/test-product.ts'
import { prepareRecovery } from './recover.ts'

const CONFIRMATIONS = 3
const DAY_MS = 86_400_000

let product: TestProduct
let root: TestMember
let seller: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
  await product.publishPrice('AMC', '0.5')
  seller = await product.join(root)
  await product.services.settlement.begin(product.now().toISOString().slice(0, 10))
  await buy(root, 5)
  await buy(seller, 3)
})
afterAll(() => product.stop())

const blockNumber = async () => Number(await product.testChain.rpc<string>('eth_blockNumber'))
const statusOf = async (member: TestMember, orderId: string) =>
  (await product.services.shop.get(product.db, member.memberId, BigInt(orderId))).status
const balanceOf = async ({ memberId }: TestMember) =>
  (await product.services.ledger.balances(product.db, memberId)).USDT
const decide = (recoveryId: bigint) =>
  inTx(product.db, (dbTx) =>
    approveRecovery(dbTx, product.chain.chainId, { recoveryId, actor: 'anna', at: product.now() }),
  )

async function buy(member: TestMember, level: number): Promise<string> {
  const { order_id: orderId } = await product.order(member, level)
  await product.pay(member, orderId)
  await product.finalise()
  return orderId
}

/** Approves an order's payment and returns the payment to send. */
async function readyToPay(member: TestMember, level: number) {
  const { order_id: orderId } = await product.order(member, level)
  await product.approve(member, orderId)
  const request = { memberId: member.memberId, orderId: BigInt(orderId), useHashRate: undefined }
  return { orderId, tx: (await product.services.shop.payment(product.db, request)).tx }
}

/** Returns the rewards paid by settled days, in USDT worth by kind. */
async function settledRewards(): Promise<Map<string, bigint>> {
  const kinds = ['PairingReward', 'ManagementReward', 'Interest'] as const
  const rows = await product.db
    .selectFrom('rewards')
    .select(['type', 'paid_micros'])
    .where('type', 'in', kinds)
    .execute()
  const sums = new Map<string, bigint>()
  for (const { type, paid_micros: micros } of rows) sums.set(type, (sums.get(type) ?? 0n) + micros)
  return sums
}

/** Fills the yield pool, which pays static rewards. */
async function attestYield(): Promise<void> {
  await depositRevenue(product, root, { amountMicros: 1_000_000_000n, text: 'rent' })
  await product.finalise()
  const { attestedRevenue } = product.services
  const { attestationId } = await inTx(product.db, (dbTx) =>
    attestedRevenue.prepare(dbTx, {
      pool: 'yield_pool',
      asset: 'USDT',
      amountMicros: 1_000_000_000n,
      source: 'rent',
      actor: 'anna',
      documentHash: stringToHex('rent', { size: 32 }),
      depositId: 1n,
    }),
  )
  await inTx(product.db, (dbTx) => attestedRevenue.approve(dbTx, { attestationId, actor: 'ben' }))
}

test('a reorganisation below L1 finality halts, and after an approved recovery the books agree', async () => {
  const lost = await product.join(seller)
  const kept = await product.join(seller)
  const [gone, stays] = [await readyToPay(lost, 4), await readyToPay(kept, 1)]
  const block = await blockNumber()
  // As on a busy machine: the blocks of the new branch have earlier times.
  await product.testChain.rpc('evm_increaseTime', [60])
  await product.send(lost, gone.tx)
  await product.send(kept, stays.tx)
  await product.finalise()
  // The commission leaves the bank on this branch and on the next one.
  const { available } = await balanceOf(seller)
  const { withdraw_id: id } = await product.withdraw(seller, 'USDT', `${available / 1_000_000n}`)
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
  const voucher = await product.services.claims.voucher(product.db, seller.memberId, BigInt(id))
  expect((await product.send(seller, voucher.tx)).status).toBe('success')
  await product.finalise()
  const accounts = await product.services.ledger.flows.accountsNow(product.db, ['revenue'])
  const revenueOf = (sums: typeof accounts) => sums.find(({ asset }) => asset === 'USDT')!.micros

  await product.testChain.rpc('anvil_reorg', [(await blockNumber()) - block, []])
  expect((await product.send(kept, stays.tx)).status).toBe('success')
  expect((await product.send(seller, voucher.tx)).status).toBe('success')
  await product.testChain.mine(CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/was final as 0x/)
  expect(await statusOf(lost, gone.orderId)).toBe('Paid')

  const recovery = (await prepareRecovery(product.db, product.services, CONFIRMATIONS))!
  expect(recovery.plan.events.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'Claimed moved',
    'OrderPaid moved',
    'OrderPaid undone',
  ])
  expect(recovery.plan.debts).toEqual([
    expect.objectContaining({ memberId: `${seller.memberId}`, asset: 'USDT' }),
  ])
  expect(recovery.plan.left).toEqual([
    expect.objectContaining({ memberId: `${seller.memberId}`, asset: 'USDT' }),
  ])
  // Nothing has changed yet, and nobody can decide on events that are not in the books.
  expect(await statusOf(lost, gone.orderId)).toBe('Paid')
  await expect(product.indexer.runOnce()).rejects.toThrow(/was final as 0x/)
  const kind = recoveryKind({ now: product.now, chain: product.chain })
  const preview = await kind.preview(product.db, { recovery_id: `${recovery.recoveryId}` })
  expect(preview.memberIds).toContain(seller.memberId)
  expect(preview.difference).toContainEqual(expect.objectContaining({ field: 'event', after: 'undone' }))

  await decide(recovery.recoveryId)
  await expect(decide(recovery.recoveryId)).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  await product.indexer.runOnce()
  expect(await statusOf(lost, gone.orderId)).toBe('UnPaid')
  expect(await statusOf(kept, stays.orderId)).toBe('Paid')
  expect(await product.audit()).toEqual([])
  const [debt] = await product.services.reversals.debts(product.db)
  expect(debt).toMatchObject({ memberId: seller.memberId, asset: 'USDT' })
  // The operator's revenue covers the lost money: the payment's share and the debt. Nobody else lost
  // anything.
  expect(await product.services.reversals.shortfall(product.db)).toEqual({ USDT: 0n, AMC: 0n })
  const after = revenueOf(await product.services.ledger.flows.accountsNow(product.db, ['revenue']))
  expect(revenueOf(accounts) - after).toBeGreaterThan(debt!.owedMicros)
  await buy(lost, 1)
  expect(await product.audit()).toEqual([])
})

test('a day settled in the meantime stays, and the correction is posted today', {
  tags: ['full'],
}, async () => {
  // Two sides of the seller's team: a pair that the settled day pays, and the buyer's static reward after it.
  const other = await product.join(seller, 'left')
  const lost = await product.join(seller, 'right')
  await buy(other, 2)
  await attestYield()
  const gone = await readyToPay(lost, 2)
  const block = await blockNumber()
  await product.send(lost, gone.tx)
  await product.finalise()
  const day = product.now().toISOString().slice(0, 10)
  await product.advance(DAY_MS)
  await product.advance(DAY_MS)
  await product.finalise()
  await product.services.settlement.catchUp(0)
  expect(await product.audit()).toEqual([])
  await product.testChain.rpc('anvil_reorg', [(await blockNumber()) - block, []])
  await product.testChain.mine(CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/was final as 0x/)
  const recovery = (await prepareRecovery(product.db, product.services, CONFIRMATIONS))!
  // Shown with exact amounts, and not reversed: pairing and management depend on the order, static rewards on
  // the package.
  const paid = await settledRewards()
  const shown = new Map(recovery.plan.settled.map((item) => [item.kind, item]))
  for (const kind of ['PairingReward', 'Interest'] as const) {
    expect(parseMicros(shown.get(kind)!.paid), kind).toBe(paid.get(kind))
    expect(parseMicros(shown.get(kind)!.without), kind).toBeLessThan(paid.get(kind)!)
  }
  await decide(recovery.recoveryId)
  await product.indexer.runOnce()
  expect(await statusOf(lost, gone.orderId)).toBe('UnPaid')
  const reversals = await product.db
    .selectFrom('ledger_transactions')
    .select('accounting_day')
    .where('kind', '=', 'order_payment:reversal')
    .where('member_id', '=', lost.memberId)
    .execute()
  expect(reversals).toEqual([{ accounting_day: product.now().toISOString().slice(0, 10) }])
  expect(reversals[0]!.accounting_day! > day).toBe(true)
  expect(await settledRewards()).toEqual(paid)
  expect(await product.audit()).toEqual([])
  // Later days are settled as usual, without the AMC that was released too early.
  await product.advance(DAY_MS)
  await product.services.settlement.catchUp(0)
  expect(await product.audit()).toEqual([])
  expect(await prepareRecovery(product.db, product.services, CONFIRMATIONS)).toBeUndefined()
})

test('an approved recovery that no longer matches the books is refused, and undoes nothing twice', async () => {
  const lost = await product.join(seller)
  const gone = await readyToPay(lost, 1)
  const block = await blockNumber()
  await product.send(lost, gone.tx)
  await product.finalise()
  await product.testChain.rpc('anvil_reorg', [(await blockNumber()) - block, []])
  await product.testChain.mine(CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/was final as 0x/)
  const find = async () => (await prepareRecovery(product.db, product.services, CONFIRMATIONS))!.recoveryId
  const [first, second] = [await find(), await find()]
  await decide(second)
  await product.indexer.runOnce()
  expect(await statusOf(lost, gone.orderId)).toBe('UnPaid')
  const cursor = () =>
    product.db.selectFrom('chain_cursors').select(['finalised_number', 'undo_until']).executeTakeFirst()
  const before = await cursor()
  await expect(decide(first)).rejects.toMatchObject({ code: 'PROPOSAL_CHANGED' })
  expect(await cursor()).toEqual(before)
  expect(await product.audit()).toEqual([])
})

test('an event that a recovery moves, and that the chain then also drops, waits for another recovery', {
  tags: ['full'],
}, async () => {
  const buyer = await product.join(seller)
  const order = await readyToPay(buyer, 1)
  const block = await blockNumber()
  await product.send(buyer, order.tx)
  await product.finalise()
  await product.testChain.rpc('anvil_reorg', [(await blockNumber()) - block, []])
  expect((await product.send(buyer, order.tx)).status).toBe('success')
  await product.testChain.mine(CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/was final as 0x/)
  const recovery = (await prepareRecovery(product.db, product.services, CONFIRMATIONS))!
  expect(recovery.plan.events).toMatchObject([{ name: 'OrderPaid', outcome: 'moved' }])
  await decide(recovery.recoveryId)

  // The chain changes again before the indexer has moved the event. Two admins never approved its undoing.
  await product.testChain.rpc('anvil_reorg', [(await blockNumber()) - block, []])
  await product.testChain.mine(2 * CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/L1 had finalised its block, so it waits/)
  expect(await statusOf(buyer, order.orderId)).toBe('Paid')

  const again = (await prepareRecovery(product.db, product.services, CONFIRMATIONS))!
  expect(again.plan.events).toMatchObject([{ name: 'OrderPaid', outcome: 'undone' }])
  await decide(again.recoveryId)
  await product.indexer.runOnce()
  expect(await statusOf(buyer, order.orderId)).toBe('UnPaid')
  expect(await product.audit()).toEqual([])
})
