import { cx, formatAmount, formatExact } from '../../../lib/index.ts'
import { toneOf } from '../fund-view.ts'

export interface GainProps {
  /** A wire amount in USDT; below 0 a loss. */
  amount: string
  /** Shows all decimals. */
  exact?: boolean
  className?: string
}

/** What was gained or lost, with its sign; the colour only repeats it. */
export function Gain({ amount, exact = false, className }: GainProps) {
  const sign = !amount.startsWith('-') && /[1-9]/.test(amount) ? '+' : ''
  return (
    <span className={cx('whitespace-nowrap', toneOf(amount), className)}>
      {sign}
      {exact ? formatExact(amount) : formatAmount(amount)} <span className="text-[0.75em]">USDT</span>
    </span>
  )
}
