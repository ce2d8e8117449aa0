import { DatabaseUnavailable } from './unavailable.ts'

/** Takes one of the places, waiting at most `ms` for it. Returns the function that gives it back. */
export type Slots = (ms: number) => Promise<() => void>

/**
 * Lets `count` users in at a time; others wait in the order of their arrival. Throws DatabaseUnavailable for one
 * whose turn does not come in time.
 */
export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  return async (ms) => {
    if (free > 0) {
      free--
      return giveBack
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve(giveBack)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(new DatabaseUnavailable('has no free connection'))
      }, ms)
      waiting.push(enter)
    })
  }
}
