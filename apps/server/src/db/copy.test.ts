import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs } from '../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { copyIn, copyOut } from './copy.ts'
import { inTx } from './database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table copied (a bigint, b integer, c smallint, d text check (d <> 'refused'))`.execute(
    database.db,
  )
})
afterAll(() => database.close())

interface Row {
  a: bigint
  b: number
  c: number
}

const write = (rows: readonly Row[], text: string) =>
  inTx(database.db, (dbTx) =>
    copyIn(
      dbTx,
      'copied',
      [
        { name: 'd', type: 'text', value: text },
        { name: 'a', type: 'bigint', value: (row) => rows[row]!.a },
        { name: 'b', type: 'integer', value: (row) => rows[row]!.b },
        { name: 'c', type: 'smallint', value: (row) => rows[row]!.c },
      ],
      rows.length,
    ),
  )

test('written rows are read back bit by bit, in order, with null as 0', async () => {
  const row = fc.record<Row>({
    a: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    b: fc.integer(),
    c: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 50 }), async (rows) => {
      await sql`truncate copied`.execute(database.db)
      await write(rows, 'wörds')
      const read: Row[] = []
      await inTx(database.db, (dbTx) =>
        copyOut(
          dbTx,
          sql`select a, b, c, null::bigint, null::integer from copied order by ctid`,
          (reader) => {
            read.push({ a: reader.micros(), b: reader.int(), c: reader.int() })
            expect([reader.micros(), reader.int()]).toEqual([0n, 0])
          },
        ),
      )
      expect(read).toEqual(rows)
      const { rows: texts } = await sql`select distinct d from copied`.execute(database.db)
      expect(texts).toEqual(rows.length > 0 ? [{ d: 'wörds' }] : [])
    }),
    { numRuns: runs({ usual: 10, full: 200 }) },
  )
})

test('handles more rows than one chunk holds, and ids beyond 32 bits as numbers', async () => {
  await sql`truncate copied`.execute(database.db)
  const count = 20_000
  await write(
    Array.from({ length: count }, (_, row) => ({ a: 2n ** 40n + BigInt(row), b: row, c: 0 })),
    '',
  )
  let sum = 0
  await inTx(database.db, (dbTx) =>
    copyOut(dbTx, sql`select a from copied`, (row) => {
      sum += row.int() - 2 ** 40
    }),
  )
  expect(sum).toBe((count * (count - 1)) / 2)
})

test('a refused row, a value out of range and a failing reader roll back the transaction and keep the connection', async () => {
  await sql`truncate copied`.execute(database.db)
  const many = Array.from({ length: 50_000 }, () => ({ a: 1n, b: 1, c: 1 }))
  await expect(write(many, 'refused')).rejects.toMatchObject({ code: '23514' })
  await expect(write([{ a: 1n, b: 1, c: 2 ** 20 }], 'fine')).rejects.toThrow('out of range')
  await write([{ a: 1n, b: 1, c: 1 }], 'fine')
  const fails = inTx(database.db, (dbTx) =>
    copyOut(dbTx, sql`select a from copied`, () => {
      throw new Error('the reader')
    }),
  )
  await expect(fails).rejects.toThrow('the reader')
  const { rows } = await sql`select count(*)::integer as count from copied`.execute(database.db)
  expect(rows).toEqual([{ count: 1 }])
})
