import { amcTokenAbi } from '@rif/contracts/abi'
import { parseMicros } from '@rif/rules'
import pg from 'pg'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { tamperAs } from '../../../testing/tampering.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

const HOUR_MS = 3_600_000
const OPERATOR = `0x${'41'.repeat(20)}`
const APPROVER = `0x${'42'.repeat(20)}`

let product: TestProduct
let owner: pg.Client
let member: TestMember
let friend: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  member = await product.join(null)
  friend = await product.join(member)
  owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  await product.services.settlement.begin(product.now().toISOString().slice(0, 10))
  // The member's commissions come from payments, so that the bank holds them.
  for (const buyer of [member, friend]) {
    const { order_id } = await product.order(buyer, 5)
    await product.pay(buyer, order_id)
    await product.finalise()
  }
})
afterAll(async () => {
  await owner.end()
  await product.stop()
})

const causes = () => product.services.guard.causes()
const transfer = () => product.transfer(member, friend, 'USDT', '1')
const heldByBank = (): Promise<bigint> => {
  const { usdt: address, bank } = product.chain.contracts
  return product.chain.untrustedClient.readContract({
    address,
    abi: amcTokenAbi,
    functionName: 'balanceOf',
    args: [bank],
  })
}

/** Moves USDT between accounts without the bank's consent, which is possible only on a test chain. */
async function moveUsdt(from: Hex, to: Hex, amount: bigint): Promise<void> {
  const { rpc, contracts } = product.testChain
  await rpc('anvil_impersonateAccount', [from])
  await rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'transfer', args: [to, amount] })
  const hash = await rpc<Hex>('eth_sendTransaction', [{ from, to: contracts.usdt, data, gas: '0x30d40' }])
  await product.receiptOf(hash)
  await rpc('anvil_stopImpersonatingAccount', [from])
  await product.finalise()
}

/** Runs the statement as the database's owner, bypassing the ledger's guards. */
async function tamper(statement: string): Promise<void> {
  await tamperAs(owner, statement)
}

test('a short bank closes the gate, an earlier voucher is still paid, and the gate opens when the money arrives', async () => {
  const { guard, claims } = product.services
  const { withdraw_id } = await product.withdraw(member, 'USDT', '20')
  const other = await product.withdraw(member, 'USDT', '10')
  const voucher = await claims.voucher(product.db, member.memberId, BigInt(withdraw_id))
  await guard.checkHoldings()
  expect(await causes()).toEqual([])

  const { bank } = product.testChain.contracts
  const thief = product.testChain.accounts.at(-1)!
  const taken = (await heldByBank()) - 19_000_000n
  await moveUsdt(bank, thief, taken)
  await guard.checkHoldings()
  expect(await causes()).toEqual(['shortfall'])
  const { causes: shown } = await guard.report()
  expect(shown[0]!.detail).toMatch(
    /^the bank holds 19.000000 USDT, the books say 14000.000000, and 4900.000000 are owed$/,
  )
  // The operators' page shows the same figures: 19 of 4,900 USDT.
  const { assets } = await product.services.analytics.holdings(product.db)
  expect(assets.find(({ asset }) => asset === 'USDT')).toMatchObject({
    chain: '19.000000',
    books: '14000.000000',
    liabilities: '4900.000000',
    ratio_ppm: 3877,
  })
  const [usdt] = (await product.services.solvency.books()).items
  expect(usdt).toMatchObject({ held: '19.000000', books: '14000.000000', difference: '-13981.000000' })
  const sum = (lines: readonly { amount: string }[]) =>
    lines.reduce((total, { amount }) => total + parseMicros(amount), 0n)
  expect(sum(usdt!.accounts)).toBe(parseMicros(usdt!.owed))
  expect(sum(usdt!.accounts) + sum(usdt!.own)).toBe(parseMicros(usdt!.books))
  const closed = { code: 'GUARD_CLOSED', details: { causes: 'shortfall' } }
  await expect(transfer()).rejects.toMatchObject(closed)
  await expect(product.withdraw(member, 'USDT', '20')).rejects.toMatchObject(closed)
  await expect(product.order(friend, 1)).rejects.toMatchObject(closed)
  await expect(claims.voucher(product.db, member.memberId, BigInt(other.withdraw_id))).rejects.toMatchObject(
    closed,
  )

  // The same voucher again, because it was signed before.
  const again = await claims.voucher(product.db, member.memberId, BigInt(withdraw_id))
  expect(again).toEqual(voucher)
  expect((await product.send(member, again.tx)).status).toBe('success')
  await product.finalise()
  expect(
    await product.services.withdrawals.get(product.db, member.memberId, BigInt(withdraw_id)),
  ).toMatchObject({
    status: 'Success',
  })

  await moveUsdt(thief, bank, taken)
  await guard.checkHoldings()
  expect(await causes()).toEqual([])
  expect((await guard.report()).closings).toMatchObject([{ cause: 'shortfall' }])
  await transfer()
  expect(await product.audit()).toEqual([])
})

