import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { dayOf, MICRO } from '@rif/rules'
import { sql } from 'kysely'
import pg from 'pg'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import { childProgram } from '../../../testing/child-program.ts'
import { waitsForLock } from '../../../testing/lock-waits.ts'
import { giveRole } from '../../../testing/roles.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { approver, operator, servicesOf } from '../../desk/proposals/testing/kill.ts'
import { TREASURY_CHECKS } from './audit.ts'

const CHILD = new URL('../../desk/proposals/testing/kill-child.ts', import.meta.url)
const DESTINATION = `0x${'5'.repeat(40)}`
const PAPER = `0x${'ab'.repeat(32)}`
const PAYOUTS = 3

let database: TestDatabase

/** Payouts of 100 USDT from 250 that wait for approval, each to its own destination. */
beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  const { db } = database
  const { admins, members, plans, proposals, ledger, chain, exitDestinations } = servicesOf(db)
  await plans.ensureDefault(db)
  for (const [wallet, role] of [[operator, 'operator'] as const, [approver, 'approver'] as const])
    await giveRole({ db, admins }, { address: wallet.address, role, person: role })
  await inTx(db, async (dbTx) => {
    await members.createRoot(dbTx, `0x${'1'.repeat(40)}`)
  })
  const at = new Date()
  await ledger.post(db, {
    key: 'sale',
    kind: 'order_payment',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [
      {
        memberId: 1n,
        asset: 'USDT',
        source: 'external',
        destination: 'revenue',
        amountMicros: 250n * MICRO,
      },
    ],
  })
  const admin = (await admins.find(db, operator.address)) as Admin
  for (let place = 0; place < PAYOUTS; place++) {
    const address = `${DESTINATION.slice(0, -1)}${place}`
    await inTx(db, async (dbTx) => {
      await exitDestinations.approve(dbTx, {
        address,
        name: 'Our landlord',
        purpose: 'rent',
        preparedBy: 'anna',
        approvedBy: 'ben',
      })
      const args = JSON.stringify({ destination: getAddress(address) })
      await sql`
        insert into chain_events (chain_id, block_hash, log_index, block_number, block_at, tx_hash, contract, name,
          args, state, told, told_at)
        values (${chain.chainId}, ${PAPER}, ${place}, 1, ${at}, ${PAPER}, ${chain.contracts.bank}, 'DestinationListed',
          ${args}::jsonb, 'final', 'final', ${at})`.execute(dbTx)
    })
    await inTx(db, (dbTx) =>
      proposals.prepare(dbTx, admin, {
        kind: 'treasury_payout',
        payload: {
          source: 'revenue',
          asset: 'USDT',
          amount: '100',
          destination: address,
          purpose: 'rent',
          document_hash: PAPER,
        },
        reason: 'rent of May',
        delayMs: 0,
      }),
    )
  }
})
afterAll(() => database.close())

/** Lets a process decide all proposals until it waits for a lock that the test holds, and kills it there. */
async function killAt(statement: string): Promise<void> {
  const clients = [0, 1].map(() => new pg.Client({ connectionString: database.adminUrl }))
  const [holder, observer] = clients as [pg.Client, pg.Client]
  await Promise.all(clients.map((client) => client.connect()))
  await holder.query('begin')
  await holder.query(statement)
  const { child, closed } = await startChild()
  await expect.poll(() => waitsForLock(database, 'proposals-kill-child')).toBe(true)
  child.kill('SIGKILL')
  await closed
  await holder.query('rollback')
  const lives = `select from pg_stat_activity where application_name = 'proposals-kill-child'
    and datname = current_database()`
  await expect.poll(async () => (await observer.query(lives)).rows.length).toBe(0)
  await Promise.all(clients.map((client) => client.end()))
}

/**
 * Starts a process that decides. It exits with an error when its approval is refused, which is expected here.
 */
async function startChild() {
  const child = spawn(process.execPath, [childProgram(CHILD)], { stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const closed = once(child, 'close')
  const isReady = once(createInterface(child.stdout), 'line').then(() => true)
  if (!(await Promise.race([isReady, closed.then(() => false)]))) throw new Error(errors)
  child.stdin.write(`${JSON.stringify({ url: database.url, aheadMs: 0 })}\n`)
  return { child, closed }
}

/** Returns the states of the proposals, with the sum that is set aside, and checks the books. */
async function outcome(): Promise<string> {
  const { db } = database
  const { ledger } = servicesOf(db)
  const { rows } = await sql<{ state: string; exits: number }>`
    select string_agg(state, ' ' order by proposal_id) as state,
      (select count(*)::integer from exits) as exits from proposals`.execute(db)
  const { state, exits } = rows[0]!
  const heldUsdt = (await ledger.pools.balances(db, 'exit_hold')).USDT / MICRO
  expect(heldUsdt).toBe(100n * BigInt(exits))
  expect(await auditLedger(db, { checks: TREASURY_CHECKS })).toEqual([])
  return `${state}: ${heldUsdt}`
}

test('killed between the approval and the hold or at its commit, an exit exists with its amount, or not at all', async () => {
  await killAt(`select from ledger_pools where account = 'exit_hold' for update`)
  expect(await outcome()).toBe('Open Open Open: 0')
  // If only the commit was left, the database may execute it.
  await killAt('lock table admin_seals in exclusive mode')
  expect(['Open Open Open: 0', 'Applied Open Open: 100']).toContain(await outcome())
  // Two processes approve the others at the same time; the balance suffices for two in all.
  const children = await Promise.all([startChild(), startChild()])
  await Promise.all(children.map(({ closed }) => closed))
  expect(await outcome()).toBe('Applied Applied Open: 200')
})
