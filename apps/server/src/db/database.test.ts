import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../testing/test-database.ts'
import { createDatabase, inTx } from './database.ts'
import { CONNECTION_POOLS, forAll, POOL_LIMITS } from './lanes.ts'
import { describeCatalogue } from './testing/catalogue.ts'
import { generateDatabaseTypes } from './testing/database-types.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it('leaves the wait for a connection to its callers', async () => {
  const { pools, close } = createDatabase({
    url: 'postgres://nowhere',
    max: 10,
    hasPools: true,
    applicationName: 'test',
  })
  const limits = CONNECTION_POOLS.map((name) => pools[name].options.connectionTimeoutMillis ?? 0)
  await close()
  for (const [index, name] of CONNECTION_POOLS.entries())
    expect(limits[index]).toBeGreaterThan(POOL_LIMITS[name].connectMs)
})

describe('column types', () => {
  it('reads 64-bit integers exactly and dates as written', async () => {
    const { rows } = await sql`select 9223372036854775807::bigint as big, '2024-02-29'::date as day,
      array[1, null, -9223372036854775808]::bigint[] as bigs, array['2024-02-29']::date[] as days`.execute(
      database.db,
    )
    expect(rows).toEqual([
      {
        big: 9223372036854775807n,
        day: '2024-02-29',
        bigs: [1n, null, -9223372036854775808n],
        days: ['2024-02-29'],
      },
    ])
  })

  it('writes bigint values, alone and in arrays', async () => {
    const { rows } =
      await sql`select ${9223372036854775807n}::bigint as one, ${[1n, 2n]}::bigint[] as many`.execute(
        database.db,
      )
    expect(rows).toEqual([{ one: 9223372036854775807n, many: [1n, 2n] }])
  })

  // Citus adds types and views of its own.
  it.skipIf(isOnCluster())('has generated types that match the migrated schema', async () => {
    await expect(await generateDatabaseTypes(database.db)).toMatchFileSnapshot('./types.gen.ts')
  })
})

it.skipIf(isOnCluster())('has migrations that create exactly the recorded schema', async () => {
  await expect(await describeCatalogue(database.db)).toMatchFileSnapshot('./catalogue.gen.txt')
})

describe('inTx', () => {
  it('rolls everything back when the function fails', async () => {
    await sql`create table undone (n int)`.execute(database.db)
    const failing = inTx(database.db, async (dbTx) => {
      await sql`insert into undone values (1)`.execute(dbTx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await sql`select from undone`.execute(database.db)).rows).toHaveLength(0)
  })

  it('joins the transaction it is called in', async () => {
    const ids = await inTx(database.db, async (outer) => {
      const id = async (db: typeof outer) =>
        (await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)).rows[0]?.id
      return [await id(outer), await inTx(outer, id)]
    })
    expect(ids[0]).toBe(ids[1])
  })

  it('repeats a transaction that lost a deadlock', async () => {
    await sql`create table pairs (id int primary key, n int not null)`.execute(database.db)
    await sql`insert into pairs values (1, 0), (2, 0)`.execute(database.db)
    let runs = 0
    let arrived = 0
    let open: (() => void) | undefined
    const bothHaveOne = new Promise<void>((resolve) => {
      open = resolve
    })
    const cross = (first: number, second: number) =>
      inTx(database.db, async (dbTx) => {
        runs++
        await sql`update pairs set n = n + 1 where id = ${first}`.execute(dbTx)
        if (++arrived === 2) open?.()
        await bothHaveOne
        await sql`update pairs set n = n + 1 where id = ${second}`.execute(dbTx)
      })
    await Promise.all([cross(1, 2), cross(2, 1)])
    expect((await sql`select n from pairs order by id`.execute(database.db)).rows).toEqual([
      { n: 2 },
      { n: 2 },
    ])
    expect(runs).toBe(3)
  })

  it('repeats a transaction that finds no table of its shard', async () => {
    let runs = 0
    const reads = (table: string) =>
      inTx(database.db, (dbTx) => sql`select from ${sql.table(runs++ === 0 ? table : 'plans')}`.execute(dbTx))
    await reads('ledger_heads_102008')
    expect(runs).toBe(2)
    runs = 0
    await expect(reads('ledger_head')).rejects.toThrow('"ledger_head" does not exist')
  })

  it('survives a connection that breaks between two statements', async () => {
    const broken = inTx(database.db, async (dbTx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(dbTx)
      const end = sql`select pg_terminate_backend(${rows[0]!.pid})`
      await forAll('work', () => end.execute(database.db))
      await sleep(100)
      await sql`select 1`.execute(dbTx)
    })
    await expect(broken).rejects.toThrow()
    expect((await sql`select 1`.execute(database.db)).rows).toHaveLength(1)
  })

  it('does not retry other errors', async () => {
    let runs = 0
    const failing = inTx(database.db, async (dbTx) => {
      runs++
      await sql`select 1 / 0`.execute(dbTx)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(runs).toBe(1)
  })
})
