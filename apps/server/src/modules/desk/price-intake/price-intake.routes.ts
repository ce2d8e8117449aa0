import type { FastifyInstance, FastifyRequest } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { PriceIntake } from './price-intake.service.ts'

const headerOf = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** `admin/prices`, and `prices/feed/:source`, whose signature covers the body exactly as sent. */
export async function priceIntakeRoutes(
  app: FastifyInstance,
  { priceIntake }: { priceIntake: PriceIntake },
): Promise<void> {
  register(app, 'adminPrices', () => priceIntake.overview())
  await app.register(async (scope) => {
    const texts = new WeakMap<FastifyRequest, string>()
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      texts.set(request, String(body))
      try {
        done(null, JSON.parse(String(body)))
      } catch (error) {
        done(Object.assign(error as Error, { statusCode: 400 }))
      }
    })
    scope.addHook('preValidation', async (request) => {
      const { source } = request.params as { source: string }
      request.signedAt = priceIntake.authenticate(source, {
        id: headerOf(request, 'webhook-id'),
        timestamp: headerOf(request, 'webhook-timestamp'),
        signature: headerOf(request, 'webhook-signature'),
        body: texts.get(request) ?? '',
      })
    })
    register(scope, 'priceFeed', async ({ params, body, signedAt }) => ({
      outcome: await priceIntake.receive(params.source, body, signedAt),
    }))
  })
}
