import { amcTokenAbi, rifTransferAbi } from '@rif/contracts/abi'
import { type Address, encodeFunctionData, getAddress, type Hex, numberToHex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { servicesThroughProxy } from '../../../testing/through-proxy.ts'
import { decodeSend } from './chain.ts'
import type { MoveFilter } from './local-wallet.repository.ts'
import type { ReportedSend } from './local-wallet.service.ts'

const FRIEND = getAddress(`0x${'f1'.repeat(20)}`)
const WEEK_MS = 7 * 86_400_000

let product: TestProduct
let member: TestMember
let other: TestMember

beforeAll(async () => {
  product = await startTestProduct({ automine: false })
  // Blocks are mined manually, also for the members' tokens.
  await product.testChain.rpc('evm_setAutomine', [true])
  member = await product.join(null)
  other = await product.join(member)
  await product.finalise()
  await product.testChain.rpc('evm_setAutomine', [false])
})
afterAll(() => product.stop())

const wallet = () => product.services.localWallet
const report = (sent: ReportedSend, by = member) => wallet().report(product.db, by.memberId, sent)
const state = (hash: string) => wallet().send(product.db, member.memberId, hash)
const history = (query: { limit?: number; cursor?: string } & MoveFilter = {}, of = member) =>
  wallet().history(product.db, of.memberId, { limit: 50, ...query })
const nonceOf = async (address: Address) =>
  Number(await product.testChain.rpc<Hex>('eth_getTransactionCount', [address, 'latest']))

const tokenTransfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: amcTokenAbi, functionName: 'transfer', args: [to, amount] })

/** Sends a transaction of the member's wallet to the node, to be mined later. */
async function submit(tx: { to: Address; data?: Hex; value?: bigint; nonce?: number; factor?: number }) {
  const nonce = tx.nonce ?? (await nonceOf(member.wallet))
  const gwei = 1_000_000_000 * (tx.factor ?? 1)
  const request = {
    from: member.wallet,
    to: tx.to,
    data: tx.data ?? '0x',
    value: numberToHex(tx.value ?? 0n),
    nonce: numberToHex(nonce),
    gas: '0x7a120',
    maxFeePerGas: numberToHex(gwei * 10),
    maxPriorityFeePerGas: numberToHex(gwei),
  }
  return { hash: await product.testChain.rpc<Hex>('eth_sendTransaction', [request]), nonce }
}

/** Mines and indexes blocks, and checks all open sends, due or not. */
async function look(blocks = 1): Promise<void> {
  await product.testChain.mine(blocks)
  await product.indexer.runOnce()
  await product.advance(700_000)
  await product.services.localWallet.followDue(product.db)
}

const ether = (sent: { hash: Hex; nonce: number }, amount = '0.5'): ReportedSend => ({
  tx_hash: sent.hash,
  nonce: sent.nonce,
  asset: 'ETH',
  to: FRIEND,
  amount,
  by_contract: false,
})

test('a send is tracked from the mempool to its last confirmation', async () => {
  const sent = await submit({ to: FRIEND, value: 5n * 10n ** 17n })
  const reported = ether(sent)
  // The chain corrects a wrong report.
  expect(await report({ ...reported, amount: '7' })).toMatchObject({
    status: 'Sent',
    verified: true,
    amount: '0.5',
  })
  expect(await report(reported)).toMatchObject({ first_hash: sent.hash })
  // Every device also lists it among the transactions of the wallet.
  const { transactions } = product.services
  const sender = { memberId: member.memberId, address: member.wallet }
  const listed = async () =>
    (await transactions.list(product.db, sender)).map(({ kind, state }) => [kind, state])
  expect(await listed()).toEqual([['send', 'pending']])
  await look()
  expect(await listed()).toEqual([['send', 'confirming']])
  expect(await state(sent.hash)).toMatchObject({ status: 'Confirming', amount: '0.5', asset: 'ETH' })
  await look(3)
  expect(await state(sent.hash)).toMatchObject({ status: 'Success', confirmations: 3 })
  expect(await listed()).toEqual([['send', 'done']])
  const seen = await product.services.contacts.receiver(product.db, member.memberId, FRIEND)
  expect(seen.last_sent_at).not.toBeNull()
})

