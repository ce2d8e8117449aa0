import type { ConversionQuote, HashRate } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LONG_TOAST_MS, showToast } from '../../lib/overlays.ts'
import { useApiMutation } from '../../lib/queries.ts'
import { endOf } from '../../ui/quote-sheet.tsx'
import { type BuyProblem, judgeBuy } from './hash-power-draft.ts'

/** Buying hash power: what is typed, what is wrong with it, the frozen quote, the purchase. */
export function useBuy(figures: HashRate) {
  const { t } = useTranslation()
  const [amount, setAmount] = useState('')
  const [problem, setProblem] = useState<BuyProblem | null>(null)
  const [offer, setOffer] = useState<{ quote: ConversionQuote; until: string } | null>(null)
  const ask = useApiMutation('hashRateQuote')
  const buy = useApiMutation('buyHashRate', { refresh: ['hashRate', 'hashRatePercent', 'exchange', 'me'] })

  function getQuote() {
    const judged = judgeBuy(amount, figures)
    setProblem(judged.ok ? null : judged.problem)
    if (!judged.ok) return
    ask.mutate(
      { body: { amount: judged.amount } },
      { onSuccess: (quote) => setOffer({ quote, until: endOf(quote.valid_ms) }) },
    )
  }

  function confirm() {
    if (offer === null) return
    buy.mutate(
      { body: { quote_id: offer.quote.quote_id } },
      {
        onSuccess: () => {
          setOffer(null)
          setAmount('')
          showToast(t('hashPower.buy.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
        },
      },
    )
  }

  return {
    amount,
    judged: judgeBuy(amount, figures),
    problem,
    change: (value: string) => {
      setAmount(value)
      setProblem(null)
    },
    getQuote,
    isAsking: ask.isPending,
    offer,
    close: () => setOffer(null),
    confirm,
    isBuying: buy.isPending,
  }
}
