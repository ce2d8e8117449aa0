import DataLoader from 'dataloader'
import { forAll, refuseInTx } from '../db/lanes.ts'

/**
 * Combines the look-ups of one turn of the event loop into one call of `load`, which returns the values in the order of the
 * keys. Nothing is cached: each value is read after it is requested. Call the result
 * outside transactions, because `load` uses a separate connection, in the lane of reads.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader<Key, Value>((keys) => forAll('reads', () => load(keys)), {
    cache: false,
    batchScheduleFn: (send) => void setImmediate(send),
  })
  return async (key) => {
    refuseInTx()
    return loader.load(key)
  }
}
