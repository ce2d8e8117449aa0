import type { z } from 'zod'
import type { AdminRole } from './admin.ts'

/**
 * The callers of a route: all, signed-in wallets, members, or admins whose role includes the given one (`roleAllows`). Others get
 * 401 without a session and 403 with one.
 */
export type Access = 'public' | 'session' | 'member' | AdminRole

/**
 * A route of the API. `movesMoney`: takes an `Idempotency-Key`. Paths are those of the specification, below `/api/v1/`; `:name`
 * is a path parameter.
 */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
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

type Parts = Omit<Route, 'method' | 'path' | 'access' | 'summary'>

function routeWith<const M extends Route['method']>(method: M) {
  return <const P extends string, const A extends Access, const R extends Parts>(
    path: P,
    access: A,
    summary: string,
    parts: R,
  ) => ({ method, path, access, summary, ...parts })
}

export const get = routeWith('GET')
export const post = routeWith('POST')

/** The routes of a capability by name; `routes.ts` combines all. */
export type Routes = Record<string, Route>
