import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPlan } from '@rif/rules'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AUDIT_CHECKS } from '../../../audit.ts'
import { eraseLines, requestLines } from '../../../cli/person.ts'
import { parseScenario } from '../../../simulate/scenario.ts'
import { simulate } from '../../../simulate/simulation.ts'
import { waitsForLock } from '../../../testing/lock-waits.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { WAIT } from '../../../testing/wait.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { createLedgerService } from '../../books/ledger/ledger.service.ts'
import { createAdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { createErasures, type Erasures } from './person.erasure.service.ts'
import { createPersonService, type Person } from './person.service.ts'
import { ERASURE, EXCLUDED, EXPORTED, KEPT_BECAUSE } from './personal-data.ts'
import { everything, FILLED, fill, isMarked } from './testing/filled.ts'

const DAY_MS = 86_400_000

let world: TestDatabase
let database: TestDatabase
let now: Date
let erasures: Erasures
let anna: Person
let bob: Person

beforeAll(async () => {
  world = await createTestDatabase({ max: 4 })
  const text = await readFile(
    join(import.meta.dirname, '../../../simulate/fixtures/worked-example.jsonl'),
    'utf8',
  )
  await simulate(world.db, parseScenario(text), defaultPlan)
  await world.db.destroy()
})

beforeEach(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app', copyOf: world.url })
  now = new Date('2026-04-01T12:00:00Z')
  const clock = () => now
  const parts = { ledger: createLedgerService(), adminLog: createAdminLogService({ now: clock }) }
  erasures = createErasures({ db: database.db, now: clock, ...parts })
  const { rows } = await sql<Person>`
    select member_id as "memberId", address from members order by member_id limit 3`.execute(database.db)
  ;[, anna, bob] = rows as [Person, Person, Person]
  await fill(database.adminDb, anna)
  await fill(database.adminDb, bob)
  return () => database.close()
})

const signed = async () => undefined
const request = (who: Person) => erasures.request(who, signed)
const later = (days: number) => {
  now = new Date(now.getTime() + days * DAY_MS)
}
const marked = async () => {
  const all = await everything(database.adminDb)
  return [...all].flatMap(([table, rows]) => rows.filter(isMarked).map((row) => ({ table, row })))
}
const audit = () => auditLedger(database.adminDb, { checks: AUDIT_CHECKS })
const isAbout = ({ memberId, address }: Person, { table, row }: { table: string; row: string }) => {
  const { member_id, address: wallet } = JSON.parse(row)
  return table === 'statement_files' || table === 'statement_chunks'
    ? false
    : `${member_id}` === `${memberId}` || wallet === address
}

it('every table about a member has a treatment, and this test fills every table that is erased', () => {
  const named = [...Object.keys(EXPORTED), ...Object.keys(EXCLUDED), 'statement_chunks', 'statement_files']
  expect(Object.keys(ERASURE).sort()).toEqual(named.sort())
  const erased = Object.entries(ERASURE).flatMap(([table, rule]) => ('erase' in rule ? [table] : []))
  expect([...FILLED].sort()).toEqual(erased.sort())
  const reasons = Object.values(ERASURE).flatMap((item) => ('keep' in item ? [item.keep] : []))
  expect(reasons.every((reason) => KEPT_BECAUSE[reason].length > 20)).toBe(true)
})

