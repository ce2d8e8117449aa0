import type { z } from 'zod'
import type { AdminRole } from './admin.ts'

/**
 * The callers of a route: all, signed-in wallets, members, or admins whose role includes the given one (`roleAllows`). Others get
 * 401 without a session and 403 with one.
 */
export type Access = 'public' | 'session' | 'member' | AdminRole

/**
 * The effect of a route on the database, which decides which connections it uses. `reads`: writes nothing and locks no row
 * (`lanes.test.ts` runs each on connections that refuse both). `writes`: may do both, so the calls of one caller wait for each other.
 * `locks`: also waits for locks that many callers share.
 */
export type RouteLane = 'reads' | 'writes' | 'locks'

/**
 * A route of the API. `movesMoney`: takes an `Idempotency-Key`. Paths are those of the specification, below `/api/v1/`; `:name`
 * is a path parameter.
 */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  readonly lane: RouteLane
  readonly movesMoney?: boolean
  /** The response is a persistent stream of server-sent events; `data` is the form of each event. */
  readonly isStream?: true
  /** The size limit of the request in bytes, if it exceeds the default. */
  readonly bodyLimit?: number
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly data: z.ZodType
}

/** The rest of a route; the lane where it is not the usual one of the method. */
type Parts = Omit<Route, 'method' | 'path' | 'access' | 'lane' | 'summary'> & Partial<Pick<Route, 'lane'>>

function routeWith<const M extends Route['method']>(method: M, lane: RouteLane) {
  return <const P extends string, const A extends Access, const R extends Parts>(
    path: P,
    access: A,
    summary: string,
    parts: R,
  ) => ({ method, path, access, lane, summary, ...parts })
}

export const get = routeWith('GET', 'reads')
export const post = routeWith('POST', 'writes')

/** The routes of a capability by name; `routes.ts` combines all. */
export type Routes = Record<string, Route>
