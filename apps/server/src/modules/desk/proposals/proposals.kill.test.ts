import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { dayOf, MICRO } from '@rif/rules'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, inTx } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import { childProgram } from '../../../testing/child-program.ts'
import { waitsForLock } from '../../../testing/lock-waits.ts'
import { giveRole } from '../../../testing/roles.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { ADMIN_CHECKS } from '../../operators/admin-log/audit.ts'
import { approver, operator, servicesOf } from './testing/kill.ts'

const CHILD = new URL('./testing/kill-child.ts', import.meta.url)
const AT_ONCE = 5
const LATER = 3
const DELAY_MS = 60_000
const RIF = 7n

let database: TestDatabase
const members: bigint[] = []

/** Grants of hash power that wait for the approver: some to be applied at once, some later. */
beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  const { db } = database
  const { admins, members: people, plans, pricing, proposals } = servicesOf(db)
  await plans.ensureDefault(db)
  // Without a price, a grant needs more than one approver.
  await inTx(db, (dbTx) => pricing.publish(dbTx, { asset: 'RIF', priceMicros: MICRO, actor: 'test' }))
  for (const [wallet, role] of [[operator, 'operator'] as const, [approver, 'approver'] as const])
    await giveRole({ db, admins }, { address: wallet.address, role, person: role })
  const admin = (await admins.find(db, operator.address)) as Admin
  for (let place = 1; place <= AT_ONCE + LATER; place++) {
    const address = `0x${place.toString(16).padStart(40, '0')}`
    const { memberId } = await inTx(db, (dbTx) =>
      place === 1
        ? people.createRoot(dbTx, address)
        : people.join(dbTx, { address, sponsorId: members[0]!, side: 'auto' }),
    )
    members.push(memberId)
    await giftOf(db, memberId)
    const lines = [{ address, amount: `${RIF}`, reason: 'welcome' }]
    const delayMs = place > AT_ONCE ? DELAY_MS : 0
    await inTx(db, (dbTx) =>
      proposals.prepare(dbTx, admin, {
        kind: 'hash_power',
        payload: { batch: `${place}`, lines },
        reason: 'welcome',
        delayMs,
      }),
    )
  }
})
afterAll(() => database.close())

/** A member who was paid once has a head that can be locked. */
async function giftOf(db: Db, memberId: bigint): Promise<void> {
  const at = new Date()
  await servicesOf(db).ledger.post(db, {
    key: `gift/${memberId}`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [{ memberId, asset: 'USDT', source: 'external', destination: 'available', amountMicros: MICRO }],
  })
}

/** Starts a process that is ready to decide. */
async function startChild() {
  const child = spawn(process.execPath, [childProgram(CHILD)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const lines: string[] = []
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line))
  await once(reader, 'line')
  return {
    begin: (aheadMs: number) => child.stdin.write(`${JSON.stringify({ url: database.url, aheadMs })}\n`),
    closed,
    lines,
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** Lets a process work until it waits for a lock that the test holds, and kills it there. */
async function killAt(statement: string, aheadMs = 0): Promise<void> {
  const clients = [0, 1].map(() => new pg.Client({ connectionString: database.adminUrl }))
  const [holder, observer] = clients as [pg.Client, pg.Client]
  const [child] = await Promise.all([startChild(), ...clients.map((client) => client.connect())])
  await holder.query('begin')
  await holder.query(statement)
  child.begin(aheadMs)
  await expect.poll(() => waitsForLock(database, 'proposals-kill-child')).toBe(true)
  await child.kill()
  expect(child.lines).not.toContain('done')
  await holder.query('rollback')
  // The process's pending statement ends by itself: rolled back, or committed if nothing else was left.
  const lives = `select from pg_stat_activity where application_name = 'proposals-kill-child'
    and datname = current_database()`
  await expect.poll(async () => (await observer.query(lives)).rows.length).toBe(0)
  await Promise.all(clients.map((client) => client.end()))
}

/** Returns each proposal's state, and checks it against its effect, its statement and its log entries. */
async function states(): Promise<string> {
  const { db } = database
  const { ledger } = servicesOf(db)
  const { rows } = await sql<{ id: string; state: string; used: number; applied: number; approved: number }>`
    select proposal_id::text as id, state,
      (select count(*)::integer from decision_statements where proposal_id = p.proposal_id and used_at is not null) as used,
      (select count(*)::integer from admin_actions where action = 'proposal.apply'
        and after->>'proposal' = proposal_id::text) as applied,
      (select count(*)::integer from admin_actions where action = 'proposal.approve'
        and after->>'proposal' = proposal_id::text) as approved
    from proposals as p order by proposal_id`.execute(db)
  for (const [place, { state, used, applied, approved }] of rows.entries()) {
    const { available } = (await ledger.balances(db, members[place]!)).RIF
    const isApplied = state === 'Applied' ? 1 : 0
    const isDecided = state === 'Open' ? 0 : 1
    expect([used, approved, applied]).toEqual([isDecided, isDecided, isApplied])
    expect(available).toBe(isApplied ? RIF * MICRO : 0n)
  }
  expect(await auditLedger(db, { checks: ADMIN_CHECKS })).toEqual([])
  return rows.map(({ state }) => state[0] + (state === 'Applied' ? '!' : '')).join(' ')
}

const head = (place: number) => `select from ledger_heads where member_id = ${members[place]} for update`
/** A commit ends with sealing the log entries. */
const SEALS = 'lock table admin_seals in exclusive mode'

test('killed in an approval, in its application or at its commit, a proposal is open or applied once', {
  tags: ['full'],
}, async () => {
  await killAt(
    'select from proposals where proposal_id = (select min(proposal_id) from proposals) for update',
  )
  expect(await states()).toBe('O O O O O O O O')
  await killAt(head(2))
  expect(await states()).toBe('A! A! O O O O O O')
  await killAt(SEALS)
  expect(await states()).toBe('A! A! A! O O O O O')

  const [child, other] = await Promise.all([startChild(), startChild()])
  child.begin(0)
  await child.closed
  expect(await states()).toBe('A! A! A! A! A! A A A')
  // In the worker: approved proposals that are due later are each either applied or still waiting.
  await killAt(head(6), 10 * DELAY_MS)
  expect(await states()).toBe('A! A! A! A! A! A! A A')
  await killAt(SEALS, 10 * DELAY_MS)
  expect(await states()).toBe('A! A! A! A! A! A! A! A')
  other.begin(10 * DELAY_MS)
  await other.closed
  expect(await states()).toBe('A! A! A! A! A! A! A! A!')
})
