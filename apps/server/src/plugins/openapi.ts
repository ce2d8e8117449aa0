import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { API_PREFIX } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

const DOCS_PATH = '/api/docs'

/**
 * The OpenAPI document, made from the schemas that also check every call, and a page that shows it. To be set up before
 * the routes.
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
  app.get(`${API_PREFIX}openapi.json`, { schema: { hide: true } }, async () => app.swagger())
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false, supportedSubmitMethods: [] },
    staticCSP: false,
  })
}
