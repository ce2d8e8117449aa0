import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../lib/index.ts'

export interface StatProps {
  label: ReactNode
  value: ReactNode
  /** Text below the figure: its total, or its start. */
  hint?: ReactNode
}

/** One figure with its label above and a remark below. */
export function Stat({ label, value, hint }: StatProps) {
  return (
    <div className="min-w-0">
      <p className="text-13 text-muted">{label}</p>
      <p className="font-display text-20 font-semibold">{value}</p>
      {hint !== undefined && <p className="text-12 text-muted">{hint}</p>}
    </div>
  )
}

const PART_COLOURS = {
  wallet: 'bg-place-wallet',
  platform: 'bg-place-platform',
  savings: 'bg-place-savings',
  fund: 'bg-place-fund',
  rest: 'bg-muted/45',
} as const

export type PartColour = keyof typeof PART_COLOURS

/** The square that ties a label to its part of `Parts`. */
export function PartKey({ colour }: { colour: PartColour }) {
  return (
    <span
      aria-hidden="true"
      className={cx('inline-block size-2.5 shrink-0 rounded-[3px]', PART_COLOURS[colour])}
    />
  )
}

export interface PartsProps {
  /** All parts in words, because colours and widths alone say nothing. */
  label: string
  /** Their sizes in any unit; parts of nothing are left out. */
  parts: readonly { colour: PartColour; size: number }[]
}

/** A bar of the parts of a whole, always in the same order. */
export function Parts({ label, parts }: PartsProps) {
  const shown = parts.filter(({ size }) => size > 0)
  return (
    <div
      role="img"
      aria-label={label}
      data-track
      className="flex h-2.5 gap-[3px] overflow-hidden rounded-full bg-sunken"
    >
      {shown.map(({ colour, size }) => (
        <span
          key={colour}
          className={cx('h-full min-w-1 rounded-[3px] forced-color-adjust-none', PART_COLOURS[colour])}
          style={{ flexGrow: size, flexBasis: 0 }}
        />
      ))}
    </div>
  )
}

interface ChipsProps {
  label: string
  children: ReactNode
  /** One line on a phone, which scrolls sideways up to the edge of the page, where it fades; the pressed chip and the one with the focus are in sight. */
  inRow?: boolean
}

/** Filters or steps beside them, in as many lines as they need, because a hidden one can be overlooked. */
export function Chips({ label, children, inRow = false }: ChipsProps) {
  const group = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLElement>(null)
  useEffect(() => {
    const pressed = group.current?.querySelector<HTMLElement>('[aria-pressed=true]')
    if (!inRow || !pressed || pressed === shown.current) return
    shown.current = pressed
    scrollToMiddle(pressed)
  })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws its legend in the line
    <div
      ref={group}
      role="group"
      aria-label={label}
      // Chromium leaves a chip that is partly out of sight where it is. A pressed pointer must not lose its chip.
      onFocus={({ target }) => inRow && target.matches(':focus-visible') && scrollToMiddle(target)}
      className={cx(
        'flex gap-x-2',
        // The padding has room for the ring of the focus, which a row that scrolls cuts off.
        inRow
          ? 'fade-x relative -mx-4 -my-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] lg:mx-0 lg:flex-wrap lg:overflow-visible lg:px-0 lg:[mask-image:none]'
          : '-my-1 flex-wrap',
      )}
    >
      {children}
    </div>
  )
}

/** Scrolls the row of a chip sideways until the chip is in its middle, or as near to it as possible. */
function scrollToMiddle(chip: HTMLElement): void {
  const row = chip.parentElement!
  row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.offsetWidth) / 2
}

export interface ChipProps {
  /** Undefined for a step beside the filters. */
  pressed?: boolean | undefined
  onClick: () => void
  children: ReactNode
}

/** A filter that is on or off, or a step beside the filters: 36 px to see, 44 px to touch. */
export function Chip({ pressed, onClick, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className="flex min-h-11 shrink-0 items-center rounded-full"
    >
      <span
        className={cx(
          'flex min-h-9 items-center gap-1.5 whitespace-nowrap rounded-full px-3.5 text-14 font-medium',
          pressed ? 'bg-ink text-on-ink' : 'bg-card text-ink',
        )}
      >
        {children}
      </span>
    </button>
  )
}
