import { useEffect, useRef, useState } from 'react'
import { cx, formatTime, formatTimeUtc, useTranslation } from '../lib/index.ts'

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
