import { sql } from 'kysely'
import { copyIn } from '../../apps/server/src/db/copy.ts'
import { type Database, type Db, inTx } from '../../apps/server/src/db/database.ts'
import { fillTrees } from '../settlement/books.ts'
import type { Forest, TreeShape } from '../settlement/forest.ts'

/** Fills an empty database with members and all tree data: places, paths, legs and their sums. */
export async function fillTree(database: Database, members: number, shape: TreeShape): Promise<void> {
  await inTx(database.db, async (dbTx) => {
    await sql`set local session_replication_role = replica`.execute(dbTx)
    const forest = await fillTrees(dbTx, members, shape)
    await fillSums(dbTx, forest, members)
    await sql`
      with recursive starts (leg_id, path) as (
        values (0::bigint, '{}'::integer[])
        union all
        select origins.member_id, starts.path || origins.position
        from starts join placements as origins on origins.leg_id = starts.leg_id
      )
      update placements set path = starts.path || placements.position
      from starts where starts.leg_id = placements.leg_id`.execute(dbTx)
  })
  await database.pool.query('vacuum analyze')
  // Otherwise the pages that were filled are written while the sign-ups are measured.
  await database.pool.query('checkpoint')
}

/** The Fenwick trees of the legs (`leg_sums`), one after the other in two columns. */
async function fillSums(dbTx: Db, { leg, position }: Forest, members: number): Promise<void> {
  const start = new Int32Array(members + 3)
  for (let member = 2; member <= members; member++) start[leg[member]! + 1]!++
  for (let number = 1; number < start.length; number++) start[number]! += start[number - 1]!
  const below = new Int32Array(members + 2)
  const legs = new Int32Array(members)
  const nodes = new Int32Array(members)
  const sums = new Int32Array(members)
  // Members below another one joined later, so a team is complete before it is added to the one above.
  for (let member = members; member > 1; member--) {
    const own = leg[member]!
    const across = below[member]!
    below[own]! += 1 + across
    for (let node = position[member]!; node > 0; node -= node & -node) {
      const place = start[own]! + node - 1
      legs[place] = own
      nodes[place] = node
      sums[place]! += across
    }
  }
  await sql`create temporary table bare_sums (leg_id bigint, node integer, members integer) on commit drop`.execute(
    dbTx,
  )
  await copyIn(
    dbTx,
    'bare_sums',
    [
      { name: 'leg_id', type: 'bigint', value: (row) => legs[row]! },
      { name: 'node', type: 'integer', value: (row) => nodes[row]! },
      { name: 'members', type: 'integer', value: (row) => sums[row]! },
    ],
    members - 1,
  )
  await sql`
    insert into leg_sums (leg_id, period, node, members_all, members_valid, volume_micros)
    select leg_id, 0, node, members, 0, 0 from bare_sums where members > 0 order by leg_id, node`.execute(
    dbTx,
  )
}
