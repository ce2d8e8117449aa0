import type { FastifyReply } from 'fastify'

/** The error of work for a request that has ended. Created once, because each new error captures a stack. */
export const ENDED = new DOMException('the request has ended', 'AbortError')

/**
 * Returns a signal that aborts when a request has ended: its response was sent, even one that took too long,
 * or its client closed the connection. (Fastify's `request.signal` aborts as soon as a body was read.)
 */
export function endOf(reply: FastifyReply): AbortSignal {
  const end = new AbortController()
  reply.raw.once('close', () => end.abort(ENDED))
  return end.signal
}
