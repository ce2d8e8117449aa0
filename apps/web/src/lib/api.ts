import type {
  AdminRouteName,
  ErrorCode,
  Failure,
  Refusal,
  RouteData,
  RouteInput,
  RouteName,
} from '@rif/api-schema'
import { createStore } from 'zustand'
import { ApiError, displayOf, pauseAfter, TransportError } from './api-errors.ts'
import {
  API_TIMEOUT_MS,
  type ApiRoute,
  type CallInput,
  memberHeaders,
  OTHER_TIMEOUT_MS,
  routeOf,
  takeEarly,
  urlOf,
} from './api-routes.ts'
import { readPatiently } from './connection.ts'
import { randomHex } from './digits.ts'
import { t } from './i18n.ts'
import { currentLocale } from './language.ts'
import { navigateTo } from './navigation.tsx'
import { LONG_TOAST_MS, showModal, showToast } from './overlays.ts'
import { endSession, isSignedIn, sessionStore } from './session.ts'

type Input<N extends RouteName> = {
  [K in keyof RouteInput<N> as RouteInput<N>[K] extends never ? never : K]: RouteInput<N>[K]
}
/** The input of a route; the argument is optional where nothing in it is required. */
export type CallArgs<N extends RouteName> =
  Record<never, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>]

export interface CallOptions {
  signal?: AbortSignal
  /** The caller shows the failure itself; a 401 still ends the session. */
  quiet?: boolean
  /** A refusal that the caller handles, which is not shown. */
  expected?: ErrorCode
  /** Waits until the API can be reached, and retries. For reads whose page is open. */
  patient?: boolean
}

/**
 * Calls the API. Throws `ApiError` if the server refused and `TransportError` if it was not reached; both are
 * shown first (specification section 7), unless `quiet`.
 */
export async function call<N extends RouteName>(
  name: N,
  input: CallInput = {},
  { signal, quiet = false, expected, patient = false }: CallOptions = {},
): Promise<RouteData<N>> {
  const attempt = () => send(name, routeOf(name), input, signal)
  try {
    const data = patient ? await readPatiently(attempt, pauseAfter, signal) : await attempt()
    return data as RouteData<N>
  } catch (error) {
    show(error, quiet || (error instanceof ApiError && error.error === expected))
    throw error
  }
}

/**
 * Loads a list as a file, CSV or one JSON object per line, with the list's own filters. Throws `ApiError` if
 * the server refused and `TransportError` (602001) if the file did not arrive completely within 60 s; both
 * are shown first.
 */
export function loadCsv(name: CsvName, query: object, form: 'csv' | 'jsonl' = 'csv'): Promise<Blob> {
  return loadFile(name, form, { query })
}

