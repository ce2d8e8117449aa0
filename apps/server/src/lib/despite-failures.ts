import pLimit from 'p-limit'

const AT_ONCE = 4

/**
 * Does the work for every item, a few at once and in order. An item that fails, or is slow, does not stop those behind it.
 * Throws the first error at the end.
 */
export async function eachDespiteFailures<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(AT_ONCE)
  const results = await Promise.allSettled(items.map((item) => limit(() => work(item))))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
