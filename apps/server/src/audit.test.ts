import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allowTriggers } from './testing/tampering.ts'
import { startTestProduct, type TestMember, type TestProduct } from './testing/test-product.ts'

// The books are compared with the banks at one block, however much of its data the indexer has applied.

let product: TestProduct
let owner: pg.Client
let root: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
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
afterEach(async () => {
  await allow()
  await product.finalise()
  expect(await product.audit()).toEqual([])
})

const refuse = (member: TestMember) =>
  owner.query(`create trigger refused before insert on ledger_entries for each row
    when (new.kind = 'order_payment' and new.member_id = ${member.memberId}) execute function refuse_posting()`)
const allow = () => owner.query('drop trigger if exists refused on ledger_entries')

/** Returns two new members with an unpaid order each. */
async function buyers() {
  const ordered = async () => {
    const member = await product.join(root)
    const { order_id: orderId } = await product.order(member, 1)
    await product.approve(member, orderId)
    const request = { memberId: member.memberId, orderId: BigInt(orderId), useHashRate: undefined }
    const { tx } = await product.services.shop.payment(product.db, request)
    return {
      member,
      tx,
      status: async () =>
        (await product.services.shop.get(product.db, member.memberId, BigInt(orderId))).status,
    }
  }
  return [await ordered(), await ordered()] as const
}

describe('while a payment cannot be applied', () => {
  test('and one of an earlier block was applied, the books agree with the banks', async () => {
    const [first, second] = await buyers()
    for (const { member, tx } of [first, second]) await product.send(member, tx)
    await refuse(second.member)
    await expect(product.finalise()).rejects.toThrow(/this posting is refused/)
    expect([await first.status(), await second.status()]).toEqual(['Paid', 'UnPaid'])
    expect(await product.audit()).toEqual([])
    const { USDT } = await product.services.solvency.position()
    expect(USDT.heldMicros).toBe(USDT.booksMicros)
    // A shortfall of the bank is still found.
    await owner.query(
      "insert into ledger_flow_deltas values (current_date, 'order_payment', 'USDT', 'external', 'revenue', 1, 1)",
    )
    expect((await product.audit()).map(({ check }) => check)).toContain('bank')
    await owner.query(
      "insert into ledger_flow_deltas values (current_date, 'order_payment', 'USDT', 'external', 'revenue', -1, -1)",
    )
  })

  test('and one of the same block was applied, a note says that the bank is not compared', async () => {
    const [first, second] = await buyers()
    const { testChain } = product
    await testChain.rpc('evm_setAutomine', [false])
    const hashes = [
      await product.submit(first.member, first.tx),
      await product.submit(second.member, second.tx),
    ]
    await testChain.mine(1)
    await testChain.rpc('evm_setAutomine', [true])
    const blocks = await Promise.all(hashes.map(async (hash) => (await product.receiptOf(hash)).blockNumber))
    expect(new Set(blocks).size).toBe(1)
    await refuse(second.member)
    await expect(product.finalise()).rejects.toThrow(/this posting is refused/)
    expect([await first.status(), await second.status()]).toEqual(['Paid', 'UnPaid'])
    expect(await product.audit()).toMatchObject([{ check: 'bank not compared', isNote: true }])
  })
})
