import type { FastifyInstance } from 'fastify'
import type { Logger } from '../lib/logger.ts'

/** The proxies whose X-Forwarded-For counts: false for none, their number, or their addresses and networks. */
export type TrustedProxies = false | number | readonly string[]

type TrustOption = false | string[] | ((address: string, hop: number) => boolean)

/** Returns Fastify's option for the proxies in front. Entries before theirs come from the client. */
export function trustOptionOf(proxies: TrustedProxies | undefined): TrustOption {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  return proxies ? [...proxies] : false
}

const HEADERS = ['x-forwarded-for', 'forwarded'] as const

/**
 * Says once that a request names a client that is ignored: a proxy that is not trusted has sent it, and then all clients behind it
 * share its limits of calls, or a client has invented it.
 */
export function useForwarded(app: FastifyInstance, log: Logger): void {
  let isSaid = false
  app.addHook('onRequest', async ({ headers, ip, socket }) => {
    if (isSaid) return
    const header = HEADERS.find((name) => headers[name] !== undefined)
    // A client that a trusted proxy named has another address than the connection.
    if (header === undefined || ip !== socket.remoteAddress) return
    isSaid = true
    log.warn(
      { header, from: socket.remoteAddress },
      'a request names its client in a header that is ignored: behind a proxy, set TRUST_PROXY',
    )
  })
}
