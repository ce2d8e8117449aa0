import memberRoutes from 'virtual:api-routes/members'
import type { Locale, RouteName } from '@rif/api-schema'

export const API_PREFIX = '/api/v1/'

/** The facts of a route of the API that a caller needs. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Accepts an `Idempotency-Key`. */
  readonly movesMoney?: true
}

/** The loaded routes: members', and with the operators' pages also theirs. */
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

/** Returns the URL of a route with its parameters and query. */
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

/** A read of the API with its input; of a paged list, its first page. */
export type FirstRead = readonly [name: RouteName, input: CallInput, of?: 'list']

export const API_TIMEOUT_MS = 30_000
/**
 * The time limit of everything except the API: a page's code, texts, files, the chain. Specification section
 * 9.
 */
export const OTHER_TIMEOUT_MS = 60_000

/** Returns the headers for the caller's identity and language. */
export const memberHeaders = (locale: Locale, token: string, tokenAddress: string) => ({
  'Accept-Language': locale,
  ...(token !== '' && { Authorization: `Bearer ${token}`, 'X-Wallet-Address': tokenAddress }),
})

/** Responses that were requested while the app was loading, by URL. */
const answers = new Map<string, Promise<Response>>()

/** Requests data before the app has loaded; main.tsx uses every response as soon as it runs. */
export function readEarly(reads: readonly FirstRead[], headers: ReturnType<typeof memberHeaders>) {
  for (const [name, input] of reads) {
    const url = urlOf(routeOf(name), input)
    const answer = fetch(url, { headers, signal: AbortSignal.timeout(API_TIMEOUT_MS) })
    // The code that uses the response handles its failure.
    answer.catch(() => undefined)
    answers.set(url, answer)
  }
}

/** Returns the early response without removing it. */
export const peekEarly = (url: string) => answers.get(url)

/** Returns the early response, once; undefined if there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = answers.get(url)
  answers.delete(url)
  return answer
}
