import type { ReactNode } from 'react'
import { cx } from '../lib/index.ts'
import { Icon, type IconName } from './icon.tsx'

/** A surface for things that belong together. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('rounded-16 bg-card p-4', className)}>{children}</div>
}

/** The brand field in the shape of a card: a total or an identity, white on navy in both themes. */
export function Hero({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('hero-field rounded-24 p-4', className)}>{children}</div>
}

export interface SectionProps {
  title: ReactNode
  /** Content at the end of the title's line, such as a link to all. */
  aside?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3 px-1">
        <h2 className="text-17 font-semibold">{title}</h2>
        {aside !== undefined && (
          <span className="-my-3 text-14 font-medium text-accent *:inline-flex *:min-h-11 *:min-w-11 *:items-center *:justify-end">
            {aside}
          </span>
        )}
      </div>
      {children}
    </section>
  )
}

/** A card under its own heading. */
export const CardSection = (props: SectionProps) => (
  <Section {...props}>
    <Card>{props.children}</Card>
  </Section>
)

const TONES = {
  neutral: 'bg-sunken text-muted',
  info: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const

export type Tone = keyof typeof TONES

/** A state in one or two words; the colour only repeats their meaning. */
export function Pill({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-[6px] px-2 py-0.5 text-12 font-medium',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

const CIRCLES = { ...TONES, neutral: 'bg-sunken text-ink' }

/** An icon in a circle of 40 px, at the start of a row. */
export function IconCircle({ icon, tone = 'neutral' }: { icon: IconName; tone?: Tone }) {
  return (
    <span className={cx('grid size-10 shrink-0 place-items-center rounded-full', CIRCLES[tone])}>
      <Icon name={icon} size={20} />
    </span>
  )
}
