import { rifBankAbi } from '@rif/contracts/abi'
import type { FastifyInstance } from 'fastify'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../app.ts'
import { arbitrum } from '../../../chain/arbitrum.ts'
import type { Admin } from '../../../lib/caller.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { TEST_APPROVERS } from '../../../testing/test-signer.ts'
import { appointTestApprovers, approveAs, proposeReview } from '../../../testing/withdrawal-reviews.ts'

const newKey = () => privateKeyToAccount(generatePrivateKey())

let product: TestProduct
let member: TestMember
beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  member = await product.join(await product.join(null))
  await product.grant(member, 'USDT', '500')
  await appointTestApprovers(product.services)
  await product.finalise()
})
afterAll(() => product.stop())

const get = (id: string) => product.services.withdrawals.get(product.db, member.memberId, BigInt(id))
const voucher = (id: string) => product.services.claims.voucher(product.db, member.memberId, BigInt(id))
async function alarms(): Promise<string[]> {
  await product.services.bankWatch.look()
  return (await product.services.bankWatch.report()).alarms.map(({ kind }) => kind).sort()
}
const today = () => product.services.desk.today({ address: '0x1', role: 'viewer', person: 'x' } as Admin)
const countHeld = () => product.services.departureQueue.countWaiting(product.db)

const METRICS_TOKEN = 'only-for-the-metrics'
let app: FastifyInstance
beforeAll(async () => {
  app = await createApp(product.services, { log: product.services.log, metricsToken: METRICS_TOKEN })
})
afterAll(() => app.close())
const metricsText = async () =>
  (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).body
const approversInStatus = async () => (await product.services.system.status(product.db)).approvers

test('an approval by a wallet that the signer does not list is said to all, and a second one ends it', async () => {
  // A look at the signer that takes too long is an alarm of its own until the next one.
  await expect.poll(alarms).toEqual([])
  expect(await approversInStatus()).toEqual({ ok: true })
  const to = newKey().address
  const { withdraw_id } = await product.withdraw(member, 'USDT', '20', to)
  const audited = [{ memberId: member.memberId, withdrawId: withdraw_id }]
  const vera = { account: newKey(), person: 'Vera' }
  await approveAs(product.services, vera, await proposeReview(product.services, audited))
  expect(await alarms()).toEqual(['approvers_differ'])
  expect(await get(withdraw_id)).toMatchObject({ status: 'Withdrawable', refusal: null })
  expect(await countHeld()).toBe(0)

  const refused = { code: 'CLAIM_NOT_APPROVED', details: { reason: 'not_reviewed' } }
  await expect(voucher(withdraw_id)).rejects.toMatchObject(refused)
  await expect(voucher(withdraw_id)).rejects.toMatchObject(refused)
  expect(await get(withdraw_id)).toMatchObject({
    status: 'Withdrawable',
    refusal: { reason: 'not_reviewed' },
  })
  expect(await alarms()).toEqual(['approvers_differ', 'claims_refused'])
  const { personId } = (await product.services.admins.find(product.db, vera.account.address))!
  const detail = `not listed: ${vera.account.address.toLowerCase()} (Vera, person ${personId})`
  expect(await today()).toMatchObject({
    refused: { count: 1, worth_usdt: '20.000000', oldest_at: expect.any(String) },
    signer: [{ kind: 'approvers_differ', detail }],
  })
  const metrics = await metricsText()
  expect(metrics).toContain('rif_signer_decisions_total{decision="refuse",reason="not_reviewed"} 2')
  expect(metrics).toContain('rif_bank_alarm{kind="claims_refused"} 1')
  expect(await approversInStatus()).toEqual({
    ok: false,
    problem: 'SIGNER_APPROVERS and the roles differ: 1',
  })
  // Among the withdrawals to check, it can be approved again, and cannot be rejected: a voucher may be valid.
  expect(await countHeld()).toBe(1)
  await expect(proposeReview(product.services, audited, false)).rejects.toMatchObject({
    code: 'NOTHING_TO_REVIEW',
  })
  await approveAs(product.services, TEST_APPROVERS[0]!, await proposeReview(product.services, audited))
  expect(await get(withdraw_id)).toMatchObject({ status: 'Withdrawable', refusal: null })
  expect(await countHeld()).toBe(0)
  expect(await alarms()).toEqual(['approvers_differ'])

  const before = await product.services.ledger.balances(product.db, member.memberId)
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
  const after = await product.services.ledger.balances(product.db, member.memberId)
  expect(before.USDT.withdrawing - after.USDT.withdrawing).toBe(20_000_000n)
  expect(after.USDT.available).toBe(before.USDT.available)
  expect(await product.audit()).toEqual([])
})

test('the refusal ends with the next voucher', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '10')
  const row = product.db.updateTable('withdrawals').where('withdrawal_id', '=', BigInt(withdraw_id))
  await row.set({ signer_refusal: 'limit_day', signer_refused_at: product.now() }).execute()
  expect(await get(withdraw_id)).toMatchObject({ refusal: { reason: 'limit' } })
  expect(await countHeld()).toBe(0)
  await voucher(withdraw_id)
  expect(await get(withdraw_id)).toMatchObject({ refusal: null })
})

test('while a new claim key waits in public, a claim is answered with the time', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '10')
  await voucher(withdraw_id)
  const { keys, rpcUrl, contracts } = product.testChain
  const send = async (role: 'admin' | 'pauser', functionName: string, account: string) => {
    const wallet = createWalletClient({
      account: privateKeyToAccount(keys[role]),
      chain: arbitrum,
      transport: http(rpcUrl),
    })
    const call = { address: contracts.bank, abi: rifBankAbi, functionName, args: [account] }
    const receipt = await product.receiptOf(await wallet.writeContract(call as never))
    expect(receipt.status).toBe('success')
    await product.finalise()
  }
  const { claimSigner } = await product.services.signer.status()
  await send('pauser', 'dismissClaimSigner', claimSigner)
  expect(await alarms()).toContain('claim_signer_away')
  await expect(voucher(withdraw_id)).rejects.toMatchObject({
    code: 'CLAIM_KEY_CHANGING',
    details: { executable_at: null },
  })
  await send('admin', 'queueClaimSigner', newKey().address)
  expect(await alarms()).toContain('claim_signer_away')
  const [queued] = (await product.services.bankWatch.report()).changes
  const change = { executable_at: queued!.executable_at }
  // The voucher that was signed before is refused by the bank too.
  await expect(voucher(withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_KEY_CHANGING', details: change })
  expect(await get(withdraw_id)).toMatchObject({ status: 'Withdrawable', key_change: change })
  const other = await product.withdraw(member, 'USDT', '10')
  await expect(voucher(other.withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_KEY_CHANGING' })
  expect(await product.audit()).toEqual([])
})
