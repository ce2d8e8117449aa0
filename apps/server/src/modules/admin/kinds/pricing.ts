import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros, serialisePlan } from '@rif/rules'
import type { Now } from '../../../lib/clock.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import type { PricingService } from '../../pricing/pricing.service.ts'
import { change, type Kind } from '../proposals.kinds.ts'

/** A price of AMC or RIF. Rules, section 1. */
export function priceKind(deps: { now: Now; pricing: PricingService }): Kind<ProposalPayload<'price'>> {
  const { now, pricing } = deps
  const from = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, { asset, price, valid_from }) {
      const before = await pricing.priceAt(db, asset, from(valid_from) ?? now())
      const old = before && formatMicros(before.priceMicros)
      return {
        subject: `price/${asset}${valid_from ? `/${valid_from}` : ''}`,
        summary: `${asset} costs ${price} USDT ${valid_from ? `from ${valid_from} on` : 'from now on'} (before: ${old ?? 'none'})`,
        difference: [change('price', old, price)],
      }
    },
    async apply(dbTx, { asset, price, valid_from }, { decidedBy }) {
      const validFrom = from(valid_from)
      const draft = { asset, priceMicros: parseMicros(price), actor: decidedBy }
      await pricing.publish(dbTx, { ...draft, ...(validFrom && { validFrom }) })
    },
  }
}

/** A new version of the plan. Rules, sections 4 to 12. */
export function planKind({ plans }: { plans: PlansService }): Kind<ProposalPayload<'plan'>> {
  return {
    ...{ prepare: 'operator', decide: 'owner', people: 2 },
    async preview(db, { effective_day, figures }) {
      const { plan, version } = await plans.versionAt(db, effective_day)
      const before = leavesOf(serialisePlan(plan))
      const after = leavesOf(figures)
      const names = [...new Set([...before.keys(), ...after.keys()])]
      const changed = names.filter((name) => before.get(name) !== after.get(name))
      return {
        subject: `plan/${effective_day}`,
        summary: `A new plan from ${effective_day} on, ${changed.length} figures other than in version ${version}`,
        difference: changed.map((name) => change(name, before.get(name) ?? null, after.get(name) ?? null)),
      }
    },
    async apply(dbTx, { effective_day, figures }, { decidedBy, reason }) {
      await plans.publish(dbTx, { plan: figures, effectiveDay: effective_day, actor: decidedBy, reason })
    },
  }
}

/** Every figure of a plan by its path. */
function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]])
  const entries = Object.entries(value)
  return new Map(
    entries.flatMap(([name, part]) => [...leavesOf(part, path === '' ? name : `${path}.${name}`)]),
  )
}
