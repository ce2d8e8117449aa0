import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { Webhooks } from './webhooks.service.ts'

/** `admin/webhooks` and `admin/webhook-deliveries`. */
export function webhookRoutes(app: FastifyInstance, { webhooks }: { webhooks: Webhooks }): void {
  register(app, 'webhooks', () => webhooks.list())
  register(app, 'webhookSecret', async ({ admin, params }) => ({
    secret: await webhooks.showSecret(admin.address, BigInt(params.endpoint_id)),
  }))
  register(app, 'webhookDeliveries', ({ query }) => webhooks.deliveries(query))
  register(app, 'webhookDelivery', ({ params }) => webhooks.delivery(BigInt(params.delivery_id)))
  register(app, 'replayWebhook', ({ admin, params }) =>
    webhooks.replay(admin.address, BigInt(params.delivery_id)),
  )
}
