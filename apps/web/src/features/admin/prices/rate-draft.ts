import type { DisplayRate } from '@rif/api-schema'
import { addDays, dayOf, isDay, RATE_HIDDEN_DAYS } from '@rif/rules'
import { toAmount } from '../../../lib/index.ts'
import type { Checked } from '../../../ui/index.ts'
import type { PayloadOf } from '../proposals/use-proposals.tsx'

export interface RateText {
  currency: string
  rate: string
  day: string
  source: string
}

export type RateProblem = 'badCurrency' | 'unknown' | 'badRate' | 'badDay' | 'noSource'

/**
 * Returns the earliest day of a new rate of a currency: not before that of the last one, and recent enough to
 * be shown.
 */
export function firstDay(currency: string, rates: readonly DisplayRate[], today: string): string {
  const oldest = addDays(today, -RATE_HIDDEN_DAYS)
  const last = rates.find((rate) => rate.currency === currency)?.day
  return last !== undefined && last > oldest ? last : oldest
}

const CODE = /^[A-Z]{3}$/
const isKnown = (code: string) => Intl.supportedValuesOf('currency').includes(code)

/** Validates a typed rate; the server validates it again. Rules, section 1. */
export function judgeRate(
  text: RateText,
  rates: readonly DisplayRate[],
  nowMs = Date.now(),
): Checked<RateText, { ok: true; payload: PayloadOf<'display_rate'> }, RateProblem> {
  const currency = text.currency.trim().toUpperCase()
  const [rate, day, source] = [toAmount(text.rate), text.day, text.source.trim()]
  const today = dayOf(nowMs)
  const problems: Partial<Record<keyof RateText, RateProblem>> = {}
  if (!CODE.test(currency)) problems.currency = 'badCurrency'
  else if (!isKnown(currency)) problems.currency = 'unknown'
  if (rate === null) problems.rate = 'badRate'
  if (!isDay(day) || day > today || day < firstDay(currency, rates, today)) problems.day = 'badDay'
  if (source === '') problems.source = 'noSource'
  if (rate === null || Object.keys(problems).length > 0) return { ok: false, problems }
  return { ok: true, payload: { currency, published: { rate, day, source } } }
}
