import { forAll, refuseInTx } from '../db/lanes.ts'

interface Waiting<Key, Value> {
  readonly key: Key
  resolve(value: Value): void
  reject(reason: unknown): void
}

/** The maximum number of concurrent calls of `load`. */
const CONCURRENCY = 1
/**
 * The turns of the event loop for which look-ups wait for others, if the last ones had company. An idle
 * process runs them at once.
 */
const TURNS = 2

/**
 * Combines look-ups into fewer calls. `load` receives the keys that are requested within one turn of the
 * event loop, or while an earlier call is running, and returns their values in the same order. A single
 * look-up runs at once; under load the calls grow, also by requests of the next turns, instead of queueing.
 * Nothing is cached: each value is read after it is requested. Call the result outside transactions, because
 * `load` uses a separate connection, in the lane of reads.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = []
  let running = 0
  let isScheduled = false
  let hadCompany = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || running === CONCURRENCY) return
    isScheduled = true
    afterTurns(hadCompany ? TURNS : 1, () => void flush())
  }

  async function flush(): Promise<void> {
    const batch = waiting
    hadCompany = batch.length > 1
    waiting = []
    isScheduled = false
    running++
    try {
      const values = await forAll('reads', () => load(batch.map(({ key }) => key)))
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
      refuseInTx()
      waiting.push({ key, resolve, reject })
      schedule()
    })
}

function afterTurns(turns: number, work: () => void): void {
  setImmediate(turns === 1 ? work : () => afterTurns(turns - 1, work))
}
