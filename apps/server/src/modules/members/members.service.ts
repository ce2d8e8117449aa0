import { levelAfterPayment, type Side, type SideChoice } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { readMembers, readRecords } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import type { Extent, PlacementService, Team } from '../placement/placement.service.ts'
import { newInviteCode, normaliseInviteCode } from './invite-code.ts'
import type { Label } from './labels.repository.ts'
import { createLabelsService } from './labels.service.ts'
import type { ListedMember, Member, Sponsor } from './members.repository.ts'
import * as repository from './members.repository.ts'
import * as lists from './team-list.repository.ts'
import { createTreeService } from './tree.service.ts'

export { freezeReason, storeFreeze } from './members.repository.ts'
export type { Label, ListedMember, Member, Sponsor }

/** A member of somebody's team, with the team below that member; `section` is the side of that somebody. */
export interface TeamEntry {
  readonly member: ListedMember
  readonly section: Side
  readonly team: Team
}

/** Which part of a team: those that the member invited, or one or both sides of the binary tree below. */
export type TeamScope = 'direct' | 'all' | 'left' | 'right'

/** What a list of a team is asked for. */
export interface TeamQuery {
  readonly memberId: bigint
  /** A member of that team, whose own team is meant. */
  readonly ofId?: bigint | undefined
  readonly scope: TeamScope
  readonly level?: number | undefined
  readonly valid?: boolean | undefined
  /** Finds by the beginning of a wallet or an invitation code, and these members whatever theirs are. */
  readonly search?: { readonly text: string; readonly memberIds: readonly bigint[] } | undefined
  readonly sort?: 'newest' | 'oldest' | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

export type MembersService = ReturnType<typeof createMembersService>

interface Deps {
  readonly now: Now
  readonly placement: PlacementService
}

/** Members, the sponsor line and the team below a member. Rules, section 3. */
export function createMembersService({ now, placement }: Deps) {
  /** Inserts with a fresh code; a code that is taken costs one more try. */
  async function insert(
    dbTx: Db,
    member: { address: string; sponsorId: bigint | null; section: Side | null },
  ): Promise<bigint> {
    const joinedAt = now()
    await repository.countJoined(dbTx, joinedAt)
    for (;;) {
      const memberId = await repository.insert(dbTx, { ...member, inviteCode: newInviteCode(), joinedAt })
      if (memberId !== undefined) return memberId
    }
  }

  async function get(db: Db, memberId: bigint): Promise<Member> {
    const member = await repository.byId(db, memberId)
    if (member === undefined) throw new AppError('MEMBER_NOT_FOUND')
    return member
  }

  async function join(
    dbTx: Db,
    { address, sponsorId, side }: { address: string; sponsorId: bigint; side: SideChoice },
  ): Promise<Member> {
    await placement.lock(dbTx)
    if (await repository.byAddress(dbTx, address.toLowerCase())) throw new AppError('MEMBER_EXISTS')
    if ((await repository.byId(dbTx, sponsorId)) === undefined) throw new AppError('SPONSOR_NOT_FOUND')
    const section = await placement.resolveSide(dbTx, sponsorId, side)
    const memberId = await insert(dbTx, { address: address.toLowerCase(), sponsorId, section })
    await placement.place(dbTx, { memberId, sponsorId, side: section })
    await repository.countInvited(dbTx, sponsorId, { all: 1, valid: 0 })
    return get(dbTx, memberId)
  }

  /** An extent as the list needs it. */
  async function partOf(
    db: Db,
    memberId: bigint,
    sides: Side | 'all',
    extent: Extent,
  ): Promise<lists.ListedPart> {
    const { left, right } = await placement.team(db, memberId)
    const size = (sides === 'right' ? 0 : left.membersAll) + (sides === 'left' ? 0 : right.membersAll)
    return { ...extent, topId: memberId, size }
  }

  return {
    labels: createLabelsService({ now, placement }),
    tree: createTreeService({ placement }),

    /** Throws MEMBER_NOT_FOUND. */
    get,

    /** As `get`, to be asked together with other things. */
    memberRead: readRecords(repository.membersOf, toMember),

    /** The member of a wallet, in any case of letters; undefined when the wallet is no member. */
    findByAddress(db: Db, address: string): Promise<Member | undefined> {
      return repository.byAddress(db, address.toLowerCase())
    },

    /** The members of wallets, in any case of letters, by their wallets in lower case; who is none is left out. */
    byAddresses(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
      return repository.byAddresses(
        db,
        addresses.map((address) => address.toLowerCase()),
      )
    },

    /** The very first member; undefined before set-up has made it. */
    root(db: Db): Promise<Member | undefined> {
      return repository.root(db)
    },

    /** The members with these ids, in the order of the ids; who is none is left out. */
    listed: repository.listed,

    /** The wallets of some members, in lower case. */
    async addresses(db: Db, memberIds: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
      const found = await repository.listed(db, memberIds)
      return new Map(found.map((member) => [member.memberId, member.address]))
    },

    /** The owner of an invitation code. Throws INVITATION_INVALID. */
    async byInviteCode(db: Db, code: string): Promise<Member> {
      const owner = await repository.byInviteCode(db, normaliseInviteCode(code))
      if (owner === undefined) throw new AppError('INVITATION_INVALID')
      return owner
    },

    /** Makes the very first member, who has no sponsor. Part of set-up. Throws ROOT_EXISTS. */
    async createRoot(dbTx: Db, address: string): Promise<Member> {
      await placement.lock(dbTx)
      if (await repository.root(dbTx)) throw new AppError('ROOT_EXISTS')
      const memberId = await insert(dbTx, { address: address.toLowerCase(), sponsorId: null, section: null })
      await placement.placeRoot(dbTx, memberId)
      return get(dbTx, memberId)
    },

    /** Makes a member below a sponsor and gives it its place. Throws MEMBER_EXISTS, SPONSOR_NOT_FOUND. */
    join,

    /** As `join`, with the sponsor's invitation code. Throws MEMBER_EXISTS, INVITATION_INVALID. */
    async joinByInvitation(
      dbTx: Db,
      { address, inviteCode, side }: { address: string; inviteCode: string; side: SideChoice },
    ): Promise<Member> {
      const sponsor = await repository.byInviteCode(dbTx, normaliseInviteCode(inviteCode))
      if (sponsor === undefined) throw new AppError('INVITATION_INVALID')
      return join(dbTx, { address, sponsorId: sponsor.memberId, side })
    },

    /** The first `limit` members up the sponsor line, nearest first. Go on with the last one's id until it is empty. */
    sponsorLine(db: Db, memberId: bigint, limit: number): Promise<Sponsor[]> {
      return repository.sponsorLine(db, memberId, limit)
    },

    /**
     * What a final order changes here: the buyer's level and validity, the counts and the investments of every team
     * above. `baseMicros` is the order's base in USDT micro-units (rules, sections 3 and 5). The caller holds
     * `placement.lock`.
     */
    async recordPurchase(
      dbTx: Db,
      purchase: { memberId: bigint; packageLevel: number; baseMicros: bigint; at: Date },
    ): Promise<void> {
      const { memberId, packageLevel, baseMicros, at } = purchase
      const member = await get(dbTx, memberId)
      const level = levelAfterPayment(member.level, packageLevel)
      await repository.updatePurchase(dbTx, memberId, { level, validAt: at, baseMicros })
      const becameValid = member.validAt === null
      await repository.countPurchase(dbTx, { fromLevel: member.level, toLevel: level, becameValid, at })
      await placement.addVolume(dbTx, memberId, baseMicros, at)
      if (!becameValid) return
      await placement.markValid(dbTx, memberId)
      if (member.sponsorId !== null)
        await repository.countInvited(dbTx, member.sponsorId, { all: 0, valid: 1 })
    },

    /**
     * A page of a member's team, or of the team of `ofId`, who is in that team, in the order of joining. Nobody sees
     * another team: throws MEMBER_NOT_FOUND for an `ofId` outside the team. What a page costs is told in decision 10.
     */
    async team(db: Db, query: TeamQuery): Promise<{ items: TeamEntry[]; next: string | null }> {
      const { memberId: viewerId, ofId: memberId = viewerId, scope } = query
      if (memberId !== viewerId && (await placement.sideBelow(db, viewerId, memberId)) === undefined) {
        throw new AppError('MEMBER_NOT_FOUND')
      }
      const extent = await placement.extent(db, memberId, scope === 'direct' ? 'all' : scope)
      const list: lists.ListQuery = {
        level: query.level,
        valid: query.valid,
        search: query.search && searchTerms(query.search.text, query.search.memberIds),
        oldestFirst: query.sort === 'oldest',
        afterId: decodeCursor(query.cursor, 1)?.[0],
        limit: query.limit + 1,
      }
      const rows =
        scope === 'direct'
          ? await lists.listInvited(db, memberId, extent, list)
          : await lists.listPart(db, await partOf(db, memberId, scope, extent), list)
      const page = toPage(
        rows,
        query.limit,
        (row) => row,
        (row) => encodeCursor(row.memberId),
      )
      const ids = page.items.map((row) => row.memberId)
      const { answers } = await readMembers(db, ids, { team: placement.teamRead() })
      const items = page.items.map(({ path, ...member }) => ({
        member,
        section: extent.sideOf(path),
        ...answers(member.memberId),
      }))
      return { items, next: page.next }
    },
  }
}

/** A short form shows that much of a wallet's beginning, so that few have it. */
const SHORT_FORM_HEAD = '0x1234'.length

/** A wallet's beginning, or its short form with an ellipsis, or a code's beginning; what fits neither finds nothing. */
function searchTerms(text: string, memberIds: readonly bigint[]): lists.SearchTerms {
  const [, head = '', tail = ''] = /^(0x[0-9a-f]*)(?:(?:…|\.{3})([0-9a-f]+))?$/.exec(text.toLowerCase()) ?? []
  const isAddress = head !== '' && (tail === '' || head.length >= SHORT_FORM_HEAD)
  const code = normaliseInviteCode(text)
  return {
    address: isAddress ? { head, tail } : null,
    inviteCode: code === '' || code !== text.toUpperCase() ? null : code,
    memberIds,
  }
}

function toMember([row]: readonly repository.MemberRow[]): Member {
  if (row === undefined) throw new AppError('MEMBER_NOT_FOUND')
  const [memberId, address, inviteCode, sponsorId, section, level, validAt, state, ...figures] = row
  const [invitedAll, invitedValid, investedMicros, joinedAt] = figures
  return {
    ...{ memberId: BigInt(memberId), address, inviteCode, state, level: Number(level) },
    sponsorId: sponsorId === '' ? null : BigInt(sponsorId),
    section: section === '' ? null : section,
    validAt: validAt === '' ? null : new Date(Number(validAt)),
    ...{ invitedAll: Number(invitedAll), invitedValid: Number(invitedValid) },
    investedMicros: BigInt(investedMicros),
    joinedAt: new Date(Number(joinedAt)),
  }
}