test('a sped-up send is tracked by its new hash; a cancelled one is Replaced once that is final', async () => {
  const { usdt } = product.chain.contracts
  const data = tokenTransfer(FRIEND, 2_500_000n)
  const first = await submit({ to: usdt, data })
  const reported: ReportedSend = { ...ether(first, '2.5'), asset: 'USDT' }
  await report(reported)
  const faster = await submit({ to: usdt, data, nonce: first.nonce, factor: 3 })
  await look()
  await look()
  await look(3)
  expect(await state(first.hash)).toMatchObject({
    status: 'Success',
    amount: '2.5',
    first_hash: first.hash,
    tx_hash: faster.hash,
  })

  const second = await submit({ to: usdt, data })
  await report({ ...reported, tx_hash: second.hash, nonce: second.nonce })
  await submit({ to: member.wallet, nonce: second.nonce, factor: 3 })
  await look()
  expect(await state(second.hash)).toMatchObject({ status: 'Sent' })
  await look(4)
  expect(await state(second.hash)).toMatchObject({ status: 'Replaced' })
})

test('a reverted send is Failed', async () => {
  const { usdt } = product.chain.contracts
  const sent = await submit({ to: usdt, data: tokenTransfer(FRIEND, 10n ** 30n) })
  await report({ ...ether(sent, '1'), asset: 'USDT' })
  await look(4)
  expect(await state(sent.hash)).toMatchObject({ status: 'Failed' })
})

test('a reorganisation takes a send back, and it may reappear', async () => {
  const snapshot = await product.testChain.rpc<Hex>('evm_snapshot')
  const sent = await submit({ to: FRIEND, value: 10n ** 15n })
  await report(ether(sent, '0.001'))
  await look()
  expect(await state(sent.hash)).toMatchObject({ status: 'Confirming' })
  await product.testChain.rpc('evm_revert', [snapshot])
  await look(1)
  expect(await state(sent.hash)).toMatchObject({ status: 'Sent', block_at: null, confirmations: 0 })
  const again = await submit({ to: FRIEND, value: 10n ** 15n, nonce: sent.nonce })
  await look()
  await look(4)
  expect(await state(sent.hash)).toMatchObject({ status: 'Success', tx_hash: again.hash })
})

test('a send that is never seen is Lost after a week, and is not checked any more', async () => {
  const hash: Hex = `0x${'ab'.repeat(32)}`
  const nonce = (await nonceOf(member.wallet)) + 50
  await report(ether({ hash, nonce }))
  await look()
  expect(await state(hash)).toMatchObject({ status: 'Sent', verified: false })
  await product.advance(WEEK_MS)
  await look()
  expect(await state(hash)).toMatchObject({ status: 'Lost' })
})

test('a member can report only sends of the own wallet, and sees only own reports', async () => {
  const sent = await submit({ to: FRIEND, value: 10n ** 15n })
  await expect(report(ether(sent), other)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await report(ether(sent))
  const notHis = wallet().send(product.db, other.memberId, sent.hash)
  await expect(notHis).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await look(4)
  const approve = encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [FRIEND, 1n] })
  const approval = await submit({ to: product.chain.contracts.amc, data: approve })
  await expect(report(ether(approval))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await look(4)
  for (const [amount, code] of [
    ['0', 'INVALID_AMOUNT'],
    ['0.0000001', 'INVALID_AMOUNT'],
  ] as const) {
    const wrong = report({ ...ether({ hash: zeroHash, nonce: 0 }, amount), asset: 'USDT' })
    await expect(wrong).rejects.toMatchObject({ code })
  }
})

