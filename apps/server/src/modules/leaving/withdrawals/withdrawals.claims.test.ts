import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { toChainUnits } from '@rif/rules'
import { type Address, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { arbitrum } from '../../../chain/arbitrum.ts'
import { bankDomain, claimDigest } from '../../../chain/bank-messages.ts'
import { packOnChainId } from '../../../chain/onchain-id.ts'
import { claimTx } from '../../../chain/raw-tx.ts'
import { subscribed } from '../../../testing/subscribed.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let product: TestProduct
let root: TestMember
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
})
afterAll(() => product.stop())
beforeEach(async () => {
  member = await product.join(root)
  await product.grant(member, 'USDT', '100')
  await product.grant(member, 'AMC', '200')
  await product.finalise()
})

const get = (withdrawalId: string) =>
  product.services.withdrawals.get(product.db, member.memberId, BigInt(withdrawalId))
const voucher = (withdrawalId: string) =>
  product.services.claims.voucher(product.db, member.memberId, BigInt(withdrawalId))
const cancel = (withdrawalId: string) => product.cancelWithdrawal(member, withdrawalId)
const balances = () => product.services.ledger.balances(product.db, member.memberId)
const walletBalance = (asset: 'usdt' | 'amc', address = member.wallet) =>
  product.chain.untrustedClient.readContract({
    address: product.chain.contracts[asset],
    abi: amcTokenAbi,
    functionName: 'balanceOf',
    args: [address],
  })

/** Sends a call of the bank by its admin. */
async function asAdmin(call: Parameters<ReturnType<typeof adminWallet>['writeContract']>[0]): Promise<void> {
  await product.receiptOf(await adminWallet().writeContract(call))
}
function adminWallet() {
  const account = privateKeyToAccount(product.testChain.keys.admin)
  return createWalletClient({ account, chain: arbitrum, transport: http(product.testChain.rpcUrl) })
}

