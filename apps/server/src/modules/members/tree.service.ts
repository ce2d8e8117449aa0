import type { TreeMember, TreeNode } from '@rif/api-schema'
import { formatMicros, type Side } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { readMembers } from '../../db/read.ts'
import { AppError } from '../../lib/errors.ts'
import type { ListedMember } from './members.repository.ts'
import * as repository from './members.repository.ts'
import type { PlacementService, Team } from './placement/placement.service.ts'

type Place = Awaited<ReturnType<PlacementService['branch']>>[number]

/** The maximum number of generations above a member at which the path to it starts. */
const MAX_WAY = 100

/** Creates the service of the binary tree that a member sees: the own node and the nodes below. Rules, section 3. */
export function createTreeService({ placement }: { placement: PlacementService }) {
  /** Returns the side of a node, null for the own. Throws MEMBER_NOT_FOUND for a node outside the caller's tree. */
  async function sectionOf(db: Db, memberId: bigint, nodeId: bigint): Promise<Side | null> {
    if (nodeId === memberId) return null
    const section = await placement.sideBelow(db, memberId, nodeId)
    if (section === undefined) throw new AppError('MEMBER_NOT_FOUND')
    return section
  }

  /** Loads the members and teams at places, and returns a function that describes each. */
  async function describe(db: Db, places: readonly Place[]) {
    const ids = places.map((place) => place.memberId)
    const [members, { answers }] = await Promise.all([
      repository.listed(db, ids),
      readMembers(db, ids, { team: placement.teamRead() }),
    ])
    const byId = new Map(members.map((member) => [member.memberId, member]))
    return (place: Place, ownSection: Side | null): Omit<TreeMember, 'expand'> => {
      const { team } = answers(place.memberId)
      return {
        ...memberFields(byId.get(place.memberId)!),
        ...teamFields(team),
        pid: ownSection === null ? null : `${place.parentId}`,
        side: ownSection === null ? null : place.side,
        section: ownSection,
        isLeaf: team.left.membersAll + team.right.membersAll === 0,
      }
    }
  }

  /** Returns the first place as a node with the others below it. */
  async function nested(db: Db, places: readonly Place[], section: Side | null): Promise<TreeNode> {
    const fieldsOf = await describe(db, places)
    const node = (place: Place, ownSection: Side | null): TreeNode => {
      const below = places.filter((child) => child.parentId === place.memberId)
      return {
        ...fieldsOf(place, ownSection),
        expand: below.length > 0,
        children: below.map((child) => node(child, ownSection ?? child.side)),
      }
    }
    return node(places[0]!, section)
  }

  return {
    /**
     * Returns a node with `depth` generations below it, fewer than 2^(depth + 1) nodes. Throws MEMBER_NOT_FOUND for a node
     * outside the caller's tree.
     */
    async branch(
      db: Db,
      { memberId, nodeId, depth }: { memberId: bigint; nodeId: bigint; depth: number },
    ): Promise<TreeNode> {
      const section = await sectionOf(db, memberId, nodeId)
      return nested(db, await placement.branch(db, nodeId, depth), section)
    },

    /**
     * Returns the path down to a member, every node with its children, from the own node or from `MAX_WAY` generations
     * above the member. Throws MEMBER_NOT_FOUND for a node outside the caller's tree.
     */
    async wayTo(db: Db, { memberId, targetId }: { memberId: bigint; targetId: bigint }): Promise<TreeNode> {
      const section = await sectionOf(db, memberId, targetId)
      const way = section === null ? [] : await placement.wayUp(db, targetId, memberId, MAX_WAY)
      const topId = way.at(-1) ?? targetId
      const [top, below] = await Promise.all([
        placement.branch(db, topId, 0),
        placement.children(db, [targetId, ...way]),
      ])
      return nested(db, [...top, ...below], topId === memberId ? null : section)
    },

    /**
     * Returns at most `limit` nodes below some nodes as a flat list, generation by generation. Throws MEMBER_NOT_FOUND
     * when one of them is outside the caller's tree.
     */
    async branches(
      db: Db,
      { memberId, nodeIds, limit }: { memberId: bigint; nodeIds: readonly bigint[]; limit: number },
    ): Promise<TreeMember[]> {
      const extent = await placement.extent(db, memberId, 'all')
      const others = nodeIds.filter((id) => id !== memberId)
      const inside = await placement.within(db, extent, others)
      if (others.some((id) => !inside.has(id))) throw new AppError('MEMBER_NOT_FOUND')
      const places = await placement.below(db, nodeIds, limit)
      const [fieldsOf, sections] = await Promise.all([
        describe(db, places),
        placement.within(
          db,
          extent,
          places.map((place) => place.memberId),
        ),
      ])
      const parents = new Set(places.map((place) => place.parentId))
      return places.map((place) => ({
        ...fieldsOf(place, sections.get(place.memberId)!),
        expand: parents.has(place.memberId),
      }))
    },
  }
}

function memberFields(member: ListedMember) {
  return {
    id: `${member.memberId}`,
    label: getAddress(member.address as Hex),
    join_time: member.joinedAt.toISOString(),
    inviter_address: member.sponsorAddress && getAddress(member.sponsorAddress as Hex),
    level: member.level,
    state: member.state,
    valid: member.validAt !== null,
    investment: formatMicros(member.investedMicros),
    invited_count_all: member.invitedAll,
    invited_count_valid: member.invitedValid,
  }
}

function teamFields({ left, right }: Team) {
  return {
    left_team_size_all: left.membersAll,
    left_team_size_valid: left.membersValid,
    right_team_size_all: right.membersAll,
    right_team_size_valid: right.membersValid,
    left_team_investment: formatMicros(left.volumeMicros),
    right_team_investment: formatMicros(right.volumeMicros),
  }
}
