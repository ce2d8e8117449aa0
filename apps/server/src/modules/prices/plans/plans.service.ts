import { type Day, dayOf, defaultPlan, type Plan, parsePlan, serialisePlan, startOfDay } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { notifyMany } from '../../messages/notices/notices.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import * as repository from './plans.repository.ts'

/** A new version of the plan, in the JSON form of `serialisePlan`. */
export interface PlanDraft {
  readonly plan: unknown
  /** The first day under it, at the earliest tomorrow: a day that has begun keeps its plan. */
  readonly effectiveDay: Day
  readonly actor: string
  readonly reason?: string
}

/** A stored plan: its number, and the first day under it. */
export interface PlanVersion {
  readonly version: bigint
  readonly effectiveDay: Day
  readonly plan: Plan
}

/** A version, and who published it when. */
export interface PublishedPlan extends PlanVersion {
  readonly createdAt: Date
  readonly createdBy: string
}

export type PlansService = ReturnType<typeof createPlansService>

/** The first version applies from this day on, so that every day has a plan. */
const FIRST_DAY: Day = '2000-01-01'

/** The number of the plan that screens show before the first version. */
export const NO_VERSION = 0n

/** The delay after which every publication for a day, which must precede the day, has committed. */
const SETTLED_AFTER_MS = 60_000

/** Creates the service of the plan: every figure of the rules, as versions that apply from a day on. */
export function createPlansService({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  // A version never changes, so it is parsed once.
  const parsed = new Map<bigint, Plan>()
  // No version is published for a day that has begun, so its version is looked up once.
  const settled = new Map<Day, Plan>()

  async function load(db: Db, version: bigint): Promise<Plan> {
    const cachedPlan = parsed.get(version)
    if (cachedPlan !== undefined) return cachedPlan
    const result = parsePlan(await repository.planJson(db, version))
    if (!result.ok) throw new Error(`plan ${version} is unusable: ${result.problems.join('; ')}`)
    parsed.set(version, result.plan)
    return result.plan
  }

  async function versionAt(db: Db, day: Day): Promise<PlanVersion> {
    const row = await repository.versionAt(db, day)
    // Before the first version, everything is paused; screens show the figures of the demonstration.
    if (row === undefined) return { version: NO_VERSION, effectiveDay: FIRST_DAY, plan: defaultPlan }
    return { ...row, plan: await load(db, row.version) }
  }

  async function planAt(db: Db, day: Day): Promise<Plan> {
    const cachedPlan = settled.get(day)
    if (cachedPlan !== undefined) return cachedPlan
    const { plan } = await versionAt(db, day)
    if (now().getTime() - startOfDay(day) > SETTLED_AFTER_MS) settled.set(day, plan)
    return plan
  }

  return {
    /** Returns the plan in force on a day. */
    planAt,

    /** Reports whether a stored plan is in force on a day. */
    isInForce: async (db: Db, day: Day): Promise<boolean> =>
      (await repository.versionAt(db, day)) !== undefined,

    /** Does the same as `planAt`, with the version and its first day. */
    versionAt,

    /** Returns all versions with their figures, ordered by first day. */
    async history(db: Db): Promise<PublishedPlan[]> {
      const published: PublishedPlan[] = []
      for (const stored of await repository.versions(db)) {
        published.push({ ...stored, plan: await load(db, stored.version) })
      }
      return published
    },

    /**
     * Stores the first version, by default the default plan, if there is none. Part of set-up; safe to
     * repeat.
     */
    async ensureDefault(db: Db, plan: Plan = defaultPlan): Promise<void> {
      await repository.insertPlan(db, {
        effective_day: FIRST_DAY,
        plan: JSON.stringify(serialisePlan(plan)),
        created_at: now(),
        created_by: 'set-up',
      })
    },

    /**
     * Stores a new version. Throws VALIDATION_FAILED with its problems, or if its day has begun or is taken.
     */
    async publish(dbTx: Db, { plan, effectiveDay, actor, reason }: PlanDraft): Promise<void> {
      const result = parsePlan(plan)
      if (!result.ok)
        throw new AppError('VALIDATION_FAILED', { field: 'plan', problem: result.problems.join('; ') })
      const at = now()
      if (effectiveDay <= dayOf(at.getTime())) {
        throw new AppError('VALIDATION_FAILED', { field: 'effectiveDay', problem: 'has begun' })
      }
      const after = serialisePlan(result.plan)
      const stored = await repository.insertPlan(dbTx, {
        effective_day: effectiveDay,
        plan: JSON.stringify(after),
        created_at: at,
        created_by: actor,
      })
      if (!stored) throw new AppError('VALIDATION_FAILED', { field: 'effectiveDay', problem: 'is taken' })
      const facts = { day: effectiveDay }
      await notifyMany(dbTx, { event: `plan/${effectiveDay}`, topic: 'plan_published', facts, at })
      await adminLog.record(dbTx, {
        actor,
        action: 'plan.publish',
        subject: `plan/${effectiveDay}`,
        ...(reason === undefined ? {} : { reason }),
        after,
      })
    },
  }
}
