import { formatMicros, parseMicros, toChainUnits } from '@rif/rules'
import { sql } from 'kysely'
import pg from 'pg'
import type { Hash } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  allowUsdt,
  blockNumber,
  payOtherTerms,
  recover,
  reorganiseAfter,
} from '../../../testing/bank-actions.ts'
import { tamperAs } from '../../../testing/tampering.ts'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../../../testing/test-product.ts'

let product: TestProduct
let root: TestMember
let payer: TestMember
let nextOrder = 1_000n

beforeAll(async () => {
  product = await startTestProduct()
  root = await product.join(null)
  await product.publishPrice('AMC', '0.5')
  // Revenue of the operator, to cover shortfalls.
  const { order_id: orderId } = await product.order(root, 5)
  await product.pay(root, orderId)
  await product.finalise()
})
afterAll(() => product.stop())
beforeEach(async () => {
  payer = await product.join(root)
})

const left = async (of = payer) => {
  const { USDT, AMC } = await product.services.refunds.left(product.db, of.memberId)
  return [formatMicros(USDT), formatMicros(AMC)]
}

/** Pays an amount of USDT for a nonexistent order. Returns the block before, and the hash. */
async function payForNothing(usdt: string): Promise<{ before: number; txHash: string }> {
  await allowUsdt(product, payer, toChainUnits(parseMicros(usdt), 6))
  const before = await blockNumber(product)
  await payOtherTerms(product, payer, nextOrder++, { usdt: toChainUnits(parseMicros(usdt), 6), amc: 0n })
  await product.finalise()
  const { rows } = await sql<{ txHash: string }>`
    select tx_hash as "txHash" from unmatched_payments where payer = ${payer.address}
    order by collected_at desc limit 1`.execute(product.db)
  return { before, txHash: rows[0]!.txHash }
}

async function release(txHash: string, { to = payer, isFree = true } = {}): Promise<void> {
  const { rows } = await sql<{ memberId: bigint; logIndex: number }>`
    select member_id as "memberId", log_index as "logIndex" from unmatched_payments
    where tx_hash = ${txHash}`.execute(product.db)
  const key = { ...rows[0]!, txHash }
  await inTx(product.db, (dbTx) =>
    product.services.checkout.release(dbTx, key, { toMemberId: to.memberId, isFree, actor: 'anna' }),
  )
}

/** Pays for nothing and is refunded free. */
async function refunded(usdt: string) {
  const paid = await payForNothing(usdt)
  await release(paid.txHash)
  return paid
}

const withdraw = (amount: string, address?: string) => product.withdraw(payer, 'USDT', amount, address)
const get = (id: string) => product.services.withdrawals.get(product.db, payer.memberId, BigInt(id))
const decide = (id: string, approve: boolean) =>
  inTx(product.db, (dbTx) =>
    product.services.withdrawalReview.decide(dbTx, {
      memberId: payer.memberId,
      withdrawalId: BigInt(id),
      approve,
      actor: 'admin',
      reason: 'as tested',
    }),
  )

