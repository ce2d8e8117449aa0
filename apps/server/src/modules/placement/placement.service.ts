import { placementSide, type Side, type SideChoice } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { type Read, read, readMember } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { SideSums } from './placement.repository.ts'
import * as repository from './placement.repository.ts'

/** Both sides of a member's team in the binary tree; the member is not counted. Volumes are USDT micro-units. */
export type Team = Readonly<Record<Side, SideSums>>

export type PlacementService = ReturnType<typeof createPlacementService>

/**
 * The binary tree (rules, section 3). A place never changes. Everything that writes, and everything that must not see
 * the tree change, first takes `lock`: it comes before every other lock.
 */
export function createPlacementService({ now }: { now: Now }) {
  const thisMonth = () => monthNumber(now())

  /** Team sizes and investments of both sides, the month's being of this month. To be asked together with other things. */
  function teamRead(): Read<Team> {
    const month = thisMonth()
    return read((memberIds) => repository.sumsOf(memberIds, month), toTeam)
  }

  function team(db: Db, memberId: bigint): Promise<Team> {
    return readMember(db, memberId, teamRead())
  }

  return {
    /** Makes this dbTx the only one to change the tree until it ends. The first in the fixed order of locks. */
    lock(dbTx: Db): Promise<void> {
      return repository.lock(dbTx)
    },

    /** Puts the first member at the top. Hold `lock`. */
    placeRoot(dbTx: Db, memberId: bigint): Promise<void> {
      return repository.insertRoot(dbTx, memberId)
    },

    /** The side on which an invitation with this choice places its member: 'auto' goes by team size. Hold `lock`. */
    async resolveSide(dbTx: Db, sponsorId: bigint, choice: SideChoice): Promise<Side> {
      if (choice !== 'auto') return choice
      const { left, right } = await team(dbTx, sponsorId)
      return placementSide(choice, left.membersAll, right.membersAll)
    },

    /**
     * Gives a new member the free place below the last node on the sponsor's side, and counts it in every team above.
     * Hold `lock`. Throws SPONSOR_NOT_FOUND.
     */
    async place(
      dbTx: Db,
      { memberId, sponsorId, side }: { memberId: bigint; sponsorId: bigint; side: Side },
    ): Promise<void> {
      const sponsor = await repository.spotOf(dbTx, sponsorId)
      if (sponsor === undefined) throw new AppError('SPONSOR_NOT_FOUND')
      await repository.append(dbTx, memberId, side === sponsor.side ? sponsor.legId : sponsor.crossLegId)
      await repository.add(dbTx, memberId, thisMonth(), { membersAll: 1 })
    },

    /** Counts a member as valid in every team above. Once per member; hold `lock`. */
    markValid(dbTx: Db, memberId: bigint): Promise<void> {
      return repository.add(dbTx, memberId, thisMonth(), { membersValid: 1 })
    },

    /** Adds the base of a paid order, in USDT micro-units, to every team above the buyer, in the month of `at`. Hold `lock`. */
    addVolume(dbTx: Db, memberId: bigint, volumeMicros: bigint, at: Date): Promise<void> {
      return repository.add(dbTx, memberId, monthNumber(at), { volumeMicros })
    },

    teamRead,

    /** As `teamRead`, asked alone. */
    team,

    /** The side of `memberId` under which `belowId` stands, or undefined when it is not in that team. */
    sideBelow(db: Db, memberId: bigint, belowId: bigint): Promise<Side | undefined> {
      return repository.sideBelow(db, memberId, belowId)
    },

    /** A member's place and those of the `depth` generations below, nearer ones first, left before right. */
    branch(db: Db, memberId: bigint, depth: number): Promise<repository.Place[]> {
      return repository.branch(db, memberId, depth)
    },

    /**
     * The next members of one side of a team, each before the members below it, from the first on or after `afterId`
     * (who must be on that side). At most `limit`; the cost does not depend on the size or depth of the team.
     */
    async members(
      db: Db,
      query: { memberId: bigint; side: Side; afterId?: bigint | undefined; limit: number },
    ): Promise<bigint[]> {
      const top = await repository.spotOf(db, query.memberId)
      if (top === undefined) throw new AppError('MEMBER_NOT_FOUND')
      const own = query.side === top.side
      const side = { legId: own ? top.legId : top.crossLegId, position: own ? top.position : 0 }
      const after = query.afterId === undefined ? undefined : await repository.spotOf(db, query.afterId)
      const start = after === undefined ? { ...side, crossed: true } : { ...after, crossed: false }
      const found = await repository.walk(db, start, side.legId, query.limit)
      return found.map((row) => row.memberId)
    },
  }
}

function toTeam(rows: readonly repository.SumsRow[] = []): Team {
  const sideOf = (side: Side): SideSums => {
    const row = rows.find((candidate) => candidate.side === side)
    return {
      membersAll: row?.membersAll ?? 0,
      membersValid: row?.membersValid ?? 0,
      volumeMicros: BigInt(row?.volumeMicros ?? 0),
      monthVolumeMicros: BigInt(row?.monthVolumeMicros ?? 0),
    }
  }
  return { left: sideOf('left'), right: sideOf('right') }
}

/** The UTC month of a time as yyyymm. */
function monthNumber(at: Date): number {
  return at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
}
