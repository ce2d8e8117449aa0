import type { z } from 'zod'
import type { AdminRole } from './admin.ts'

/**
 * Who may call: everybody; whoever is signed in; members; or admins whose role allows what this role does
 * (`roleAllows`). Others are refused: 401 without a session, 403 with one.
 */
export type Access = 'public' | 'session' | 'member' | AdminRole

/**
 * One call of the API. `movesMoney`: takes an `Idempotency-Key`. Paths are the specification's, under `/api/v1/`;
 * `:name` marks a path parameter.
 */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  readonly movesMoney?: boolean
  /** Where what is sent may be larger than elsewhere, in bytes. */
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

/** A capability's calls by name; `routes.ts` holds everybody's. */
export type Routes = Record<string, Route>
