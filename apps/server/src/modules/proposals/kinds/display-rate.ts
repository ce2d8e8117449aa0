import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { DisplayRates, RateDraft } from '../../pricing/pricing.rates.service.ts'
import { change, type Kind, says } from '../proposals.kinds.ts'

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
