import { dayOf, type Month, placementSide, type Side } from '@rif/rules'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { type Read, readMember, readRows } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { SideSums } from './placement.repository.ts'
import * as repository from './placement.repository.ts'

/** Both sides of a member's team in the binary tree, without the member. Volumes are USDT micro-units. */
export type Team = Readonly<Record<Side, SideSums>>

/** The volume of each side of a team in a UTC month, in USDT micro-units. */
export interface MonthVolumes {
  readonly month: Month
  readonly leftMicros: bigint
  readonly rightMicros: bigint
}

export type PlacementService = ReturnType<typeof createPlacementService>

/**
 * Manages the binary tree (rules, section 3). A place never changes. Whoever changes the tree or the sums of its teams
 * holds the lock of the tree, so each sees what the one before wrote (decision 4).
 */
export function createPlacementService({ now }: { now: Now }) {
  const thisMonth = () => monthNumber(now())

  /** Returns the read of team sizes and volumes of both sides, in total and in this month. */
  function teamRead(): Read<Team> {
    const month = thisMonth()
    return readRows(repository.SUMS, (memberIds) => repository.sumsOf(memberIds, month), toTeam)
  }

  function team(db: Db, memberId: bigint): Promise<Team> {
    return readMember(db, memberId, teamRead())
  }

  async function sideNow(db: Db, sponsorId: bigint): Promise<Side> {
    const { left, right } = await team(db, sponsorId)
    return placementSide('auto', left.membersAll, right.membersAll)
  }

  return {
    /**
     * Locks volumes, and thereby levels and validity, against changes by others until the transaction ends.
     * Paid orders take it; sign-ups do not. Order of locks: `volumes` in docs/invariants.md.
     */
    lockVolumes: repository.lockVolumes,

    /**
     * Locks the places and the sums of teams, days and levels against changes by others until the transaction
     * ends. Order of locks: `tree` in docs/invariants.md, late, so that a holder does not wait for what others hold.
     */
    lockTree: repository.lockTree,

    /** Places the first member at the top. */
    placeRoot: repository.placeRoot,

    /** Returns the side that 'auto' would choose now. */
    sideNow,

    /**
     * Returns the side on which 'auto', which depends on team sizes, places a member. The tree is locked first, so
     * that simultaneous sign-ups see each other.
     */
    async autoSide(dbTx: Db, sponsorId: bigint): Promise<Side> {
      await repository.lockTree(dbTx)
      return sideNow(dbTx, sponsorId)
    },

    /**
     * Adds many orders paid at `at` to every team above their buyers: the base in USDT micro-units, and the
     * members that became valid through them. The caller holds `lockVolumes` and `lockTree`.
     */
    addPurchases(dbTx: Db, purchases: readonly repository.TeamPurchase[], at: Date): Promise<void> {
      return repository.addPurchases(dbTx, dayOf(at.getTime()), purchases)
    },

    teamRead,

    team,

    /** Returns the volumes of a member's team in the last months, oldest first; the last one is this month. */
    async monthVolumes(db: Db, memberId: bigint, count: number): Promise<MonthVolumes[]> {
      const months = lastMonths(now(), count)
      const rows = await repository.monthVolumes(db, memberId, months)
      const volumeOf = (month: number, side: Side) =>
        rows.find((row) => row.month === month && row.side === side)?.volumeMicros ?? 0n
      return months.map((month) => ({
        month: `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`,
        leftMicros: volumeOf(month, 'left'),
        rightMicros: volumeOf(month, 'right'),
      }))
    },

    sideBelow: repository.sideBelow,
    branch: repository.branch,
    children: repository.children,
    below: repository.below,
    wayUp: repository.wayUp,

    /** Returns the place that a new member would get by an invitation to each side. */
    async nextPlaces(db: Db, memberId: bigint): Promise<Readonly<Record<Side, NextPlace>>> {
      const tails = await repository.tails(db, memberId)
      const placeOn = (side: Side): NextPlace => {
        const tail = tails.find((candidate) => candidate.side === side)
        if (tail === undefined) throw new AppError('MEMBER_NOT_FOUND')
        return { parentId: tail.memberId, generation: tail.generation + 1 }
      }
      return { left: placeOn('left'), right: placeOn('right') }
    },

    /** Returns a member's team, or one side of it, as a part of the tree. Throws MEMBER_NOT_FOUND. */
    async extent(db: Db, memberId: bigint, part: Side | 'all'): Promise<Extent> {
      const spot = await repository.spotOf(db, memberId)
      if (spot === undefined) throw new AppError('MEMBER_NOT_FOUND')
      return extentOf(spot, part)
    },

    /** Returns the members among the given ones that are in an extent, each with its side. */
    async within(db: Db, extent: Extent, memberIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Side>> {
      const rows = await repository.inRange(db, memberIds, extent.range)
      return new Map(rows.map((row) => [row.memberId, extent.sideOf(row.path)]))
    },
  }
}

/** A free place and the number of generations below the inviting member. */
export interface NextPlace {
  readonly parentId: bigint
  readonly generation: number
}

/** A team or a side of it, as a range of paths. */
export interface Extent {
  readonly range: repository.PathRange
  /** A query of (member_id, path) of all places in it, for a query that lists members. */
  readonly places: RawBuilder<unknown>
  /** Returns a query of (path) of a member's place, if it is in the extent. */
  placeOf(memberId: RawBuilder<bigint>): RawBuilder<unknown>
  /** Returns the side on which a path of the extent is. */
  sideOf(path: readonly number[]): Side
}

const { BEYOND } = repository

/**
 * Returns the range of paths of a member's team. It starts after the member's path: first the side across, then, from
 * the next position of its leg on, its own side.
 */
function extentOf({ side, path }: repository.Spot, part: Side | 'all'): Extent {
  const start = path.slice(0, -1)
  const position = path.at(-1)!
  const across: Side = side === 'left' ? 'right' : 'left'
  // This path separates the two sides; no member has it.
  const turn = [...start, position, BEYOND]
  const range = {
    above: part === side ? turn : path,
    below: part === across ? turn : [...start, BEYOND],
  }
  return {
    range,
    places: repository.placesIn(range),
    placeOf: (memberId) => repository.placeOf(memberId, range),
    sideOf: (sides) => (sides[path.length - 1] === position ? across : side),
  }
}

function toTeam(rows: readonly repository.SumsRow[]): Team {
  const nothing = { membersAll: 0, membersValid: 0, volumeMicros: 0n, monthVolumeMicros: 0n }
  const sideOf = (wanted: Side): SideSums => {
    const row = rows.find(({ side }) => side === wanted)
    if (row === undefined) return nothing
    const { side, ...sums } = row
    return sums
  }
  return { left: sideOf('left'), right: sideOf('right') }
}

/** Returns the UTC month of a time as yyyymm. */
function monthNumber(at: Date): number {
  return at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
}

/** Returns the UTC months up to that of a time, oldest first. */
function lastMonths(at: Date, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    monthNumber(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - (count - 1 - index), 1))),
  )
}
