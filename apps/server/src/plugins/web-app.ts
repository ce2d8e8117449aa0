import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { sendRefusal } from './errors.ts'

/** The folder of files whose name changes with their content. */
export const HASHED = '/assets/'

/**
 * Serves the built web app. Its pages are made in the browser, so every path of a page answers the one document; a
 * missing call of the API or a missing file stays missing. `root` undefined: only the API is served.
 * `onUnmatched` receives requests that match nothing.
 */
export async function useWebApp(
  app: FastifyInstance,
  root: string | undefined,
  onUnmatched: (request: FastifyRequest) => Promise<void>,
): Promise<void> {
  if (root !== undefined) {
    await app.register(staticFiles, {
      root,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const immutable = path.includes(HASHED)
        response.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0]!
    const isPage = request.method === 'GET' && !path.startsWith('/api/') && !/\.[a-z0-9]+$/i.test(path)
    if (root !== undefined && isPage) return reply.sendFile('index.html')
    await onUnmatched(request)
    return sendRefusal(request, reply, new AppError('NOT_FOUND'))
  })
}