it('an erasure leaves no marked text of the member anywhere, and changes nothing else', async () => {
  const before = await everything(database.adminDb)
  // The simulation has no chain, so the checks of payments report missing events.
  const findings = await audit()
  expect(Object.keys(await erasures.preview(anna)).sort()).toEqual([...FILLED].sort())
  await request(anna)
  later(7)
  expect(await erasures.carryOutDue()).toBe(1)
  expect(await erasures.preview(anna)).toEqual({})
  const left = await marked()
  expect(left.filter((item) => isAbout(anna, item))).toEqual([])
  expect(left.filter(({ table }) => table.startsWith('statement_'))).toHaveLength(2)
  expect(left.filter((item) => isAbout(bob, item)).length).toBeGreaterThanOrEqual(FILLED.length - 6)
  const after = await everything(database.adminDb)
  const logs = ['erasures', 'admin_actions', 'admin_seals', 'sign_in_days']
  const erased = Object.keys(ERASURE).filter((table) => 'erase' in ERASURE[table]!)
  for (const [table, rows] of before) {
    if (logs.includes(table)) continue
    if (!erased.includes(table)) expect(after.get(table), table).toEqual(rows)
    else expect(rows, table).toEqual(expect.arrayContaining(after.get(table)!.filter((row) => !isBlank(row))))
  }
  expect(await audit()).toEqual(findings)
  expect(await auditLedger(database.adminDb)).toEqual([])
  const { rows } = await sql`select seen.visitors from sign_in_days as seen where day = '2026-03-01'`.execute(
    database.db,
  )
  expect(rows).toEqual([{ visitors: 1n }])
})
const isBlank = (row: string) => JSON.parse(row).statement === '{}'

it('the export afterwards shows the kept rows and no erased row', async () => {
  await request(anna)
  later(7)
  await erasures.carryOutDue()
  const { items } = await createPersonService().page(database.db, anna, { limit: 100_000 })
  const tables = new Set(items.map(({ table }) => table))
  expect([...tables].filter((table) => ERASURE[table] && !('keep' in ERASURE[table]))).toEqual([
    'member_consents',
  ])
  const consents = items.filter(({ table }) => table === 'member_consents').map(({ row }) => row.statement)
  expect(consents.sort()).toEqual(['{"primaryType":"Transfer","message":{"amount":"5"}}', '{}'].sort())
  expect([...tables]).toEqual(expect.arrayContaining(['members', 'ledger_entries', 'erasures']))
})

it('nothing is erased before the waiting time, after a cancellation, or twice', async () => {
  expect(await request(anna)).toMatchObject({ state: 'waiting', due_at: '2026-04-08T12:00:00.000Z' })
  later(1)
  expect(await request(anna)).toMatchObject({ due_at: '2026-04-08T12:00:00.000Z' })
  expect(await erasures.carryOutDue()).toBe(0)
  expect(await erasures.cancel(anna)).toMatchObject({ state: 'none', due_at: null })
  await expect(erasures.cancel(anna)).rejects.toMatchObject({ code: 'NOTHING_TO_CANCEL' })
  later(30)
  const before = await everything(database.adminDb)
  expect(await erasures.carryOutDue()).toBe(0)
  expect(await everything(database.adminDb)).toEqual(before)
  await request(anna)
  later(7)
  expect(await erasures.carryOutDue()).toBe(1)
  const after = await everything(database.adminDb)
  expect(await erasures.carryOutDue()).toBe(0)
  expect(await everything(database.adminDb)).toEqual(after)
  expect(await erasures.view(anna)).toMatchObject({ state: 'done', done_at: now.toISOString() })
})

it('of several workers one erases, and a process killed in the middle has erased nothing', async () => {
  await request(anna)
  later(7)
  const before = await everything(database.adminDb)
  const locker = database.adminDb.transaction().execute(async (tx) => {
    // The last table of an erasure: everything before it is deleted but not committed.
    await sql`lock table sessions in exclusive mode`.execute(tx)
    const work = erasures.carryOutDue().catch((error: unknown) => error)
    // Within a transaction pg_stat_activity does not change.
    const { pid } = await vi.waitUntil(async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%delete from "sessions"%'`.execute(database.adminDb)
      return rows[0]
    }, WAIT)
    await sql`select pg_terminate_backend(${pid}::integer)`.execute(database.adminDb)
    return work
  })
  expect(await locker).toBeInstanceOf(Error)
  expect(await everything(database.adminDb)).toEqual(before)
  const counts = await Promise.all([1, 2, 3].map(() => erasures.carryOutDue()))
  expect(counts.reduce((sum, count) => sum + count)).toBe(1)
  expect((await marked()).filter((item) => isAbout(anna, item))).toEqual([])
  const { rows } = await sql`select subject, after from admin_actions where action = 'member.erase'`.execute(
    database.db,
  )
  expect(rows).toEqual([{ subject: `member/${anna.memberId}`, after: { rows: expect.any(Number) } }])
})

