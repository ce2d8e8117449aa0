export interface MeterProps {
  label: string
  /** From 0 to 1. */
  share: number
  /** What it says in words. */
  text: string
}

/** How much of something there is, as a bar. */
export function Meter({ label, share, text }: MeterProps) {
  const value = Math.min(1, Math.max(0, share))
  return (
    <div className="relative h-2 overflow-hidden rounded-full bg-sunken">
      <meter aria-label={label} min={0} max={1} value={value} aria-valuetext={text} className="sr-only">
        {text}
      </meter>
      <div
        aria-hidden="true"
        className="h-full rounded-full bg-accent"
        style={{ width: `${value * 100}%` }}
      />
    </div>
  )
}
