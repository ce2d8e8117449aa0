import { useEffect, useRef, useState } from 'react'
import {
  copyText,
  cx,
  decimalsOf,
  formatAmount,
  formatExact,
  formatTime,
  formatTimeUtc,
  isCut,
  ownText,
  PRICE_DECIMALS,
  shortAddress,
  shortAddressLong,
  shortestAddress,
  useOwnHidden,
  useTranslation,
} from '../lib/index.ts'
import { Icon } from './icon.tsx'

export interface AddressProps {
  /** An address, a transaction's hash or another long id. */
  value: string
  /**
   * `tail`: first 12 and last 8 characters; `head`: first 16 and last 4; `ends`: first 6 and last 4, for narrow places; `full`: all,
   * in groups to be compared by eye.
   */
  form?: 'tail' | 'head' | 'ends' | 'full'
  /** False leaves out the copy button. */
  copy?: boolean
  className?: string
}

const SHORTENED = {
  ...{ tail: shortAddress, head: shortAddressLong, ends: shortestAddress },
  full: (value: string) => value,
}

/** A long id in a short form, with a button that copies the complete id. */
export function Address({ value, form = 'tail', copy = true, className }: AddressProps) {
  const { t } = useTranslation()
  const text = SHORTENED[form](value)
  return (
    <span className={cx('inline-flex min-w-0 max-w-full items-center gap-1', className)}>
      <span
        title={value}
        className={form === 'full' ? 'text-balance wrap-anywhere' : 'flex min-w-0 max-[359px]:text-[0.85em]'}
      >
        {form === 'full' ? <Groups value={value} /> : <Ends text={text} />}
      </span>
      {copy && (
        <button
          type="button"
          aria-label={t('common.copyValue', { value: text })}
          className="-my-3 -mr-3 inline-grid size-11 shrink-0 place-items-center rounded-12 text-muted hover:bg-sunken print:hidden"
          onClick={(event) => {
            // In a row that is a link, copying must not open it.
            event.preventDefault()
            event.stopPropagation()
            void copyText(value)
          }}
        >
          <Icon name="copy" size={16} />
        </button>
      )}
    </span>
  )
}

/** A short form that is truncated in the middle, because members compare the last characters. */
function Ends({ text }: { text: string }) {
  const gap = text.indexOf('…') + 1 || text.length
  return (
    <>
      <span className="truncate">{text.slice(0, gap)}</span>
      <span className="shrink-0">{text.slice(gap)}</span>
    </>
  )
}

/** A text with the short form of an address in it, which is not broken into two lines. */
export function TextWithAddress({ text, address }: { text: string; address: string }) {
  const short = shortAddress(address)
  const [before = '', after = ''] = text.split(short)
  return (
    <>
      {before}
      <span className="whitespace-nowrap">{short}</span>
      {after}
    </>
  )
}

/** An address, or a hash of 32 bytes. */
const GROUPED = /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i
const GROUP = 4

/** Groups of four characters, as in hardware wallets; selected or copied, it is one word. */
function Groups({ value }: { value: string }) {
  if (!GROUPED.test(value)) return value
  const digits = value.slice('0x'.length)
  const starts = Array.from({ length: digits.length / GROUP }, (_, index) => index * GROUP)
  return starts.map((start) => (
    <span key={start} className="mr-1.5 inline-block last:mr-0">
      {start === 0 && '0x'}
      {digits.slice(start, start + GROUP)}
    </span>
  ))
}

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
      <span className="text-[max(0.75em,0.75rem)] font-medium text-muted [.font-display_&]:text-[max(0.6em,0.75rem)]">
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

/** A time in the member's own zone; a tap shows it in UTC with the seconds. */
export function Time({ value }: { value: string | number }) {
  const { t } = useTranslation()
  const [exact, setExact] = useState(false)
  const text = exact ? formatTimeUtc(value) : formatTime(value)
  if (text === null) return <span>{t('common.invalidTime')}</span>
  return (
    <button
      type="button"
      aria-expanded={exact}
      className="touch-line whitespace-nowrap text-left"
      onClick={() => setExact(!exact)}
    >
      <time dateTime={typeof value === 'string' ? value : undefined}>{text}</time>
    </button>
  )
}

export interface CountdownProps {
  /** ISO time at which it ends. */
  until: string
  onEnd?: () => void
  /** Amber below this; five minutes when not given. */
  warnBelowMs?: number
  className?: string
}

const WARN_BELOW_MS = 5 * 60_000

/** Time left as m:ss or h:mm:ss; amber towards its end. */
export function Countdown({ until, onEnd, warnBelowMs = WARN_BELOW_MS, className }: CountdownProps) {
  const leftMs = useTimeLeft(until, onEnd)
  return (
    <span role="timer" className={cx(leftMs < warnBelowMs && 'text-warn', className)}>
      {formatLeft(leftMs)}
    </span>
  )
}

function useTimeLeft(until: string, onEnd: (() => void) | undefined): number {
  const end = Date.parse(until)
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, end - now)
  const over = left === 0
  // Not a dependency, because a parent that often renders would restart the clock each time, and it would
  // never tick.
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    if (over) {
      latest.current?.()
      return
    }
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [over])
  return left
}

/** Formats milliseconds as m:ss, from an hour on as h:mm:ss. */
export function formatLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
