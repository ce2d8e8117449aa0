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
  className?: string
}

/** An amount with its unit, 2 to 4 decimals; when some are left out, a tap shows them all. */
export function Money({ amount, unit, signed = false, exact = false, className }: MoneyProps) {
  const [open, setOpen] = useState(exact)
  const sign = signed && !amount.startsWith('-') && /[1-9]/.test(amount) ? '+' : ''
  const number = sign + (open ? formatExact(amount) : formatAmount(amount))
  const text = (
    <>
      {number}
      <span className="ml-1 text-[0.75em] font-medium">{unit}</span>
    </>
  )
  if (exact || !isCut(amount)) return <span className={cx('whitespace-nowrap', className)}>{text}</span>
  return (
    <button
      type="button"
      aria-expanded={open}
      className={cx(
        'whitespace-nowrap underline decoration-line decoration-dotted underline-offset-4',
        className,
      )}
      onClick={() => setOpen(!open)}
    >
      {text}
    </button>
  )
}
