import type { RouteData, RouteName } from '@rif/api-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type CallArgs, call } from './api.ts'
import type { CallInput } from './api-routes.ts'
import type { GetName } from './queries.ts'

type PostName = Exclude<RouteName, GetName>

/** The callbacks of one call. */
interface Outcome<Data> {
  readonly onSuccess?: ((data: Data) => void) | undefined
  readonly onError?: (error: Error) => void
}

/**
 * A mutation over a POST route. After success the queries of `refresh` are fetched again, by route name;
 * `mutateAsync(input)` returns the response. It is pending until they are loaded. The callbacks of `mutate`
 * run before, because the refreshed data may remove the form from the screen.
 */
export function useApiMutation<N extends PostName>(
  name: N,
  { refresh = [] }: { refresh?: readonly GetName[] } = {},
) {
  type Input = NonNullable<CallArgs<N>[0]>
  type Sent = { readonly input: Input } & Pick<Outcome<RouteData<N>>, 'onSuccess'>
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ input }: Sent): Promise<RouteData<N>> => call(name, input as CallInput),
    onSuccess: (data, { onSuccess }) => {
      onSuccess?.(data)
      return Promise.all(refresh.map((query) => client.invalidateQueries({ queryKey: [query] })))
    },
  })
  const { mutate: start, mutateAsync } = mutation
  return {
    ...mutation,
    /** The input of the last call. */
    variables: mutation.variables?.input,
    mutate: useCallback(
      (input: Input, { onSuccess, onError }: Outcome<RouteData<N>> = {}) =>
        start({ input, onSuccess }, onError && { onError }),
      [start],
    ),
    mutateAsync: (input: Input) => mutateAsync({ input }),
  }
}
