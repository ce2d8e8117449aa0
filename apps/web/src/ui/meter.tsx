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