it('a request that was cancelled and made again while a worker ran is not executed early', async () => {
  await request(anna)
  later(7)
  const work = await database.adminDb.transaction().execute(async (tx) => {
    await sql`select from ledger_heads where member_id = ${anna.memberId} for update`.execute(tx)
    const carriedOut = erasures.carryOutDue()
    await vi.waitUntil(() => waitsForLock(database, 'rif-test'), WAIT)
    await sql`update erasures set cancelled_at = ${now}`.execute(tx)
    await sql`insert into erasures (member_id, requested_by, requested_at, due_at)
      values (${anna.memberId}, 'member', ${now}, ${new Date(now.getTime() + DAY_MS)})`.execute(tx)
    return { carriedOut }
  })
  expect(await work.carriedOut).toBe(0)
  expect(Object.keys(await erasures.preview(anna)).sort()).toEqual([...FILLED].sort())
})

it('the erasure waits while operators check the account or a statement is being made', async () => {
  const { adminDb } = database
  await request(anna)
  later(7)
  await sql`insert into risk_flags values (${anna.memberId}, 'as tested', 'test', now())`.execute(adminDb)
  expect(await erasures.carryOutDue()).toBe(0)
  expect(await erasures.view(anna)).toMatchObject({ state: 'waiting', on_hold: true })
  expect((await requestLines(database.db)).join()).toContain('waits for the end of a check')
  const now_ = { address: anna.address, isDryRun: false }
  await expect(eraseLines(database.db, now_)).rejects.toThrow('frozen or flagged')
  await sql`delete from risk_flags`.execute(adminDb)
  await sql`update statements set step = 'running', finished_at = null, expires_at = null`.execute(adminDb)
  expect(await erasures.carryOutDue()).toBe(0)
  await expect(eraseLines(database.db, now_)).rejects.toThrow('is being made')
  await sql`update statements set step = 'cancelled', finished_at = ${now}`.execute(adminDb)
  expect(await erasures.carryOutDue()).toBe(0)
  await sql`update statements set step = 'waiting', finished_at = null`.execute(adminDb)
  expect(await erasures.carryOutDue()).toBe(1)
})

it('the command lists rows to erase, keep and hold, and erases at once only with --yes', async () => {
  const before = await everything(database.adminDb)
  const lines = (await eraseLines(database.db, { address: anna.address, isDryRun: true })).join('\n')
  expect(lines).toContain('  address_book: 1')
  expect(lines).toContain('Nothing was changed')
  expect(lines).toMatch(/ {2}\d+\.\d{6} USDT/)
  expect(await everything(database.adminDb)).toEqual(before)
  await request(bob)
  const done = await eraseLines(database.db, { address: bob.address, isDryRun: false })
  expect(done.at(-1)).toMatch(/^Erased: \d+ row\(s\)/)
  expect((await marked()).filter((item) => isAbout(bob, item))).toEqual([])
  expect(await requestLines(database.db)).toEqual(['0 open request(s)'])
})

it('the database prevents changing or emptying statements that a member signed to move money', async () => {
  const change = (nonce: string, what: ReturnType<typeof sql>) =>
    sql`update member_consents set ${what} where nonce = ${nonce}`.execute(database.db)
  const { rows } = await sql<{ nonce: string; type: string }>`
    select nonce, statement::jsonb ->> 'primaryType' as type from member_consents
    where member_id = ${anna.memberId}`.execute(database.db)
  const [moved, named] = ['Transfer', 'SaveAddress'].map(
    (type) => rows.find((row) => row.type === type)!.nonce,
  )
  const emptied = sql`statement = '{}', signature = ''`
  await expect(change(moved!, emptied)).rejects.toThrow('is not changed')
  await expect(change(named!, sql`statement = '{"a": 1}'`)).rejects.toThrow('is not changed')
  // On a cluster a row cannot move to another member at all.
  await expect(change(named!, sql`${emptied}, member_id = ${bob.memberId}`)).rejects.toThrow(
    /is not changed|modifying the partition value/,
  )
  await expect(sql`delete from member_consents`.execute(database.db)).rejects.toMatchObject({ code: '42501' })
})
