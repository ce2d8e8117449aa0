import type { TeamMember } from '@rif/api-schema'
import { formatMicros, SIDE_CHOICES, type SideChoice } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { Label, MembersService, TeamEntry } from './members.service.ts'
import type { NextPlace, PlacementService } from './placement/placement.service.ts'

interface Deps {
  readonly db: Db
  readonly members: MembersService
  readonly placement: PlacementService
  readonly publicUrl: string
}

/** `me/invite`, `me/relation`, `me/tree`, `me/volumes`, `me/labels` and `invitation`. */
export function memberRoutes(app: FastifyInstance, { db, members, placement, publicUrl }: Deps): void {
  const { tree } = members

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
      auto: await placement.sideNow(db, member.memberId),
      invite_code: member.inviteCode,
      links: { left: link(left), right: link(right), auto: link(auto) },
      invited_count_all: member.invitedAll,
      invited_count_valid: member.invitedValid,
    }
  })

  register(app, 'relation', async ({ session, query }) => {
    const ofId = query.id === undefined ? undefined : BigInt(query.id)
    const { memberId } = session
    const search = query.q !== undefined && { search: await members.teamSearch(db, memberId, query.q) }
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

  labelRoutes(app, { db, members })
}

function labelRoutes(app: FastifyInstance, { db, members }: Pick<Deps, 'db' | 'members'>): void {
  const { labels } = members
  const views = async (notes: readonly Label[]) => {
    const wallets = await members.addresses(
      db,
      notes.map(({ aboutId }) => aboutId),
    )
    return notes.map(({ aboutId, label, pinned }) => ({
      member_id: `${aboutId}`,
      address: getAddress(wallets.get(aboutId) as Hex),
      label,
      pinned,
    }))
  }

  register(app, 'labels', async ({ session }) => ({
    items: await views(await labels.all(db, session.memberId)),
  }))

  register(app, 'setLabel', async ({ session, body }) => {
    const note = { aboutId: BigInt(body.member_id), label: body.label, pinned: body.pinned }
    await labels.set(db, session.memberId, note)
    const [view] = await views([note])
    return view!
  })

  register(app, 'deleteLabel', async ({ session, body }) => {
    await labels.delete(db, session.memberId, BigInt(body.member_id))
    return body
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
