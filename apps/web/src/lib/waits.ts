import type { PauseArea } from '@rif/api-schema'
import { type QueryCache, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { useOutage } from './connection.ts'
import { apiQuery } from './queries.ts'

/** The work of a button that moves money: in an area that the guard and the operator can stop, or `agreed` before, which they cannot. */
export type Moves = PauseArea | 'agreed'

/** Describes what such a button waits for. */
export type Wait = 'connection' | 'guard' | 'pause'

/** A closed gate is shown within a minute: it closes within half of one. */
const GUARD_MS = 20_000

/** Describes what is stopped, read often enough that a button wakes soon after. */
export const pausesQuery = { ...apiQuery('pauses'), refetchInterval: GUARD_MS }

/** Returns what a button that moves money waits for; null while it may be tapped. It changes by itself. */
export function useWait(moves: Moves): Wait | null {
  const outage = useOutage()
  const isAgreed = moves === 'agreed'
  const { data } = useQuery({ ...pausesQuery, enabled: !isAgreed })
  if (outage !== null) return 'connection'
  if (isAgreed || data === undefined) return null
  if (data.guard.length > 0) return 'guard'
  return data.paused.includes(moves) ? 'pause' : null
}

/** Reads about the app itself, whose figures no page shows. */
const ABOUT_APP: readonly unknown[] = ['config', 'pauses', 'plan', 'transactions']

/** Returns the time of the oldest figures that the page shows; null while it shows none. */
function figuresTime(cache: QueryCache): number | null {
  const times = cache
    .getAll()
    .filter((query) => query.isActive() && query.state.data !== undefined)
    .filter(({ queryKey }) => !ABOUT_APP.includes(queryKey[0]))
    .map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? null : Math.min(...times)
}

/** The time (ms since 1970) of the figures that the page shows; null while it shows none. */
export function useFiguresTime(): number | null {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    useCallback((changed) => cache.subscribe(changed), [cache]),
    () => figuresTime(cache),
  )
}
