import type { Effect, ProposalState } from '@rif/api-schema'
import { formatPpm, type Translate } from '../../../lib/index.ts'
import type { Tone } from '../../../ui/index.ts'
import { figureName, figureText } from '../plan/plan-words.ts'

export const STATE_TONES: Readonly<Record<ProposalState, Tone>> = {
  Open: 'warn',
  Approved: 'info',
  Applied: 'good',
  Refused: 'bad',
  Withdrawn: 'neutral',
  Expired: 'neutral',
  Failed: 'bad',
}

const FIELDS = [
  'price',
  'role',
  'person',
  'state',
  'status',
  'grant',
  'nav',
  'assets',
  'rate',
  'day_cap',
  'posting',
  'attested',
  'source',
  'document_hash',
  'deposit',
  ...(['name', 'introduction', 'document', 'risk_level', 'minimum_usd', 'lock_days'] as const),
  ...(['allocation', 'starts_at', 'ends_at'] as const),
  ...(['redeemable_weekdays', 'estimated_annual_return'] as const),
  ...(['subscription_ppm', 'redemption_ppm', 'management_ppm'] as const),
] as const

/** Told in parts per million. */
const RATES = [
  'estimated_annual_return',
  'subscription_ppm',
  'redemption_ppm',
  'management_ppm',
] as const satisfies readonly (typeof FIELDS)[number][]

/** The name of a changed figure; what is neither known here nor a figure of the plan is told as it is called there. */
export function fieldName(t: Translate, field: string): string {
  const known = FIELDS.find((name) => name === field)
  return known === undefined ? (figureName(t, field) ?? field) : t(`admin.field.${known}`)
}

/** A value of a changed figure: those of the plan in the unit that they are typed in. */
export function fieldValue(t: Translate, field: string, value: string | null): string {
  if (value === null) return '–'
  if (RATES.some((name) => name === field)) return formatPpm(Number(value))
  if (figureName(t, field) === null) return value
  return figureText(t, field, /^-?\d+$/.test(value) ? Number(value) : value)
}

const EFFECTS = [
  'may_be_claimed',
  'amount_returns',
  'nav_change',
  'units_worth',
  'pool_holds',
  'plan_compared',
] as const

/** A consequence in words. */
export function effectText(t: Translate, { name, values }: Effect): string {
  const known = EFFECTS.find((one) => one === name)
  return known === undefined ? Object.values(values).join(', ') : t(`admin.effect.${known}`, values)
}
