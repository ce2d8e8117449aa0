import type { Effect, Headline } from '@rif/api-schema'
import {
  formatAmount,
  formatDay,
  formatExact,
  formatPpm,
  isText,
  shortAddress,
  type Translate,
} from '../../../lib/index.ts'
import { figureName, figureText } from '../plan/plan-fields.ts'

/** The values of sentences that are amounts. */
const AMOUNTS = ['amount', 'price', 'worth', 'rate', 'cap']
/** The values of sentences that are terms of the books, by the group of their texts. */
const WORDS: Readonly<Record<string, string>> = {
  role: 'admin.role.',
  area: 'paused.area.',
  pool: 'adminAnalytics.account.',
}

/** Returns a proposal in one sentence: "Release 1,200.00 USDT to 0x7099…79C8". */
export function sentenceOf(t: Translate, { name, values }: Headline): string {
  const shown = Object.entries(values).map(([key, value]) => {
    if (AMOUNTS.includes(key)) return [key, formatExact(value)] as const
    if (key === 'count') return [key, Number(value)] as const
    if (key === 'day') return [key, formatDay(value)] as const
    if (key === 'to') return [key, shortAddress(value)] as const
    const text = `${WORDS[key]}${value}`
    return [key, key in WORDS && isText(text) ? t(text) : value] as const
  })
  return t(`admin.says.${name}`, { ...Object.fromEntries(shown), money: moneyOf(values) })
}

/** Returns the amounts of a sentence with one or two of them. */
function moneyOf({ amount, asset, amount2, asset2 }: Headline['values']): string {
  if (amount === undefined) return ''
  const first = `${formatExact(amount)} ${asset}`
  return amount2 === undefined ? first : `${first} + ${formatExact(amount2)} ${asset2}`
}

/** In parts per million. */
const RATES = [
  ...(['estimated_annual_return', 'subscription_ppm', 'redemption_ppm'] as const),
  ...(['management_ppm', 'sold_ppm'] as const),
] as readonly string[]

/** Returns the name of a changed figure; the raw name if it is unknown. */
export function fieldName(t: Translate, field: string): string {
  const key = `admin.field.${field}`
  return isText(key) ? t(key) : (figureName(t, field) ?? field)
}

/** Returns a value of a changed figure: those of the plan in their typed unit, states in words. */
export function proposedValue(t: Translate, field: string, value: string | null): string {
  if (value === null) return '–'
  if (RATES.includes(field)) return formatPpm(Number(value))
  if (field === 'status') return statusText(t, value)
  for (const key of [`admin.value.${value}`, `admin.role.${value}`]) {
    if (['state', 'role', 'risk_flag', 'event', 'withdrawal_fee'].includes(field) && isText(key))
      return t(key)
  }
  if (figureName(t, field) === null) return withAmounts(value)
  return figureText(t, field, /^-?\d+$/.test(value) ? Number(value) : value)
}

/** Returns the state of a withdrawal, a transfer or a redemption in words. */
export function statusText(t: Translate, status: string): string {
  const key = `admin.status.${status}`
  return isText(key) ? t(key) : status
}

/** Formats the amounts in a text as on screens: "1200.000000 USDT" becomes "1,200.00 USDT". */
const withAmounts = (text: string) => text.replace(/\b\d+\.\d{6}\b/g, (amount) => formatExact(amount))

/** A withdrawal or transfer as named in the difference. */
const DEPARTURE = /^(\d+): ([\d.]+) (\w+) -> (0x[0-9a-f]{40})$/i

/** Returns the object of a change in words. */
export function itemText(item: string): string {
  const [, id, amount, asset, to] = DEPARTURE.exec(item) ?? []
  if (id === undefined) return withAmounts(item)
  return `#${id} · ${formatAmount(amount!)} ${asset} → ${shortAddress(to!)}`
}

/** Returns the text of a consequence. */
export function effectText(t: Translate, { name, values }: Effect): string {
  const key = `admin.effect.${name}`
  const shown = Object.fromEntries(
    Object.entries(values).map(([valueName, value]) => [valueName, withAmounts(value)]),
  )
  return isText(key) ? t(key, shown) : Object.values(shown).join(', ')
}
