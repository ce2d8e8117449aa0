import { dayOf, nextDay, startOfDay } from '@rif/rules'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { tamperAs } from '../../../testing/tampering.ts'
import { isOnCluster } from '../../../testing/test-database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { WAIT } from '../../../testing/wait.ts'
import { treasuryBank } from '../../fund/treasury/testing/treasury-bank.ts'
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
  inTx(product.db, (dbTx) =>
    guard().clear(dbTx, { preparedBy: 'anna', decidedBy: 'ben', reason: 'looked at' }),
  )
const difference = (subject: string) => ({ check: 'balance', subject, expected: '1', actual: '2' })
const metric = async (name: string) => {
  const reading = guard().readings.find((reading) => reading.name === name)!
  return reading.read()
}

test('the alarm names an open difference, not one that was cleared before', async () => {
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

test('tells apart the differences that two admins have cleared, by their values', async () => {
  const seen = difference('seen')
  await guard().recordFindings([seen])
  expect(await guard().clearedAmong([seen])).toEqual([])
  await clear()
  const changed = { ...seen, actual: '3' }
  expect(await guard().clearedAmong([seen, changed])).toMatchObject([
    { ...seen, preparedBy: 'anna', clearedBy: 'ben', clearedAt: expect.any(Date) },
  ])
})

test('differences above the stored maximum close the gate again once the stored ones are cleared', async () => {
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

test('money that left between the books and the chain is not a shortfall', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '20')
  await product.finalise()
  // The claim is in a block, but not in the books yet.
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  const { USDT } = await product.services.solvency.position()
  expect(USDT.booksMicros).toBe(100_000_000n)
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
  await product.finalise()
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
})

test('money that is in the books before the block that they are compared with is not a shortfall', async () => {
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
  // As while the indexer applies the events of a block: the payment is booked, another one is not, and the
  // position has not advanced.
  await goTo(before)
  await owner.query(`insert into chain_events (chain_id, block_hash, log_index, block_number, block_at, tx_hash, contract, name, args, state)
    select chain_id, block_hash, 999, block_number, block_at, tx_hash, contract, name, args, state from chain_events
    where name = 'OrderPaid' order by block_number desc limit 1`)
  const { USDT } = await product.services.solvency.position()
  expect(USDT.heldMicros!).toBeLessThan(USDT.booksMicros)
  await guard().checkHoldings()
  expect(await causes()).toEqual([])
  await owner.query('delete from chain_events where log_index = 999')
  // Once the whole block is booked, the comparison uses the end of the block.
  const { USDT: booked } = await product.services.solvency.position()
  expect(booked.heldMicros).toBe(booked.booksMicros)
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
  // A cause must be seen within a minute, so no check may wait longer.
  const looks = guardJobs(services)
  expect(Math.max(...looks.map(({ everyMs }) => everyMs))).toBeLessThan(30_000)
  await clear()
  expect((await treasury.approvePayout('1', destination)).state).toBeDefined()
})

test("two simultaneous requests for an audit run one, and it finds an attacker's change", async () => {
  const { auditRuns } = product.services
  await guard().auditWhenDue()
  const { rows: before } = await owner.query('select count(*)::int as audits from guard_audits')
  await product.grant(member, 'USDT', '3')
  await tamperAs(
    owner,
    `update ledger_heads set balances[1] = balances[1] + 5 where member_id = ${member.memberId}`,
  )
  const [first, second] = await Promise.all([auditRuns.request('0xa'), auditRuns.request('0xb')])
  expect(first.run).toMatchObject({ step: 'waiting', differences: null })
  expect(second.run?.run_id).toBe(first.run?.run_id)
  expect(await auditRuns.handler.run(BigInt(first.run!.run_id))).toBe(true)
  expect((await auditRuns.last()).run).toMatchObject({ step: 'done', differences: 2 })
  expect(await causes()).toEqual(['difference'])
  const { rows: after } = await owner.query('select count(*)::int as audits from guard_audits')
  expect(after[0].audits).toBe(before[0].audits + 1)
  const { rows: logged } = await owner.query(
    "select count(*)::int as entries from admin_actions where action = 'guard.audit'",
  )
  expect(logged[0].entries).toBe(1)
  await tamperAs(
    owner,
    `update ledger_heads set balances[1] = balances[1] - 5 where member_id = ${member.memberId}`,
  )
  await clear()
})

const HOUR_MS = 3_600_000

/** Advances to the next day, settles the last one, builds its report and publishes it. Returns the day. */
async function publishDay(): Promise<string> {
  const { services } = product
  const day = dayOf(product.now().getTime())
  await product.advance(startOfDay(nextDay(day)) + 120_000 - product.now().getTime())
  await product.finalise()
  await services.settlement.settle(day)
  await services.solvencySnapshots.catchUp()
  expect(await services.solvencyPublishing.step()).toBe(true)
  await product.finalise()
  return day
}

/** Runs statements as the owner of the database with all triggers disabled. */
const tamper = (statement: string) => tamperAs(owner, statement)
/** Changes the amount of a leaf by a bit; the same change again reverts it. */
const changeLeaf = (day: string, bit: 1 | 2) =>
  tamper(
    `update solvency_groups set leaves = set_byte(leaves, 39, get_byte(leaves, 39) # ${bit}) where day = '${day}'`,
  )
const lastAudit = async () => (await guard().report()).audits[0]
const openSubjects = async () => (await guard().openDifferences(product.db)).map(({ subject }) => subject)

/**
 * Waits for transactions of other test databases that are older than the reports, because changes behind them
 * are compared again.
 */
const untilNoneIsOlder = () =>
  vi.waitFor(async () => {
    const { rows } = await owner.query(`select from solvency_days
      where age(xmin) <= age((pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text::xid)`)
    expect(rows).toEqual([])
  }, WAIT)

/** Advances an hour and runs the due audit. */
async function hourlyAudit() {
  await product.advance(HOUR_MS)
  await guard().auditWhenDue()
  return lastAudit()
}

test('a full audit finds nothing in published reports', async () => {
  await product.services.settlement.begin(dayOf(product.now().getTime()))
  await publishDay()
  await publishDay()
  await product.advance(3 * HOUR_MS)
  await guard().auditWhenDue()
  expect(await openSubjects()).toEqual([])
  expect(await lastAudit()).toMatchObject({ kind: 'full', differences: 0 })
})

// The machines of a cluster number transactions independently, so every audit there is a full one.
test.skipIf(isOnCluster())('an audit of changes compares a new report with its leaves once', async () => {
  // The next audit compares the leaves and sums of a report that is new since the last one.
  const next = await publishDay()
  await changeLeaf(next, 1)
  await untilNoneIsOlder()
  expect(await hourlyAudit()).toMatchObject({ kind: 'changes', differences: 1 })
  expect(await openSubjects()).toEqual([`tree of the leaves of ${next}`])
  await clear()

  // The leaves are locked against reading: a later hourly audit that read them would wait for ever.
  await owner.query(
    'begin; lock table solvency_groups, solvency_members, solvency_tops in access exclusive mode',
  )
  try {
    expect(await hourlyAudit()).toMatchObject({ kind: 'changes', differences: 0 })
  } finally {
    await owner.query('rollback')
  }
  await changeLeaf(next, 1)
})

async function lastReport(): Promise<string> {
  const { rows } = await owner.query<{ day: string }>(
    `select day::text from solvency_days order by day desc limit 1`,
  )
  return rows[0]!.day
}

test('a full audit finds a changed leaf and a rewritten posting of a published day', async () => {
  const day = await lastReport()
  await product.advance(24 * HOUR_MS)
  await guard().auditWhenDue()
  expect(await openSubjects()).toEqual([])
  expect(await lastAudit()).toMatchObject({ kind: 'full', differences: 0 })
  const pay = `member_id = ${member.memberId} and seq = 1`
  await changeLeaf(day, 2)
  await tamper(`update ledger_entries set amount = amount + 1 where ${pay}`)
  // On one machine the hourly audit reads neither.
  if (!isOnCluster()) expect(await hourlyAudit()).toMatchObject({ kind: 'changes', differences: 0 })
  await product.advance(24 * HOUR_MS)
  await guard().auditWhenDue()
  expect((await lastAudit())!.kind).toBe('full')
  expect(await openSubjects()).toEqual(
    expect.arrayContaining([
      `tree of the leaves of ${day}`,
      `postings of member ${member.memberId}`,
      `postings up to the end of ${day}`,
    ]),
  )
  await changeLeaf(day, 2)
  await tamper(`update ledger_entries set amount = amount - 1 where ${pay}`)
  await clear()
})

test('an hourly audit finds a changed root', async () => {
  const day = await lastReport()
  // Rewriting a report rewrites its row, so the next audit of changes compares it fully.
  await tamper(`update solvency_days set other_usdt = other_usdt + 1 where day = '${day}'`)
  expect(await hourlyAudit()).toMatchObject({ kind: 'changes', differences: 3 })
  const { bank } = product.chain.contracts
  expect((await openSubjects()).sort()).toEqual([
    `liabilities of ${day} in the bank ${bank}`,
    `other USDT in the report of ${day}`,
    `root by the figures of ${day} in the bank ${bank}`,
  ])
  await tamper(`update solvency_days set other_usdt = other_usdt - 1 where day = '${day}'`)
  await clear()

  // While publications are late, the last one on chain is before the days that an audit compares.
  expect(await product.services.publishedReports.onChain(nextDay(day))).toEqual([])
})
