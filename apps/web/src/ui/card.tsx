import type { LinkComponent, LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { copyText, cx, PageLink, useTranslation } from '../lib/index.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { Address, type AddressProps, Money, type MoneyProps, Time } from './values.tsx'

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

/** Labelled values, one a line: the fields of an order or a withdrawal. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-2.5 text-14">{children}</dl>
}

/** One labelled value inside `Facts`. */
export function Fact({ label, sum = false, children }: FactProps) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1',
        sum && 'border-t border-line pt-2.5 font-semibold',
      )}
    >
      <dt className={sum ? undefined : 'text-muted'}>{label}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium">{children}</dd>
    </div>
  )
}

export interface FactProps {
  label: ReactNode
  /** The sum of the lines above it: a line separates it from them. */
  sum?: boolean
  children: ReactNode
}

interface Labelled {
  label: ReactNode
}

/** An amount inside `Facts`. */
export const MoneyFact = ({ label, ...money }: Labelled & MoneyProps) => (
  <Fact label={label}>
    <Money {...money} />
  </Fact>
)

/** A time inside `Facts`. */
export const TimeFact = ({ label, value }: Labelled & { value: string | number }) => (
  <Fact label={label}>
    <Time value={value} />
  </Fact>
)

/** A value inside `Facts` that takes lines of its own, which begin below its label. */
export function LongFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** An address or another long id inside `Facts`. */
export function AddressFact({ label, ...address }: { label: string } & AddressProps) {
  const Line = address.form === 'full' && address.value.length >= ADDRESS_LENGTH ? LongFact : Fact
  return (
    <Line label={label}>
      <Address {...address} />
    </Line>
  )
}
const ADDRESS_LENGTH = 42

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

export interface MeterProps {
  label: string
  /** From 0 to 1. */
  share: number
  /** The share that would be added, from 0 to 1, drawn lighter behind it. */
  more?: number
  /** Its meaning in words. */
  text: string
}

/** A share as a bar: the paid part (solid) within the due amount (track). */
export function Meter({ label, share, more = 0, text }: MeterProps) {
  const value = Math.min(1, Math.max(0, share))
  return (
    <div data-track className="relative h-2 overflow-hidden rounded-full bg-sunken">
      <meter aria-label={label} min={0} max={1} value={value} aria-valuetext={text} className="sr-only">
        {text}
      </meter>
      {more > 0 && (
        <div
          aria-hidden="true"
          className="absolute inset-y-0 left-0 rounded-full bg-accent/45"
          style={{ width: `${Math.min(1, value + more) * 100}%` }}
        />
      )}
      <div
        aria-hidden="true"
        data-fill
        className="relative h-full rounded-full bg-accent"
        style={{ width: `${value * 100}%` }}
      />
    </div>
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

interface RowContent {
  icon?: IconName
  /** The colour of the icon's circle. */
  tone?: Tone
  /** Takes the place of the icon: a `TokenMark` or an `Avatar` of 40 px. */
  mark?: ReactNode
  /** In a narrow window the text replaces the icon. */
  wordy?: boolean
  title: ReactNode
  detail?: ReactNode
  end?: ReactNode
}

function Content({ wordy = false, title, detail, end, arrow, ...rest }: RowContent & { arrow: boolean }) {
  const start = rest.mark ?? (rest.icon !== undefined && <IconCircle icon={rest.icon} tone={rest.tone} />)
  return (
    <>
      {start && <span className={cx('shrink-0', wordy && 'max-[359px]:hidden')}>{start}</span>}
      {/* In a narrow window the detail goes below, as wide as both. */}
      <span className="flex min-w-0 flex-1 items-center gap-x-3 max-[359px]:grid max-[359px]:grid-cols-[minmax(0,1fr)_auto]">
        <span className="min-w-0 flex-1 max-[359px]:contents">
          <span className="block break-words text-16 font-medium">{title}</span>
          {detail !== undefined && (
            <span className="col-span-2 row-start-2 block break-words text-13 text-muted">{detail}</span>
          )}
        </span>
        {end !== undefined && <span className="shrink-0 text-right text-14 font-medium">{end}</span>}
      </span>
      {arrow && <Icon name="forward" size={16} className="text-muted" />}
    </>
  )
}

const rowClass = 'flex min-h-14 w-full items-center gap-3 py-2 text-left'

/** A line of a list that opens a page. */
export const LinkRow: LinkComponent<ComponentType<RowContent>> = ({
  icon,
  tone,
  mark,
  wordy,
  title,
  detail,
  end,
  ...link
}) => (
  <PageLink {...(link as LinkProps)} className={rowClass}>
    <Content {...{ icon, tone, mark, wordy, title, detail, end }} arrow />
  </PageLink>
)

/** A line of a list that opens a sheet. */
export function ButtonRow({ onClick, ...content }: RowContent & { onClick: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" className={rowClass} onClick={onClick}>
      <Content {...content} arrow />
    </button>
  )
}

/** A line of a list without a link. */
export function Row(content: RowContent) {
  return (
    <div className={rowClass}>
      <Content {...content} arrow={false} />
    </div>
  )
}

export type ReceiptLine = readonly [label: string, value: string]

/** Exports a page about something finished: as text, or printed (and so as PDF). */
export function ReceiptButtons({ title, lines }: { title: string; lines: readonly ReceiptLine[] }) {
  const { t } = useTranslation()
  const text = [title, ...lines.map(([label, value]) => `${label}: ${value}`)].join('\n')
  return (
    <div className="print:hidden">
      <Section title={t('receipt.title')}>
        <div className="flex gap-3">
          <Button block variant="secondary" icon="copy" onClick={() => void copyText(text)}>
            {t('receipt.copy')}
          </Button>
          <Button block variant="secondary" icon="doc" onClick={() => window.print()}>
            {t('receipt.print')}
          </Button>
        </div>
      </Section>
    </div>
  )
}
