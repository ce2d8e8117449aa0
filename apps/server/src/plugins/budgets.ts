import type { Db } from '../db/database.ts'
import { addHits } from '../lib/shared-counts.ts'

/** A number of entries per period. */
export interface Budget {
  readonly entries: number
  readonly windowMs: number
}

/** The number of sources in memory. When it is exceeded, the oldest are removed. */
const MAX_SOURCES = 10_000

/** Creates the budgets of sources. */
export function createBudgets(db: Db) {
  const sources = new Map<string, { from: number; used: number; skipped: number }>()

  function stateOf(source: string, windowMs: number) {
    const at = performance.now()
    const currentState = sources.get(source)
    if (currentState !== undefined && at - currentState.from < windowMs) return currentState
    sources.delete(source)
    if (sources.size >= MAX_SOURCES) sources.delete(sources.keys().next().value!)
    const state = { from: at, used: 0, skipped: currentState?.skipped ?? 0 }
    sources.set(source, state)
    return state
  }

  /**
   * Takes one entry from a source's budget in this process. Returns the number of refused entries since the
   * last accepted one, or undefined when the budget of this window is used up.
   */
  function take(source: string, { entries, windowMs }: Budget): number | undefined {
    const state = stateOf(source, windowMs)
    if (state.used >= entries) {
      state.skipped++
      return undefined
    }
    state.used++
    const { skipped } = state
    state.skipped = 0
    return skipped
  }

  return {
    take,

    /**
     * Like `take`, from the source's budget over all processes. Each process requests an entry from the
     * database at most as often as the budget has entries. Throws when the database does not answer.
     */
    async takeShared(source: string, budget: Budget): Promise<number | undefined> {
      const skipped = take(source, budget)
      if (skipped === undefined) return undefined
      const key = `attempt ${source}`
      const total = (await addHits(db, [{ key, hits: 1 }], budget.windowMs)).get(key)!
      if (total.hits <= budget.entries) return skipped
      const state = stateOf(source, budget.windowMs)
      state.used = budget.entries
      state.skipped += skipped + 1
      return undefined
    },
  }
}
