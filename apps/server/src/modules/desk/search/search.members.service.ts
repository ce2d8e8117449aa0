import type { AdminListedMember, AdminMembersQuery } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../db/database.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import type { MembersService } from '../../members/members.service.ts'
import * as repository from './search.members.repository.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Creates the operators' list of all members. A page filtered by holdings tests at most `mostWalked` members.
 */
export function createMemberList({ members, mostWalked = 2_000 }: Deps) {
  return {
    /**
     * Returns a page of members, newest first. Holdings have no index, so a page filtered by holdings tests
     * members in list order: it may have fewer than `limit` although others follow.
     */
    async page(
      db: Db,
      query: AdminMembersQuery,
    ): Promise<{ items: AdminListedMember[]; next: string | null }> {
      const { limit, holds } = query
      const tried = await repository.walk(db, {
        state: query.state,
        level: query.level,
        after: placeOf(query.cursor),
        from: query.from === undefined ? undefined : new Date(query.from),
        before: query.to === undefined ? undefined : new Date(Date.parse(query.to) + DAY_MS),
        limit: holds === undefined ? limit + 1 : mostWalked,
      })
      const holders = holds && (await repository.holders(db, idsOf(tried), holds))
      const matches = holders === undefined ? tried : tried.filter(({ memberId }) => holders.has(memberId))
      const shown = matches.slice(0, limit)
      const isCut = matches.length > limit
      const isEnd = !isCut && tried.length < (holds === undefined ? limit + 1 : mostWalked)
      const last = isCut ? shown.at(-1) : tried.at(-1)
      return {
        items: await views(db, idsOf(shown)),
        next: isEnd || last === undefined ? null : encodeCursor(last.at, last.memberId),
      }
    },
  }

  async function views(db: Db, ids: readonly bigint[]): Promise<AdminListedMember[]> {
    const [listed, holdings] = await Promise.all([members.listed(db, ids), repository.heldBy(db, ids)])
    return listed.map((member) => {
      const own = holdings.find(({ memberId }) => memberId === member.memberId)
      return {
        member_id: `${member.memberId}`,
        address: getAddress(member.address as Hex),
        invite_code: member.inviteCode,
        level: member.level,
        state: member.state,
        joined_at: member.joinedAt.toISOString(),
        valid_at: member.validAt?.toISOString() ?? null,
        invited: member.invitedAll,
        packages: formatMicros(member.investedMicros),
        usdt: formatMicros(own?.usdt ?? 0n),
        amc: formatMicros(own?.amc ?? 0n),
        rif: formatMicros(own?.rif ?? 0n),
      }
    })
  }
}

interface Deps {
  readonly members: Pick<MembersService, 'listed'>
  readonly mostWalked?: number
}

const idsOf = (places: readonly repository.Joined[]) => places.map(({ memberId }) => memberId)

function placeOf(cursor: string | undefined): repository.Joined | undefined {
  const [at, memberId] = decodeCursor(cursor, 2) ?? []
  return at === undefined || memberId === undefined ? undefined : { at, memberId }
}
