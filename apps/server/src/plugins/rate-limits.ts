import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { RouteName } from '@rif/api-schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { type Count, createSharedCounts } from '../lib/shared-counts.ts'

/**
 * Requests per minute: of one network address, of one member, and of one address for calls without a session.
 */
export interface RateLimits {
  readonly perIp: number
  readonly perMember: number
  readonly signInPerIp: number
}

export const DEFAULT_RATE_LIMITS: RateLimits = { perIp: 600, perMember: 300, signInPerIp: 30 }

/** The calls with which codes, nonces, signatures and link tokens could be guessed. */
const STRICT: ReadonlySet<RouteName | undefined> = new Set<RouteName>([
  'nonce',
  'auth',
  'acceptTerms',
  'invitation',
  'shared',
])
const WINDOW_MS = 60_000
/** The calls, and the pages and documents about them. */
const API = '/api/'
/** The published texts of terms and risks, which are read from the database too. */
export const TERMS_TEXT = '/terms/:file'

type Check = ReturnType<FastifyInstance['createRateLimit']>

/**
 * Returns the source of a request: its IPv4 address (also one mapped to IPv6), or its IPv6 network of 64
 * bits.
 */
export const sourceOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string => normalizeIP(ip)

/**
 * Limits the API's calls and the checks of readiness and status, counted over all API processes: before authentication by network address,
 * after it by member. Call it before and `useMemberLimit` after authentication is set up. Throws RATE_LIMITED.
 */
export async function useIpLimit(app: FastifyInstance, limits: RateLimits, db: Db): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: WINDOW_MS, store: storeOf(app, db) })
  const limit = (name: string, max: number) =>
    app.createRateLimit({ max, keyGenerator: (request) => `${name} ${sourceOf(request)}` })
  const anyCall = limit('ip', limits.perIp)
  const signIn = limit('sign-in', limits.signInPerIp)
  const readiness = limit('ready', limits.perIp)
  app.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions
    if (url === '/ready' || url === '/status') await enforce(readiness, request, reply)
    const { routeName } = config
    // By the matched route, because an address may be written in several ways.
    if (routeName === undefined && url !== TERMS_TEXT && !(url ?? request.url).startsWith(API)) return
    await enforce(anyCall, request, reply)
    if (STRICT.has(routeName)) await enforce(signIn, request, reply)
  })
}

/** Like `useIpLimit`, for signed-in callers. */
export function useMemberLimit(app: FastifyInstance, limits: RateLimits): void {
  const ofMember = app.createRateLimit({
    max: limits.perMember,
    keyGenerator: (request) => `wallet ${request.caller?.address}`,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.caller !== null) await enforce(ofMember, request, reply)
  })
}

/** Returns the plugin's store that counts in the database. All limits share it, because their keys differ. */
function storeOf(app: FastifyInstance, db: Db) {
  const counts = createSharedCounts({ db, windowMs: WINDOW_MS })
  const clearing = setInterval(() => void counts.clear().catch(() => undefined), WINDOW_MS).unref()
  app.addHook('onClose', async () => clearInterval(clearing))
  return class SharedStore {
    incr(
      key: string,
      callback: (error: Error | null, count?: Count) => void,
      _window: number,
      max: number,
    ): void {
      counts.hit(key, max).then(
        (count) => callback(null, count),
        (error: Error) => callback(error),
      )
    }

    child(): SharedStore {
      return this
    }
  }
}

async function enforce(check: Check, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const limit = await check(request)
  if (limit.isAllowed || !limit.isExceeded) return
  reply.header('retry-after', limit.ttlInSeconds)
  throw new AppError('RATE_LIMITED', { retry_after_seconds: limit.ttlInSeconds })
}
