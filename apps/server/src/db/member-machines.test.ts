import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { hashOfMember } from './member-machines.ts'

it("the hash of a member equals PostgreSQL's", async () => {
  const { db, close } = await createTestDatabase()
  const edges = [0n, 1n, -1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)]
  const members = [...edges, ...fc.sample(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), 500)]
  const { rows } = await sql<{ hash: number }>`
    select hashint8(member) as hash from unnest(${members}::bigint[]) with ordinality as m (member, place)
    order by place`.execute(db)
  expect(members.map(hashOfMember)).toEqual(rows.map(({ hash }) => hash))
  await close()
})
