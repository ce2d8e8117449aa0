import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Now } from '../../lib/clock.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import { outsidePriceSubject } from '../proposal-subjects.ts'
import type { DisplayRates, RateDraft } from './pricing/pricing.rates.service.ts'
import type { PricingService } from './pricing/pricing.service.ts'
import type { Observation, PriceSources } from './pricing/pricing.sources.service.ts'

/**
 * A price from a feed or an oracle that differs too much to be published at once. Two persons approve it.
 * Rules, section 12.
 */
export function outsidePriceKind(deps: {
  now: Now
  pricing: Pick<PricingService, 'priceAt'>
  priceSources: PriceSources
}): Kind<ProposalPayload<'outside_price'>> {
  const { now, pricing, priceSources } = deps
  const observationOf = ({
    source,
    name,
    asset,
    price,
    observed_at,
  }: ProposalPayload<'outside_price'>): Observation => ({
    source,
    name,
    asset,
    priceMicros: parseMicros(price),
    observedAt: new Date(observed_at),
  })
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    validityMs: OUTSIDE_VALIDITY_MS,
    async preview(db, payload) {
      const { source, name, asset, price, observed_at } = payload
      await priceSources.waiting(db, observationOf(payload))
      const before = await pricing.priceAt(db, asset, now())
      const old = before && formatMicros(before.priceMicros)
      return {
        subject: outsidePriceSubject(payload),
        summary: `${asset} costs ${price} USDT by ${source} ${name} of ${observed_at} (before: ${old ?? 'none'})`,
        headline: says('outside_price', { asset, price, name }),
        difference: [change('price', old, price)],
        effects: [{ name: `observed_${source}`, values: { name, at: observed_at } }],
        approvers: 2,
      }
    },
    async apply(dbTx, payload, { decidedBy, proposalId }) {
      await priceSources.approve(dbTx, observationOf(payload), { approvedBy: decidedBy, proposalId })
    },
    async ended(dbTx, payload, { decidedBy }) {
      if (decidedBy !== null) await priceSources.refuse(dbTx, observationOf(payload))
    },
  }
}

/** A market price must be decided soon, because a later one replaces it. */
const OUTSIDE_VALIDITY_MS = 24 * 60 * 60_000

/** A displayed rate of a currency, or its withdrawal. Two persons approve a jump. Rules, section 1. */
export function displayRateKind({
  displayRates,
}: {
  displayRates: DisplayRates
}): Kind<ProposalPayload<'display_rate'>> {
  const draftOf = ({ currency, published }: ProposalPayload<'display_rate'>): RateDraft => ({
    currency,
    published: published && {
      rateMicros: parseMicros(published.rate),
      day: published.day,
      source: published.source,
    },
  })
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const draft = draftOf(payload)
      const last = await displayRates.check(db, draft)
      const { currency, published } = draft
      const rate = published && formatMicros(published.rateMicros)
      const before = last && formatMicros(last.rateMicros)
      const isJump = published !== null && displayRates.isJump(published.rateMicros, last)
      return {
        subject: `display-rate/${currency}`,
        summary: published
          ? `One USDT is shown as ${rate} ${currency} by ${published.source} of ${published.day} (before: ${before ?? 'none'})`
          : `Amounts are not shown in ${currency} any more`,
        headline:
          rate === null
            ? says('display_rate_withdrawn', { currency })
            : says('display_rate', { rate, currency }),
        difference: [
          change('rate', before ?? null, rate),
          change('rate_day', last?.rateDay ?? null, published?.day ?? null),
          change('source', last?.source ?? null, published?.source ?? null),
        ],
        effects: isJump
          ? [{ name: 'rate_jump', values: { percent: `${displayRates.jumpPpm / 10_000}` } }]
          : [],
        approvers: isJump ? 2 : 1,
      }
    },
    apply: (dbTx, payload, { decidedBy, proposalId }) =>
      displayRates.publish(dbTx, draftOf(payload), { actor: decidedBy, proposalId }),
  }
}
