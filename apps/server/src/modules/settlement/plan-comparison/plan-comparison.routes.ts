import type { PlanComparison, PlanVersion } from '@rif/api-schema'
import { dayOf, serialisePlan } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { type CsvColumn, registerCsv } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import { NO_VERSION, type PlansService, type PublishedPlan } from '../../prices/plans/plans.service.ts'
import type { SettlementReplays } from '../settlement.service.ts'
import type { PlanComparisons } from './plan-comparison.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly plans: PlansService
  readonly planComparisons: PlanComparisons
  readonly settlementReplays: SettlementReplays
}

type ComparedDay = NonNullable<PlanComparison['result']>['days'][number]

const DAY_COLUMNS: readonly CsvColumn<ComparedDay>[] = [
  ['day', (row) => row.day],
  ['kind', (row) => row.kind],
  ['calculated_before', (row) => row.before.due],
  ['paid_before', (row) => row.before.paid],
  ['calculated_after', (row) => row.after.due],
  ['paid_after', (row) => row.after.paid],
]

/** `admin/plan`. */
export function planComparisonRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, now, plans, planComparisons: comparisons, settlementReplays: replays } = deps
  register(app, 'adminPlan', async () => {
    const today = dayOf(now().getTime())
    const [history, inForce, settled] = await Promise.all([
      plans.history(db),
      plans.versionAt(db, today),
      replays.range(db),
    ])
    return {
      today,
      versions: history.toReversed().map(versionView),
      in_force: inForce.version === NO_VERSION ? null : `${inForce.version}`,
      figures: serialisePlan(inForce.plan),
      settled: settled === undefined ? null : { first: settled.first, last: settled.last },
    }
  })
  register(app, 'planComparison', () => comparisons.last())
  register(app, 'comparePlans', ({ admin, body }) => comparisons.request(admin.address, body))
  register(app, 'cancelPlanComparison', () => comparisons.cancel())
  registerCsv(app, 'planComparison', DAY_COLUMNS, async () => {
    const { run } = await comparisons.last()
    return { items: run?.result?.days ?? [], next: null }
  })
}

function versionView({ version, effectiveDay, plan, createdBy, createdAt }: PublishedPlan): PlanVersion {
  return {
    version: `${version}`,
    effective_day: effectiveDay,
    figures: serialisePlan(plan),
    created_by: createdBy,
    created_at: createdAt.toISOString(),
  }
}
