import { SIDE_CHOICES } from '@rif/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createMembersService } from '../members.service.ts'
import { createPlacementService } from './placement.service.ts'
import { createTree } from './testing/tree.ts'

const MONTHS = [202601, 202602]
const MICRO = 1_000_000n
const CONNECTIONS = 60
const SIGN_UPS = runs({ usual: 100, full: 1_000 })

let database: TestDatabase
let clock = new Date('2026-01-15T12:00:00Z')
const now = () => clock
const placement = createPlacementService({ now })
const members = createMembersService({ now, placement })

beforeAll(async () => {
  database = await createTestDatabase({ max: CONNECTIONS })
})
afterAll(() => database.close())
beforeEach(async () => {
  clock = new Date('2026-01-15T12:00:00Z')
  await sql`truncate members, placements, leg_sums, member_days, sessions restart identity cascade`.execute(
    database.db,
  )
})

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
const inMonth = (month: number) => new Date(Date.UTC(Math.floor(month / 100), (month % 100) - 1, 20))

async function joinRoot(): Promise<bigint> {
  return (await inTx(database.db, (dbTx) => members.createRoot(dbTx, address(0)))).memberId
}

describe('the binary tree', () => {
  const event = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        join: fc.constant(true as const),
        who: fc.nat(),
        side: fc.constantFrom(...SIDE_CHOICES),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        join: fc.constant(false as const),
        who: fc.nat(),
        base: fc.integer({ min: 1, max: 10_000 }),
        month: fc.constantFrom(...MONTHS),
      }),
    },
  )

  it('places, counts and sums like the plain tree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 60 }), async (events) => {
        await sql`truncate members, placements, leg_sums restart identity cascade`.execute(database.db)
        const tree = createTree()
        const ids = [await joinRoot()]
        await inTx(database.db, async (dbTx) => {
          await placement.lockVolumes(dbTx)
          for (const step of events) {
            const who = step.who % ids.length
            if (step.join) {
              const expected = tree.join(who, step.side)
              const sponsorId = ids[who]!
              const member = await members.join(dbTx, {
                address: address(ids.length),
                sponsorId,
                side: step.side,
              })
              const { rows } = await sql<{ parent_id: bigint; side: string }>`
                select parent_id, side from placements where member_id = ${member.memberId}`.execute(dbTx)
              expect(rows[0]).toEqual({ parent_id: ids[expected.parent!.index], side: expected.side })
              ids.push(member.memberId)
            } else {
              const baseMicros = BigInt(step.base) * MICRO
              tree.buy(who, baseMicros, step.month)
              const at = inMonth(step.month)
              await members.recordPurchases(dbTx, [{ memberId: ids[who]!, packageLevel: 1, baseMicros }], at)
            }
          }
        })
        for (const month of MONTHS) {
          clock = inMonth(month)
          for (const node of tree.nodes) {
            const team = await placement.team(database.db, ids[node.index]!)
            for (const side of ['left', 'right'] as const) {
              const expected = tree.totals(node.index, side, month)
              expect(team[side]).toEqual({
                membersAll: expected.all,
                membersValid: expected.valid,
                volumeMicros: expected.volume,
                monthVolumeMicros: expected.month,
              })
            }
          }
        }
        await expectSameTeams(tree, ids)
      }),
      { numRuns: runs({ usual: 4, full: 50 }) },
    )
  })

  it('reads few sums, and the right ones, in a deep leg', async () => {
    const depth = runs({ usual: 140, full: 1_100 })
    const root = await joinRoot()
    const ids = [root]
    await inTx(database.db, async (dbTx) => {
      for (let index = 1; index <= depth; index++) {
        const member = await members.join(dbTx, { address: address(index), sponsorId: root, side: 'left' })
        ids.push(member.memberId)
      }
      const purchases = ids.slice(1).map((memberId) => ({ memberId, membersValid: 1, volumeMicros: MICRO }))
      await placement.addPurchases(dbTx, purchases, now())
    })
    const powers = [64, 128, 512, 1_024].flatMap((power) => [power - 1, power])
    const positions = [0, 1, ...powers.filter((power) => power < depth), depth - 2, depth - 1, depth]
    for (const position of positions) {
      const { left, right } = await placement.team(database.db, ids[position]!)
      expect(left.membersAll).toBe(depth - position)
      expect(left.membersValid).toBe(depth - position)
      expect(left.volumeMicros).toBe(BigInt(depth - position) * MICRO)
      expect(right.membersAll).toBe(0)
    }
    expect(await allPages(root, 'all', 100)).toEqual(ids.slice(1).reverse())
    const { rows } = await sql<{ most: number }>`
      select max(nodes)::integer as most from (
        select count(*) as nodes
        from placements as place
        join leg_sums as sums on sums.leg_id = place.leg_id and sums.period = 0
          and sums.node = any (leg_suffix_nodes(place.position + 1))
        group by place.member_id
      ) as read`.execute(database.db)
    expect(rows[0]!.most).toBeLessThanOrEqual(Math.ceil(Math.log2(depth)))
  })

  it(`places ${SIGN_UPS} simultaneous sign-ups under one sponsor, each in a slot of its own`, async () => {
    const root = await joinRoot()
    const count = SIGN_UPS
    const joined = new Set<bigint>()
    const waiting = Array.from({ length: count }, (_, index) => index).values()
    // Each connection takes the next one. A sign-up that waits ten seconds for a connection is refused.
    const joinNext = async () => {
      for (const index of waiting) {
        const order = { address: address(index + 1), sponsorId: root, side: SIDE_CHOICES[index % 3]! }
        joined.add((await inTx(database.db, (dbTx) => members.join(dbTx, order))).memberId)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, joinNext))
    expect(joined.size).toBe(count)
    const { rows } = await sql<{ placed: number; slots: number }>`
      select count(*)::integer as placed, count(distinct (parent_id, side))::integer as slots
      from placements where parent_id is not null`.execute(database.db)
    expect(rows[0]).toEqual({ placed: count, slots: count })
    const { left, right } = await placement.team(database.db, root)
    expect(left.membersAll + right.membersAll).toBe(count)
    const leftAsked = Math.ceil(count / 3)
    expect(left.membersAll).toBeGreaterThanOrEqual(leftAsked)
    expect((await members.get(database.db, root)).invitedAll).toBe(count)
    expect((await allPages(root, 'all', 100)).length).toBe(count)
  })
})

