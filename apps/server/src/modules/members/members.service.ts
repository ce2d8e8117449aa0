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
import type { ListedMember, Member } from './members.repository.ts'
import * as repository from './members.repository.ts'
import { createNotesService } from './notes.service.ts'
import * as lists from './team-list.repository.ts'
import { createTreeService } from './tree.service.ts'

export { freezeReason, storeFreeze } from './members.repository.ts'
export type { Label, ListedMember, Member }

/** A member of a viewer's team, with the team below that member; `section` is the viewer's side. */
export interface TeamEntry {
  readonly member: ListedMember
  readonly section: Side
  readonly team: Team
}

/** A part of a team: the invited members, or one or both sides of the binary tree. */
export type TeamScope = 'direct' | 'all' | 'left' | 'right'

/** A query of a team's list. */
export interface TeamQuery {
  readonly memberId: bigint
  /** A member of that team whose own team is listed instead. */
  readonly ofId?: bigint | undefined
  readonly scope: TeamScope
  readonly level?: number | undefined
  readonly valid?: boolean | undefined
  /** Matches the beginning of a wallet or invitation code, and these members in any case. */
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

/** Creates the service of members, the sponsor line and the team below a member. Rules, section 3. */
export function createMembersService({ now, placement }: Deps) {
  /** Inserts a member, with another code as long as the code is taken. */
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

  const labels = createLabelsService({ now, placement })
  const notes = createNotesService({ now })

  return {
    labels,
    notes,
    tree: createTreeService({ placement }),

    /** Returns the search of a team for a text: also by the number of a member, and by the viewer's own names and notes. */
    async teamSearch(db: Db, memberId: bigint, text: string): Promise<NonNullable<TeamQuery['search']>> {
      const named = await labels.containing(db, memberId, text)
      const noted = await notes.containing(db, memberId, text)
      const numbered = /^[1-9][0-9]{0,17}$/.test(text) ? [BigInt(text)] : []
      return { text, memberIds: [...new Set([...named, ...noted, ...numbered])] }
    },

    /** Throws MEMBER_NOT_FOUND. */
    get,

    /** The read of `get`. */
    memberRead: readRecords(repository.membersOf, toMember),

    /** Returns the member of a wallet, ignoring case. */
    findByAddress(db: Db, address: string): Promise<Member | undefined> {
      return repository.byAddress(db, address.toLowerCase())
    },

    /** Returns the members of wallets by lower-case wallet, ignoring case and skipping wallets of no member. */
    byAddresses(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
      return repository.byAddresses(
        db,
        addresses.map((address) => address.toLowerCase()),
      )
    },

    root: repository.root,
    listed: repository.listed,

    /** Returns the wallets of members, in lower case. */
    async addresses(db: Db, memberIds: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
      const found = await repository.listed(db, memberIds)
      return new Map(found.map((member) => [member.memberId, member.address]))
    },

    /** Returns the owner of an invitation code. Throws INVITATION_INVALID. */
    async byInviteCode(db: Db, code: string): Promise<Member> {
      const owner = await repository.byInviteCode(db, normaliseInviteCode(code))
      if (owner === undefined) throw new AppError('INVITATION_INVALID')
      return owner
    },

    /** Creates the first member, who has no sponsor. Throws ROOT_EXISTS. */
    async createRoot(dbTx: Db, address: string): Promise<Member> {
      await placement.lock(dbTx)
      if (await repository.root(dbTx)) throw new AppError('ROOT_EXISTS')
      const memberId = await insert(dbTx, { address: address.toLowerCase(), sponsorId: null, section: null })
      await placement.placeRoot(dbTx, memberId)
      return get(dbTx, memberId)
    },

    /** Creates a member below a sponsor and places it. Throws MEMBER_EXISTS, SPONSOR_NOT_FOUND. */
    join,

    /** Creates a member by the sponsor's invitation code. Throws MEMBER_EXISTS, INVITATION_INVALID. */
    async joinByInvitation(
      dbTx: Db,
      { address, inviteCode, side }: { address: string; inviteCode: string; side: SideChoice },
    ): Promise<Member> {
      const sponsor = await repository.byInviteCode(dbTx, normaliseInviteCode(inviteCode))
      if (sponsor === undefined) throw new AppError('INVITATION_INVALID')
      return join(dbTx, { address, sponsorId: sponsor.memberId, side })
    },

    sponsorLine: repository.sponsorLine,

    /**
     * Records a final order: the buyer's level and validity, and the counts and volumes of every team above. `baseMicros`
     * is the order's base in USDT micro-units (rules, sections 3 and 5). The caller holds `placement.lock`.
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
     * Takes back a purchase that was recorded at `at`. `left` are the member's other paid orders: the highest level and the
     * time of the first one. The caller holds `placement.lock`.
     */
    async undoPurchase(
      dbTx: Db,
      purchase: {
        memberId: bigint
        baseMicros: bigint
        at: Date
        left: { level: number; firstAt: Date | null }
      },
    ): Promise<void> {
      const { memberId, baseMicros, at, left } = purchase
      const member = await get(dbTx, memberId)
      await repository.resetPurchase(dbTx, memberId, { level: left.level, validAt: left.firstAt, baseMicros })
      await repository.moveLevel(dbTx, member.level, left.level)
      await placement.addVolume(dbTx, memberId, -baseMicros, at)
      const { validAt } = member
      if (validAt === null || validAt.getTime() === left.firstAt?.getTime()) return
      await repository.countValid(dbTx, validAt, -1)
      if (left.firstAt !== null) return repository.countValid(dbTx, left.firstAt, 1)
      await placement.unmarkValid(dbTx, memberId)
      if (member.sponsorId !== null)
        await repository.countInvited(dbTx, member.sponsorId, { all: 0, valid: -1 })
    },

    /**
     * Returns a page of a member's team, or of the team of `ofId`, in the order of joining. Throws MEMBER_NOT_FOUND for an
     * `ofId` outside the member's team. What a page costs is told in decision 10.
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

/** The length of a wallet's beginning in its short form. */
const SHORT_FORM_HEAD = '0x1234'.length

/** Parses the beginning or short form (with an ellipsis) of a wallet, or the beginning of a code. */
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
