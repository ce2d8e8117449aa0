import pLimit from 'p-limit'

const AT_ONCE = 4

/**
 * Processes every item, a few at once and in order. A failing or slow item does not block those behind it.
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
