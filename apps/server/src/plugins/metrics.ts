import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { forAll } from '../db/lanes.ts'
import { AppError } from '../lib/errors.ts'

/** Numbers that are read when the metrics are requested: one gauge, its label, and its values by label. */
export interface Reading {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  read(): Promise<readonly { readonly labels: Record<string, string>; readonly value: number }[]>
}

/** The numbers of one process, in a form that can be sent to another process. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Returns the numbers of the other processes of this product. */
export type OtherMetrics = () => Promise<readonly MetricValues[]>

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The numbers of this process, each labelled with its name, and the numbers that are the same for all
 * processes. A sum over processes would fall when one of them restarts, which Prometheus would interpret as a
 * reset.
 */
export function createMetrics(process = 'main') {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  const common = new Registry()
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

    /** Returns the numbers of this process. */
    ofProcess: (): Promise<MetricValues> => registry.getMetricsAsJSON() as Promise<MetricValues>,

    /** Returns all metrics as text: the numbers of this process and of others, and the common ones. */
    async text(others: readonly MetricValues[] = []): Promise<string> {
      const all = [(await registry.getMetricsAsJSON()) as MetricValues, ...others]
      // Their labels differ, so no two are added.
      const lists = all.map((list) => list.map((one) => ({ ...one, aggregator: 'sum' as const })))
      return `${await AggregatorRegistry.aggregate(lists).metrics()}\n${await common.metrics()}`
    },

    /**
     * Adds gauges that are filled while the metrics are read; a gauge that cannot be read is left out. `of`
     * states whether the number belongs to this process, or is the same for all.
     */
    addReading(reading: Reading, of: 'process' | 'all' = 'all'): void {
      const gauge = new Gauge({
        name: reading.name,
        help: reading.help,
        labelNames: [...reading.labels],
        registers: [of === 'all' ? common : registry],
        async collect() {
          gauge.reset()
          const values = await reading.read().catch(() => [])
          for (const { labels, value } of values) gauge.set(labels, value)
        },
      })
    },
  }
}

/**
 * Measures every request, and serves `/metrics` to callers with the token; without a configured token the
 * page does not exist. `others` requests the numbers of the other processes of this product.
 */
export function useMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  { token, others = async () => [] }: { token?: string | undefined; others?: OtherMetrics | undefined },
): void {
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
    const values = await others()
    return reply.type(metrics.contentType).send(await forAll('reads', () => metrics.text(values)))
  })
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
