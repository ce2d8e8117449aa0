import type { RouteData, RouteName, routes } from '@rif/api-schema'
import {
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type CallArgs, type CallInput, call } from './api.ts'

/** Nothing is retried by itself: a failure has been shown, and the screen offers to try again. */
export function createQueryClient() {
  const client = new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000 },
      mutations: { retry: false },
    },
  })
  // The config changes with a deployment, hardly ever while the app is open.
  client.setQueryDefaults(['config'], { staleTime: 5 * 60_000 })
  return client
}

type GetName = { [N in RouteName]: (typeof routes)[N]['method'] extends 'GET' ? N : never }[RouteName]
type PostName = Exclude<RouteName, GetName>
type ListName = { [N in GetName]: RouteData<N> extends { next: string | null } ? N : never }[GetName]

/** Options for `useQuery` of a GET route. Its key starts with the route's name: `invalidateQueries({queryKey: ['me']})`. */
export function apiQuery<N extends GetName>(name: N, ...[input]: CallArgs<N>) {
  return queryOptions({
    queryKey: [name, input ?? {}],
    queryFn: ({ signal }): Promise<RouteData<N>> => call(name, (input ?? {}) as CallInput, { signal }),
  })
}

/** How often a page that follows an order or a withdrawal asks again. */
const FOLLOW_MS = 2000

/**
 * As `apiQuery`, asked again every two seconds as long as `goesOn` says so of the last answer. Only a first failure is
 * shown by the API client: later the page still has something to show, and tells itself that it may be out of date.
 */
export function apiFollow<N extends GetName>(
  name: N,
  input: NonNullable<CallArgs<N>[0]>,
  goesOn: (data: RouteData<N>) => boolean,
) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal, client, queryKey }): Promise<RouteData<N>> => {
      const quiet = client.getQueryData(queryKey) !== undefined
      return call(name, input as CallInput, { signal, quiet })
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && goesOn(state.data as RouteData<N>) ? FOLLOW_MS : false,
  })
}

/** Options for `useInfiniteQuery` of a list route; the cursor is filled in. `ui/infinite-list.tsx` shows it. */
export function apiList<N extends ListName>(name: N, ...[input]: CallArgs<N>) {
  const given = (input ?? {}) as CallInput
  return infiniteQueryOptions({
    queryKey: [name, 'list', given],
    queryFn: ({ signal, pageParam }): Promise<RouteData<N>> => {
      const query = { ...(given.query as object), ...(pageParam !== null && { cursor: pageParam }) }
      return call(name, { ...given, query }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as { next: string | null }).next,
  })
}

/**
 * A mutation over a POST route. After success the queries of `refresh` are fetched anew, by route name; the answer
 * comes from `mutateAsync(input)`.
 */
export function useApiMutation<N extends PostName>(
  name: N,
  { refresh = [] }: { refresh?: readonly GetName[] } = {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: NonNullable<CallArgs<N>[0]>): Promise<RouteData<N>> => call(name, input as CallInput),
    onSuccess: () => Promise.all(refresh.map((query) => client.invalidateQueries({ queryKey: [query] }))),
  })
}
