import type { ReactNode } from 'react'
import { cx } from '../lib/index.ts'
import { heightOn, type Scale, tickText } from './chart-scale.ts'

/** A point or a bar of a chart that can be chosen. */
export interface ChartStop {
  key: string
  /** Its meaning in words, read out when it is chosen; a function where there are many, because only one is read. */
  text: string | (() => string)
}

export interface ChartFrameProps {
  label: string
  stops: readonly ChartStop[]
  selected: string | null
  onSelect: (key: string) => void
  /** Stand below the first and the last stop. */
  from: string
  to: string
  /** Stand below the places in between, at equal distances. */
  between?: readonly string[] | undefined
  /** The unit of the values, above their axis; left out where it stands beside the chart. */
  unit?: string | undefined
  /** The reason why the range is empty; shown in the middle. */
  empty?: string | undefined
  /** The chart is on the navy field. */
  onHero?: boolean | undefined
}

interface Drawn extends ChartFrameProps {
  scale: Scale
  /** The index of the stop of the slider. */
  current: number
  /** The height of the drawing. */
  className: string
  children: ReactNode
}

/** Returns the stop of the slider: the chosen one, else the last. */
export function currentOf(stops: readonly ChartStop[], selected: string | null): number {
  const index = stops.findIndex((stop) => stop.key === selected)
  return index === -1 ? stops.length - 1 : index
}

/**
 * A drawing over the lines of its value axis, with dates below, and a slider that chooses a stop by finger or
 * arrow keys and reads it out.
 */
export function ChartFrame(props: Drawn) {
  const { label, stops, onSelect, from, to, between = [], unit, empty, onHero = false } = props
  const { scale, current, className, children } = props
  const text = stops[current]?.text
  const [muted, line] = onHero ? ['text-hero-muted', 'bg-hero-line'] : ['text-muted', 'bg-line']
  return (
    <figure className="flex flex-col gap-1">
      {unit !== undefined && <span className={cx('text-right text-12', muted)}>{unit}</span>}
      <div className="flex rounded-8 has-focus-visible:outline-2 has-focus-visible:outline-accent">
        <div className={cx('relative min-w-0 flex-1', className)}>
          {scale.ticks.map((tick) => (
            <span
              key={tick}
              aria-hidden="true"
              className={cx('absolute inset-x-0 h-px', line)}
              style={{ bottom: `${heightOn(scale, tick) * 100}%` }}
            />
          ))}
          {children}
          {empty !== undefined && (
            <p className={cx('absolute inset-0 grid place-items-center px-4 text-center text-14', muted)}>
              {empty}
            </p>
          )}
          {stops.length > 0 && (
            <input
              type="range"
              min={0}
              max={stops.length - 1}
              value={current}
              aria-label={label}
              aria-valuetext={typeof text === 'function' ? text() : text}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              onChange={(event) => onSelect(stops[event.target.valueAsNumber]!.key)}
            />
          )}
        </div>
        <ValueAxis scale={scale} className={muted} />
      </div>
      <div aria-hidden="true" className={cx('flex text-12 tabular-nums', muted)}>
        <div className="flex min-w-0 flex-1 justify-between gap-2">
          {[from, ...between, to].map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the labels of places, which never move
            <span key={index}>{text}</span>
          ))}
        </div>
        <Widest scale={scale} />
      </div>
    </figure>
  )
}

/** The values of the lines, right of the drawing and as wide as the widest of them. */
function ValueAxis({ scale, className }: { scale: Scale; className: string }) {
  return (
    <div aria-hidden="true" className={cx('relative text-12 tabular-nums', className)}>
      <Widest scale={scale} />
      {scale.ticks.map((tick) => (
        <span
          key={tick}
          className="absolute right-0 translate-y-1/2 whitespace-nowrap"
          style={{ bottom: `${heightOn(scale, tick) * 100}%` }}
        >
          {tickText(tick, scale.decimals)}
        </span>
      ))}
    </div>
  )
}

/** Reserves the width of the axis' widest value. */
function Widest({ scale }: { scale: Scale }) {
  const texts = scale.ticks.map((tick) => tickText(tick, scale.decimals))
  const widest = texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
  return <span className="invisible whitespace-nowrap pl-2">{widest}</span>
}