test('a claim brings the amount less the fee into the wallet, exactly', async () => {
  const notices = await subscribed(product.db, member.memberId)
  const withdrawal = await product.withdraw(member, 'AMC', '150.123456')
  expect(withdrawal).toMatchObject({ fee: '2.000000', receives: '148.123456', worth_usdt: '75.061728' })
  const first = await voucher(withdrawal.withdraw_id)
  expect(await voucher(withdrawal.withdraw_id)).toEqual(first)
  await expect(cancel(withdrawal.withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })

  const before = await walletBalance('amc')
  const { hash } = await product.send(member, first.tx)
  expect((await walletBalance('amc')) - before).toBe(toChainUnits(148_123_456n, 18))
  await product.indexer.runOnce()
  expect(await get(withdrawal.withdraw_id)).toMatchObject({
    status: 'Withdrawable',
    tx_hash: hash,
    confirmations: 1,
  })
  await expect(voucher(withdrawal.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
  await expect(cancel(withdrawal.withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })

  await product.finalise()
  expect(await get(withdrawal.withdraw_id)).toMatchObject({
    status: 'Success',
    tx_hash: hash,
    confirmations: 3,
  })
  expect((await balances()).AMC).toMatchObject({ available: 49_876_544n, withdrawing: 0n })
  const { withdraw_id: id, address } = withdrawal
  const facts = { asset: 'AMC', id, address }
  expect(await notices()).toEqual([
    { topic: 'claim_ready', facts: { ...facts, amount: '150.123456' } },
    { topic: 'withdrawal_paid', facts: { ...facts, amount: '148.123456' } },
  ])
  expect((await product.send(member, first.tx)).status).toBe('reverted')
  await expect(voucher(withdrawal.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
  await expect(cancel(withdrawal.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CANCEL' })
  expect(await product.audit()).toEqual([])
})

test('a claim that the chain drops can be repeated with the same voucher', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  const { hash } = await product.claim(member, withdraw_id)
  await product.indexer.runOnce()
  expect(await get(withdraw_id)).toMatchObject({ tx_hash: hash })
  await product.testChain.rpc('anvil_reorg', [1, []])
  await product.indexer.runOnce()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Withdrawable', tx_hash: null })
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
})

test('an expired voucher can be neither renewed nor cancelled before a final block has passed its deadline', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  const first = await voucher(withdraw_id)
  await product.advance(32 * MINUTE_MS)
  await product.indexer.runOnce()
  await expect(voucher(withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })
  await expect(cancel(withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })
  expect((await product.send(member, first.tx)).status).toBe('reverted')

  await product.finalise()
  const second = await voucher(withdraw_id)
  expect(second.deadline > first.deadline).toBe(true)
  expect((await product.send(member, second.tx)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
})

test('of a concurrent voucher and cancellation only one succeeds; concurrent vouchers are the same', async () => {
  for (let round = 0; round < 5; round++) {
    const { withdraw_id } = await product.withdraw(member, 'USDT', '10')
    const claims = [voucher(withdraw_id), voucher(withdraw_id), voucher(withdraw_id)]
    const [cancelled, ...vouchers] = await Promise.allSettled([cancel(withdraw_id), ...claims])
    const transactions = vouchers.flatMap((voucher) =>
      voucher.status === 'fulfilled' ? [voucher.value.tx] : [],
    )
    expect(new Set(transactions).size).toBe(cancelled.status === 'fulfilled' ? 0 : 1)
    expect(await get(withdraw_id)).toMatchObject({
      status: transactions.length > 0 ? 'Withdrawable' : 'Cancelled',
    })
  }
  expect(await product.audit()).toEqual([])
})

test('the deadline of a voucher is stored before the signer is asked', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  await product.signer.stop()
  await expect(voucher(withdraw_id)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  // A signer that is only thought to be away may have signed: until the deadline the withdrawal can be claimed.
  await expect(cancel(withdraw_id)).rejects.toMatchObject({
    code: 'CLAIM_STILL_VALID',
    details: { expires_at: expect.any(String) },
  })
  await product.signer.restart()
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
})

test('a withdrawal whose voucher expired unclaimed can be cancelled', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  const { tx } = await voucher(withdraw_id)
  await product.advance(31 * MINUTE_MS)
  await product.finalise()
  expect(await cancel(withdraw_id)).toMatchObject({ status: 'Cancelled' })
  expect((await balances()).USDT).toMatchObject({ available: 100_000_000n, withdrawing: 0n })
  expect((await product.send(member, tx)).status).toBe('reverted')
  expect(await product.audit()).toEqual([])
})

test("a claim above the bank's daily cap can be made the next day", async () => {
  const first = await product.withdraw(member, 'USDT', '50')
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  expect((await product.claim(member, first.withdraw_id)).status).toBe('success')
  const { bank, usdt } = product.chain.contracts
  const capped = {
    address: bank,
    abi: rifBankAbi,
    functionName: 'lowerDailyCap',
    args: [usdt, 60_000_000n],
  } as const
  await asAdmin(capped)
  expect((await product.claim(member, withdraw_id)).status).toBe('reverted')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Withdrawable' })

  await product.advance(DAY_MS)
  await product.finalise()
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
  expect(await product.audit()).toEqual([])
})

test('an address that an earlier withdrawal reached needs no second audit', async () => {
  const other = product.wallets[0]!
  await product.advance(DAY_MS)
  const first = await product.withdraw(member, 'USDT', '20', other)
  expect(first.status).toBe('Auditing')
  await expect(voucher(first.withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
  await product.approveWithdrawal(member, first.withdraw_id)
  const before = await walletBalance('usdt', other)
  expect((await product.claim(member, first.withdraw_id)).status).toBe('success')
  expect((await walletBalance('usdt', other)) - before).toBe(19_000_000n)
  expect((await product.withdraw(member, 'USDT', '20', other)).status).toBe('Auditing')
  await product.finalise()
  expect((await product.withdraw(member, 'USDT', '20', other)).status).toBe('Withdrawable')
})

/** Claims one USDT under the id of a withdrawal, as a thief of the claim key can. */
async function claimOtherTerms(withdrawId: string, to: Address) {
  const { chain } = product
  const claim = {
    withdrawalId: packOnChainId(member.memberId, BigInt(withdrawId)),
    token: chain.contracts.usdt,
    to,
    amount: 1_000_000n,
    deadline: BigInt(Math.floor(product.now().getTime() / 1_000) + 600),
  }
  const stolen = privateKeyToAccount(product.testChain.keys.claimSigner)
  const hash = claimDigest(bankDomain(chain.chainId, chain.contracts.bank), claim)
  const signature = await stolen.sign({ hash })
  expect((await product.send(member, claimTx(chain, chain.contracts.bank, claim, signature))).status).toBe(
    'success',
  )
  await product.finalise()
}

test('a claim without an open withdrawal is recorded, and reported by the audit', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  await cancel(withdraw_id)
  await claimOtherTerms(withdraw_id, member.wallet)
  expect(await get(withdraw_id)).toMatchObject({ status: 'Cancelled' })
  const differences = await product.audit()
  expect(differences.map((difference) => difference.check).toSorted()).toEqual(['bank', 'unmatched claim'])
})

test('a stolen claim key cannot use up the withdrawal of another member', async () => {
  await product.advance(DAY_MS)
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  for (const to of [product.wallets[0]!, member.wallet]) await claimOtherTerms(withdraw_id, to)
  expect(await get(withdraw_id)).toMatchObject({ status: 'Withdrawable' })
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await product.finalise()
  expect(await get(withdraw_id)).toMatchObject({ status: 'Success' })
  const differences = await product.audit()
  expect(new Set(differences.map(({ check }) => check))).toEqual(new Set(['bank', 'unmatched claim']))
})