test('a send whose check fails does not starve those behind it', async () => {
  const { services, proxy } = await servicesThroughProxy(product)
  const first = await submit({ to: FRIEND, value: 5n * 10n ** 17n })
  const second = await submit({ to: FRIEND, value: 5n * 10n ** 17n, nonce: first.nonce + 1 })
  for (const sent of [first, second]) await report(ether(sent))
  await product.testChain.mine(1)
  await product.indexer.runOnce()
  await product.advance(700_000)
  proxy.setTamper((call, answer) =>
    call.params?.[0] === first.hash
      ? { id: call.id, error: { code: -32_000, message: 'missing trie node' } }
      : answer,
  )
  const followDue = () => services.localWallet.followDue(product.db)
  await expect(followDue()).rejects.toThrow(/trie/)
  expect(await state(second.hash)).toMatchObject({ status: 'Confirming' })
  expect(await state(first.hash)).toMatchObject({ status: 'Sent' })
  // The failed check waits for its turn like the others.
  await followDue()
  proxy.setTamper(undefined)
  await look()
  expect(await state(first.hash)).toMatchObject({ status: 'Success' })
  await proxy.close()
})

test("the history holds sends, and both ends' view of a transfer with a reference, in pages", async () => {
  const { amc, transfer } = product.chain.contracts
  const amount = 3n * 10n ** 18n
  await submit({
    to: amc,
    data: encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [transfer, amount] }),
  })
  await look()
  const args = [amc, other.wallet, amount, zeroHash] as const
  const data = encodeFunctionData({ abi: rifTransferAbi, functionName: 'transfer', args })
  const sent = await submit({ to: transfer, data })
  await report({ ...ether(sent, '3'), asset: 'AMC', to: other.wallet, by_contract: true })
  await look()
  expect((await history({}, other)).items).toMatchObject([
    { kind: 'transfer', direction: 'in', status: 'Confirming', legs: [{ asset: 'AMC', amount: '3' }] },
  ])
  await look(4)
  const [received] = (await history({}, other)).items
  expect(received).toMatchObject({
    status: 'Success',
    counterpart: getAddress(member.wallet),
    tx_hash: sent.hash,
  })

  const { items: all } = await history()
  expect(all[0]).toMatchObject({ kind: 'send', direction: 'out', legs: [{ asset: 'AMC', amount: '3' }] })
  expect(all.filter(({ tx_hash }) => tx_hash === sent.hash)).toHaveLength(1)
  const paged: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await history({ limit: 2, ...(cursor && { cursor }) })
    paged.push(...page.items.map(({ id }) => id))
    cursor = page.next
  }
  expect(paged).toEqual(all.map(({ id }) => id))

  // Each filter returns exactly the matching part of the whole list.
  await product.testChain.rpc('evm_setAutomine', [true])
  await product.publishPrice('AMC', '0.5')
  await product.pay(member, (await product.order(member, 1)).order_id)
  await product.testChain.rpc('evm_setAutomine', [false])
  await look(4)
  const whole = (await history()).items
  expect(whole[0]).toMatchObject({ kind: 'order', legs: [{ asset: 'USDT' }, { asset: 'AMC' }] })
  for (const asset of [undefined, 'ETH', 'USDT', 'AMC'] as const) {
    for (const direction of [undefined, 'in', 'out'] as const) {
      const wanted = whole.filter(
        (move) =>
          (asset === undefined || move.legs.some((leg) => leg.asset === asset)) &&
          (direction === undefined || move.direction === direction),
      )
      expect((await history({ asset, direction })).items).toEqual(wanted)
    }
  }
  expect((await history({ asset: 'AMC', direction: 'in' }, other)).items).toEqual([received])
})

test('only plain sends of the three assets are decoded as sends', () => {
  const { contracts } = product.chain
  const read = (to: Address | null, input: Hex, value = 0n) => decodeSend({ contracts }, { to, input, value })
  expect(read(FRIEND, '0x', 1n)).toMatchObject({ asset: 'ETH', to: FRIEND.toLowerCase(), amountUnits: 1n })
  const data = tokenTransfer(FRIEND, 5n)
  expect(read(contracts.amc, data)).toMatchObject({ asset: 'AMC', amountUnits: 5n, byContract: false })
  for (const none of [
    read(null, '0x', 1n),
    read(FRIEND, '0x'),
    read(FRIEND, data),
    read(contracts.amc, data, 1n),
    read(contracts.amc, tokenTransfer(FRIEND, 0n)),
    read(contracts.bank, data),
    read(contracts.amc, '0x12345678'),
    read(contracts.transfer, '0x12'),
  ]) {
    expect(none).toBeNull()
  }
})
