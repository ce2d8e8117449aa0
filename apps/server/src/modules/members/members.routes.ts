import type { TeamMember } from '@rif/api-schema'
import { formatMicros, SIDE_CHOICES, type SideChoice } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { MeService } from './me.service.ts'
import type { MembersService, TeamEntry } from './members.service.ts'
import type { TreeService } from './tree.service.ts'

interface Deps {
  readonly db: Db
  readonly members: MembersService
  readonly me: MeService
  readonly tree: TreeService
  readonly publicUrl: string
}

/** `me`, `me/invite`, `me/relation`, `me/tree` and `invitation`. */
export function memberRoutes(app: FastifyInstance, { db, members, me, tree, publicUrl }: Deps): void {
  register(app, 'me', ({ session }) => me.me(session.memberId))

  register(app, 'invite', async ({ session }) => {
    const member = await members.get(db, session.memberId)
    const link = (side: SideChoice) => inviteLink(publicUrl, member.inviteCode, side)
    const [left, right, auto] = SIDE_CHOICES
    return {
      invite_code: member.inviteCode,
      links: { left: link(left), right: link(right), auto: link(auto) },
      invited_count_all: member.invitedAll,
      invited_count_valid: member.invitedValid,
    }
  })

  register(app, 'relation', async ({ session, query }) => {
    const ofId = query.id === undefined ? undefined : BigInt(query.id)
    const page = await members.team(db, { ...query, memberId: session.memberId, ofId })
    return { items: page.items.map(teamMember), next: page.next }
  })

  register(app, 'tree', ({ session, query }) =>
    tree.branch(db, {
      memberId: session.memberId,
      nodeId: query.id === undefined ? session.memberId : BigInt(query.id),
      depth: query.depth,
    }),
  )

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
