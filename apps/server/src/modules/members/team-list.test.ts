import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createMembersService } from './members.service.ts'
import { createPlacementService } from './placement/placement.service.ts'
import { createTree, type TreeNode } from './placement/testing/tree.ts'
import { listPart, type TeamPageQuery, type Thresholds } from './team-list.repository.ts'

const MEMBERS = 60
const LEVELS = [0, 0, 1, 2]
const ways = (smallPart: number, walked: number, hits: number, rareShare: number): Thresholds => ({
  plain: { smallPart, walked },
  search: { smallPart, walked },
  hits,
  rareShare,
})
/** A share of 0 disables the look-up of hits, one of 2 always enables it. */
const WAYS: Record<string, Thresholds> = {
  'by its range of paths': ways(MEMBERS, 1, -1, 0),
  'by a walk': ways(-1, MEMBERS, -1, 0),
  'by a walk given up': ways(-1, 5, -1, 0),
  'by its hits': ways(MEMBERS, 1, MEMBERS, 2),
  'by too many hits': ways(MEMBERS, 1, 1, 2),
}

const now = () => new Date('2026-01-15T12:00:00Z')
const placement = createPlacementService({ now })
const members = createMembersService({ now, placement })
const tree = createTree()
/** Every sixteenth wallet has the same prefix. */
const addressOf = (index: number) => `0x${(index % 16).toString(16)}${`${index}`.padStart(39, '0')}`
const levelOf = (index: number) => LEVELS[index % LEVELS.length]!
let database: TestDatabase
let ids: bigint[]

beforeAll(async () => {
  database = await createTestDatabase()
  ids = await inTx(database.db, async (dbTx) => {
    const joined = [(await members.createRoot(dbTx, addressOf(0))).memberId]
    for (let index = 1; index < MEMBERS; index++) {
      const sponsor = (index * 7) % Math.ceil(index / 2)
      const side = (index >> 1) % 2 === 0 ? 'left' : 'right'
      tree.join(sponsor, side)
      const { memberId } = await members.join(dbTx, {
        address: addressOf(index),
        sponsorId: joined[sponsor]!,
        side,
      })
      joined.push(memberId)
      if (levelOf(index) > 0) {
        const purchase = { memberId, packageLevel: levelOf(index), baseMicros: 1n }
        await members.recordPurchases(dbTx, [purchase], now())
      }
    }
    return joined
  })
})
afterAll(() => database.close())

function below(node: TreeNode | null): number[] {
  return node === null ? [] : [node.index, ...below(node.left), ...below(node.right)]
}

function expected(part: readonly number[], query: TeamPageQuery): bigint[] {
  const { level, valid, search, afterId, oldestFirst, limit } = query
  const kept = part
    .filter((index) => level === undefined || levelOf(index) === level)
    .filter((index) => valid === undefined || levelOf(index) > 0 === valid)
    .filter((index) => search?.address == null || addressOf(index).startsWith(search.address.head))
    .map((index) => ids[index]!)
    .sort((id, other) => (oldestFirst ? Number(id - other) : Number(other - id)))
    .filter((id) => afterId === undefined || (oldestFirst ? id > afterId : id < afterId))
  return kept.slice(0, limit)
}

const FILTERS = [
  { level: undefined, valid: undefined },
  { level: 2, valid: undefined },
  { level: 5, valid: undefined },
  { level: undefined, valid: true },
  { level: undefined, valid: false },
]
const SEARCHES = [undefined, ...['0x', '0x3', '0xz'].map((head) => ({ head, tail: '' }))]

test.each(Object.entries(WAYS))('a part of the tree is listed %s', async (_, way) => {
  for (const top of [0, 2]) {
    const node = tree.nodes[top]!
    const sides = {
      all: [...below(node.left), ...below(node.right)],
      left: below(node.left),
      right: below(node.right),
    }
    for (const scope of ['all', 'left', 'right'] as const) {
      const extent = await placement.extent(database.db, ids[top]!, scope)
      const part = { ...extent, topId: ids[top]!, size: sides[scope].length }
      for (const [turn, address] of SEARCHES.entries()) {
        for (const [index, filter] of FILTERS.entries()) {
          const oldestFirst = (turn + index) % 2 === 0
          const search = address && { address, inviteCode: null, memberIds: [] }
          const afterId = index % 3 === 0 ? ids[MEMBERS >> 1] : undefined
          const query = { ...filter, search, oldestFirst, afterId, limit: 4 }
          const page = await listPart(database.db, part, query, way)
          expect(page.map((member) => member.memberId)).toEqual(expected(sides[scope], query))
        }
      }
    }
  }
})
