import type { Effect, ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros, parsePlan, serialisePlan, startOfDay } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { NO_VERSION, type PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import type { ComparisonResult, PlanComparisons } from './plan-comparison/plan-comparison.service.ts'
import type { SettlementService } from './settlement.service.ts'

/** A new version of the plan. Rules, sections 4 to 12. */
export function planKind({
  plans,
  planComparisons,
}: {
  plans: PlansService
  planComparisons: Pick<PlanComparisons, 'ofPlan'>
}): Kind<ProposalPayload<'plan'>> {
  return {
    prepare: 'operator',
    decide: 'owner',
    people: 2,
    async preview(db, { effective_day, figures }) {
      const { plan, version } = await plans.versionAt(db, effective_day)
      const isFirst = version === NO_VERSION
      // What nobody approved is no figure to compare with: the first plan is approved figure by figure.
      const before = isFirst ? new Map<string, string>() : leavesOf(serialisePlan(plan))
      const after = leavesOf(figures)
      const names = [...new Set([...before.keys(), ...after.keys()])]
      const changed = names.filter((name) => before.get(name) !== after.get(name))
      const parsed = parsePlan(figures)
      const compared = parsed.ok ? await planComparisons.ofPlan(db, parsed.plan) : undefined
      return {
        subject: `plan/${effective_day}`,
        summary: isFirst
          ? `The first plan, from ${effective_day} on, ${changed.length} figures`
          : `A new plan from ${effective_day} on, ${changed.length} figures other than in version ${version}`,
        headline: says(isFirst ? 'plan_first' : 'plan', { day: effective_day, count: `${changed.length}` }),
        difference: changed.map((name) => change(name, before.get(name) ?? null, after.get(name) ?? null)),
        effects: compared === undefined ? [] : [comparedEffect(compared)],
      }
    },
    async apply(dbTx, { effective_day, figures }, { decidedBy, reason }) {
      await plans.publish(dbTx, { plan: figures, effectiveDay: effective_day, actor: decidedBy, reason })
    },
  }
}

/** Returns the summary of the comparison of the same figures. */
function comparedEffect({
  from,
  to,
  result: { kinds, gain, lose },
}: {
  from: string
  to: string
  result: ComparisonResult
}): Effect {
  const sumOf = (side: 'before' | 'after') =>
    formatMicros(kinds.reduce((sum, kind) => sum + parseMicros(kind[side].paid), 0n))
  return {
    name: 'plan_compared',
    values: {
      from,
      to,
      before: sumOf('before'),
      after: sumOf('after'),
      gain: `${gain.count}`,
      gain_sum: gain.sum,
      lose: `${lose.count}`,
      lose_sum: lose.sum,
    },
  }
}

/**
 * Returns every figure of a plan by its path, named as in the problems of a plan: `packages[0].referralPpm`.
 */
function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]])
  const nameOf = (name: string) => {
    if (Array.isArray(value)) return `${path}[${name}]`
    return path === '' ? name : `${path}.${name}`
  }
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, nameOf(name))]))
}

/** A price of AMC or RIF. Rules, section 1. */
export function priceKind(deps: {
  now: Now
  pricing: PricingService
  settlement: Pick<SettlementService, 'nextToSettle'>
}): Kind<ProposalPayload<'price'>> {
  const { now, pricing, settlement } = deps
  /**
   * A price from a past time is for a day that still waits for one: a settled day keeps the price it was
   * settled with.
   */
  async function requireUnsettled(dbTx: Db, validFrom: Date | undefined): Promise<void> {
    if (validFrom === undefined || validFrom >= now()) return
    const next = await settlement.nextToSettle(dbTx)
    if (next === null || validFrom.getTime() < startOfDay(next)) {
      throw new AppError('VALIDATION_FAILED', { field: 'valid_from', problem: 'lies in a settled day' })
    }
  }
  const from = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { asset, price, valid_from }) {
      const before = await pricing.priceAt(db, asset, from(valid_from) ?? now())
      const old = before && formatMicros(before.priceMicros)
      return {
        subject: `price/${asset}${valid_from ? `/${valid_from}` : ''}`,
        summary: `${asset} costs ${price} USDT ${valid_from ? `from ${valid_from} on` : 'from now on'} (before: ${old ?? 'none'})`,
        headline: says('price', { asset, price }),
        difference: [change('price', old, price)],
      }
    },
    async apply(dbTx, { asset, price, valid_from }, { decidedBy, proposalId }) {
      const validFrom = from(valid_from)
      await requireUnsettled(dbTx, validFrom)
      const draft = { asset, priceMicros: parseMicros(price), actor: decidedBy, proposalId }
      await pricing.publish(dbTx, { ...draft, ...(validFrom && { validFrom }) })
    },
  }
}
