/** A moment by two clocks, in milliseconds. */
export interface Moment {
  /** The page's own clock, which nobody can set; it may stop while the device sleeps. */
  readonly steadyMs: number
  /** The device's clock, which runs on while it sleeps and can be set. */
  readonly wallMs: number
}

/** A difference by which the device's own corrections may move its clock. */
const CORRECTION_MS = 5_000

export const now = (): Moment => ({ steadyMs: performance.now(), wallMs: Date.now() })

/**
 * Reports whether the time without use is over. The clock that shows more counts, and a clock that was set back counts as over: it must not
 * keep the app open.
 */
export function isOver(lastUse: Moment, at: Moment, afterMs: number): boolean {
  const steadyMs = at.steadyMs - lastUse.steadyMs
  const wallMs = at.wallMs - lastUse.wallMs
  return Math.max(steadyMs, wallMs) >= afterMs || wallMs < steadyMs - CORRECTION_MS
}