test('the signer refuses a new voucher by its own check, whatever the server claims', async () => {
  const { claims, guard, signer } = product.services
  const { withdraw_id } = await product.withdraw(member, 'USDT', '10')
  await product.finalise()
  await owner.query("insert into guard_causes values ('shortfall', 'by hand', now())")
  // As a server that ignores its gate stores the deadline of a voucher.
  await owner.query(
    `update withdrawals set claim_expires_at = date_trunc('second', now()) + interval '${Math.round(
      product.clockOffsetMs() / 1_000,
    )} s 20 min', bank = (select address from banks limit 1) where withdrawal_id = ${withdraw_id}`,
  )
  await expect(signer.claim(member.memberId, BigInt(withdraw_id))).rejects.toMatchObject({
    code: 'GUARD_CLOSED',
  })
  await guard.checkHoldings()
  expect(await causes()).toEqual([])
  await signer.claim(member.memberId, BigInt(withdraw_id))
  await owner.query(`update withdrawals set claim_expires_at = null where withdrawal_id = ${withdraw_id}`)
  await claims.voucher(product.db, member.memberId, BigInt(withdraw_id))
})

test('a tampered posting closes the gate until two admins clear it; the same difference does not close it again', async () => {
  const { db, services } = product
  const { guard, ledger } = services
  await guard.auditWhenDue()
  expect(await causes()).toEqual([])
  const [first] = (await guard.report()).audits
  expect(first).toMatchObject({ kind: 'full', differences: 0 })

  // Changed since the last audit, so the next audit of changes finds it, but not before it is due.
  await transfer()
  const seq = await ledger.history.lastSeq(db, member.memberId)
  const pay = `member_id = ${member.memberId} and seq = ${seq}`
  await tamper(`update ledger_heads set balances[1] = balances[1] + 5 where member_id = ${member.memberId}`)
  await guard.auditWhenDue()
  expect(await causes()).toEqual([])
  await product.advance(HOUR_MS)
  await guard.auditWhenDue()
  expect((await guard.report()).audits[0]).toMatchObject({ kind: 'changes', differences: 2 })
  expect(await causes()).toEqual(['difference'])
  await expect(transfer()).rejects.toMatchObject({ code: 'GUARD_CLOSED' })

  // It does not open by itself, not even when the difference is gone.
  await tamper(`update ledger_heads set balances[1] = balances[1] - 5 where member_id = ${member.memberId}`)
  await guard.checkHoldings()
  await product.advance(HOUR_MS)
  await guard.auditWhenDue()
  expect(await causes()).toEqual(['difference'])
  const differences = await guard.openDifferences(db)
  expect(differences.map(({ check }) => check).sort()).toEqual(['balance', 'sum'])
  const actors = { preparedBy: OPERATOR, decidedBy: APPROVER, reason: 'looked at' }
  await inTx(db, (dbTx) => guard.clear(dbTx, actors))
  expect(await causes()).toEqual([])
  await expect(inTx(db, (dbTx) => guard.clear(dbTx, actors))).rejects.toMatchObject({
    code: 'NOTHING_TO_REVIEW',
  })
  await transfer()

  // A full audit also reads members without changes.
  await tamper(`update ledger_entries set amount = amount + 1 where ${pay}`)
  await product.advance(HOUR_MS)
  await guard.auditWhenDue()
  await product.advance(24 * HOUR_MS)
  await guard.auditWhenDue()
  expect((await guard.report()).audits[0]).toMatchObject({ kind: 'full' })
  expect(await causes()).toEqual(['difference'])
  await inTx(db, (dbTx) => guard.clear(dbTx, actors))
  await product.advance(25 * HOUR_MS)
  await guard.auditWhenDue()
  expect(await causes()).toEqual([])
  await tamper(`update ledger_entries set amount = amount - 1 where ${pay}`)
  expect(await product.audit()).toEqual([])
})

test('an on-chain report that is 36 hours old closes the gate; a new installation has as long for its first', async () => {
  const { db, services } = product
  const { guard } = services
  const setStart = (hours: number) =>
    owner.query('update guard_start set started_at = $1', [
      new Date(product.now().getTime() - hours * HOUR_MS),
    ])
  await setStart(35)
  await guard.checkSnapshot()
  expect(await causes()).toEqual([])
  await setStart(37)
  await guard.checkSnapshot()
  expect(await causes()).toEqual(['old_snapshot'])
  await expect(transfer()).rejects.toMatchObject({
    code: 'GUARD_CLOSED',
    details: { causes: 'old_snapshot' },
  })
  await setStart(0)
  await guard.checkSnapshot()
  expect(await causes()).toEqual([])
  const { rows } = await owner.query(
    'select event, name, subject from alarm_messages order by alarm_id desc limit 2',
  )
  expect(rows).toEqual([
    { event: 'ended', name: 'guard_closed', subject: 'old_snapshot' },
    { event: 'begun', name: 'guard_closed', subject: 'old_snapshot' },
  ])
  expect(await db.selectFrom('guard_causes').select('cause').execute()).toEqual([])
})
