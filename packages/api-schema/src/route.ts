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

export const get = <const R extends Omit<Route, 'method'>>(route: R) => ({ method: 'GET' as const, ...route })
export const post = <const R extends Omit<Route, 'method'>>(route: R) => ({
  method: 'POST' as const,
  ...route,
})

/** A capability's calls by name; `routes.ts` holds everybody's. */
export type Routes = Record<string, Route>
