import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPlan } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportLines } from '../../../cli/person.ts'
import { parseScenario } from '../../../simulate/scenario.ts'
import { simulate } from '../../../simulate/simulation.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createPersonService, type Person } from './person.service.ts'
import { EXCLUDED, EXPORTED } from './personal-data.ts'

let database: TestDatabase
let people: Person[]
const service = createPersonService()

beforeAll(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app' })
  const text = await readFile(
    join(import.meta.dirname, '../../../simulate/fixtures/worked-example.jsonl'),
    'utf8',
  )
  await simulate(database.db, parseScenario(text), defaultPlan)
  const { rows } = await sql<Person>`
    select member_id as "memberId", address from members order by member_id`.execute(database.db)
  people = rows
})
afterAll(() => database.close())

/** The names of columns by which a row is about a member or a wallet. */
const ABOUT =
  '(^|_)(member_id|address|payer|person|person_id)$|^(about_id|counterpart_id|sponsor_id|sender|receiver|recipient)$'

it('every table with a column about a member is exported or left out with a reason', async () => {
  const { rows } = await sql<{ table: string }>`
    select distinct columns.table_name as "table" from information_schema.columns as columns
    join information_schema.tables as tables using (table_schema, table_name)
    where columns.table_schema = 'public'
      -- The view shows what the arrays of ledger_heads hold.
      and (tables.table_type = 'BASE TABLE' or tables.table_name = 'ledger_balances')
      and columns.column_name ~ ${ABOUT}`.execute(database.db)
  const named = [...Object.keys(EXPORTED), ...Object.keys(EXCLUDED)]
  expect(new Set(named).size).toBe(named.length)
  const tables = rows.map(({ table }) => table)
  expect(tables.filter((table) => !named.includes(table))).toEqual([])
  expect(named.filter((table) => !tables.includes(table))).toEqual([])
  expect(Object.values(EXCLUDED).every((reason) => reason.length > 10)).toBe(true)
})

/** Returns all rows about a member, read in pages of `limit`. */
async function all(person: Person, limit: number) {
  const items = []
  let cursor: string | undefined
  do {
    const page = await service.page(database.db, person, { cursor, limit })
    items.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return items
}

it('the export holds each row of the member once, for any page size, and none of another member', async () => {
  for (const person of people.slice(0, 3)) {
    const whole = await all(person, 10_000)
    expect(await all(person, 7)).toEqual(whole)
    const own = ['members', 'orders', 'rewards', 'ledger_entries', 'ledger_balances', 'placements']
    for (const table of own) {
      const rows = whole.filter((item) => item.table === table)
      const { rows: stored } = await sql<{ count: bigint }>`
        select count(*) from ${sql.table(table)} where member_id = ${person.memberId}`.execute(database.db)
      expect(BigInt(rows.length), table).toBe(BigInt(stored[0]!.count))
      expect(rows.every(({ row }) => row.member_id === `${person.memberId}`)).toBe(true)
    }
    expect(whole.filter(({ table }) => table === 'ledger_entries').length).toBeGreaterThan(5)
  }
})

it('the export has no secret of the product, and all values as text', async () => {
  const [person] = people as [Person]
  await sql`insert into sessions (token_hash, member_id, address, device, created_at, last_used_at, expires_at)
    values (sha256('secret'), ${person.memberId}, ${person.address}, 'Firefox', now(), now(), now())`.execute(
    database.db,
  )
  const sessions = (await all(person, 100)).filter(({ table }) => table === 'sessions')
  expect(sessions).toHaveLength(1)
  expect(sessions[0]!.row).toMatchObject({ device: 'Firefox', member_id: `${person.memberId}` })
  expect(Object.keys(sessions[0]!.row)).not.toContain('token_hash')
})

it('the export names no wallet of an operator', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and table_name = any (${Object.keys(EXPORTED)}) and column_name ~ '_by$'`.execute(
    database.db,
  )
  const shown = rows.filter(({ table, column }) => !EXPORTED[table]!.without?.includes(column))
  // A word: the member or an operator.
  expect(shown).toEqual([{ table: 'erasures', column: 'requested_by' }])
  const [person] = people as [Person]
  const operator = `0x${'0b'.repeat(20)}`
  await sql`insert into member_day_caps (member_id, cap_micros, set_by, set_at) values (${person.memberId}, 1, ${operator}, now())`.execute(
    database.adminDb,
  )
  expect(JSON.stringify(await all(person, 100))).not.toContain(operator)
})

it('the command writes the same rows, and lists the tables it leaves out', async () => {
  const person = people[1]!
  const lines: string[] = []
  for await (const line of await exportLines(database.db, person.address)) lines.push(line)
  const [head, ...rows] = lines.map((line) => JSON.parse(line))
  expect(head).toEqual({ address: person.address, member_id: `${person.memberId}`, left_out: EXCLUDED })
  expect(rows).toEqual(await all(person, 50))
  await expect(exportLines(database.db, `0x${'cd'.repeat(20)}`)).rejects.toThrow('the wallet of no member')
})

it('a cursor of another member leads to the own rows, and a forged one is refused', async () => {
  const [first, second] = people as [Person, Person]
  const { next } = await service.page(database.db, first, { limit: 3 })
  const { items } = await service.page(database.db, second, { cursor: next!, limit: 100 })
  expect(items.length).toBeGreaterThan(0)
  expect(JSON.stringify(items)).not.toContain(`"member_id":"${first.memberId}"`)
  const forged = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
  const bad = [
    { table: 'admins' },
    { table: 'orders', after: { order_id: 1 } },
    { table: 'orders', after: { other: '1' } },
    { table: 'orders', after: { member_id: 'x', order_id: 'x' } },
  ]
  for (const cursor of ['x', ...bad.map(forged)])
    await expect(service.page(database.db, first, { cursor, limit: 1 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
})
