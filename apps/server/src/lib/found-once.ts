/**
 * Caches what look-ups of `find` have found, which must never change. A look-up that found nothing is repeated the next time. Keeps the
 * `limit` keys that were found last.
 */
export function foundOnce<Key, Value>(
  limit: number,
  find: (key: Key) => Promise<Value | undefined>,
): (key: Key) => Promise<Value | undefined> {
  const kept = new Map<Key, Value>()

  return async (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = await find(key)
    if (found === undefined) return undefined
    kept.set(key, found)
    if (kept.size > limit) kept.delete(kept.keys().next().value as Key)
    return found
  }
}
