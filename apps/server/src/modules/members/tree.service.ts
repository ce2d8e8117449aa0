import type { TreeNode } from '@rif/api-schema'
import { formatMicros, type Side } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { readMembers } from '../../db/read.ts'
import { AppError } from '../../lib/errors.ts'
import type { PlacementService, Team } from '../placement/placement.service.ts'
import * as repository from './members.repository.ts'
import type { ListedMember } from './members.service.ts'

export type TreeService = ReturnType<typeof createTreeService>

type Place = Awaited<ReturnType<PlacementService['branch']>>[number]

/** The binary tree as a member sees it: the own node and what is below, nothing above or beside. Rules, section 3. */
export function createTreeService({ placement }: { placement: PlacementService }) {
  return {
    /**
     * A node with `depth` generations below it (fewer than 2^(depth + 1) nodes, however large the team); a branch that
     * goes on below is asked for from its lowest node. Throws MEMBER_NOT_FOUND for a node outside the caller's tree.
     */
    async branch(
      db: Db,
      { memberId, nodeId, depth }: { memberId: bigint; nodeId: bigint; depth: number },
    ): Promise<TreeNode> {
      const isOwn = nodeId === memberId
      const section = isOwn ? null : await placement.sideBelow(db, memberId, nodeId)
      if (section === undefined) throw new AppError('MEMBER_NOT_FOUND')
      const places = await placement.branch(db, nodeId, depth)
      const ids = places.map((place) => place.memberId)
      const [members, answers] = await Promise.all([
        repository.listed(db, ids),
        readMembers(db, ids, { team: placement.teamRead() }),
      ])
      const byId = new Map(members.map((member) => [member.memberId, member]))

      const node = (place: Place, ownSection: Side | null): TreeNode => {
        const below = places.filter((child) => child.parentId === place.memberId)
        const { team } = answers(place.memberId)
        return {
          ...memberFields(byId.get(place.memberId)!),
          ...teamFields(team),
          pid: ownSection === null ? null : `${place.parentId}`,
          side: ownSection === null ? null : place.side,
          section: ownSection,
          isLeaf: team.left.membersAll + team.right.membersAll === 0,
          expand: below.length > 0,
          children: below.map((child) => node(child, ownSection ?? child.side)),
        }
      }
      return node(places[0]!, section)
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
