import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { sendRefusal } from './errors.ts'

/** The folder of files whose name changes with their content. */
export const HASHED = '/assets/'

interface Unmatched {
  /** Handles requests that match no route and no file. */
  readonly onUnmatched: (request: FastifyRequest) => Promise<void>
  /** Returns the methods of a path. */
  readonly methodsAt: (path: string) => string[]
}

/**
 * Serves the built web app. Its pages are rendered in the browser, so every path of a page returns the same
 * document. Missing API calls and missing files return 404, and a wrong method returns the allowed ones.
 * `root` undefined: only the API is served.
 */
export async function useWebApp(
  app: FastifyInstance,
  root: string | undefined,
  { onUnmatched, methodsAt }: Unmatched,
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
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !path.startsWith('/api/') && !/\.[a-z0-9]+$/i.test(path)
    if (root !== undefined && isPage) return reply.sendFile('index.html')
    await onUnmatched(request)
    const methods = methodsAt(path)
    if (methods.length === 0) return sendRefusal(request, reply, new AppError('NOT_FOUND'))
    return sendRefusal(request, reply.header('allow', methods.join(', ')), new AppError('METHOD_NOT_ALLOWED'))
  })
}
