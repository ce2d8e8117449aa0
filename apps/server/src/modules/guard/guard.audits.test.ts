import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../testing/test-product.ts'
import { treasuryBank } from '../treasury/testing/treasury-bank.ts'
import { guardJobs } from './guard.worker.ts'

let product: TestProduct
let owner: pg.Client
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  member = await product.join(null)
  owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  await product.grant(member, 'USDT', '100')
  await product.finalise()
})
afterAll(async () => {
  await owner.end()
  await product.stop()
})

const guard = () => product.services.guard
const causes = () => guard().causes()
const clear = () =>
  inDbTx(product.db, (dbTx) =>
    guard().clear(dbTx, { preparedBy: 'anna', decidedBy: 'ben', reason: 'looked at' }),
  )
const difference = (subject: string) => ({ check: 'balance', subject, expected: '1', actual: '2' })
const metric = async (name: string) => {
  const reading = guard().readings.find((one) => one.name === name)!
  return reading.read()
}

test('the alarm names a difference that is open, not one that was cleared before', async () => {
  await guard().recordFindings([difference('a cleared one')])
  await clear()
  await guard().recordFindings([difference('a cleared one'), difference('a new one')])
  expect((await guard().report()).causes).toMatchObject([
    { cause: 'difference', detail: 'balance: a new one: expected 1, is 2' },
  ])
  expect(await metric('rif_guard_closed')).toEqual([{ labels: { cause: 'difference' }, value: 1 }])
  await clear()
  expect(await metric('rif_guard_closed')).toEqual([])
  expect(await metric('rif_guard_audit_age_seconds')).toMatchObject([{ labels: { kind: 'full' } }])
})

test('differences beyond those that are kept close the gate again once the kept ones are cleared', async () => {
  const many = Array.from({ length: 250 }, (_, index) => difference(`number ${1_000 + index}`))
  await guard().recordFindings(many)
  expect((await guard().report()).causes[0]!.detail).toMatch(/^200 differences; balance: number 1000/)
  await clear()
  await guard().recordFindings(many)
  expect((await guard().report()).causes[0]!.detail).toMatch(/^50 differences; balance: number 1200/)
  await clear()
  await guard().recordFindings(many)
  expect(await causes()).toEqual([])
})

test('money that left between the books and the chain is no shortfall', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '20')
  await product.finalise()
  // The claim is in a block, and not in the books yet.
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  const { USDT } = await product.services.solvency.position()
  expect(USDT.booksMicros).toBe(100_000_000n)
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
  await product.finalise()
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
})

test('money that is in the books before the block that they are compared with is no shortfall', async () => {
  const before = await owner.query('select applied_number, applied_block_at from chain_cursors')
  const { order_id } = await product.order(member, 1)
  await product.pay(member, order_id)
  await product.finalise()
  const after = await owner.query('select applied_number, applied_block_at from chain_cursors')
  const goTo = ({ rows: [row] }: typeof before) =>
    owner.query('update chain_cursors set applied_number = $1, applied_block_at = $2', [
      row.applied_number,
      row.applied_block_at,
    ])
  // As while the indexer works through the events of a block: the payment is booked, and the position has not moved.
  await goTo(before)
  const { USDT } = await product.services.solvency.position()
  expect(USDT.heldMicros!).toBeLessThan(USDT.booksMicros)
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
  await goTo(after)
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
})

test('while the gate is closed the product stays ready, and no exit is set aside', async () => {
  const ready = () => product.services.system.readiness(product.db)
  const { services } = product
  const treasury = treasuryBank(product)
  const destination = await treasury.list()
  await guard().recordFindings([difference('closed for exits')])
  expect(Object.values(await ready()).every(({ ok }) => ok)).toBe(true)
  await expect(treasury.approvePayout('1', destination)).rejects.toMatchObject({ code: 'GUARD_CLOSED' })
  expect(await product.db.selectFrom('exits').selectAll().execute()).toEqual([])
  // A cause is seen within a minute: no look waits longer.
  const looks = guardJobs({ guard: services.guard, guardAlarms: services.guardAlarms })
  expect(Math.max(...looks.map(({ everyMs }) => everyMs))).toBeLessThan(30_000)
  await clear()
  expect((await treasury.approvePayout('1', destination)).state).toBeDefined()
})
