import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../testing/test-product.ts'
import { createSignerClient } from './client.ts'

const usdt = (whole: number) => BigInt(whole) * 1_000_000n

let product: TestProduct
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  member = await product.join(null)
  await product.grant(member, 'USDT', '100')
  await product.finalise()
})
afterAll(() => product.stop())

/** Posts a payment to suspense and its release to the member, as a refund does. */
async function release(txHash: string, amountMicros: bigint): Promise<void> {
  const at = product.now()
  const line = { memberId: member.memberId, asset: 'USDT', amountMicros } as const
  const of = { cause: { type: 'payment', id: txHash }, accountingDay: dayOf(at.getTime()), at }
  await product.services.ledger.post(product.db, {
    key: `unmatched/${txHash}/0`,
    kind: 'unmatched_payment',
    ...of,
    lines: [{ ...line, source: 'external', destination: 'suspense' }],
  })
  await product.services.ledger.post(product.db, {
    key: `suspense/${txHash}/0`,
    kind: 'suspense_release',
    ...of,
    lines: [{ ...line, source: 'suspense', destination: 'available' }],
  })
}

test('a stolen API process gets no voucher without a fee for a refund that the books do not hold', async () => {
  const { memberId } = member
  const { db } = product
  const signer = createSignerClient(product.signer.access)
  const ask = async (whole: number) => {
    const order = { asset: 'USDT', amountMicros: usdt(whole), address: undefined } as const
    const { withdraw_id } = await inTx(db, (dbTx) =>
      product.services.withdrawals.request(dbTx, memberId, order),
    )
    return BigInt(withdraw_id)
  }
  const [id, other] = [await ask(50), await ask(20)]
  const bank = product.testChain.contracts.bank.toLowerCase()
  const deadline = new Date(Math.ceil(product.now().getTime() / 1_000) * 1_000 + 600_000)
  await sql`update withdrawals set bank = ${bank}, claim_expires_at = ${deadline}, fee_micros = 0, refund_micros = ${usdt(50)}
    where withdrawal_id = ${id}`.execute(db)
  const allow = async (txHash: string) => {
    const { rows } = await sql<{ id: bigint }>`
      insert into refund_allowances (member_id, tx_hash, log_index, asset, amount_micros, released_at)
      values (${memberId}, ${txHash}, 0, 'USDT', ${usdt(50)}, now()) returning allowance_id as id`.execute(db)
    return rows[0]!.id
  }
  const use = (withdrawalId: bigint, allowanceId: bigint, amount: bigint) =>
    sql`insert into refund_uses (member_id, withdrawal_id, allowance_id, amount_micros)
      values (${memberId}, ${withdrawalId}, ${allowanceId}, ${amount})`.execute(db)
  const giveBack = () => sql`delete from refund_uses where member_id = ${memberId}`.execute(db)
  const refused = () => expect(signer.claim(memberId, id)).rejects.toMatchObject({ reason: 'bad_terms' })

  await refused()
  await use(id, await allow('0xnever'), usdt(50))
  await refused()
  await giveBack()
  // A release of another amount, and one that another withdrawal uses too.
  await release('0xless', usdt(49))
  await use(id, await allow('0xless'), usdt(50))
  await refused()
  await giveBack()
  await release('0xreleased', usdt(50))
  const released = await allow('0xreleased')
  await use(other, released, usdt(1))
  await use(id, released, usdt(50))
  await refused()
  await giveBack()
  await use(id, released, usdt(50))
  expect(await signer.claim(memberId, id)).toMatchObject({ claim: { amount: usdt(50) } })
  // A refund is free to the member's own wallet only.
  await sql`update withdrawals set to_address = ${product.wallets[0]!.toLowerCase()}
    where withdrawal_id = ${id}`.execute(db)
  await refused()
})
