import type { ConversionQuote, Exchange, ExchangeTargetName } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LONG_TOAST_MS, showToast } from '../../lib/overlays.ts'
import { useApiMutation } from '../../lib/queries.ts'
import { endOf } from '../../ui/quote-sheet.tsx'
import { type ExchangeProblem, judgeExchange } from './exchange-draft.ts'

/** An exchange: into what, how much, what is wrong with it, the frozen quote, and making it. */
export function useExchange(centre: Exchange) {
  const { t } = useTranslation()
  const [to, setTo] = useState<ExchangeTargetName>('DIV')
  const [amount, setAmount] = useState('')
  const [problem, setProblem] = useState<ExchangeProblem | null>(null)
  const [offer, setOffer] = useState<{ quote: ConversionQuote; until: string } | null>(null)
  const ask = useApiMutation('exchangeQuote')
  const make = useApiMutation('makeExchange', {
    refresh: ['exchange', 'exchanges', 'hashRate', 'hashRatePercent', 'me'],
  })
  const judged = judgeExchange(amount, to, centre)

  function getQuote() {
    setProblem(judged.ok ? null : judged.problem)
    if (!judged.ok) return
    ask.mutate(
      { body: { to, amount: judged.amount } },
      { onSuccess: (quote) => setOffer({ quote, until: endOf(quote.valid_ms) }) },
    )
  }

  function confirm() {
    if (offer === null) return
    make.mutate(
      { body: { quote_id: offer.quote.quote_id } },
      {
        onSuccess: () => {
          setOffer(null)
          setAmount('')
          showToast(t('exchange.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
        },
      },
    )
  }

  return {
    to,
    amount,
    judged,
    problem,
    choose: (target: ExchangeTargetName) => {
      setTo(target)
      setProblem(null)
    },
    change: (value: string) => {
      setAmount(value)
      setProblem(null)
    },
    getQuote,
    isAsking: ask.isPending,
    offer,
    close: () => setOffer(null),
    confirm,
    isMaking: make.isPending,
  }
}
