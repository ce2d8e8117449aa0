import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packOnChainId } from '../../chain/onchain-id.ts'
import { inTx } from '../../db/database.ts'
import { payOtherTerms } from '../../testing/bank-actions.ts'
import { tamperAs } from '../../testing/tampering.ts'
import { startTestProduct, type TestProduct } from '../../testing/test-product.ts'

let product: TestProduct

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  await product.publishPrice('RIF', '1')
  const root = await product.join(null)
  const member = await product.join(root)
  await product.grant(member, 'RIF', '30')
  await product.grant(member, 'USDT', '90')
  await product.pay(root, (await product.order(root, 1)).order_id)
  await product.pay(member, (await product.order(member, 1, true)).order_id)
  await product.order(member, 3, true)
  const other = await product.order(member, 2)
  await product.approve(member, other.order_id)
  const id = packOnChainId(member.memberId, BigInt(other.order_id))
  await payOtherTerms(product, member, id, { usdt: 1_000_000n, amc: 10n ** 18n })
  await inTx(product.db, (dbTx) =>
    product.services.shop.cancel(dbTx, member.memberId, BigInt(other.order_id)),
  )
  await product.claim(member, (await product.withdraw(member, 'USDT', '30')).withdraw_id)
  await product.withdraw(member, 'USDT', '20')
  await product.finalise()
})
afterAll(() => product.stop())

test('correct books have no differences', async () => {
  expect(await product.audit()).toEqual([])
})

test.each([
  [
    'order',
    "update orders set full_usdt_micros = full_usdt_micros + 1 where status = 'Paid' and not use_hash_rate",
  ],
  [
    'order',
    "update orders set status = 'UnPaid', paid_at = null, collected_at = null, paid_sequence = null, seen_block = null where status = 'Paid'",
  ],
  ['order', "update orders set rif_micros = rif_micros - 1 where status = 'Paid' and use_hash_rate"],
  ['order hold', "update orders set rif_micros = rif_micros + 1 where status = 'UnPaid' and rif_micros > 0"],
  ['package', 'update package_copies set paid = paid + 1 where package_id = 1'],
  ['unmatched payment', 'update unmatched_payments set amc_micros = amc_micros - 1'],
  ['reward', 'update rewards set usdt_micros = usdt_micros - 1'],
  ['reward total', 'delete from reward_totals'],
  ['reward day', 'update reward_days set paid_micros = paid_micros + 1'],
  ['coverage', 'update reward_coverage set paid_micros = paid_micros - 1'],
  ['withdrawal', 'update withdrawals set fee_micros = fee_micros + 1'],
  ['payment event', "update orders set tx_hash = '0x00' where status = 'Paid' and use_hash_rate"],
  ['payment event', 'delete from unmatched_payments'],
  ['claim event', "update withdrawals set tx_hash = '0x00' where status = 'Success'"],
  ['withdrawing', "update withdrawals set amount_micros = amount_micros + 1 where status = 'Withdrawable'"],
])('a change behind the back of the services is found by %s: %s', async (check, change) => {
  // As the owner of the tables with the guards off, which the server cannot do.
  const owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  try {
    const tables = [
      'orders',
      'package_copies',
      'unmatched_payments',
      'rewards',
      'reward_totals',
      'reward_days',
    ]
    tables.push('reward_coverage', 'withdrawals')
    for (const table of tables) await owner.query(`create table kept_${table} as table ${table}`)
    await tamperAs(owner, change)
    const findings = await product.audit()
    for (const table of tables) {
      await tamperAs(
        owner,
        `delete from ${table}`,
        `insert into ${table} overriding system value select * from kept_${table}`,
      )
      await owner.query(`drop table kept_${table}`)
    }
    expect(findings.map((difference) => difference.check)).toContain(check)
    expect(await product.audit()).toEqual([])
  } finally {
    await owner.end()
  }
})
