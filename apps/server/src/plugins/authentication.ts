import { isAdminRole } from '@rif/api-schema'
import type { AdminRole } from '@rif/rules'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import type { Admin, Caller } from '../lib/caller.ts'
import { AppError } from '../lib/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null where no session is required. */
    caller: Caller | null
    /** The admin who sends it; null where no role is required. */
    admin: Admin | null
  }
}

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/

export interface Authenticates {
  /** Returns the caller of a token that is bound to the wallet. Throws UNAUTHORIZED. */
  authenticate(token: string, wallet: string): Promise<Caller>
}

interface Deps {
  readonly db: Db
  readonly auth: Authenticates
  /** Returns the admin of a wallet. Throws FORBIDDEN where its role does not allow the required one. */
  readonly admins: { require(db: Db, address: string, role: AdminRole): Promise<Admin> }
}

/**
 * Returns the caller of a request, from its token and the wallet to which the token is bound. Throws
 * UNAUTHORIZED.
 */
export async function callerOf(auth: Authenticates, { headers }: FastifyRequest): Promise<Caller> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  const wallet = headers['x-wallet-address']
  if (token === undefined || typeof wallet !== 'string') throw new AppError('UNAUTHORIZED')
  return auth.authenticate(token, wallet)
}

/**
 * Admits a call according to its `access`: with a bearer token and, in X-Wallet-Address, the wallet to which
 * it is bound; and, where required, only a member, or only an admin whose role allows it. Runs before the
 * body is read. Roles are read anew for each call, so a revoked role has no effect from the next call on.
 * Throws UNAUTHORIZED, FORBIDDEN.
 */
export function useAuthentication(app: FastifyInstance, { db, auth, admins }: Deps): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('admin', null)
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (access === undefined || access === 'public') return
    const caller = await callerOf(auth, request)
    request.caller = caller
    if (access === 'member' && caller.memberId === null) throw new AppError('FORBIDDEN')
    if (isAdminRole(access)) {
      const role = access
      request.admin = await forAll('reads', () => admins.require(db, caller.address, role))
    }
  })
}
