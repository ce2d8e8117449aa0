import { sql } from 'kysely'
import { copyIn } from '../../apps/server/src/db/copy.ts'
import { type Database, type Db, inDbTx } from '../../apps/server/src/db/database.ts'
import { fillTrees } from '../settlement/books.ts'
import type { TreeShape } from '../settlement/forest.ts'
import { crossLeg, type Forest } from '../settlement/forest.ts'

/** Fills an empty database with members and all tree data: places, paths, legs and their sums. */
export async function fillTree(database: Database, members: number, shape: TreeShape): Promise<void> {
  await inDbTx(database.db, async (dbTx) => {
    await sql`set local session_replication_role = replica`.execute(dbTx)
    const forest = await fillTrees(dbTx, members, shape)
    await fillLegs(dbTx, forest, members)
    await fillSums(dbTx, forest, members)
    await sql`
      with recursive starts (leg_id, path) as (
        select leg_id, '{}'::integer[] from legs where parent_leg_id is null
        union all
        select legs.leg_id, starts.path || legs.parent_position
        from starts join legs on legs.parent_leg_id = starts.leg_id where legs.length > 0
      )
      update placements set path = starts.path || placements.position
      from starts where starts.leg_id = placements.leg_id`.execute(dbTx)
    await sql`
      insert into member_invitations (member_id, joined)
      select sponsor_id, count(*) from members where sponsor_id is not null group by sponsor_id`.execute(dbTx)
  })
  await database.pool.query('vacuum analyze')
}

async function fillLegs(dbTx: Db, { side, leg, position }: Forest, members: number): Promise<void> {
  const length = new Int32Array(members + 2)
  const tail = new Int32Array(members + 2)
  tail[1] = 1
  for (let member = 1; member <= members; member++) {
    tail[crossLeg(member)] = member
    tail[leg[member]!] = member
    length[leg[member]!] = position[member]!
  }
  await sql`create temporary table bare_legs (leg_id bigint, is_right integer, tail_id bigint, length integer,
    origin_id bigint) on commit drop`.execute(dbTx)
  await copyIn(
    dbTx,
    'bare_legs',
    [
      { name: 'leg_id', type: 'bigint', value: (row) => row + 1 },
      { name: 'is_right', type: 'integer', value: (row) => (row === 0 ? 0 : 1 - side[row]!) },
      { name: 'tail_id', type: 'bigint', value: (row) => tail[row + 1]! },
      { name: 'length', type: 'integer', value: (row) => length[row + 1]! },
      { name: 'origin_id', type: 'bigint', value: (row) => row },
    ],
    members + 1,
  )
  await sql`
    insert into legs (leg_id, side, tail_member_id, length, parent_leg_id, parent_position) overriding system value
    select bare.leg_id, case is_right when 0 then 'left' else 'right' end, tail_id, length, origins.leg_id, origins.position
    from bare_legs as bare left join forest as origins on origins.member_id = origin_id
    order by bare.leg_id`.execute(dbTx)
  await sql`select setval(pg_get_serial_sequence('legs', 'leg_id'), ${members + 1})`.execute(dbTx)
}

/** The Fenwick trees of the legs (migration 0002), one after the other in two columns. */
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
    const weight = 1 + below[crossLeg(member)]!
    below[own]! += weight
    for (let node = position[member]!; node > 0; node -= node & -node) {
      const place = start[own]! + node - 1
      legs[place] = own
      nodes[place] = node
      sums[place]! += weight
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
    select leg_id, 0, node, members, 0, 0 from bare_sums order by leg_id, node`.execute(dbTx)
}
