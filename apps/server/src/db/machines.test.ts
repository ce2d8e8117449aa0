import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createDatabase, type Db } from './database.ts'
import { placeOf } from './machines.ts'
import { read, readTogether } from './read.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it.each([
  ['select 1 from members where member_id = $1', 'coordinator'],
  ['select 1', 'coordinator'],
  ['select order_id from orders where member_id = $1', 'members'],
  ['select 1 from orders, plans', 'members'],
  ['select 1 from orders where member_id = (select member_id from sessions)', 'both'],
])('%s: %s', (text, place) => {
  expect(placeOf(text)).toBe(place)
})

const count = (table: string) =>
  read<number, number>(
    (ids) =>
      sql`select asked.member_id, (select count(*) from ${sql.table(table)}) as value from unnest(${ids}) as asked (member_id)`,
    (value) => value!,
  )

const counts = (db: Db) =>
  readTogether(db, 7n, {
    ...{ members: count('members'), orders: count('orders'), sessions: count('sessions') },
    transfers: count('transfers'),
    prices: read<string, string>(
      () => sql`select null::bigint as member_id, to_jsonb(${'of all'}::text) as value`,
      (value) => value!,
    ),
  })

it('reads of several machines are one statement for each, with the answers of one machine', async () => {
  const expected = { members: 0, orders: 0, sessions: 0, transfers: 0, prices: 'of all' }
  expect(await counts(database.db)).toEqual(expected)
  const statements: string[] = []
  const spread = createDatabase({
    ...{ url: database.adminUrl, max: 1, applicationName: 'rif-test', isDistributed: true },
    onStatement: (text) => statements.push(text),
  })
  expect(await spread.db.transaction().execute(counts)).toEqual(expected)
  await spread.close()
  expect(statements.filter((text) => text.includes('as part')).map(placeOf)).toEqual([
    'coordinator',
    'members',
  ])
})
