/**
 * Returns a function that shares one call of `load` among all its calls until `ms` after the result; a
 * failure is not kept.
 */
export function sharedFor<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  let keptUntil = 0

  return () => {
    if (result !== undefined && performance.now() < keptUntil) return result
    const current = load()
    result = current
    keptUntil = Number.POSITIVE_INFINITY
    current.then(
      () => {
        keptUntil = performance.now() + ms
      },
      () => {
        result = undefined
      },
    )
    return current
  }
}
