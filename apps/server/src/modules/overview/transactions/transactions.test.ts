import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { servicesThroughProxy } from '../../../testing/through-proxy.ts'

let product: TestProduct
let member: TestMember
let other: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  member = await product.join(null)
  other = await product.join(member)
})
afterAll(() => product.stop())

const list = (of = member) =>
  product.services.transactions.list(product.db, { memberId: of.memberId, address: of.wallet })
const note = (txHash: string, nonce: number) =>
  product.services.transactions.note(product.db, member, {
    txHash,
    kind: 'approveUsdt',
    subjectId: 7n,
    nonce,
  })
const toMyself = () =>
  product.testChain.rpc<Hash>('eth_sendTransaction', [{ from: member.wallet, to: member.wallet }])
const unknown = (digit: string) => `0x${digit.repeat(64)}`

test('a transaction is followed from any device until it is final, and belongs to one member', async () => {
  const hash = await toMyself()
  await product.receiptOf(hash)
  await product.indexer.runOnce()
  // Reported twice, once in capitals: one transaction.
  await note(hash, 0)
  await note(hash.toUpperCase().replace('0X', '0x'), 0)
  expect(await list()).toMatchObject([
    { tx_hash: hash, kind: 'approveUsdt', subject_id: '7', state: 'confirming', confirmations: 1 },
  ])
  await product.finalise()
  expect(await list()).toMatchObject([{ state: 'done', confirmations: 3, confirmations_needed: 3 }])
  // Final transactions are not looked up again.
  const [row] = await product.db.selectFrom('sent_transactions').select('outcome').execute()
  expect(row).toEqual({ outcome: 'done' })
  expect(await list(other)).toEqual([])
})

test('a transaction whose nonce was used by another is replaced; a late one is not', async () => {
  const noted = [unknown('1'), unknown('2')]
  for (const [nonce, hash] of noted.entries()) await note(hash, nonce * 1_000)
  const states = async () =>
    (await list()).filter(({ tx_hash }) => noted.includes(tx_hash)).map(({ state }) => state)
  expect(await states()).toEqual(['pending', 'pending'])
  await product.advance(31_000)
  expect((await states()).sort()).toEqual(['pending', 'replaced'])
  await product.advance(24 * 60 * 60_000)
  expect(await list()).toEqual([])
})

test('an attack with invented hashes costs at most 11 calls to a node per request, and 120 a minute per member', async () => {
  const attacker = await product.join(member)
  const { services, proxy } = await servicesThroughProxy(product)
  let calls = 0
  proxy.setTamper((_call, answer) => {
    calls++
    return answer
  })
  const listAs = ({ memberId, wallet }: TestMember) =>
    services.transactions.list(product.db, { memberId, address: wallet })
  const callsOf = async (work: () => Promise<unknown>) => {
    const before = calls
    await work()
    return calls - before
  }
  const invent = async (round: number) => {
    for (let n = 0; n < 20; n++) {
      const txHash = `0x${(round * 20 + n + 1).toString(16).padStart(64, 'f')}`
      await services.transactions.note(product.db, attacker, { txHash, kind: 'approveUsdt', nonce: n })
    }
  }

  await invent(0)
  await product.advance(120_000 - (product.now().getTime() % 60_000))
  const perRequest = []
  for (let request = 0; request < 8; request++) perRequest.push(await callsOf(() => listAs(attacker)))
  // Four requests look up all twenty; the next ones return the results.
  expect(perRequest).toEqual([11, 11, 11, 11, 0, 0, 0, 0])

  for (let round = 1; round < 6; round++) {
    await invent(round)
    for (let request = 0; request < 4; request++) await listAs(attacker)
  }
  expect(calls).toBeLessThanOrEqual(120)
  expect(await callsOf(() => listAs(attacker))).toBe(0)

  await services.transactions.note(product.db, other, {
    txHash: unknown('3'),
    kind: 'approveUsdt',
    nonce: 0,
  })
  expect(await callsOf(() => listAs(other))).toBe(1)
  await proxy.close()
})

test('a transaction that the indexer has costs no call to a node', async () => {
  const { services, proxy } = await servicesThroughProxy(product)
  const { order_id } = await product.order(other, 1)
  const { hash } = await product.pay(other, order_id)
  await services.transactions.note(product.db, other, { txHash: hash, kind: 'pay', nonce: 9 })
  await product.indexer.runOnce()
  proxy.setDown(true)
  const listed = async () =>
    (await services.transactions.list(product.db, { memberId: other.memberId, address: other.wallet })).find(
      ({ tx_hash }) => tx_hash === hash,
    )
  expect(await listed()).toMatchObject({ state: 'confirming', confirmations: 1 })
  await product.finalise()
  expect(await listed()).toMatchObject({ state: 'done', confirmations: 3 })
  await proxy.close()
})

test('an unreported payment and claim are shown once they are on chain', async () => {
  const { order_id } = await product.order(member, 1)
  const { hash } = await product.pay(member, order_id)
  await product.indexer.runOnce()
  expect(await list()).toMatchObject([
    { tx_hash: hash, kind: 'pay', subject_id: order_id, state: 'confirming' },
  ])
  await product.grant(member, 'USDT', '50')
  const withdrawal = await product.withdraw(member, 'USDT', '20')
  const claim = await product.claim(member, withdrawal.withdraw_id)
  await product.indexer.runOnce()
  expect(await list()).toMatchObject([
    { tx_hash: claim.hash, kind: 'claim', subject_id: withdrawal.withdraw_id, state: 'confirming' },
  ])
  await product.finalise()
  expect(await list()).toEqual([])
})

test('at most a hundred transactions of a member are kept', async () => {
  for (let n = 0; n < 105; n++) await note(`0x${n.toString(16).padStart(64, '0')}`, n)
  const rows = await product.db
    .selectFrom('sent_transactions')
    .select('tx_hash')
    .where('member_id', '=', member.memberId)
    .execute()
  expect(rows.length).toBeLessThanOrEqual(100)
})
