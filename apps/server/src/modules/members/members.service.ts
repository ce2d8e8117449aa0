import { dayOf, levelAfterPayment, normaliseInviteCode, type Side, type SideChoice } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import { type Read, read, readMembers, readRow } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { enterDay } from '../../lib/day-barrier.ts'
import { AppError } from '../../lib/errors.ts'
import { newInviteCode } from './invite-code.ts'
import type { Label } from './labels.repository.ts'
import { createLabelsService } from './labels.service.ts'
import type { ListedMember, Member, UplineMember } from './members.repository.ts'
import * as repository from './members.repository.ts'
import { createNotesService } from './notes.service.ts'
import type { Extent, PlacementService, Team } from './placement/placement.service.ts'
import * as lists from './team-list.repository.ts'
import { createTreeService } from './tree.service.ts'

export { freezeReason, storeFreeze } from './members.repository.ts'
export type { Label, ListedMember, Member, UplineMember }

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

const NEW_MEMBER = {
  level: 0,
  validAt: null,
  state: 'active',
  invitedAll: 0,
  invitedValid: 0,
  investedMicros: 0n,
} as const
const SAME_LEVEL = { fromLevel: 0, toLevel: 0 }

/** Creates the service of members, the sponsor line and the team below a member. Rules, section 3. */
export function createMembersService({ now, placement }: Deps) {
  async function get(db: Db, memberId: bigint): Promise<Member> {
    const member = await repository.byId(db, memberId)
    if (member === undefined) throw new AppError('MEMBER_NOT_FOUND')
    return member
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

    /**
     * Returns the search of a team for a text, including a member's number and the viewer's own names and
     * notes.
     */
    async teamSearch(db: Db, memberId: bigint, text: string): Promise<NonNullable<TeamQuery['search']>> {
      const named = await labels.containing(db, memberId, text)
      const noted = await notes.containing(db, memberId, text)
      const numbered = /^[1-9][0-9]{0,17}$/.test(text) ? [BigInt(text)] : []
      return { text, memberIds: [...new Set([...named, ...noted, ...numbered])] }
    },

    /** Returns a member. Throws MEMBER_NOT_FOUND. */
    get,

    /** Returns the read of `get`. */
    memberRead: readRow(repository.MEMBER, repository.membersOf, requireMember),

    /** Returns the read of the member of a wallet, ignoring case. */
    addressRead: (address: string): Read<Member | undefined> =>
      readRow(
        repository.MEMBER,
        () => repository.memberAt(address.toLowerCase()),
        (member) => member,
      ),

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

    /** Returns the query of the number of the member of a wallet in lower case. */
    idAt: repository.idAt,

    root: repository.root,
    listed: repository.listed,

    /** Returns the wallets of members, in lower case. */
    async addresses(db: Db, memberIds: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
      const rows = await repository.listed(db, memberIds)
      return new Map(rows.map((member) => [member.memberId, member.address]))
    },

    /** Returns the owner of an invitation code. Throws INVITATION_INVALID. */
    async byInviteCode(db: Db, code: string): Promise<Member> {
      const owner = await repository.byInviteCode(db, normaliseInviteCode(code))
      if (owner === undefined) throw new AppError('INVITATION_INVALID')
      return owner
    },

    /** Creates the first member, who has no sponsor. Throws ROOT_EXISTS. */
    async createRoot(dbTx: Db, address: string): Promise<Member> {
      await placement.lockTree(dbTx)
      if (await repository.root(dbTx)) throw new AppError('ROOT_EXISTS')
      const draft = { address: address.toLowerCase(), inviteCode: newInviteCode(), joinedAt: now() }
      const member = await repository.insertRoot(dbTx, draft)
      await placement.placeRoot(dbTx, member.memberId)
      return member
    },

    /** Returns the read of the number of the member with an invitation code. */
    invitationRead: (code: string): Read<bigint | undefined> =>
      read<string, bigint | undefined>(
        () => repository.invitedBy(normaliseInviteCode(code)),
        (memberId) => (memberId === undefined ? undefined : BigInt(memberId)),
      ),

    /** Creates a member below a sponsor and places it. Throws MEMBER_EXISTS, SPONSOR_NOT_FOUND. */
    join(
      db: Db,
      { address, sponsorId, side }: { address: string; sponsorId: bigint; side: SideChoice },
    ): Promise<Member> {
      return inTx(db, async (dbTx) => {
        await enterDay(dbTx, now)
        const draft = { address: address.toLowerCase(), inviteCode: newInviteCode(), joinedAt: now() }
        const section = side === 'auto' ? await placement.autoSide(dbTx, sponsorId) : side
        const memberId = await repository.insertPlaced(dbTx, draft, { sponsorId, section })
        if (memberId === null) {
          const sponsor = await repository.byId(dbTx, sponsorId)
          throw new AppError(sponsor === undefined ? 'SPONSOR_NOT_FOUND' : 'MEMBER_EXISTS')
        }
        return { ...NEW_MEMBER, ...draft, memberId, sponsorId, section }
      })
    },

    sponsorLine: repository.sponsorLine,
    upline: repository.upline,

    /**
     * Records final orders that are collected at the same time, in order: levels, validity and volumes rise.
     * The caller holds `placement.lockVolumes`.
     */
    async recordPurchases(
      dbTx: Db,
      purchases: readonly { memberId: bigint; packageLevel: number; baseMicros: bigint }[],
      at: Date,
    ): Promise<void> {
      const rows = await repository.listed(dbTx, [...new Set(purchases.map(({ memberId }) => memberId))])
      const buyers = rows.map((member) => {
        const own = purchases.filter(({ memberId }) => memberId === member.memberId)
        return {
          memberId: member.memberId,
          sponsorId: member.sponsorId,
          becameValid: member.validAt === null,
          fromLevel: member.level,
          level: own.reduce(
            (level, { packageLevel }) => levelAfterPayment(level, packageLevel),
            member.level,
          ),
          baseMicros: own.reduce((sum, { baseMicros }) => sum + baseMicros, 0n),
        }
      })
      await repository.raise(dbTx, buyers, at)
      const sponsorIds = buyers.flatMap((buyer) => (buyer.becameValid ? (buyer.sponsorId ?? []) : []))
      if (sponsorIds.length > 0) await repository.countInvitedValid(dbTx, sponsorIds)
      await placement.lockTree(dbTx)
      const day = dayOf(at.getTime())
      await repository.countMemberChanges(
        dbTx,
        buyers.map(({ fromLevel, level, becameValid }) => ({
          day,
          fromLevel,
          toLevel: level,
          becameValid: becameValid ? 1 : 0,
        })),
      )
      const added = buyers.map(({ memberId, baseMicros, becameValid }) => ({
        memberId,
        volumeMicros: baseMicros,
        membersValid: becameValid ? 1 : 0,
      }))
      await placement.addPurchases(dbTx, added, at)
    },

    /**
     * Takes back a purchase that was recorded at `at`. `left` are the member's other paid orders: the highest level and the
     * time of the first one. The caller holds `placement.lockVolumes`.
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
      const { validAt } = member
      await repository.resetPurchase(dbTx, memberId, { level: left.level, validAt: left.firstAt, baseMicros })
      const moved = validAt !== null && validAt.getTime() !== left.firstAt?.getTime()
      const since = (time: Date, becameValid: 1 | -1) => ({
        day: dayOf(time.getTime()),
        becameValid,
        ...SAME_LEVEL,
      })
      const membersValid = moved && left.firstAt === null ? -1 : 0
      if (membersValid !== 0 && member.sponsorId !== null)
        await repository.lowerInvitedValid(dbTx, member.sponsorId)
      await placement.lockTree(dbTx)
      await repository.countMemberChanges(dbTx, [
        { day: dayOf(at.getTime()), becameValid: 0, fromLevel: member.level, toLevel: left.level },
        ...(moved ? [since(validAt, -1)] : []),
        ...(moved && left.firstAt !== null ? [since(left.firstAt, 1)] : []),
      ])
      await placement.addPurchases(dbTx, [{ memberId, volumeMicros: -baseMicros, membersValid }], at)
    },

    /**
     * Returns a page of a member's team, or of the team of `ofId`, in the order of joining. Throws
     * MEMBER_NOT_FOUND for an `ofId` outside the member's team. Decision 4 states the cost of a page.
     */
    async team(db: Db, query: TeamQuery): Promise<{ items: TeamEntry[]; next: string | null }> {
      const { memberId: viewerId, ofId: memberId = viewerId, scope } = query
      if (memberId !== viewerId && (await placement.sideBelow(db, viewerId, memberId)) === undefined) {
        throw new AppError('MEMBER_NOT_FOUND')
      }
      const extent = await placement.extent(db, memberId, scope === 'direct' ? 'all' : scope)
      const list: lists.TeamPageQuery = {
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

/** The length of a wallet's prefix in its short form. */
const SHORT_FORM_HEAD = '0x1234'.length

/** Parses a wallet's prefix or short form (with an ellipsis), or a code's prefix. */
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

function requireMember(member: Member | undefined): Member {
  if (member === undefined) throw new AppError('MEMBER_NOT_FOUND')
  return member
}
