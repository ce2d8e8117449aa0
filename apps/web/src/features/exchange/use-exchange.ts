import type { Exchange, ExchangeTargetName } from '@rif/api-schema'
import { useDraft } from '../../lib/draft.ts'
import { useFrozenQuote } from '../../lib/frozen-quote.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { LONG_TOAST_MS, showToast } from '../../lib/overlays.ts'
import { useApiMutation } from '../../lib/queries.ts'
import { judgeExchange } from './exchange-draft.ts'

interface ExchangeDraft {
  to: ExchangeTargetName
  amount: string
}

/** An exchange: into what, how much, what is wrong with it, the frozen quote, and making it. */
export function useExchange(centre: Exchange) {
  const { t } = useTranslation()
  const { draft, change } = useDraft<ExchangeDraft>('exchange', { to: 'DIV', amount: '' })
  const { to, amount } = draft
  const judged = judgeExchange(amount, to, centre)
  const ask = useApiMutation('exchangeQuote')
  const take = useApiMutation('makeExchange', {
    refresh: ['exchange', 'exchanges', 'hashRate', 'hashRatePercent', 'me'],
  })
  const quote = useFrozenQuote({
    judged,
    ask,
    inputOf: (wanted) => ({ body: { to, amount: wanted } }),
    take,
    onTaken: () => {
      change({ to, amount: '' })
      showToast(t('exchange.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
    },
  })
  return {
    ...quote,
    to,
    amount,
    judged,
    change: (changes: Partial<ExchangeDraft>) => {
      change({ ...draft, ...changes })
      quote.forgetProblem()
    },
  }
}
