import { useState } from 'react'
import { cx } from '../lib/cx.ts'
import { formatAmount, formatExact, isCut } from '../lib/format.ts'

export interface MoneyProps {
  /** A wire amount, "70.000000". */
  amount: string
  /** The asset's symbol; always shown. */
  unit: string
  /** A leading + before what came in. */
  signed?: boolean
  /** Shows all decimals from the start. */
  exact?: boolean
  /** The one large figure of a card: made smaller the longer it is, so that it stays in its line. */
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

/** An amount with its unit, 2 to 4 decimals; when some are left out, a tap shows them all. */
export function Money({ amount, unit, signed = false, exact = false, fit = false, className }: MoneyProps) {
  const [open, setOpen] = useState(exact)
  const sign = signed && !amount.startsWith('-') && /[1-9]/.test(amount) ? '+' : ''
  const number = sign + (open ? formatExact(amount) : formatAmount(amount))
  const look = cx('whitespace-nowrap', fit && sizeOf(number), className)
  const text = (
    <>
      {number}
      <span className="ml-1 text-[0.75em] font-medium">{unit}</span>
    </>
  )
  if (exact || !isCut(amount)) return <span className={look}>{text}</span>
  return (
    <button
      type="button"
      aria-expanded={open}
      className={`${look} touch-line underline decoration-current/40 decoration-1 decoration-dotted underline-offset-4`}
      onClick={() => setOpen(!open)}
    >
      <span>{text}</span>
    </button>
  )
}
