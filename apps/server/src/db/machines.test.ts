import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedgerService } from '../modules/ledger/ledger.service.ts'
import { entry, grant, line } from '../modules/ledger/testing/entries.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../testing/test-database.ts'
import { createDatabase, type Db, inTx } from './database.ts'
import { placeOf } from './places.ts'
import { read, readMembers, readTogether } from './read.ts'

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
  ['select balance from ledger_balances where member_id = $1', 'members'],
  ['select 1 from ledger_standing where member_id = $1', 'members'],
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

const counts = async (db: Db, ...memberIds: bigint[]) => {
  const { answers } = await readMembers(db, memberIds, {
    ...{ members: count('members'), orders: count('orders'), sessions: count('sessions') },
    transfers: count('transfers'),
    prices: read<string, string>(
      () => sql`select null::bigint as member_id, to_jsonb(${'of all'}::text) as value`,
      (value) => value!,
    ),
  })
  return answers(7n)
}

it('reads from several machines are one statement each, with the answers of one machine', async () => {
  const expected = { members: 0, orders: 0, sessions: 0, transfers: 0, prices: 'of all' }
  expect(await counts(database.db, 7n, 8n)).toEqual(expected)
  const statements: string[] = []
  const spread = createDatabase({
    ...{ url: database.adminUrl, max: 1, applicationName: 'rif-test', isDistributed: true },
    onStatement: (text) => statements.push(text),
  })
  expect(await spread.db.transaction().execute((dbTx) => counts(dbTx, 7n, 8n))).toEqual(expected)
  await spread.close()
  expect(statements.filter((text) => text.includes('as part')).map(placeOf)).toEqual([
    'coordinator',
    'members',
  ])
})

describe.runIf(isOnCluster())('reads of one member', () => {
  const ofMember = (memberIds: RawBuilder<bigint[]>) =>
    sql`select member_id, jsonb_build_object('heads', seq::text, 'text', ${`it's \\ "heads"`}::text, 'table', 'ledger_heads') as value
      from ledger_heads where member_id = any (${memberIds})`
  const reads = { head: read(ofMember, (value) => value) }

  it("return the same as reads of several members, also in the writing transaction and on the member's machine", async () => {
    for (const memberId of [11n, 12n, 13n, 14n]) {
      await inTx(database.db, async (dbTx) => {
        await sql`insert into ledger_heads (member_id, seq) values (${memberId}, 5)`.execute(dbTx)
        for (let time = 0; time < 3; time++) {
          const one = await readTogether(dbTx, memberId, reads)
          const { answers } = await readMembers(dbTx, [memberId, 1_000n], reads)
          expect(one).toEqual(answers(memberId))
          expect(one.head).toMatchObject({ heads: '5', table: 'ledger_heads' })
        }
      })
      const outside = await readTogether(database.db, memberId, reads)
      expect(outside.head).toEqual({ heads: '5', text: `it's \\ "heads"`, table: 'ledger_heads' })
    }
  })
})

describe.runIf(isOnCluster())('a transaction that posts for one member', () => {
  const ledger = createLedgerService()
  const post = (db: Db, key: string) =>
    ledger.post(db, entry(key, 'savings_in', line(7n, 'available>savings', 1n)))
  /** Returns the number of machines that prepared the transaction. */
  const prepared = async (work: (dbTx: Db) => Promise<unknown>): Promise<number> => {
    const gids = async () => {
      const { rows } = await sql<{ gid: string }>`select gid from pg_dist_transaction`.execute(
        database.adminDb,
      )
      return rows.map(({ gid }) => gid)
    }
    const before = await gids()
    await inTx(database.db, work)
    return (await gids()).filter((gid) => !before.includes(gid)).length
  }

  it('commits directly, and in two phases if it also writes a row of the coordinator', async () => {
    await ledger.post(database.db, grant('gift', 7n, 5n))
    expect(await prepared((dbTx) => post(dbTx, 'alone'))).toBe(0)
    const onCoordinator = sql`update ledger_simulation set is_simulation = is_simulation`
    for (const isFirst of [true, false]) {
      const both = async (dbTx: Db) => {
        if (isFirst) await onCoordinator.execute(dbTx)
        await post(dbTx, `both ${isFirst}`)
        if (!isFirst) await onCoordinator.execute(dbTx)
      }
      expect(await prepared(both)).toBe(1)
    }
  })
})
