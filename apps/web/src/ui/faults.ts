import { parseMicros } from '@rif/rules'
import { addressShape, excessOf, formatAmount, formatExact, type Translate } from '../lib/index.ts'
import type { Fault } from './form.tsx'

/** The limits that a typed amount can exceed; each has its own words. */
type Limit = 'available' | 'today' | 'cap'

interface TooMuch {
  /** The typed amount, as `AmountField` gives it. */
  typed: string
  /** The wire amount that the limit leaves. */
  most: string
  /** The wire amount to offer, where another limit is lower still. */
  use?: string | undefined
  limit?: Limit
}

/** Says by how much an amount exceeds a limit, and offers what fits: "87.40 more than is available. Use 412.60". */
export function tooMuch(t: Translate, { typed, most, use = most, limit = 'available' }: TooMuch): Fault {
  const by = excessOf(typed, most)
  if (by === null || parseMicros(use) <= 0n) return { text: t(`fault.none_${limit}`) }
  // As short as a glance takes, but never nothing.
  const cut = formatAmount(by)
  return { text: t(`fault.over_${limit}`, { by: /[1-9]/.test(cut) ? cut : formatExact(by) }), use }
}

/** Says why an address is invalid: "Invalid address · 37 characters are missing". */
export function addressText(t: Translate, typed: string): string {
  const shape = addressShape(typed)
  const detail = t(`fault.address_${shape.is}`, { count: 'count' in shape ? shape.count : 0 })
  return `${t('fault.address')} · ${detail}`
}
