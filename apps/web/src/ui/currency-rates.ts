import type { DisplayRate } from '@rif/api-schema'
import { dayOf, formatMicros, inCurrency, type RateAge, rateAge } from '@rif/rules'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, currentLocale } from '../lib/index.ts'

const FRESH_MS = 5 * 60_000

/** The published rates. The second line is not essential, so its failure is not shown. */
const ratesQuery = queryOptions({
  queryKey: ['displayRates', {}],
  queryFn: ({ signal }) => call('displayRates', {}, { signal, quiet: true, patient: true }),
  staleTime: FRESH_MS,
})

export const useRates = () => useQuery(ratesQuery)

export type ShownRate = DisplayRate & { readonly age: Exclude<RateAge, 'hidden'> }

/** Returns the rates that may be shown today, with how old each is. */
export function shownRates(items: readonly DisplayRate[], nowMs = Date.now()): ShownRate[] {
  return items.flatMap((rate) => {
    const age = rateAge(rate.day, dayOf(nowMs))
    return age === 'hidden' ? [] : [{ ...rate, age }]
  })
}

/** Returns the decimals of a rate, as published. */
const RATE_DIGITS = 6

const formatOf = (currency: string, digits?: number) =>
  new Intl.NumberFormat(currentLocale(), {
    style: 'currency',
    currency,
    ...(digits !== undefined && { maximumFractionDigits: digits }),
  })

/**
 * Formats a wire amount in a currency. As text it keeps all its digits: money is never converted to a number.
 */
const write = (format: Intl.NumberFormat, amount: string) => format.format(amount as `${number}`)

/**
 * Returns an amount of USDT in micro-units as text in the member's language: "€1,234.56", truncated to the
 * currency's decimals.
 */
export function currencyText(
  usdtMicros: bigint,
  { currency, rate }: { currency: string; rate: bigint },
): string {
  const format = formatOf(currency)
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return write(format, formatMicros(inCurrency(usdtMicros, rate, digits)))
}

/** Returns a rate as text: "€0.921" for one USDT. */
export const rateText = ({ currency, rate }: Pick<DisplayRate, 'currency' | 'rate'>): string =>
  write(formatOf(currency, RATE_DIGITS), rate)

/** Returns the name of a currency in the member's language, "Euro"; its code where the browser knows none. */
export function currencyName(currency: string): string {
  return new Intl.DisplayNames(currentLocale(), { type: 'currency' }).of(currency) ?? currency
}
