import type { PauseArea } from '@rif/api-schema'
import { type QueryCache, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { useOutage } from './connection.ts'
import { lookEvery } from './follow.ts'
import { apiQuery } from './queries.ts'

/**
 * The action of a button that moves money: one that the guard and the operator can stop, by area, or one
 * `agreed` before, which they cannot stop.
 */
export type Moves = PauseArea | 'agreed'

/** The causes for which such a button waits. */
export type Wait = 'connection' | 'guard' | 'pause'

/** A closed gate is shown within a minute; it closes within half a minute. */
const GUARD_MS = 20_000

/**
 * Reads the stopped areas, often enough that a button is enabled again soon: when the stream of changes names them, and without the
 * stream every 20 s.
 */
export const pausesQuery = { ...apiQuery('pauses'), refetchInterval: () => lookEvery(GUARD_MS) }

/**
 * Returns the cause for which a button that moves money waits; null while it may be tapped. Updates by
 * itself.
 */
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

/** Returns the time of the oldest figures on the page; null while it shows none. */
function figuresTime(cache: QueryCache): number | null {
  const times = cache
    .getAll()
    .filter((query) => query.isActive() && query.state.data !== undefined)
    .filter(({ queryKey }) => !ABOUT_APP.includes(queryKey[0]))
    .map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? null : Math.min(...times)
}

/** The time (ms since 1970) of the figures on the page; null while it shows none. */
export function useFiguresTime(): number | null {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    useCallback((changed) => cache.subscribe(changed), [cache]),
    () => figuresTime(cache),
  )
}
