/** Creates a runner that runs work of the same key one after the other, in the order of its calls, and other work at once. */
export function oneAtATime(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const before = last.get(key)
    const own = before ? before.then(work) : work()
    const end = own.catch(() => undefined)
    last.set(key, end)
    try {
      return await own
    } finally {
      if (last.get(key) === end) last.delete(key)
    }
  }
}
