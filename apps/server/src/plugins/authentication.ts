import { isAdminRole } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import { AppError } from '../lib/errors.ts'
import type { Admin, AdminsService } from '../modules/admins/admins.service.ts'
import type { AuthService, Caller } from '../modules/auth/auth.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null where no session is needed. */
    caller: Caller | null
    /** The admin who makes it; null where no role is needed. */
    admin: Admin | null
  }
}

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/

interface Deps {
  readonly db: Db
  readonly auth: AuthService
  readonly admins: AdminsService
}

/** Returns who makes a request, by its token and the wallet that this is bound to. Throws UNAUTHORIZED. */
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
 * Lets a call pass as its `access` says: only with a bearer token and the wallet that it is bound to in
 * X-Wallet-Address; then only a member, or only an admin whose role allows it. Before the body is read. Roles are looked up
 * anew for each call: one that was taken away is gone with the next. Throws UNAUTHORIZED, FORBIDDEN.
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
