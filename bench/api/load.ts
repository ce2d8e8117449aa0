import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { FastifyInstance } from 'fastify'
import type { Caller } from './members.ts'

export interface Figures {
  readonly perSecond: number
  readonly p99Ms: number
}

/** Requests per second that an app answers to 32 connections, each sending its next request after the last answer. */
export async function measure(
  app: FastifyInstance,
  path: string,
  callers: readonly Caller[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Figures> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 }).catch(() => undefined)
  const port = (app.server.address() as { port: number }).port
  const result = await autocannon({
    url: address ?? `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    // A thread of its own: the load must not take turns with the server in one event loop.
    workers: 1,
    setupClient: fileURLToPath(new URL('rotate.cjs', import.meta.url)),
    requests: callers.map((caller) => ({
      path,
      headers: { authorization: `Bearer ${caller.token}`, 'x-wallet-address': caller.address },
    })),
  })
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(
      `${path}: ${result.non2xx} refused, ${result.errors} failed, ${result.timeouts} timed out`,
    )
  }
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
}
