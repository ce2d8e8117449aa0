import type { ErrorCode, RouteData } from '@rif/api-schema'
import { queryOptions } from '@tanstack/react-query'
import { type CallArgs, call } from './api.ts'
import type { CallInput } from './api-routes.ts'
import { type GetName, isShown } from './queries.ts'

/** The polling interval of a page that follows an order or a withdrawal. */
const FOLLOW_MS = 2000

/**
 * The minimum interval (ms) between reads of a waiting page; the stream of changes sets it while it is open
 * (`lib/live.ts`).
 */
export const looking = { leastMs: 0 }

/** Returns the interval of a page that would read every `everyMs` without the stream. */
export const lookEvery = (everyMs: number) => Math.max(everyMs, looking.leastMs)

/**
 * Does the same as `apiQuery`, and repeats the read while `goesOn` returns true for the last response: when
 * the stream of changes announces it, and without the stream every two seconds or `everyMs`. The API client
 * shows a first failure that is not `expected`; later the page still shows old data, and marks it as possibly
 * out of date.
 */
export function apiFollow<N extends GetName>(
  name: N,
  input: NonNullable<CallArgs<N>[0]>,
  goesOn: (data: RouteData<N>) => boolean,
  { everyMs = FOLLOW_MS, expected }: { everyMs?: number; expected?: ErrorCode } = {},
) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal, client, queryKey }): Promise<RouteData<N>> => {
      const quiet = client.getQueryData(queryKey) !== undefined
      const patient = isShown(client, queryKey)
      return call(name, input as CallInput, { signal, quiet, patient, ...(expected && { expected }) })
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && goesOn(state.data as RouteData<N>) ? lookEvery(everyMs) : false,
  })
}
