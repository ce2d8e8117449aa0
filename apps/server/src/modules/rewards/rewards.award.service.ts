import type { Management } from '@rif/api-schema'
import {
  addDays,
  type Day,
  dayOf,
  formatMicros,
  isLastDayOfMonth,
  type Micros,
  managementRank,
  type Plan,
  settleManagement,
} from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Read, read, readMember } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { ManagementService } from './rewards.management.service.ts'

interface Deps {
  readonly now: Now
  readonly plans: Pick<PlansService, 'planAt'>
  readonly management: ManagementService
}

export type AwardService = ReturnType<typeof createAwardService>

/**
 * Creates the management award for its member: base, rank, prospective payment, paused or not. Rules, section
 * 5.5.
 */
export function createAwardService({ now, plans, management }: Deps) {
  /** Returns the base of a member's award, in USDT micro-units; it changes only when a day is settled. */
  const baseRead: Read<Micros> = read<{ base: string }, Micros>(
    (memberIds) => sql`
      select member_id, json_build_object('base', manage_base_micros::text) as value
      from member_standings where member_id = any (${memberIds})`,
    (row) => BigInt(row?.base ?? 0),
  )

  async function award(db: Db, memberId: bigint): Promise<Management> {
    const today = dayOf(now().getTime())
    const [plan, baseMicros, paused] = await Promise.all([
      plans.planAt(db, today),
      readMember(db, memberId, baseRead),
      management.isPaused(db, memberId),
    ])
    return awardView(baseMicros, paused, today, plan)
  }

  return {
    baseRead,

    /** Returns a member's current award, under today's plan. */
    award,

    /** Pauses or resumes, and returns the new state of the award. Repeating it changes nothing. */
    async set(dbTx: Db, memberId: bigint, action: 'pause' | 'resume'): Promise<Management> {
      await management.set(dbTx, memberId, action === 'pause')
      return award(dbTx, memberId)
    },
  }
}

function awardView(baseMicros: Micros, paused: boolean, today: Day, plan: Plan): Management {
  const { rank, ratePpm } = managementRank(baseMicros, plan)
  const next = plan.management.ranks[rank]
  return {
    rank,
    ratio_ppm: ratePpm,
    base: formatMicros(baseMicros),
    value: formatMicros(settleManagement(baseMicros, false, plan).valueMicros),
    paused,
    settles_on: lastDayOfMonth(today),
    next:
      next === undefined
        ? null
        : { rank: rank + 1, from: formatMicros(next.fromMicros), ratio_ppm: next.ratePpm },
  }
}

function lastDayOfMonth(day: Day): Day {
  let last = day
  while (!isLastDayOfMonth(last)) last = addDays(last, 1)
  return last
}
