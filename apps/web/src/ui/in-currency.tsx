import { lazy, Suspense } from 'react'
import { useCurrency, useOwnHidden } from '../lib/index.ts'
import type { CurrencyLineProps } from './currency-line.tsx'

const CurrencyLine = lazy(() => import('./currency-line.tsx'))

/**
 * An own sum a second time, in the currency that the member chose: "≈ €1,234.56". Nothing without a choice, while sums are hidden,
 * and without a current rate. For reading only: never beside what is typed, signed or paid.
 */
export function InCurrency(props: Omit<CurrencyLineProps, 'currency'>) {
  const currency = useCurrency()
  const isHidden = useOwnHidden()
  if (currency === null || isHidden) return null
  return (
    <Suspense>
      <CurrencyLine {...props} currency={currency} />
    </Suspense>
  )
}
