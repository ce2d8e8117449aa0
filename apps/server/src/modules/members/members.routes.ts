import type { TeamMember } from '@rif/api-schema'
import { formatMicros, SIDE_CHOICES, type SideChoice } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { NextPlace, PlacementService } from '../placement/placement.service.ts'
import type { LabelsService } from './labels.service.ts'
import type { MembersService, TeamEntry } from './members.service.ts'
import type { TreeService } from './tree.service.ts'

interface Deps {
  readonly db: Db
  readonly members: MembersService
  readonly tree: TreeService
  readonly placement: PlacementService
  readonly labels: LabelsService
  readonly publicUrl: string
}

/** `me/invite`, `me/relation`, `me/tree`, `me/volumes` and `invitation`; `me/labels` are in labels.routes.ts. */
export function memberRoutes(
  app: FastifyInstance,
  { db, members, tree, placement, labels, publicUrl }: Deps,
): void {
  register(app, 'invite', async ({ session }) => {
    const member = await members.get(db, session.memberId)
    const link = (side: SideChoice) => inviteLink(publicUrl, member.inviteCode, side)
    const [left, right, auto] = SIDE_CHOICES
    const places = await placement.nextPlaces(db, member.memberId)
    const wallets = await members.addresses(db, [places.left.parentId, places.right.parentId])
    const placeView = ({ parentId, generation }: NextPlace) => ({
      parent_id: `${parentId}`,
      parent_address: getAddress(wallets.get(parentId) as Hex),
      generation,
    })
    return {
      places: { left: placeView(places.left), right: placeView(places.right) },
      auto: await placement.resolveSide(db, member.memberId, auto),
      invite_code: member.inviteCode,
      links: { left: link(left), right: link(right), auto: link(auto) },
      invited_count_all: member.invitedAll,
      invited_count_valid: member.invitedValid,
    }
  })

  register(app, 'relation', async ({ session, query }) => {
    const ofId = query.id === undefined ? undefined : BigInt(query.id)
    const { memberId } = session
    const search = query.q !== undefined && {
      search: { text: query.q, memberIds: await labels.containing(db, memberId, query.q) },
    }
    const page = await members.team(db, { ...query, ...search, memberId, ofId })
    return { items: page.items.map(teamMember), next: page.next }
  })

  register(app, 'tree', ({ session: { memberId }, query }) => {
    if (query.to !== undefined) return tree.wayTo(db, { memberId, targetId: BigInt(query.to) })
    const nodeId = query.id === undefined ? memberId : BigInt(query.id)
    return tree.branch(db, { memberId, nodeId, depth: query.depth })
  })

  register(app, 'treeBranches', async ({ session, query }) => {
    const nodeIds = query.ids.split(',').map(BigInt)
    return { items: await tree.branches(db, { memberId: session.memberId, nodeIds, limit: query.limit }) }
  })

  register(app, 'volumes', async ({ session, query }) => {
    const months = await placement.monthVolumes(db, session.memberId, query.months)
    return {
      items: months.map(({ month, leftMicros, rightMicros }) => ({
        month,
        volumes: { left: formatMicros(leftMicros), right: formatMicros(rightMicros) },
      })),
    }
  })

  register(app, 'invitation', async ({ query }) => {
    const sponsor = await members.byInviteCode(db, query.code)
    return {
      invite_code: sponsor.inviteCode,
      sponsor_address: getAddress(sponsor.address as Hex),
      side: query.side ?? 'auto',
    }
  })
}

function inviteLink(publicUrl: string, code: string, side: SideChoice): string {
  const link = new URL('/pages/login/index', publicUrl)
  link.search = new URLSearchParams({ code, side }).toString()
  return link.href
}

function teamMember({ member, section, team: { left, right } }: TeamEntry): TeamMember {
  return {
    member_id: `${member.memberId}`,
    address: getAddress(member.address as Hex),
    join_time: member.joinedAt.toISOString(),
    inviter_address: member.sponsorAddress && getAddress(member.sponsorAddress as Hex),
    level: member.level,
    section,
    state: member.state,
    valid: member.validAt !== null,
    investment: formatMicros(member.investedMicros),
    invited_count_all: member.invitedAll,
    invited_count_valid: member.invitedValid,
    team_size_all: left.membersAll + right.membersAll,
    team_size_valid: left.membersValid + right.membersValid,
    team_investment: formatMicros(left.volumeMicros + right.volumeMicros),
  }
}
