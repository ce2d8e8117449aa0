interface Waiting<Key, Value> {
  readonly key: Key
  resolve(value: Value): void
  reject(reason: unknown): void
}

/** How many calls of `load` may run at the same time: one is being answered while the next is being made. */
const CONCURRENCY = 1

/**
 * Joins look-ups into fewer calls: `load` gets the keys that are asked for within one turn of the event loop, or while
 * earlier calls were running, and answers in the same order. A single look-up is made at once; under load the calls
 * grow instead of queueing. Nothing is kept: every answer was read after it was asked for.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = []
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || running === CONCURRENCY) return
    isScheduled = true
    setImmediate(() => void flush())
  }

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    isScheduled = false
    running++
    try {
      const values = await load(batch.map(({ key }) => key))
      batch.forEach(({ resolve }, index) => {
        resolve(values[index]!)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running--
      schedule()
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}
