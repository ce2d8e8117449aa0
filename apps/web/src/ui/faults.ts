import { parseMicros } from '@rif/rules'
import { addressShape, excessOf, formatAmount, formatExact, type Translate } from '../lib/index.ts'
import type { Fault } from './form.tsx'

/** The limits that a typed amount can exceed; each has its own text. */
type Limit = 'available' | 'today' | 'cap'

interface TooMuch {
  /** The typed amount, as `AmountField` gives it. */
  typed: string
  /** The wire amount that the limit allows. */
  most: string
  /** The wire amount to offer, if another limit is even lower. */
  use?: string | undefined
  limit?: Limit
}

/**
 * States by how much an amount exceeds a limit, and offers an amount within it: "87.40 more than is
 * available. Use 412.60".
 */
export function tooMuch(t: Translate, { typed, most, use = most, limit = 'available' }: TooMuch): Fault {
  const by = excessOf(typed, most)
  if (by === null || parseMicros(use) <= 0n) return { text: t(`fault.none_${limit}`) }
  // Rounded for a short text, but never to zero.
  const cut = formatAmount(by)
  return { text: t(`fault.over_${limit}`, { by: /[1-9]/.test(cut) ? cut : formatExact(by) }), use }
}

/** States why an address is invalid: "Invalid address · 37 characters are missing". */
export function addressText(t: Translate, typed: string): string {
  const shape = addressShape(typed)
  const detail =
    'count' in shape ? t(`fault.${shape.is}`, { count: shape.count }) : t(`fault.address_${shape.is}`)
  return `${t('fault.address')} · ${detail}`
}
