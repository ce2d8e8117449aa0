import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { AuthService, Session } from '../modules/auth/auth.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes this request; null where no session is needed. */
    session: Session | null
  }
}

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/

/**
 * Lets a call with access 'member' pass only with a bearer token and the wallet that it is bound to in X-Wallet-Address.
 * Before the body is read. Throws UNAUTHORIZED.
 */
export function useAuthentication(app: FastifyInstance, auth: AuthService): void {
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access !== 'member') return
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    const wallet = request.headers['x-wallet-address']
    if (token === undefined || typeof wallet !== 'string') throw new AppError('UNAUTHORIZED')
    request.session = await auth.authenticate(token, wallet)
  })
}
