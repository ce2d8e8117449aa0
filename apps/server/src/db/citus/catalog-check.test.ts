import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TABLE_CLASSES } from '../../tables.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../testing/test-database.ts'
import type { TableClass } from '../tables.ts'
import { findCatalogProblems } from './catalog-check.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ max: 2 })
})
afterEach(() => database.close())

it('finds no problem in the schema of the migrations', async () => {
  expect(await findCatalogProblems(database.db)).toEqual([])
})

/** [name, the schema's change, its tables, the problem that must be found] */
const BREACHES: [string, string, Record<string, TableClass>, string][] = [
  [
    'a table nobody classified',
    'create table extra (n int)',
    {},
    'extra: declared by no capability (tables.ts)',
  ],
  [
    'a classified table that is gone',
    'select 1',
    { extra: 'reference' },
    'extra: declared in tables.ts, but there is no such table',
  ],
  [
    'a distributed table without a member',
    'create table extra (n bigint primary key)',
    { extra: 'distributed' },
    'extra: distributed, but has no member_id',
  ],
  [
    'a member id that may be null',
    'create table extra (member_id bigint, n bigint not null)',
    { extra: 'distributed' },
    'extra: member_id is bigint null, not a bigint not null',
  ],
  [
    'a distributed table without a primary key',
    'create table extra (member_id bigint not null)',
    { extra: 'distributed' },
    'extra: has no primary key',
  ],
  [
    'a primary key that begins with something else',
    'create table extra (member_id bigint, n bigint, primary key (n, member_id))',
    { extra: 'distributed' },
    'extra: the primary key does not begin with member_id',
  ],
  [
    'a unique key over all members',
    'create table extra (member_id bigint primary key, hash text unique)',
    { extra: 'distributed' },
    'extra: unique over all members, which no machine can check alone: extra_hash_key',
  ],
  [
    'a unique index on an expression over all members',
    'create table extra (member_id bigint primary key, hash text); create unique index extra_i on extra (lower(hash))',
    { extra: 'distributed' },
    'extra: unique over all members, which no machine can check alone: extra_i',
  ],
  [
    'a foreign key from a distributed to a coordinator table',
    'create table extra (member_id bigint primary key references members)',
    { extra: 'distributed' },
    'extra: foreign key extra_member_id_fkey to members leads from a distributed to a coordinator table',
  ],
  [
    'a foreign key to the rows of another member',
    'create table extra (member_id bigint primary key, other bigint references ledger_heads)',
    { extra: 'distributed' },
    "extra: foreign key extra_other_fkey to ledger_heads leads to another member's rows",
  ],
  [
    'a foreign key from a coordinator to a distributed table',
    'create table extra (n bigint primary key references ledger_heads)',
    { extra: 'coordinator' },
    'extra: foreign key extra_n_fkey to ledger_heads leads from a coordinator to a distributed table',
  ],
  [
    'an identity that is no bigint',
    'create table extra (member_id bigint, n int generated always as identity, primary key (member_id, n))',
    { extra: 'distributed' },
    'extra.n: numbered by itself as integer, not bigint',
  ],
]

describe('finds', () => {
  it.each(BREACHES)('%s', async (_what, change, classes, problem) => {
    await sql.raw(change).execute(database.db)
    expect(await findCatalogProblems(database.db, { ...TABLE_CLASSES, ...classes })).toContain(problem)
  })
})

// The table is a plain one here; on a cluster it may not refer to distributed ones.
it.skipIf(isOnCluster())(
  'allows a distributed table with keys by member and references to tables that are everywhere',
  async () => {
    await sql`create table extra (
    member_id bigint references ledger_heads, n bigint generated always as identity,
    version bigint references plans, primary key (member_id, n), unique (n, member_id))`.execute(database.db)
    expect(await findCatalogProblems(database.db, { ...TABLE_CLASSES, extra: 'distributed' })).toEqual([])
  },
)
