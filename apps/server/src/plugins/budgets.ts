/** A number of entries in a time. */
export interface Budget {
  readonly entries: number
  readonly windowMs: number
}

/** The sources that are remembered. Beyond, those seen first are forgotten. */
const MAX_SOURCES = 10_000

/** Creates budgets of sources, kept in this process. */
export function createBudgets() {
  const sources = new Map<string, { from: number; used: number; skipped: number }>()

  return {
    /**
     * Takes one entry from a source's budget. Returns how many were refused since the last that was not, or undefined when the
     * budget of this window is used up.
     */
    take(source: string, { entries, windowMs }: Budget): number | undefined {
      const at = performance.now()
      let state = sources.get(source)
      if (state === undefined || at - state.from >= windowMs) {
        sources.delete(source)
        if (sources.size >= MAX_SOURCES) sources.delete(sources.keys().next().value!)
        state = { from: at, used: 0, skipped: state?.skipped ?? 0 }
        sources.set(source, state)
      }
      if (state.used >= entries) {
        state.skipped++
        return undefined
      }
      state.used++
      const { skipped } = state
      state.skipped = 0
      return skipped
    },
  }
}