/** Returns the postings that paid a withdrawal out. */
async function paidOut(id: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select destination || ' ' || amount as line from ledger_standing
    where member_id = ${payer.memberId} and cause_type = 'withdrawal' and cause_id = ${id} and kind = 'withdrawal_paid'
    order by destination`.execute(product.db)
  return rows.map(({ line }) => line)
}

test('a free refund is withdrawn without a fee, the rest with the usual one, and the ledger says so', async () => {
  await refunded('10')
  await refunded('20')
  expect(await left()).toEqual(['30.000000', '0.000000'])
  const free = await withdraw('12')
  expect(free).toMatchObject({ refund: '12.000000', fee: '0.000000', receives: '12.000000' })
  // The first refund is used up, and 2 of the second one.
  const { rows } = await sql<{ used: string }>`
    select u.amount_micros::text as used from refund_uses as u join refund_allowances as a using (member_id, allowance_id)
    where u.withdrawal_id = ${free.withdraw_id} order by a.released_at`.execute(product.db)
  expect(rows.map(({ used }) => used)).toEqual(['10000000', '2000000'])
  await product.grant(payer, 'USDT', '50')
  const mixed = await withdraw('40')
  expect(mixed).toMatchObject({ refund: '18.000000', fee: '1.000000', receives: '39.000000' })
  expect(await left()).toEqual(['0.000000', '0.000000'])
  expect(await withdraw('20')).toMatchObject({ refund: '0.000000', fee: '1.000000' })
  for (const { withdraw_id } of [free, mixed]) await product.claim(payer, withdraw_id)
  await product.finalise()
  expect(await paidOut(free.withdraw_id)).toEqual(['external 12000000'])
  expect(await paidOut(mixed.withdraw_id)).toEqual(['external 39000000', 'fees 1000000'])
  expect(await product.audit()).toEqual([])
})

test('a refund belongs to its payer: not to another address, another member or the receiver of a transfer', async () => {
  await refunded('10')
  await product.grant(payer, 'USDT', '30')
  const foreign = product.wallets[0]!
  expect(await withdraw('10', foreign)).toMatchObject({ refund: '0.000000', fee: '1.000000' })
  await product.transfer(payer, root, 'USDT', '30')
  expect(await left()).toEqual(['10.000000', '0.000000'])
  expect(await left(root)).toEqual(['0.000000', '0.000000'])
  // Whatever became of the tokens: other money is withdrawn with it.
  await product.grant(payer, 'USDT', '10')
  expect(await withdraw('10')).toMatchObject({ refund: '10.000000', fee: '0.000000' })

  const erred = await payForNothing('10')
  await release(erred.txHash, { isFree: false })
  expect(await left()).toEqual(['0.000000', '0.000000'])
  expect(await product.audit()).toEqual([])
})

test('a rejected and a cancelled withdrawal give the refund back', async () => {
  await refunded('20')
  await inTx(product.db, (dbTx) =>
    product.services.leaving.flag(dbTx, {
      memberId: payer.memberId,
      flagged: true,
      actor: 'anna',
      reason: 'as tested',
    }),
  )
  const withdrawal = await withdraw('15')
  expect(withdrawal).toMatchObject({ status: 'Auditing', refund: '15.000000' })
  const waiting = await withdraw('5')
  expect(await left()).toEqual(['0.000000', '0.000000'])
  await decide(withdrawal.withdraw_id, false)
  expect(await left()).toEqual(['15.000000', '0.000000'])
  await product.cancelWithdrawal(payer, waiting.withdraw_id)
  expect(await left()).toEqual(['20.000000', '0.000000'])
  expect(await product.audit()).toEqual([])
})

test('two withdrawals at once against one allowance use it once', async () => {
  await refunded('10')
  await product.grant(payer, 'USDT', '20')
  await product.finalise()
  const order = { asset: 'USDT', amountMicros: parseMicros('10'), address: undefined } as const
  const made = await Promise.all(
    [0, 1].map(() =>
      inTx(product.db, (dbTx) => product.services.withdrawals.request(dbTx, payer.memberId, order)),
    ),
  )
  expect(made.map(({ fee, refund }) => `${refund} ${fee}`).sort()).toEqual([
    '0.000000 1.000000',
    '10.000000 0.000000',
  ])
  expect(await left()).toEqual(['0.000000', '0.000000'])
  expect(await product.audit()).toEqual([])
})

const sendAgain = async (raw: unknown) => {
  await product.testChain.rpc('eth_sendRawTransaction', [raw])
  await product.finalise()
}
const rawOf = (txHash: string) => product.testChain.rpc('eth_getRawTransactionByHash', [txHash])

test('a release reversed by a reorganisation takes an unused refund away, until the payment arrives again', async () => {
  const { before, txHash } = await refunded('10')
  const signed = await rawOf(txHash)
  await reorganiseAfter(product, before)
  const plan = await recover(product)
  expect(plan?.events).toEqual([expect.objectContaining({ name: 'OrderPaid', outcome: 'covered' })])
  expect(await left()).toEqual(['0.000000', '0.000000'])
  const charged = await withdraw('10')
  expect(charged).toMatchObject({ refund: '0.000000', fee: '1.000000' })
  expect(await product.audit()).toEqual([])

  await sendAgain(signed)
  expect(await left()).toEqual(['10.000000', '0.000000'])
  await product.cancelWithdrawal(payer, charged.withdraw_id)
  expect(await withdraw('10')).toMatchObject({ refund: '10.000000', fee: '0.000000' })
  expect(await product.audit()).toEqual([])
})

test('the audit finds a lost refund that counts again, and one that does not count though its payment stands', async () => {
  const { before, txHash } = await refunded('10')
  const owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  const set = (value: string) =>
    tamperAs(owner, `update refund_allowances set lost_at = ${value} where tx_hash = '${txHash}'`)
  const failedChecks = async () => (await product.audit()).map(({ check }) => check)
  expect(await failedChecks()).toEqual([])
  await set('now()')
  expect(await failedChecks()).toEqual(['lost refund'])
  await set('null')
  await reorganiseAfter(product, before)
  await recover(product)
  expect(await failedChecks()).toEqual([])
  await set('null')
  expect(await failedChecks()).toEqual(['lost refund'])
  await set('now()')
  await owner.end()
  expect(await failedChecks()).toEqual([])
})

test('a release reversed while its withdrawal is open: the agreed fee stays, and what is given back is gone', async () => {
  const { before } = await refunded('30')
  const claimed = await withdraw('10')
  const cancelled = await withdraw('15')
  await reorganiseAfter(product, before)
  await recover(product)
  expect(await left()).toEqual(['0.000000', '0.000000'])
  await product.cancelWithdrawal(payer, cancelled.withdraw_id)
  expect(await left()).toEqual(['0.000000', '0.000000'])
  await product.finalise()
  await product.claim(payer, claimed.withdraw_id)
  await product.finalise()
  expect(await get(claimed.withdraw_id)).toMatchObject({ status: 'Success', fee: '0.000000' })
  expect(await paidOut(claimed.withdraw_id)).toEqual(['external 10000000'])
  expect(await withdraw('15')).toMatchObject({ refund: '0.000000', fee: '1.000000' })
  expect(await product.audit()).toEqual([])
})

test('a release reversed after its withdrawal was paid: the withdrawal stands, and nothing goes below zero', async () => {
  const { before, txHash } = await refunded('30')
  const signed = await rawOf(txHash)
  const paid = await withdraw('10')
  // The claim is in another wallet's transaction, which the new branch keeps.
  const { tx } = await product.services.claims.voucher(product.db, payer.memberId, BigInt(paid.withdraw_id))
  const { hash } = await product.send(root, tx)
  await product.finalise()
  expect(await get(paid.withdraw_id)).toMatchObject({ status: 'Success' })
  const claim = await rawOf(hash as Hash)
  await product.testChain.rpc('anvil_reorg', [(await blockNumber(product)) - before, [[claim, 0]]])
  await product.testChain.mine(CONFIRMATIONS)
  await recover(product)
  expect(await get(paid.withdraw_id)).toMatchObject({ status: 'Success', fee: '0.000000' })
  expect(await paidOut(paid.withdraw_id)).toEqual(['external 10000000'])
  expect(await left()).toEqual(['0.000000', '0.000000'])
  expect(await product.audit()).toEqual([])
  // What was used stays used.
  await sendAgain(signed)
  expect(await left()).toEqual(['20.000000', '0.000000'])
  expect(await product.audit()).toEqual([])
})

test.each([
  [
    'a use beyond the allowance',
    'update refund_uses set amount_micros = amount_micros + 1',
    ['refund use', 'refund'],
  ],
  [
    'an allowance beyond the release',
    'update refund_allowances set amount_micros = amount_micros + 1',
    ['refund'],
  ],
  ['a use that was deleted', 'delete from refund_uses', ['refund use']],
  [
    'a withdrawal that claims more',
    'update withdrawals set refund_micros = refund_micros + 1',
    ['refund use'],
  ],
  ['a lower fee', 'update withdrawals set fee_micros = 1', ['withdrawal', 'withdrawal fee']],
])('the audit finds %s', async (_what, statement, checks) => {
  await refunded('10')
  await product.grant(payer, 'USDT', '30')
  const { withdraw_id: id } = await withdraw('40')
  await product.claim(payer, id)
  await product.finalise()
  expect(await product.audit()).toEqual([])
  const owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  const where = `where member_id = ${payer.memberId}`
  const copies = ['withdrawals', 'refund_allowances', 'refund_uses']
  for (const table of copies) await owner.query(`create table ${table}_before as table ${table}`)
  await tamperAs(owner, `${statement} ${where}`)
  const failedChecks = (await product.audit()).map(({ check }) => check)
  for (const table of copies) {
    await tamperAs(owner, `delete from ${table} ${where}`)
    await tamperAs(
      owner,
      `insert into ${table} overriding system value select * from ${table}_before ${where}`,
      `drop table ${table}_before`,
    )
  }
  await owner.end()
  expect([...new Set(failedChecks)].sort()).toEqual([...checks].sort())
  expect(await product.audit()).toEqual([])
})
