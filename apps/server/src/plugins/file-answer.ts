import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The app waits 60 s for a file; a large one on a slow connection takes longer. */
export const FILE_TIMEOUT_MS = 600_000

/** Sends a file for download, which no intermediary may store or transform. */
export function sendFile(
  reply: FastifyReply,
  { filename, mediaType, content }: { filename: string; mediaType: string; content: Readable },
): FastifyReply {
  return reply
    .headers({
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .type(mediaType)
    .send(content)
}
