import { isAdminRole, type RouteName } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { type ReachService, refuse } from '../modules/reach/reach.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The country that the trusted proxy states (ISO 3166-1 alpha-2); null where it is not known. */
    country: string | null
  }
}

/**
 * The calls by which somebody puts money in, or gives it to others: refused for whoever may only leave. Taking out what is
 * one's own, and giving back, is not among them. `reach.test.ts` says of every call that moves money where it stands.
 */
export const TAKING: ReadonlySet<RouteName> = new Set<RouteName>([
  ...(['createOrder', 'orderTx', 'approveUsdt', 'approveAmc'] as const),
  ...(['fundBuy', 'fundTx', 'fundApprove'] as const),
  ...(['transfer', 'savingsIn', 'savingsStandingSet'] as const),
  ...(['makeExchange', 'buyHashRate', 'subscribeLaunch'] as const),
])

/** The calls that are open even to those who get no service at all: ending a session, and the data about oneself. */
const ALWAYS: ReadonlySet<RouteName> = new Set<RouteName>(['signOut', 'personData'])

/** The settings from which the edge learns the country of a request. */
export interface CountrySource {
  /** The header in which the proxy states it; undefined where no proxy does. */
  readonly countryHeader?: string | undefined
  readonly trustProxy?: boolean | undefined
}

/** Reports whether the country of requests is known: a header is named, and there is a proxy to trust. */
export const knowsCountry = ({ countryHeader, trustProxy }: CountrySource): boolean =>
  countryHeader !== undefined && trustProxy === true

/**
 * Refuses requests of countries and wallets that the operator may not serve, by the kind of the call: one table for all. Call it
 * after authentication. A session that declined the terms in force may only leave too. The calls of operators are not refused by
 * country or wallet, so that they cannot lock themselves out; signing in is decided by the service, which knows whether the
 * wallet is a member. Throws NOT_SERVED, TERMS_NOT_ACCEPTED.
 */
export function useReach(
  app: FastifyInstance,
  { reach }: { reach: Pick<ReachService, 'refusalOf'> },
  source: CountrySource,
): void {
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
    if (refusal !== null && (refusal.level === 'no_service' || TAKING.has(routeName))) refuse(refusal)
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
