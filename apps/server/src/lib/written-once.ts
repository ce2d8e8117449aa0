const texts = new WeakMap<object, string | undefined>()

/** Marks a response that is returned many times and never changes: it is serialised only the first time. */
export function writtenOnce<T extends object>(answer: T): T {
  texts.set(answer, undefined)
  return answer
}

/**
 * Returns the JSON of a response in its envelope, from `write` unless it is marked and was serialised before.
 */
export function textOf<Envelope>(envelope: Envelope, write: (envelope: Envelope) => string): string {
  const { data } = envelope as { data?: unknown }
  if (typeof data !== 'object' || data === null || !texts.has(data)) return write(envelope)
  const text = texts.get(data) ?? write(envelope)
  texts.set(data, text)
  return text
}
