/** Returns the wait before a step is repeated: none after a success, twice the last wait after a failure. */
export type Backoff = { isDue(): boolean; settle(succeeded: boolean): void }

/** Waits double from `firstMs` to `maxMs`, measured with the monotonic clock. */
export function createBackoff(firstMs: number, maxMs: number): Backoff {
  let waitMs = firstMs
  let dueAtMs = 0
  return {
    isDue: () => performance.now() >= dueAtMs,
    settle(succeeded) {
      dueAtMs = succeeded ? 0 : performance.now() + waitMs
      waitMs = succeeded ? firstMs : Math.min(waitMs * 2, maxMs)
    },
  }
}
