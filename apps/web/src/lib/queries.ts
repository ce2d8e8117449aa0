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

/** The pause after which a read that the server could not serve is tried again, as long as a page shows it. */
const AGAIN_MS = 15_000

/** The time within which a page that is drawn again does not repeat a read that failed. */
const FAILED_FRESH_MS = 5_000

/**
 * Reads of an open page wait for a lost connection (`lib/connection.ts`); other failures are shown, and the screen offers
 * to try again. What changes something never waits: it fails at once, and the member decides again.
 */
export function createQueryClient() {
  // A button is busy before the second click of a double click, not some milliseconds later.
  notifyManager.setScheduler(queueMicrotask)
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        ...{ retry: false, staleTime: 10_000, networkMode: 'always', refetchOnReconnect: true },
        // One read can be refused (503) while others are answered, so that no lost connection ends for it.
        refetchInterval: ({ state }) =>
          state.status === 'error' && pauseAfter(state.error) !== null ? AGAIN_MS : false,
        // A part that is drawn only after a failure would read again, be removed meanwhile, and so on without a pause.
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
        ...{
          signal,
          quiet: isReread(client, queryKey),
          patient: name === 'config' || isShown(client, queryKey),
        },
      }),
  })
}

/** Reads what the first page asks for before it is drawn. A failure is told when the page asks again. */
export async function readAhead(client: QueryClient, [name, input, of]: FirstRead): Promise<void> {
  // The list itself takes the early answer.
  if (of === 'list') return
  await client.prefetchQuery({
    queryKey: [name, input],
    queryFn: () => call(name, input, { quiet: true, patient: true }),
  })
}

/** Reports whether a page shows the query. Other reads are one step of some work, which fails with them; all need the config. */
export const isShown = (client: QueryClient, queryKey: QueryKey) =>
  (client.getQueryCache().find({ queryKey, exact: true })?.getObserversCount() ?? 0) > 0

/** Reports whether the screen shows a failure already: the banner of a lost connection, or the failure of the read before. */
function isReread(client: QueryClient, queryKey: QueryKey): boolean {
  const state = client.getQueryState(queryKey)
  if (state === undefined) return false
  return state.data === undefined ? state.errorUpdateCount > 0 : !navigator.onLine
}

/** Items that a list asks for at a time. */
const LIST_PAGE = 50
/** A list that was scrolled further than this is not read anew by itself: it is, page by page, when it is pulled down. */
export const MAX_REREAD_PAGES = 4
/** The time for which a list is kept after its page was left, so that coming back finds the same place. */
const LIST_KEPT_MS = 30 * 60_000

type Pages = InfiniteData<unknown>
const isShort = ({ state }: { state: { data?: unknown } }) =>
  ((state.data as Pages | undefined)?.pages.length ?? 0) <= MAX_REREAD_PAGES

/** Options for `useInfiniteQuery` of a list route; the cursor is filled in. `ui/infinite-list.tsx` shows it. */
export function apiList<N extends ListName>(name: N, ...[input]: CallArgs<N>) {
  const given = (input ?? {}) as CallInput
  return infiniteQueryOptions({
    queryKey: [name, 'list', given],
    queryFn: ({ signal, pageParam, client, queryKey }): Promise<RouteData<N>> => {
      const query = {
        limit: LIST_PAGE,
        ...(given.query as object),
        ...(pageParam !== null && { cursor: pageParam }),
      }
      return call(
        name,
        { ...given, query },
        {
          ...{ signal, patient: isShown(client, queryKey) },
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

/** A minute is soon enough to hear of what others did, and of what happened meanwhile. */
export const WATCH_MS = 60_000

/** As `apiList`, read anew every minute while it is short: a list that others work on too. */
export const apiWatchedList = <N extends ListName>(name: N, ...input: CallArgs<N>) => ({
  ...apiList(name, ...input),
  refetchInterval: (query: Parameters<typeof isShort>[0]) => isShort(query) && WATCH_MS,
})

/** Reads the lists of a route anew from their first page: what pulling down does. */
export function useListRefresh(name: ListName): () => Promise<unknown> {
  const client = useQueryClient()
  return async () => {
    client.setQueriesData<Pages>({ queryKey: [name, 'list'] }, (data) =>
      data === undefined ? data : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    await client.invalidateQueries({ queryKey: [name] })
  }
}

/** Chain, contracts and limits, and what was really paid in the last 30 days. */
export const configQuery = apiQuery('config')

/**
 * Reads the config anew, before anything is signed: a bank contract may have replaced the one that an open page knows. Throws
 * as `call` does.
 */
export async function readConfig(client: QueryClient): Promise<RouteData<'config'>> {
  const config = await call('config', {}, { quiet: true })
  client.setQueryData(configQuery.queryKey, config)
  return config
}

/** The config, undefined while it loads. */
export const useAppConfig = () => useQuery(configQuery).data

const SETTLE_MS = 300

/** A text that is typed, once typing pauses: what a search waits for. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
