import { AppError } from './errors.ts'

/**
 * Creates a runner that runs work of the same key one after the other, in the order of its calls, and other work at once. At most
 * `most` works of a key wait. Throws TOO_MANY_CALLS above that, and what `signal` aborts with if it has aborted when its turn comes.
 */
export function inTurns(
  most: number,
): <T>(key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { last: Promise<unknown>; size: number }>()

  return async (key, signal, work) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), size: 0 }
    // One of them runs.
    if (queue.size > most) throw new AppError('TOO_MANY_CALLS')
    queues.set(key, queue)
    queue.size++
    const own = queue.last.then(() => {
      signal.throwIfAborted()
      return work()
    })
    queue.last = own.catch(() => undefined)
    try {
      return await own
    } finally {
      queue.size--
      if (queue.size === 0) queues.delete(key)
    }
  }
}
