import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ max: 1 })
})
afterAll(() => database.close())

test('a statement with parameters is prepared once per connection, in and out of transactions', async () => {
  const { db } = database
  const twice = (db: TestDatabase['db'], value: number) =>
    sql<{ n: number }>`select ${value}::int * 2 as n`.execute(db)
  expect((await twice(db, 2)).rows).toEqual([{ n: 4 }])
  expect((await twice(db, 3)).rows).toEqual([{ n: 6 }])
  expect((await db.transaction().execute((dbTx) => twice(dbTx, 4))).rows).toEqual([{ n: 8 }])
  const { rows } = await sql`
    select calls from (select generic_plans + custom_plans as calls, statement from pg_prepared_statements) as s
    where statement like '%::int * 2 as n'`.execute(db)
  expect(rows).toEqual([{ calls: 3n }])
})

test('an error leaves the connection usable', async () => {
  const { db } = database
  const divide = (by: number) => sql<{ n: number }>`select 6 / ${by}::int as n`.execute(db)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(2)).rows).toEqual([{ n: 3 }])
})
