import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

const TONES = {
  neutral: 'bg-sunken text-muted',
  info: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const

export type Tone = keyof typeof TONES

/** A state in one or two words; the colour only repeats what the words say. */
export function Pill({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center whitespace-nowrap rounded-full px-2 py-1 text-12 font-medium',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}
