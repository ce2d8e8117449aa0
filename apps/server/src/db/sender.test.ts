import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { copyIn } from './copy.ts'
import { inTx } from './database.ts'
import { executeWithNext } from './held.ts'
import { createSender } from './sender.ts'

/** The texts of each message since the last reset. */
let messages: string[][] = []
let database: TestDatabase

beforeAll(async () => {
  const onMessage = (statements: readonly { text: string }[]) =>
    messages.push(statements.map(({ text }) => text))
  database = await createTestDatabase({ max: 1, onMessage })
  await sql`create table kept (id bigint primary key, note text)`.execute(database.db)
})
afterAll(() => database.close())
beforeEach(async () => {
  await sql`truncate kept`.execute(database.db)
  messages = []
})

const insertion = (id: number, note = 'a') => sql`insert into kept (id, note) values (${id}::bigint, ${note})`
const lock = (id: number) => sql`select from kept where id = ${id}::bigint for update`
const note = (id: number) => sql<{ note: string }>`select note from kept where id = ${id}::bigint`

/** Locks, reads and writes, as an operation does. */
const operate = (id: number, text = 'a') =>
  inTx(database.db, async (dbTx) => {
    await executeWithNext(dbTx, lock(id))
    const { rows } = await note(id).execute(dbTx)
    await executeWithNext(dbTx, insertion(id, text))
    return rows
  })

test('begin and lock are sent with the read, the write with the commit', async () => {
  await operate(1)
  messages = []
  expect(await operate(2)).toEqual([])
  expect(
    messages.map((texts) => texts.map((text) => (text.endsWith('commit') ? 'commit' : text.slice(0, 6)))),
  ).toEqual([
    ['begin', 'select', 'select'],
    ['insert', 'commit'],
  ])
  expect((await note(2).execute(database.db)).rows).toEqual([{ note: 'a' }])
})

test('the read after a lock sees the writes of its previous holder', async () => {
  await operate(1)
  await operate(2)
  const { adminDb } = database
  let read: Promise<unknown> | undefined
  await adminDb.transaction().execute(async (other) => {
    await sql`update kept set note = 'b' where id = 1`.execute(other)
    read = inTx(database.db, async (dbTx) => {
      await executeWithNext(dbTx, lock(1))
      return (await note(1).execute(dbTx)).rows
    })
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(other)).rows.length)
      .toBeGreaterThan(0)
  })
  expect(await read).toEqual([{ note: 'b' }])
})

test('an error of a held write is thrown by the commit, and the transaction has no effect', async () => {
  await operate(1)
  const refused = inTx(database.db, async (dbTx) => {
    await insertion(2).execute(dbTx)
    await executeWithNext(dbTx, insertion(1), (error) => new Error('known', { cause: error }))
    return 'done'
  })
  await expect(refused).rejects.toMatchObject({ message: 'known', cause: { code: '23505' } })
  expect((await sql`select id from kept`.execute(database.db)).rows).toEqual([{ id: 1n }])
})

test('an error of a held write is thrown by the next statement', async () => {
  await operate(1)
  const steps: string[] = []
  const refused = inTx(database.db, async (dbTx) => {
    await executeWithNext(dbTx, insertion(1))
    steps.push('waits')
    await note(1).execute(dbTx)
    steps.push('goes on')
  })
  await expect(refused).rejects.toMatchObject({ code: '23505' })
  expect(steps).toEqual(['waits'])
  expect(await operate(3)).toEqual([])
})

test('a refusal before the first statement sends nothing; one after it drops the held statements', async () => {
  await operate(1)
  messages = []
  const refuse = (first: (dbTx: TestDatabase['db']) => Promise<unknown>) =>
    inTx(database.db, async (dbTx) => {
      await first(dbTx)
      throw new Error('refused')
    })
  await expect(refuse((dbTx) => executeWithNext(dbTx, insertion(2)))).rejects.toThrow('refused')
  expect(messages).toEqual([])
  const afterRead = refuse(async (dbTx) => {
    await note(1).execute(dbTx)
    await executeWithNext(dbTx, insertion(2))
  })
  await expect(afterRead).rejects.toThrow('refused')
  expect((await sql`select id from kept`.execute(database.db)).rows).toEqual([{ id: 1n }])
})

