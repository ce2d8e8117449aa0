/**
 * Caches the last value of each key with the parts it was computed from, and recomputes it if a part differs.
 * The value is never out of date, because the caller passes its parts. Keeps the `limit` most recent keys.
 */
export function remembered<Key, Value>(
  limit: number,
): (key: Key, from: readonly unknown[], make: () => Value) => Value {
  const kept = new Map<Key, { readonly from: readonly unknown[]; readonly value: Value }>()

  return (key, from, make) => {
    const last = kept.get(key)
    if (last !== undefined && isSame(last.from, from)) return last.value
    const value = make()
    kept.delete(key)
    kept.set(key, { from, value })
    if (kept.size > limit) kept.delete(kept.keys().next().value as Key)
    return value
  }
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index])
}
