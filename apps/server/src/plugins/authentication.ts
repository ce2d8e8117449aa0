import { isAdminRole } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import { AppError } from '../lib/errors.ts'
import type { AuthService, Caller } from '../modules/access/auth/auth.service.ts'
import type { Admin, AdminsService } from '../modules/operators/admins/admins.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null where no session is required. */
    caller: Caller | null
    /** The admin who sends it; null where no role is required. */
    admin: Admin | null
  }
}

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/

interface Deps {
  readonly db: Db
  readonly auth: AuthService
  readonly admins: AdminsService
}

/**
 * Returns the caller of a request, from its token and the wallet to which the token is bound. Throws
 * UNAUTHORIZED.
 */
export async function callerOf(
  auth: Pick<AuthService, 'authenticate'>,
  { headers }: FastifyRequest,
): Promise<Caller> {
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
