import type { RouteData, RouteName, routes } from '@rif/api-schema'
import {
  type InfiniteData,
  infiniteQueryOptions,
  notifyManager,
  QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type CallArgs, call } from './api.ts'
import { pauseAfter } from './api-errors.ts'
import type { CallInput, FirstRead } from './api-routes.ts'

/** The pause after which a failed read is retried, as long as a page shows it. */
const AGAIN_MS = 15_000

/** The time within which a page that is rendered again does not repeat a failed read. */
const FAILED_FRESH_MS = 5_000

/**
 * Reads of an open page wait while the connection is lost (`lib/connection.ts`). Other failures are shown,
 * and the screen offers a retry. Writes never wait: they fail at once, and the member decides again.
 */
export function createQueryClient() {
  // The button is busy before the second click of a double click, not some milliseconds later.
  notifyManager.setScheduler(queueMicrotask)
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 10_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        // One read can be refused (503) while others are answered; then the end of no lost connection would
        // retry it.
        refetchInterval: ({ state }) =>
          state.status === 'error' && pauseAfter(state.error) !== null ? AGAIN_MS : false,
        // A part that is rendered only after a failure would read again, be removed meanwhile, and so on
        // without a pause.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > FAILED_FRESH_MS,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  // The config changes with a deployment, hardly ever while the app is open.
  client.setQueryDefaults(['config'], { staleTime: 5 * 60_000 })
  return client
}

export type GetName = { [N in RouteName]: (typeof routes)[N]['method'] extends 'GET' ? N : never }[RouteName]
type ListName = { [N in GetName]: RouteData<N> extends { next: string | null } ? N : never }[GetName]

/** Options for `useQuery` of a GET route. Its key starts with the route's name: `invalidateQueries({queryKey: ['me']})`. */
export function apiQuery<N extends GetName>(name: N, ...[input]: CallArgs<N>) {
  return queryOptions({
    queryKey: [name, input ?? {}],
    queryFn: ({ signal, client, queryKey }): Promise<RouteData<N>> =>
      call(name, (input ?? {}) as CallInput, {
        signal,
        quiet: isReread(client, queryKey),
        patient: name === 'config' || isShown(client, queryKey),
      }),
  })
}

/**
 * Requests the data of the first page before it is rendered. A failure is reported when the page reads it.
 */
export async function readAhead(client: QueryClient, [name, input, of]: FirstRead): Promise<void> {
  // The list itself takes the early response.
  if (of === 'list') return
  await client.prefetchQuery({
    queryKey: [name, input],
    queryFn: () => call(name, input, { quiet: true, patient: true }),
  })
}

/**
 * Reports whether a page shows the query. Other reads are steps of an action, which fails with them; all
 * pages need the config.
 */
export const isShown = (client: QueryClient, queryKey: QueryKey) =>
  (client.getQueryCache().find({ queryKey, exact: true })?.getObserversCount() ?? 0) > 0

/**
 * Reports whether the screen already shows a failure: the banner of a lost connection, or the previous
 * failure of the same read.
 */
function isReread(client: QueryClient, queryKey: QueryKey): boolean {
  const state = client.getQueryState(queryKey)
  if (state === undefined) return false
  return state.data === undefined ? state.errorUpdateCount > 0 : !navigator.onLine
}

/** The number of items that a list requests at a time. */
const LIST_PAGE = 50
/**
 * A list that was scrolled further than this is not refreshed automatically, but page by page when it is
 * pulled down.
 */
export const MAX_REREAD_PAGES = 4
/** The time for which a list is kept after its page was left, so that the position is restored. */
const LIST_KEPT_MS = 30 * 60_000

type Pages = InfiniteData<unknown>
const isShort = ({ state }: { state: { data?: unknown } }) =>
  ((state.data as Pages | undefined)?.pages.length ?? 0) <= MAX_REREAD_PAGES

/** Options for `useInfiniteQuery` of a list route; the cursor is filled in. `ui/infinite-list.tsx` shows it. */
export function apiList<N extends ListName>(name: N, ...[input]: CallArgs<N>) {
  const callInput = (input ?? {}) as CallInput
  return infiniteQueryOptions({
    queryKey: [name, 'list', callInput],
    queryFn: ({ signal, pageParam, client, queryKey }): Promise<RouteData<N>> => {
      const query = {
        limit: LIST_PAGE,
        ...(callInput.query as object),
        ...(pageParam !== null && { cursor: pageParam }),
      }
      return call(
        name,
        { ...callInput, query },
        {
          signal,
          patient: isShown(client, queryKey),
          quiet: isReread(client, queryKey) && pageParam === null,
        },
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as { next: string | null }).next,
    gcTime: LIST_KEPT_MS,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
}

/** A minute is soon enough to show the changes of others. */
export const WATCH_MS = 60_000

/** Like `apiList`, refreshed every minute while it is short, for lists on which others also work. */
export const apiWatchedList = <N extends ListName>(name: N, ...input: CallArgs<N>) => ({
  ...apiList(name, ...input),
  refetchInterval: (query: Parameters<typeof isShort>[0]) => isShort(query) && WATCH_MS,
})

/** Reads the lists of a route again from their first page, as pulling down does. */
export function useListRefresh(name: ListName): () => Promise<unknown> {
  const client = useQueryClient()
  return async () => {
    client.setQueriesData<Pages>({ queryKey: [name, 'list'] }, (data) =>
      data === undefined ? data : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    await client.invalidateQueries({ queryKey: [name] })
  }
}

/** Returns the chain, the contracts, the limits, and the payments of the last 30 days. */
export const configQuery = apiQuery('config')

/**
 * Reads the config again before anything is signed, because a bank contract may have replaced the one of an
 * open page. Throws like `call`.
 */
export async function readConfig(client: QueryClient): Promise<RouteData<'config'>> {
  const config = await call('config', {}, { quiet: true })
  client.setQueryData(configQuery.queryKey, config)
  return config
}

/** The config, undefined while it loads. */
export const useAppConfig = () => useQuery(configQuery).data

const SETTLE_MS = 300

/** Returns a typed text once typing pauses, as a search requires it. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
