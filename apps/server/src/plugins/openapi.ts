import { gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { API_PREFIX } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { AppError } from '../lib/errors.ts'

const DOCS_PATH = '/api/docs'
const DOCUMENT = `${API_PREFIX}openapi.json`

/**
 * Serves the OpenAPI document, made from the schemas that also validate every call, and a page that shows it.
 * Register it before the routes.
 */
export async function useOpenApi(app: FastifyInstance, { version }: { version: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'RIFund Portfolio API',
        version,
        description:
          'Every answer is `{code, msg, data}`; `code` equals the HTTP status. On failure `data` is `{error, details}` ' +
          'with a stable error code. Amounts and ids are decimal strings. Lists take `cursor` and `limit`.',
      },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'The token of `POST auth`' },
          wallet: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Wallet-Address',
            description: 'The wallet of the token',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  let written: { text: string; gzipped: Buffer } | undefined
  const write = () => {
    const text = JSON.stringify(app.swagger())
    return { text, gzipped: gzipSync(text) }
  }
  // Two megabytes, which any client may request, so it is serialised and compressed only once.
  app.get(DOCUMENT, { schema: { hide: true }, compress: false }, async ({ headers }, reply) => {
    written ??= write()
    reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding')
    if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return written.text
    return reply.header('content-encoding', 'gzip').send(written.gzipped)
  })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false, supportedSubmitMethods: [] },
    staticCSP: false,
    uiHooks: {
      // The page would request a separate document, which would be serialised for each request, and as YAML
      // takes seconds.
      onRequest: (request, reply, done) => {
        const { url } = request.routeOptions
        if (url === `${DOCS_PATH}/json`) void reply.redirect(DOCUMENT)
        else done(url === `${DOCS_PATH}/yaml` ? new AppError('NOT_FOUND') : undefined)
      },
    },
  })
}
