import type { ErrorCode, RouteData } from '@rif/api-schema'
import { queryOptions } from '@tanstack/react-query'
import { type CallArgs, call } from './api.ts'
import type { CallInput } from './api-routes.ts'
import { type GetName, isShown } from './queries.ts'

/** The polling interval of a page that follows an order or a withdrawal. */
const FOLLOW_MS = 2000

/** The least time (ms) between two looks of a page that waits; the stream of changes sets it while it is open (`lib/live.ts`). */
export const looking = { leastMs: 0 }

/** Returns the time after which a page looks again that would look every `everyMs` without the stream. */
export const lookEvery = (everyMs: number) => Math.max(everyMs, looking.leastMs)

/**
 * As `apiQuery`, asked again as long as `goesOn` says so of the last answer: when the stream of changes names it, and without the
 * stream every two seconds or `everyMs`. A first failure but `expected` is shown by the API client: later the page still has
 * something to show, and tells itself that it may be out of date.
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
