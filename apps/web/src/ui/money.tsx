import { useState } from 'react'
import {
  cx,
  decimalsOf,
  formatAmount,
  formatExact,
  isCut,
  ownText,
  PRICE_DECIMALS,
  useOwnHidden,
} from '../lib/index.ts'

export interface MoneyProps {
  /** A wire amount, "70.000000". */
  amount: string
  /** The asset's symbol; always shown. */
  unit: string
  /** A leading + before incoming amounts. */
  signed?: boolean
  /** Shows all decimals from the start. */
  exact?: boolean
  /** A price or a unit value, which has more decimals than an amount. */
  price?: boolean
  /** The member's own sum, which can be hidden from others' glances. */
  own?: boolean
  /** The only large figure of a card, which shrinks with its length, so that it fits into its line. */
  fit?: boolean
  className?: string
}

/** The largest sizes at which so many characters and their unit fit into a card, at 390 and at 320 px. */
const FITTING: readonly (readonly [upTo: number, size: string])[] = [
  [9, 'text-36 max-[359px]:text-28'],
  [13, 'text-28 max-[359px]:text-20'],
  [Number.POSITIVE_INFINITY, 'text-20 max-[359px]:text-16'],
]
const sizeOf = (text: string) => FITTING.find(([upTo]) => text.length <= upTo)?.[1]

/** The text of an amount with its unit, small and muted. It is no control, so it may stand in a link. */
export function MoneyText({ amount, unit, className }: Pick<MoneyProps, 'amount' | 'unit' | 'className'>) {
  return (
    <span className={cx('whitespace-nowrap', className)}>
      {amount}
      <span className="text-[max(0.75em,0.75rem)] font-medium tracking-normal text-muted [.font-display_&]:text-[max(0.6em,0.75rem)]">
        {` ${unit}`}
      </span>
    </span>
  )
}

/** An amount with its unit, in the decimals of its asset; when some are left out, a tap shows them all. */
export function Money({ amount, unit, exact = false, ...props }: MoneyProps) {
  const { signed = false, price = false, own = false, fit = false, className } = props
  const isHidden = useOwnHidden() && own
  const [open, setOpen] = useState(exact)
  const sign = signed && !amount.startsWith('-') && /[1-9]/.test(amount) ? '+' : ''
  const decimals = price ? PRICE_DECIMALS : decimalsOf(unit)
  const shown = sign + (open ? formatExact(amount) : formatAmount(amount, decimals))
  const number = own ? ownText(shown) : shown
  const look = cx(fit && sizeOf(number), className)
  if (exact || isHidden || !isCut(amount, decimals))
    return <MoneyText amount={number} unit={unit} className={look} />
  return (
    <button
      type="button"
      aria-expanded={open}
      className={`${look} touch-line underline decoration-current/40 decoration-1 decoration-dotted underline-offset-4`}
      onClick={() => setOpen(!open)}
    >
      <MoneyText amount={number} unit={unit} />
    </button>
  )
}
