import type { ProposalContent } from '@rif/api-schema'
import { decisionStatement } from '@rif/rules'
import pg from 'pg'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import { giveRole } from '../../../testing/roles.ts'
import { allowTriggers } from '../../../testing/tampering.ts'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../../../testing/test-product.ts'

/** One more than the confirmations after which events are booked; even. */
const BLOCKS_TO_FINALITY = CONFIRMATIONS + 1

const approverWallet = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const operatorWallet = privateKeyToAccount(`0x${'41'.repeat(32)}`)

let product: TestProduct
let root: TestMember
let buyer: TestMember
let owner: pg.Client
let operator: Admin
let approver: Admin

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  buyer = await product.join(root)
  await product.grant(root, 'USDT', '100')
  const { admins } = product.services
  const appoint = (address: string, role: 'operator' | 'approver') =>
    giveRole(product.services, { address, role, person: role })
  await appoint(operatorWallet.address, 'operator')
  await appoint(approverWallet.address, 'approver')
  operator = (await admins.find(product.db, operatorWallet.address)) as Admin
  approver = (await admins.find(product.db, approverWallet.address)) as Admin
  owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  await allowTriggers(owner)
  await owner.query(`create function refuse_posting() returns trigger language plpgsql
    as 'begin raise exception ''this posting is refused''; end'`)
})
afterAll(async () => {
  await owner.end()
  await product.stop()
})
afterEach(() => owner.query('drop trigger if exists refused on ledger_entries'))

/** Makes the database refuse every posting of a kind. */
const refusePostings = (kind: string) =>
  owner.query(`create trigger refused before insert on ledger_entries for each row
    when (new.kind = '${kind}') execute function refuse_posting()`)
const stuck = async () => (await product.services.orderAudit.queues()).stuck_event

const operatorHolds = async () => {
  const sums = await product.services.ledger.flows.accountsNow(product.db, ['fees', 'shortfall'])
  const of = (account: string) =>
    sums.find((sum) => sum.account === account && sum.asset === 'USDT')?.micros ?? 0n
  return { fees: of('fees'), shortfall: of('shortfall') }
}

/** Proposes to set the stuck event aside, and approves it with a signature. */
async function setAside(): Promise<void> {
  const { db, services } = product
  const { proposals, chain } = services
  const event = (await stuck())!
  const payload = { block_hash: event.block_hash, log_index: event.log_index }
  const draft = { kind: 'event_set_aside', payload, reason: 'cannot be applied', delayMs: 0 } as const
  const proposal = await inTx(db, (dbTx) => proposals.prepare(dbTx, operator, draft))
  expect(await stuck()).toMatchObject({ proposal_id: proposal.proposal_id })
  const id = BigInt(proposal.proposal_id)
  const { nonce, deadline } = await proposals.statement(approver, id, { approve: true, reason: '' })
  const { summary } = JSON.parse(proposal.content) as ProposalContent
  const { kind, subject, digest } = proposal
  const statement = decisionStatement(
    { proposalId: `${id}`, kind, subject, digest, summary, approve: true, reason: '', nonce, deadline },
    { chainId: chain.chainId, bank: chain.contracts.bank },
  )
  const signature = await approverWallet.signTypedData(statement)
  await proposals.checkSignature(approver, id, { nonce, signature })
  await inTx(db, (dbTx) => proposals.decide(dbTx, approver, id, { nonce, signature }))
}

test('a payment that cannot be applied blocks all later events until two admins set it aside', async () => {
  const { db, services } = product
  const order = await product.order(buyer, 1)
  await refusePostings('order_payment')
  const payment = await product.pay(buyer, order.order_id)
  const { withdraw_id } = await product.withdraw(root, 'USDT', '50')
  await product.claim(root, withdraw_id)
  await product.testChain.mine(BLOCKS_TO_FINALITY - CONFIRMATIONS)
  await expect(product.finalise()).rejects.toThrow(/this posting is refused/)
  expect(await services.withdrawals.get(db, root.memberId, BigInt(withdraw_id))).toMatchObject({
    status: 'Withdrawable',
  })
  expect(await stuck()).toMatchObject({
    name: 'OrderPaid',
    tx_hash: payment.hash,
    waiting: 1,
    final_on_l1: true,
    proposal_id: null,
    failure: expect.stringContaining('this posting is refused'),
  })

  await setAside()
  expect(await stuck()).toBeNull()
  expect(await services.ledger.pools.balances(db, 'suspense')).toEqual({
    USDT: 70_000_000n,
    AMC: 60_000_000n,
  })
  expect(await services.shop.get(db, buyer.memberId, BigInt(order.order_id))).toMatchObject({
    status: 'UnPaid',
  })
  await product.finalise()
  expect(await services.withdrawals.get(db, root.memberId, BigInt(withdraw_id))).toMatchObject({
    status: 'Success',
  })
  // Its payment is booked, so the order does not count as missed: it can be cancelled and refunded.
  expect(await product.cancelOrder(buyer, order.order_id)).toMatchObject({ status: 'Cancelled' })
  expect(await product.audit()).toEqual([])
  const { payments } = await services.orderAudit.queues()
  expect(payments.items).toMatchObject([{ reason: 'set_aside', payer_member_id: `${buyer.memberId}` }])
})

test('a claim that cannot be applied still ends its withdrawal: nothing stays in `withdrawing`', async () => {
  const { db, services } = product
  const { withdraw_id } = await product.withdraw(root, 'USDT', '20')
  const before = await operatorHolds()
  await refusePostings('withdrawal_paid')
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
  const { hash } = await product.claim(root, withdraw_id)
  await product.testChain.mine(BLOCKS_TO_FINALITY - CONFIRMATIONS)
  await expect(product.finalise()).rejects.toThrow(/this posting is refused/)
  expect(await stuck()).toMatchObject({ name: 'Claimed', waiting: 0 })
  await setAside()
  await product.finalise()
  expect(await stuck()).toBeNull()
  expect((await services.ledger.balances(db, root.memberId)).USDT.withdrawing).toBe(0n)
  expect(await services.withdrawals.get(db, root.memberId, BigInt(withdraw_id))).toMatchObject({
    status: 'Success',
    tx_hash: hash,
  })
  // The member paid the fee, and the operator owes nothing for the claim.
  expect(await operatorHolds()).toEqual({ fees: before.fees + 1_000_000n, shortfall: 0n })
  await expect(product.cancelWithdrawal(root, withdraw_id)).rejects.toMatchObject({
    code: 'NOTHING_TO_CANCEL',
  })
  expect(await product.audit()).toEqual([])
})

test('an event that L1 has not finalised cannot be set aside, because a reorganisation could still drop it', async () => {
  const order = await product.order(buyer, 1)
  await refusePostings('order_payment')
  await product.pay(buyer, order.order_id)
  await product.testChain.mine(CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/this posting is refused/)
  expect(await stuck()).toMatchObject({ name: 'OrderPaid', final_on_l1: false })
  await expect(setAside()).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  expect(await stuck()).toMatchObject({ proposal_id: null })

  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await expect(product.indexer.runOnce()).rejects.toThrow(/this posting is refused/)
  expect(await stuck()).toMatchObject({ final_on_l1: true })
  await setAside()
  expect(await stuck()).toBeNull()
  await product.finalise()
  expect(await product.audit()).toEqual([])
})
