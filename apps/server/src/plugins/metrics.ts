import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { forAll } from '../db/lanes.ts'
import { AppError } from '../lib/errors.ts'

/** Numbers that are read when the metrics are requested: one gauge, its label, and its values by label. */
export interface Reading {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  read(): Promise<readonly { readonly labels: Record<string, string>; readonly value: number }[]>
}

export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics of this process, among them numbers that it reads from the database. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const httpSeconds = new Histogram({
    name: 'rif_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const ledgerTransactions = new Counter({
    name: 'rif_ledger_transactions_total',
    help: 'Ledger transactions posted by this process, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })

  return {
    contentType: registry.contentType,
    httpSeconds,
    ledgerTransactions,

    /** Returns all metrics as text. */
    text: (): Promise<string> => registry.metrics(),

    /** Adds a gauge that is filled while the metrics are read, and left out if it cannot be read. */
    addReading(reading: Reading): void {
      const gauge = new Gauge({
        name: reading.name,
        help: reading.help,
        labelNames: [...reading.labels],
        registers: [registry],
        async collect() {
          gauge.reset()
          const values = await reading.read().catch(() => [])
          for (const { labels, value } of values) gauge.set(labels, value)
        },
      })
    },
  }
}

/** Measures every request, and serves `/metrics` to callers with the token; without a token the page does not exist. */
export function useMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.isStream) return
    const labels = {
      route: request.routeOptions.url ?? 'none',
      method: request.method,
      status: reply.statusCode,
    }
    metrics.httpSeconds.observe(labels, reply.elapsedTime / 1_000)
  })
  if (token === undefined) return
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) throw new AppError('UNAUTHORIZED')
    return reply.type(metrics.contentType).send(await forAll('reads', () => metrics.text()))
  })
}

function isSame(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(actual), digest(expected))
}
