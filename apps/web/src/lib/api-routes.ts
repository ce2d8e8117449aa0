import memberRoutes from 'virtual:api-routes/members'
import type { Locale, RouteName } from '@rif/api-schema'

export const API_PREFIX = '/api/v1/'

/** The facts of a route of the API that a caller needs. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Takes an `Idempotency-Key`. */
  readonly movesMoney?: true
}

/** The routes that have loaded: members', and with their pages the operators'. */
export const loadedRoutes: Partial<Record<RouteName, ApiRoute>> = { ...memberRoutes }

/** Adds routes that are loaded later. */
export function addRoutes(routes: Readonly<Partial<Record<RouteName, ApiRoute>>>) {
  Object.assign(loadedRoutes, routes)
}

/** Returns a route; throws for one of the operators' pages before these have loaded. */
export function routeOf(name: RouteName): ApiRoute {
  const route = loadedRoutes[name]
  if (route === undefined) throw new Error(`the route ${name} is not loaded`)
  return route
}

export type CallInput = { params?: unknown; query?: unknown; body?: unknown }

/** The address of a route with its parameters and query filled in. */
export function urlOf(route: Pick<ApiRoute, 'path'>, input: CallInput): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.toString()
  return API_PREFIX + path + (search === '' ? '' : `?${search}`)
}

/** A read of the API, with its input as the page gives it; of a list that is read page by page, its first page. */
export type FirstRead = readonly [name: RouteName, input: CallInput, of?: 'list']

export const API_TIMEOUT_MS = 30_000
/** The time limit of everything but the API: a page's code, texts, files, the chain. Specification section 9. */
export const OTHER_TIMEOUT_MS = 60_000

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
    // The caller that takes the response handles its failure.
    answer.catch(() => undefined)
    answers.set(url, answer)
  }
}

/** Returns the early answer without taking it. */
export const peekEarly = (url: string) => answers.get(url)

/** The answer that was asked for early, once; undefined where there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = answers.get(url)
  answers.delete(url)
  return answer
}
