import { lazy, Suspense } from 'react'
import { useCurrency, useOwnHidden } from '../lib/index.ts'
import type { CurrencyLineProps } from './currency-line.tsx'

const CurrencyLine = lazy(() => import('./currency-line.tsx'))

/**
 * Shows the member's own sum also in the chosen currency: "≈ €1,234.56". Nothing without a choice, while sums
 * are hidden, and without a current rate. For reading only: never beside amounts that are typed, signed or
 * paid.
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
