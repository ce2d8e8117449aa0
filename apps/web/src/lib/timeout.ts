import { TransportError } from './api-errors.ts'

/** How long anything but the API may take: a page's code, texts, files, the chain. Specification, section 9. */
export const OTHER_TIMEOUT_MS = 60_000

/** The promise's outcome, or a `TransportError` of cause `timeout` after 60 s. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TransportError('timeout', 'timeout')), OTHER_TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
