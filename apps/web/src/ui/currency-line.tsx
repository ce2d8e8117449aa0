import { parseMicros, worth } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { apiQuery, cx, formatDay, useTranslation } from '../lib/index.ts'
import { currencyText, shownRates, useRates } from './currency-rates.ts'

const CurrencySheet = lazy(() => import('./currency-sheet.tsx'))

export interface CurrencyLineProps {
  /** A wire amount. */
  amount: string
  /** AMC is counted at its published price, as totals are. */
  unit?: 'USDT' | 'AMC'
  currency: string
  /** A tap opens how it is worked out. Not inside a row that is a link. */
  tap?: boolean
  className?: string
}

/** The line of `InCurrency`, loaded once a currency is chosen. */
export default function CurrencyLine({
  amount,
  unit = 'USDT',
  currency,
  tap = false,
  className,
}: CurrencyLineProps) {
  const { t } = useTranslation()
  const rates = useRates()
  const price = useQuery({ ...apiQuery('tokenPrice'), enabled: unit === 'AMC' }).data?.price
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const rate = shownRates(rates.data?.items ?? []).find((shownRate) => shownRate.currency === currency)
  if (rate === undefined || (unit === 'AMC' && price == null)) return null
  const micros = unit === 'AMC' ? worth(parseMicros(amount), parseMicros(price!)) : parseMicros(amount)
  const shown = `≈ ${currencyText(micros, { currency, rate: parseMicros(rate.rate) })}`
  const text = rate.age === 'old' ? `${shown} · ${t('currency.old', { day: formatDay(rate.day) })}` : shown
  if (!tap) return <span className={cx('block', className)}>{text}</span>
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t('currency.show', { amount: text })}
        className={cx('touch-line block text-left', className)}
        onClick={() => {
          setWasOpen(true)
          setOpen(true)
        }}
      >
        <span className="underline decoration-dotted underline-offset-4">{text}</span>
      </button>
      <Suspense>
        {wasOpen && <CurrencySheet rate={rate} open={isOpen} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
