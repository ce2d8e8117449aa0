/** A moment on two clocks, in milliseconds. */
export interface Moment {
  /** The page's own monotonic clock; it may stop while the device sleeps. */
  readonly steadyMs: number
  /** The device's clock, which continues during sleep and can be set. */
  readonly wallMs: number
}

/** The tolerance for the device's own corrections of its clock. */
const CORRECTION_MS = 5_000

export const now = (): Moment => ({ steadyMs: performance.now(), wallMs: Date.now() })

/**
 * Reports whether the idle time is over. The clock with the larger difference counts, and a clock that was
 * set back counts as over, so that it cannot keep the app open.
 */
export function isOver(lastUse: Moment, at: Moment, afterMs: number): boolean {
  const steadyMs = at.steadyMs - lastUse.steadyMs
  const wallMs = at.wallMs - lastUse.wallMs
  return Math.max(steadyMs, wallMs) >= afterMs || wallMs < steadyMs - CORRECTION_MS
}