describe('a page of a team', () => {
  it('shows nobody outside, even with a cursor from elsewhere', async () => {
    const root = await joinRoot()
    const [a, b, c] = await inTx(database.db, async (dbTx) => {
      const left = await members.join(dbTx, { address: address(1), sponsorId: root, side: 'left' })
      const right = await members.join(dbTx, { address: address(2), sponsorId: root, side: 'right' })
      const under = await members.join(dbTx, { address: address(3), sponsorId: left.memberId, side: 'right' })
      return [left.memberId, right.memberId, under.memberId]
    })
    const cursor = Buffer.from(`${b}`).toString('base64url')
    const { items } = await members.team(database.db, { memberId: c!, scope: 'all', cursor, limit: 10 })
    expect(items).toEqual([])
    expect(await allPages(a!, 'all', 1)).toEqual([c])
    expect(await allPages(root, 'left', 1)).toEqual([c, a])
    expect(await allPages(root, 'right', 1)).toEqual([b])
    expect(await allPages(root, 'all', 1)).toEqual([c, b, a])
    expect(await allPages(root, 'all', 1, 'oldest')).toEqual([a, b, c])
    expect(await allPages(root, 'direct', 1)).toEqual([b, a])
  })

  it('is the same in a tree that zigzags further than the index of paths sees', async () => {
    const ids = [await joinRoot()]
    const depth = 130
    await inTx(database.db, async (dbTx) => {
      for (let index = 1; index <= depth; index++) {
        const sponsorId = ids[index - 1]!
        const side = index % 2 === 0 ? 'left' : 'right'
        const member = await members.join(dbTx, { address: address(index), sponsorId, side })
        ids.push(member.memberId)
      }
    })
    for (const index of [0, 98, 99, 100, 101, depth]) {
      const below = ids.slice(index + 1).reverse()
      const onRight = index % 2 === 0
      expect(await allPages(ids[index]!, 'right', 100)).toEqual(onRight ? below : [])
      expect(await allPages(ids[index]!, 'left', 100)).toEqual(onRight ? [] : below)
    }
  })
})

type Scope = 'all' | 'left' | 'right' | 'direct'

async function allPages(memberId: bigint, scope: Scope, limit: number, sort?: 'oldest') {
  const ids: bigint[] = []
  let cursor: string | undefined
  do {
    const page = await members.team(database.db, { memberId, scope, sort, cursor, limit })
    ids.push(...page.items.map((entry) => entry.member.memberId))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

async function expectSameTeams(tree: ReturnType<typeof createTree>, ids: bigint[]): Promise<void> {
  for (const index of new Set([0, Math.floor(ids.length / 2)])) {
    for (const side of ['left', 'right'] as const) {
      const expected = tree.members(index, side).map((member) => ids[member])
      const listed = await allPages(ids[index]!, side, 7)
      expect(listed.length).toBe(expected.length)
      expect(new Set(listed)).toEqual(new Set(expected))
    }
  }
}
