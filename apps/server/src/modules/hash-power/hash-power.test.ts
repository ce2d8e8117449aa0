import { afterAll, beforeAll, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'

let product: TestProduct
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  member = await product.join(null)
})
afterAll(() => product.stop())

const grant = (key: string, amountMicros: bigint, memberId = member.memberId) =>
  inDbTx(product.db, (dbTx) =>
    product.services.hashPower.grant(dbTx, {
      ...{ key, memberId, amountMicros, actor: 'admin', reason: 'welcome' },
    }),
  )
const rif = async () => (await product.services.ledger.balances(product.db, member.memberId)).RIF
const logged = () =>
  product.db.selectFrom('admin_actions').select('after').where('action', '=', 'hash-power.grant').execute()

test('a grant arrives once and is logged once, however often and at once it is made', async () => {
  await Promise.all(Array.from({ length: 5 }, () => grant('g1', 7_000_000n)))
  await grant('g1', 7_000_000n)
  expect(await rif()).toMatchObject({ available: 7_000_000n, locked: 0n })
  expect(await logged()).toEqual([{ after: { key: 'g1', rifMicros: '7000000' } }])
})

test('another grant under a used key, nothing, and nobody are refused', async () => {
  await expect(grant('g1', 8_000_000n)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  await expect(grant('g2', 0n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  await expect(grant('g3', -1n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  await expect(grant('g4', 2n ** 63n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  await expect(grant('g5', 2n ** 63n - 1n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  await expect(grant('g6', 1n, 999_999n)).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' })
  expect(await rif()).toMatchObject({ available: 7_000_000n })
})
