import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createDatabase, type Database, type Db, inDbTx, inTrial } from './database.ts'
import { executeWithNext } from './held.ts'
import { forRequest } from './lanes.ts'

let plain: TestDatabase
let database: Database
let sent: string[]

beforeAll(async () => {
  plain = await createTestDatabase()
  await plain.pool.query('create table kept (id bigint primary key, note text)')
  database = createDatabase({
    ...{ url: plain.url, max: 2, limitsOf: 'writes', applicationName: 'call-transaction' },
    onSent: ({ text }) => sent.push(text),
  })
  // PostgreSQL limits the time of a transaction only after a connection's first answer.
  sent = []
  await Promise.all([1, 2].map(() => sql`select pg_sleep(0.05)`.execute(database.db)))
})
afterAll(async () => {
  await database.close()
  await plain.close()
})
beforeEach(async () => {
  await plain.pool.query('truncate kept')
  sent = []
})

/** Runs the transaction of a call that writes. */
const inCall = <T>(run: (dbTx: Db) => Promise<T>, signal = new AbortController().signal): Promise<T> =>
  forRequest('writes', signal, () => inDbTx(database.db, run))

const insert = (id: number, note = 'note') =>
  sql`insert into kept (id, note) values (${id}, ${note}) returning id, note`

async function kept(): Promise<number[]> {
  const { rows } = await plain.pool.query('select id from kept order by id')
  return rows.map(({ id }) => Number(id))
}

test('the statements of a call are one transaction without begin and commit', async () => {
  const result = await inCall(async (dbTx) => {
    const { rows } = await insert(1).execute(dbTx)
    expect(await kept()).toEqual([])
    const { rows: own } = await sql`select id from kept where note = ${'note'}`.execute(dbTx)
    return [rows, own]
  })
  expect(result).toEqual([[{ id: 1n, note: 'note' }], [{ id: 1n }]])
  expect(await kept()).toEqual([1])
  expect(sent.map((text) => text.split(' ')[0])).toEqual(['insert', 'select'])
})

test('an error and a refusal undo all of them, and the connection goes on', async () => {
  for (let time = 0; time < 3; time++) {
    const failed = inCall(async (dbTx) => {
      await insert(1).execute(dbTx)
      await insert(1).execute(dbTx)
    })
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    const refused = inCall(async (dbTx) => {
      await insert(2).execute(dbTx)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    // Also an error of a statement that is prepared only now, and one that was caught.
    const caught = inCall(async (dbTx) => {
      await insert(3).execute(dbTx)
      await sql`select ${1}::integer / 0 as ${sql.ref(`c${time}`)}`.execute(dbTx).catch(() => undefined)
      await insert(4).execute(dbTx)
    })
    await expect(caught).rejects.toMatchObject({ code: '22012' })
  }
  expect(await kept()).toEqual([])
  await inCall((dbTx) => insert(5).execute(dbTx))
  expect(await kept()).toEqual([5])
})

test('a held statement goes before the next one or the commit, which throws its error', async () => {
  await inCall(async (dbTx) => {
    await executeWithNext(dbTx, insert(1))
    await executeWithNext(dbTx, insert(2))
    expect((await sql`select id from kept where id > ${0} order by id`.execute(dbTx)).rows).toHaveLength(2)
    await executeWithNext(dbTx, insert(3))
  })
  expect(await kept()).toEqual([1, 2, 3])

  const refusal = (error: Error) => new Error(`refused: ${(error as { code?: string }).code}`)
  const atCommit = inCall((dbTx) => executeWithNext(dbTx, insert(1), refusal))
  await expect(atCommit).rejects.toThrow('refused: 23505')
  const atNext = inCall(async (dbTx) => {
    await executeWithNext(dbTx, insert(3), refusal)
    await executeWithNext(dbTx, insert(4), () => new Error('not mine'))
    await insert(5).execute(dbTx)
  })
  await expect(atNext).rejects.toThrow('23505')
  const outside = inDbTx(database.db, (dbTx) => executeWithNext(dbTx, insert(1), refusal))
  await expect(outside).rejects.toThrow('refused: 23505')
  const notSent = inCall(async (dbTx) => {
    await executeWithNext(dbTx, insert(6))
    throw new Error('before it was sent')
  })
  await expect(notSent).rejects.toThrow('before it was sent')
  expect(await kept()).toEqual([1, 2, 3])
})

test('a value that cannot be sent commits nothing', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const failed = inCall(async (dbTx) => {
    await insert(1).execute(dbTx)
    await sql`select ${circular}::jsonb as value`.execute(dbTx)
  })
  await expect(failed).rejects.toThrow('circular')
  expect(await kept()).toEqual([])
})

test('a savepoint makes it a transaction with begin, without losing what was done', async () => {
  await inCall(async (dbTx) => {
    await insert(1).execute(dbTx)
    await inTrial(dbTx, () => insert(2).execute(dbTx))
    await insert(3).execute(dbTx)
    expect(await kept()).toEqual([])
  })
  expect(await kept()).toEqual([1, 3])
  expect(sent.filter((text) => text === 'begin' || text === 'commit')).toEqual(['begin', 'commit'])
  const refused = inCall(async (dbTx) => {
    await insert(4).execute(dbTx)
    await sql`lock table kept in share row exclusive mode`.execute(dbTx)
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  expect(await kept()).toEqual([1, 3])
})

test('a call that ends, or whose connection breaks, leaves nothing and no lock', async () => {
  const end = new AbortController()
  const ended = inCall(async (dbTx) => {
    await insert(1).execute(dbTx)
    end.abort()
    await sleep(50)
    await insert(2).execute(dbTx)
  }, end.signal)
  await expect(ended).rejects.toThrow()
  const broken = inCall(async (dbTx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, ${1}::integer`.execute(dbTx)
    await insert(1).execute(dbTx)
    await plain.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await insert(2).execute(dbTx)
  })
  await expect(broken).rejects.toMatchObject({ code: '57P01' })
  await plain.pool.query(`set lock_timeout = '1s'; insert into kept (id) values (1)`)
  expect(await kept()).toEqual([1])
})

test('PostgreSQL ends a transaction that its process does not go on with', async () => {
  const limit = (value: string) =>
    Promise.all(
      [1, 2].map(() =>
        sql`select set_config('transaction_timeout', ${value}, false), pg_sleep(0.05)`.execute(database.db),
      ),
    )
  await limit('300')
  const stuck = inCall(async (dbTx) => {
    await insert(1).execute(dbTx)
    await sleep(800)
    await insert(2).execute(dbTx)
  })
  await expect(stuck).rejects.toThrow()
  expect(await kept()).toEqual([])
  await limit('15000')
})

test('two transactions that wait for each other are repeated', async () => {
  await plain.pool.query('insert into kept (id) values (1), (2)')
  const lock = (id: number) => sql`select from kept where id = ${id} for update`
  let first = 0
  const cross = (one: number, other: number) =>
    inCall(async (dbTx) => {
      await lock(one).execute(dbTx)
      if (first++ < 2) await sleep(200)
      await lock(other).execute(dbTx)
    })
  await Promise.all([cross(1, 2), cross(2, 1)])
  expect(first).toBeGreaterThan(2)
})
