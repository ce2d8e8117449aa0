import type { Locale, RouteName } from '@rif/api-schema'
import { type CallInput, routeOf, urlOf } from './api-routes.ts'

/** A read of the API, with its input as the page gives it. */
export type FirstRead = readonly [name: RouteName, input: CallInput]

export const API_TIMEOUT_MS = 30_000

/** Says who asks, and in which language the answer's texts should be. */
export const memberHeaders = (locale: Locale, token: string, tokenAddress: string) => ({
  'Accept-Language': locale,
  ...(token !== '' && { Authorization: `Bearer ${token}`, 'X-Wallet-Address': tokenAddress }),
})

/** Answers that were asked for while the app was on its way, by address. */
const answers = new Map<string, Promise<Response>>()

/** Asks the API before the app is here; main.tsx takes every answer as soon as it runs. */
export function readEarly(reads: readonly FirstRead[], headers: ReturnType<typeof memberHeaders>) {
  for (const [name, input] of reads) {
    const url = urlOf(routeOf(name), input)
    const answer = fetch(url, { headers, signal: AbortSignal.timeout(API_TIMEOUT_MS) })
    // Whoever takes the answer is told.
    answer.catch(() => undefined)
    answers.set(url, answer)
  }
}

/** The answer that was asked for early, once; undefined where there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = answers.get(url)
  answers.delete(url)
  return answer
}
