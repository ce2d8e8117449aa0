import compress from '@fastify/compress'
import { API_PREFIX } from '@rif/api-schema'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { ClockWatch } from './db/clock-watch.ts'
import { AppError } from './lib/errors.ts'
import type { Logger } from './lib/logger.ts'
import { messagesOf } from './messages.ts'
import { liveRoutes } from './modules/access/live/live.routes.ts'
import type { Live } from './modules/access/live/live.service.ts'
import { useAttempts } from './plugins/attempts.ts'
import { useAuthentication } from './plugins/authentication.ts'
import { bankFactsOf, useBankFacts } from './plugins/bank-facts.ts'
import { refusalOf, sendRefusal, useErrors } from './plugins/errors.ts'
import { trustOptionOf, useForwarded } from './plugins/forwarded.ts'
import { useMethods } from './plugins/methods.ts'
import { useMetrics } from './plugins/metrics.ts'
import { useOpenApi } from './plugins/openapi.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits, useIpLimit, useMemberLimit } from './plugins/rate-limits.ts'
import { type CountrySource, knowsCountry, useReach } from './plugins/reach.ts'
import { useSecurityHeaders } from './plugins/security.ts'
import { serializerCompiler } from './plugins/serializer.ts'
import { useWebApp } from './plugins/web-app.ts'
import type { Services } from './services.ts'

/** The settings of the HTTP server. */
export interface EdgeSettings extends CountrySource {
  /** The built web app; undefined serves the API only. */
  readonly webRoot?: string | undefined
  /** The bearer token that may read `/metrics`. */
  readonly metricsToken?: string | undefined
  readonly rateLimits?: RateLimits | undefined
  /** While this clock is wrong, requests that may write are answered with 503. */
  readonly clock?: Pick<ClockWatch, 'status'> | undefined
  /** While it does not know the schema, calls are answered with 503. */
  readonly schema?: { isKnown(): boolean } | undefined
  /** The check of the contracts; by default it has passed. */
  readonly contracts?: { isPassed(): boolean } | undefined
  /** The streams of changes; without them, the app polls. */
  readonly live?: Live | undefined
  readonly clients?: Partial<ConnectionLimits> | undefined
}

/** The limits of the connections of clients to this process, times in milliseconds. */
export interface ConnectionLimits {
  /** The maximum number of open ones; further ones are closed at once. */
  readonly most: number
  /** The time for which a connection may be idle after a response. */
  readonly idleMs: number
  /** The time within which a request must arrive: its headers, and all of it. */
  readonly requestMs: number
  /** The interval at which that is checked. */
  readonly checkMs: number
}

const DEFAULT_CONNECTIONS: ConnectionLimits = {
  most: 20_000,
  idleMs: 72_000,
  requestMs: 20_000,
  checkMs: 5_000,
}

const BODY_LIMIT_BYTES = 64 * 1024
/** The app times out after 30 s (specification section 7); the server answers before. */
const HANDLER_TIMEOUT_MS = 28_000
/** The calls of proxies and monitors, twice in five seconds and more, are logged when they fail. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/status', '/metrics'])
/** Smaller responses fit into one or two packets, and compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 4096

/** Creates the API and the web app as one Fastify app, which does not listen yet. */
export async function createApp(
  services: Services,
  { log, ...edge }: EdgeSettings & { log: Logger },
): Promise<FastifyInstance> {
  const clients = { ...DEFAULT_CONNECTIONS, ...edge.clients }
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request itself, because a child logger for each request costs as much as answering
    // some of them.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT_BYTES,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    requestTimeout: clients.requestMs,
    keepAliveTimeout: clients.idleMs,
    http: { headersTimeout: clients.requestMs, connectionsCheckingInterval: clients.checkMs },
    trustProxy: trustOptionOf(edge.trustProxy),
    forceCloseConnections: 'idle',
    // A path that cannot be decoded runs no hook.
    frameworkErrors: (error, request, reply) => {
      void onUnmatched(request as FastifyRequest)
      void sendRefusal(request, reply.headers(securityHeaders), refusalOf(error))
    },
  }) as unknown as FastifyInstance
  app.server.maxConnections = clients.most
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  useErrors(app, messagesOf(services.capabilities))
  const methodsAt = useMethods(app)
  useForwarded(app, log)
  useRequestLog(app)
  useDrain(app)
  if (edge.clock) useClock(app, edge.clock)
  if (edge.schema) useSchema(app, edge.schema)

  const limits = edge.rateLimits ?? DEFAULT_RATE_LIMITS
  const securityHeaders = useSecurityHeaders(app, services.settings)
  // Requests are small, but a compressed one could expand to any size.
  await app.register(compress, { threshold: COMPRESS_FROM_BYTES, globalDecompression: false })
  await useIpLimit(app, limits, services.db)
  useAuthentication(app, services)
  useMemberLimit(app, limits)
  useReach(app, services, edge)
  const onUnmatched = useAttempts(app, services)

  useMetrics(app, services.metrics, edge.metricsToken)
  await useOpenApi(app, { version: services.settings.version })
  useBankFacts(app, bankFactsOf(services.settings, services.chain.contracts))
  liveRoutes(app, edge.live)
  const { publicUrl } = services.settings
  const facts = { ...edge, log, publicUrl, knowsCountry: knowsCountry(edge) }
  for (const { routes } of services.capabilities) await routes?.(app, services, facts)
  await useWebApp(app, edge.webRoot, { onUnmatched, methodsAt })
  return app
}

/** Refuses requests that may write while the clock of this process is wrong. */
function useClock(app: FastifyInstance, clock: Pick<ClockWatch, 'status'>): void {
  app.addHook('onRequest', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD' && !clock.status().isRight) throw new AppError('UNAVAILABLE')
  })
}

/** Refuses calls while the schema of the database is one of a newer version, which this one would read and write wrongly. */
function useSchema(app: FastifyInstance, schema: { isKnown(): boolean }): void {
  app.addHook('onRequest', async ({ url }) => {
    if (url.startsWith(API_PREFIX) && !schema.isKnown()) throw new AppError('UNAVAILABLE')
  })
}

/**
 * Closes a connection after its pending response when the server closes. A kept-alive connection would delay
 * the end of the process beyond its time to stop. Closing waits for the requests in progress: Fastify does so
 * only for those of its first address, and `localhost` usually has two.
 */
function useDrain(app: FastifyInstance): void {
  let isClosing = false
  const underWay = new Set<Promise<unknown>>()
  app.addHook('onRequest', async (_request, { raw }) => {
    const ended = new Promise((resolve) => raw.once('finish', resolve).once('close', resolve))
    underWay.add(ended)
    void ended.then(() => underWay.delete(ended))
  })
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onClose', async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}

/**
 * Logs one line for each response, without query, headers or body, which may contain tokens and signatures.
 */
function useRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id, ip } = request
    const path = request.url.split('?')[0]
    const durationMs = Math.round(reply.elapsedTime * 100) / 100
    const level = PROBES.has(path!) && reply.statusCode < 400 ? 'debug' : 'info'
    request.log[level]({ id, method, path, ip, status: reply.statusCode, durationMs }, 'answered')
  })
}