/** Loads the file of a route, at `<path>/<form>`, as `loadCsv` does. */
export async function loadFile(
  name: RouteName,
  form: string,
  input: CallInput,
  timeoutMs = OTHER_TIMEOUT_MS,
): Promise<Blob> {
  try {
    const route = routeOf(name)
    const response = await fetch(urlOf({ path: `${route.path}/${form}` }, input), {
      method: route.method,
      headers: headers(route, null),
      body: bodyOf(route, input),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) dataOf(response.status, await response.json())
    return await response.blob()
  } catch (error) {
    const failure = error instanceof ApiError ? error : new TransportError('transfer', t('error.download'))
    show(failure, false)
    throw failure
  }
}

/** The lists that can be downloaded as files. */
export type CsvName =
  | 'auditQueue'
  | 'activity'
  | 'personData'
  | 'orders'
  | 'profitAll'
  | 'transfers'
  | 'withdrawals'
  | 'adminLog'
  | 'planComparison'
  | Exclude<Extract<AdminRouteName, `analytics${string}`>, 'analyticsHoldings'>

const REFUSED_PATH = '/pages/refused'

/** The reason why the last call was not served. */
export const refusalStore = createStore<Refusal | null>(() => null)

function show(error: unknown, quiet: boolean) {
  const display = displayOf(error)
  const endsSession = display.kind === 'toast' && display.signOut && isSignedIn()
  if (endsSession) endSession(window.location.pathname + window.location.search)
  // The plain page shows the reason, and the pages that remain open.
  if (error instanceof ApiError && error.error === 'NOT_SERVED') {
    refusalStore.setState(error.details as Refusal, true)
    if (window.location.pathname !== REFUSED_PATH) navigateTo(REFUSED_PATH)
    return
  }
  // Login shows the reason, whichever call was refused first.
  if ((quiet && !endsSession) || display.kind === 'none') return
  const about = error instanceof ApiError ? error.error : null
  if (display.kind === 'toast') showToast(display.text, { durationMs: LONG_TOAST_MS, tone: 'bad', about })
  else void showModal({ content: display.text, confirmText: t('common.ok'), showCancel: false })
}

async function send(name: RouteName, route: ApiRoute, input: CallInput, signal: AbortSignal | undefined) {
  const key = route.movesMoney === true ? keyFor(name, input) : null
  const timeout = AbortSignal.timeout(API_TIMEOUT_MS)
  let response: Response | undefined
  let answer: unknown
  try {
    const url = urlOf(route, input)
    response = await (takeEarly(url) ??
      fetch(url, {
        method: route.method,
        headers: headers(route, key),
        body: bodyOf(route, input),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      }))
    answer = await response.json()
  } catch (error) {
    if (signal?.aborted) throw new TransportError('abort', t('error.abort'))
    if (timeout.aborted) throw new TransportError('timeout', t('error.timeout'))
    if (error instanceof SyntaxError) {
      // A proxy answers for a server that it cannot reach.
      const status = response?.status === 200 ? 500 : (response?.status ?? 500)
      throw new ApiError(status, 'UNKNOWN', t('error.badAnswer'))
    }
    throw new TransportError('network', t('error.network'))
  }
  if (key !== null) pendingKeys.delete(pendingKey(name, input))
  return dataOf(response.status, answer, 1_000 * Number(response.headers.get('retry-after') ?? 0))
}

const bodyOf = ({ method }: ApiRoute, { body }: CallInput) =>
  method === 'POST' ? JSON.stringify(body ?? {}) : null

/** Parses the envelope: `{code: 200, msg, data}`, or a refusal with its stable code in `data.error`. */
function dataOf(status: number, answer: unknown, retryAfterMs = 0): unknown {
  const { code, msg, data } = (answer ?? {}) as { code?: unknown; msg?: unknown; data?: unknown }
  if (code === 200 && typeof data === 'object') return data
  const text = typeof msg === 'string' && msg !== '' ? msg : t('error.badAnswer')
  const { error = 'UNKNOWN', details = {} } = (data ?? {}) as Partial<Failure['data']>
  throw new ApiError(
    typeof code === 'number' && code !== 200 ? code : Math.max(status, 400),
    error,
    text,
    details,
    retryAfterMs,
  )
}

function headers(route: ApiRoute, idempotencyKey: string | null): Record<string, string> {
  const { token, tokenAddress } = sessionStore.getState()
  return {
    ...memberHeaders(currentLocale(), token, tokenAddress),
    ...(route.method === 'POST' && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== null && { 'Idempotency-Key': idempotencyKey }),
  }
}

/**
 * Idempotency keys of calls without a response yet. The same call repeated after a lost connection has the
 * same key, so it takes effect once; after a response the next call gets a new key.
 */
const pendingKeys = new Map<string, string>()

const pendingKey = (name: RouteName, input: CallInput) => `${name} ${JSON.stringify(input)}`

function keyFor(name: RouteName, input: CallInput): string {
  const id = pendingKey(name, input)
  const key = pendingKeys.get(id) ?? randomHex(16)
  pendingKeys.set(id, key)
  return key
}
