import { isAdminRole, type Refusal, type RouteName } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { TrustedProxies } from './forwarded.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The country that the trusted proxy states (ISO 3166-1 alpha-2); null when it is unknown. */
    country: string | null
  }
}

/**
 * The calls by which a member pays money in, or gives it to others: refused for callers who may only
 * withdraw. Withdrawing one's own money, and returning money, are not among them. `reach.test.ts` classifies
 * every call that moves money.
 */
export const TAKING: ReadonlySet<RouteName> = new Set<RouteName>([
  ...(['createOrder', 'orderTx', 'approveUsdt', 'approveAmc'] as const),
  ...(['fundBuy', 'fundTx', 'fundApprove'] as const),
  ...(['transfer', 'savingsIn', 'savingsStandingSet'] as const),
  ...(['makeExchange', 'buyHashRate', 'subscribeLaunch'] as const),
])

/**
 * The calls that are open even to callers without any service: ending a session, and the data about the
 * caller.
 */
const ALWAYS: ReadonlySet<RouteName> = new Set<RouteName>(['signOut', 'personData'])

interface Refuses {
  /** Returns the reason why a caller is not served; null for all others. */
  refusalOf(caller: {
    readonly country: string | null
    readonly address?: string | undefined
  }): Promise<Refusal | null>
}

/** The settings from which the edge derives the country of a request. */
export interface CountrySource {
  /** The header in which the proxy states it; undefined without such a proxy. */
  readonly countryHeader?: string | undefined
  readonly trustProxy?: TrustedProxies | undefined
}

/** Reports whether the country of requests is known: a header is configured, and there is a trusted proxy. */
export const knowsCountry = ({ countryHeader, trustProxy }: CountrySource): boolean =>
  countryHeader !== undefined && Boolean(trustProxy)

/**
 * Refuses requests of countries and wallets that the operator may not serve, by the kind of the call, from
 * one table for all calls. Register it after authentication. A session that declined the terms in force may
 * only withdraw too. Operators' calls are not refused by country or wallet, so that operators cannot lock
 * themselves out. Sign-in is decided by its service, which can find out whether the wallet is a member.
 * Throws NOT_SERVED, TERMS_NOT_ACCEPTED.
 */
export function useReach(app: FastifyInstance, { reach }: { reach: Refuses }, source: CountrySource): void {
  const header = knowsCountry(source) ? source.countryHeader : undefined
  app.decorateRequest('country', null)
  app.addHook('onRequest', async (request) => {
    if (header !== undefined) request.country = countryIn(request, header)
    const { routeName, access } = request.routeOptions.config
    if (routeName === undefined || access === undefined || access === 'public') return
    if (request.caller?.leavesOnly && (TAKING.has(routeName) || isAdminRole(access)))
      throw new AppError('TERMS_NOT_ACCEPTED')
    if (isAdminRole(access)) return
    if (ALWAYS.has(routeName)) return
    const refusal = await reach.refusalOf({ country: request.country, address: request.caller?.address })
    if (refusal !== null && (refusal.level === 'no_service' || TAKING.has(routeName)))
      throw new AppError('NOT_SERVED', { ...refusal })
  })
}

/** Reads the country; of several values the last one, which the proxy has added. */
function countryIn({ headers }: FastifyRequest, header: string): string | null {
  const value = headers[header]
  const last = (Array.isArray(value) ? value.join(',') : (value ?? ''))
    .split(',')
    .at(-1)!
    .trim()
    .toUpperCase()
  return /^[A-Z]{2}$/.test(last) ? last : null
}