test('outside a transaction a statement is sent at once, also after a transaction', async () => {
  await operate(2)
  messages = []
  await executeWithNext(database.db, insertion(1))
  expect(messages).toHaveLength(1)
  await expect(executeWithNext(database.db, insertion(1))).rejects.toMatchObject({ code: '23505' })
})

test('copied rows are sent after held statements', async () => {
  await inTx(database.db, async (dbTx) => {
    await executeWithNext(dbTx, insertion(1, 'first'))
    await copyIn(dbTx, 'kept', [{ name: 'id', type: 'bigint', value: (row) => row + 2 }], 1)
    await executeWithNext(dbTx, sql`delete from kept where id = ${2}::bigint`)
  })
  expect((await sql`select id from kept`.execute(database.db)).rows).toEqual([{ id: 1n }])
})

test.each<[string, string, unknown]>([
  ['text', 'a text with quotes', `it's "so"; \\ -- $1 ; commit`],
  ['text', 'an empty text', ''],
  ['text', 'no value', null],
  ['bigint', 'an integer', -9_223_372_036_854_775_807n],
  ['integer', 'a number', -5],
  ['boolean', 'a truth', true],
  ['timestamptz', 'a time', new Date('2026-02-03T04:05:06.789Z')],
  ['timestamptz', 'an early time', new Date('0044-02-03T00:00:00Z')],
  ['date', 'a day', '2026-02-03'],
  ['bytea', 'bytes', Buffer.from([0, 1, 0x5c, 0x27, 255])],
  ['jsonb', 'JSON', JSON.stringify({ a: `'"\\`, b: [null] })],
  ['text[]', 'texts', [`it's`, '"', '\\', '', null, 'null', '{}', ',', ' ']],
  ['bigint[]', 'integers', [1n, -2n]],
  ['bytea[]', 'arrays of bytes', [Buffer.from([0, 92]), Buffer.from([])]],
  ['boolean[]', 'truths', [true, false]],
  ['text[]', 'no elements', []],
])('%s: PostgreSQL reads %s from a merged message as from a parameter', async (type, _name, value) => {
  const { db } = database
  const read = sql<{ text: string | null }>`select ${value}::${sql.raw(type)}::text as text`
  const alone = await read.execute(db)
  await insertion(1).execute(db)
  await sql`truncate kept`.execute(db)
  const merged = await inTx(db, async (dbTx) => {
    await executeWithNext(dbTx, insertion(1))
    return read.execute(dbTx)
  })
  expect(merged.rows).toEqual(alone.rows)
})

test('a text with a zero byte is refused as PostgreSQL refuses it, and does not end a message', async () => {
  await operate(1, 'prepared')
  messages = []
  await expect(operate(2, `'); delete from kept; --\0`)).rejects.toMatchObject({ code: '22021' })
  expect((await sql`select id from kept`.execute(database.db)).rows).toEqual([{ id: 1n }])
})

test('statements sent at once are one message once they are prepared, and each has its result', async () => {
  const client = await database.pool.connect()
  const names = ['select $1::integer as one', 'select $1::integer as two']
  const sent: number[] = []
  const { send, sendAll } = createSender(client, {
    nameOf: (text) => `at_once_${names.indexOf(text)}`,
    onMessage: (statements) => sent.push(statements.length),
  })
  await send('begin', [])
  const both = async () => {
    const results = await sendAll(names.map((text, index) => ({ text, values: [index] })))
    return results.map(({ rows }) => rows)
  }
  expect(await both()).toEqual([[{ one: 0 }], [{ two: 1 }]])
  expect(await both()).toEqual([[{ one: 0 }], [{ two: 1 }]])
  expect(sent).toEqual([1, 1, 1, 2])
  await send('rollback', [])
  client.release()
})
