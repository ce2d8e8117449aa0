import rateLimit from '@fastify/rate-limit'
import type { RouteName } from '@rif/api-schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'

/** Requests per minute: of one network address, of one member, and of one address for what precedes a session. */
export interface RateLimits {
  readonly perIp: number
  readonly perMember: number
  readonly signInPerIp: number
}

export const DEFAULT_RATE_LIMITS: RateLimits = { perIp: 600, perMember: 300, signInPerIp: 30 }

/** The calls with which codes, nonces and signatures can be tried out. */
const STRICT: ReadonlySet<RouteName | undefined> = new Set<RouteName>(['nonce', 'auth', 'invitation'])
const WINDOW_MS = 60_000

type Check = ReturnType<FastifyInstance['createRateLimit']>

/**
 * Limits the API's calls, counted in this process: before authentication by network address, after it by member; each
 * API process counts on its own. Call it before and `useMemberLimit` after authentication is set up. Throws RATE_LIMITED.
 */
export async function useIpLimit(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: WINDOW_MS })
  const anyCall = app.createRateLimit({ max: limits.perIp, keyGenerator: (request) => `ip ${request.ip}` })
  const signIn = app.createRateLimit({
    max: limits.signInPerIp,
    keyGenerator: (request) => `sign-in ${request.ip}`,
  })
  app.addHook('onRequest', async (request, reply) => {
    const { routeName } = request.routeOptions.config
    if (routeName === undefined) return
    await enforce(anyCall, request, reply)
    if (STRICT.has(routeName)) await enforce(signIn, request, reply)
  })
}

/** As `useIpLimit`, for who is signed in. */
export function useMemberLimit(app: FastifyInstance, limits: RateLimits): void {
  const ofMember = app.createRateLimit({
    max: limits.perMember,
    keyGenerator: (request) => `wallet ${request.caller?.address}`,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.caller !== null) await enforce(ofMember, request, reply)
  })
}

async function enforce(check: Check, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const limit = await check(request)
  if (limit.isAllowed || !limit.isExceeded) return
  reply.header('retry-after', limit.ttlInSeconds)
  throw new AppError('RATE_LIMITED', { retry_after_seconds: limit.ttlInSeconds })
}
