import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One collection in so many is of the whole heap (about 40 ms), the others of what is new (about 1 ms). */
const WHOLE_EVERY = 20

let collect: ((options: { type: 'minor' | 'major'; execution: 'sync' }) => void) | undefined

/**
 * Passes on batches of a long work, and collects garbage between them. Left alone, V8 lets its heap grow to four times what is in
 * use before it looks at old objects, and half of each batch becomes old while the database is waited for: a file of a million
 * rows held 250 MB of garbage. This way it holds about 40, in the same time.
 */
export async function* collected<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as typeof collect
  }
  let passed = 0
  for await (const batch of batches) {
    yield batch
    passed += 1
    collect!({ type: passed % WHOLE_EVERY === 0 ? 'major' : 'minor', execution: 'sync' })
  }
}
