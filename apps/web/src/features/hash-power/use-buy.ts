import type { HashRate } from '@rif/api-schema'
import { useDraft } from '../../lib/draft.ts'
import { useFrozenQuote } from '../../lib/frozen-quote.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { LONG_TOAST_MS, showToast } from '../../lib/overlays.ts'
import { useApiMutation } from '../../lib/queries.ts'
import { judgeBuy } from './hash-power-draft.ts'

/** Buying hash power: what is typed, what is wrong with it, the frozen quote, the purchase. */
export function useBuy(figures: HashRate) {
  const { t } = useTranslation()
  const { draft, change } = useDraft('hash-power', { amount: '' })
  const { amount } = draft
  const judged = judgeBuy(amount, figures)
  const ask = useApiMutation('hashRateQuote')
  const take = useApiMutation('buyHashRate', { refresh: ['hashRate', 'hashRatePercent', 'exchange', 'me'] })
  const quote = useFrozenQuote({
    judged,
    ask,
    inputOf: (wanted) => ({ body: { amount: wanted } }),
    take,
    onTaken: () => {
      change({ amount: '' })
      showToast(t('hashPower.buy.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
    },
  })
  return {
    ...quote,
    amount,
    judged,
    change: (value: string) => {
      change({ amount: value })
      quote.forgetProblem()
    },
  }
}
