import {
  API_PREFIX,
  envelopeOf,
  failure,
  type Locale,
  type Route,
  type RouteData,
  type RouteName,
  type RouteRequest,
  routes,
} from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { forRequest } from '../db/lanes.ts'
import type { Admin } from '../lib/caller.ts'
import { type Caller, isMember, OPERATOR_MEMBER_ID, type Session } from '../lib/caller.ts'
import { AppError } from '../lib/errors.ts'
import type { IdempotentRequest } from '../lib/idempotency.ts'
import { inTurns } from '../lib/in-turn.ts'
import { localeOf } from '../lib/locale.ts'

import { endOf } from './request-end.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for the calls of the route table; whatever else is served needs no session. */
    routeName?: RouteName
    access?: Route['access']
    /** Set for a stream, whose length is no measure of the server. */
    isStream?: boolean
  }
  interface FastifyRequest {
    /** The time at which the sender signed the message, once the signature was checked. */
    signedAt?: Date
  }
}

/** A call that has passed the edge: parsed, and made by whom it says. */
export interface Call<Name extends RouteName> extends RouteRequest<Name> {
  /** The member who calls; only for routes with access 'member'. */
  readonly session: Session
  /** The caller, member or not; for all routes but public ones. */
  readonly caller: Caller
  /** The admin who calls; only for routes that need a role. */
  readonly admin: Admin
  readonly locale: Locale
  /** The time of the sender's signature; only for routes that receive signed messages. */
  readonly signedAt: Date
  /** The country that the proxy states; null where it is not known. */
  readonly country: string | null
  /** The User-Agent of the caller. */
  readonly userAgent: string | undefined
  /** Pass it to `idempotent`. Set when the route moves money and the client sent a key. */
  readonly idempotency: IdempotentRequest | undefined
}

export type Handler<Name extends RouteName> = (call: Call<Name>) => Promise<RouteData<Name>>

const SECURITY = [{ token: [], wallet: [] }]
const KEY_HEADERS = z.object({ 'idempotency-key': z.string().min(1).max(200).optional() })

/** The most calls of a caller that wait for their turn, beside the one that runs. A page sends a few at most. */
const MOST_WAITING = 9
/**
 * Calls of a caller that may lock or write wait for each other here, before they take a connection: in the database they would wait for
 * the lock of their own member with a connection each, and those with one key would keep all waiting that share a transaction with them.
 */
const inTurn = inTurns(MOST_WAITING)

/** Serves one call of the route table: path, schemas, access and documentation come from there. */
export function register<Name extends RouteName>(
  app: FastifyInstance,
  name: Name,
  handler: Handler<Name>,
): void {
  const route: Route = routes[name]
  const { params, query, body } = route
  app.route({
    method: route.method,
    url: `${API_PREFIX}${route.path}`,
    ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
    config: { routeName: name, access: route.access },
    schema: {
      operationId: name,
      summary: route.summary,
      tags: [route.path.split('/')[0]!],
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(route.movesMoney && { headers: KEY_HEADERS }),
      ...(route.access !== 'public' && { security: SECURITY }),
      response: { 200: envelopeOf(route.data), '4xx': failure, '5xx': failure },
    },
    handler: async (request, reply) => {
      const end = endOf(reply)
      const call = callOf(request, route, name)
      const run = () => forRequest(route.lane, end, () => handler(call))
      const { caller } = request
      const data = await (route.lane === 'reads' || caller === null
        ? run()
        : inTurn(caller.address, end, run))
      return { code: 200, msg: 'OK', data }
    },
  })
}

function callOf<Name extends RouteName>(request: FastifyRequest, route: Route, name: Name): Call<Name> {
  const { params, query, body } = request as unknown as RouteRequest<Name>
  const key = request.headers['idempotency-key']
  const idempotency =
    route.movesMoney && typeof key === 'string'
      ? { ...keyOf(request, key), operation: name, input: { params, body } }
      : undefined
  return {
    params,
    query,
    body,
    locale: localeOf(request.headers['accept-language']),
    userAgent: request.headers['user-agent'],
    country: request.country,
    idempotency,
    get signedAt() {
      return requireCaller(request.signedAt ?? null)
    },
    get session() {
      return sessionOf(request)
    },
    get caller() {
      return requireCaller(request.caller)
    },
    get admin() {
      return requireCaller(request.admin)
    },
  }
}

function sessionOf(request: FastifyRequest): Session {
  const caller = requireCaller(request.caller)
  if (!isMember(caller)) throw new AppError('FORBIDDEN')
  return caller
}

/** A member's key is the member's; that of an admin, who need not be a member, the wallet's. */
function keyOf(request: FastifyRequest, key: string): Pick<IdempotentRequest, 'memberId' | 'key'> {
  const { memberId, address } = requireCaller(request.caller)
  if (request.admin === null && memberId !== null) return { memberId, key }
  return { memberId: OPERATOR_MEMBER_ID, key: `${address}/${key}` }
}

function requireCaller<T>(who: T | null): T {
  if (who === null) throw new AppError('UNAUTHORIZED')
  return who
}
