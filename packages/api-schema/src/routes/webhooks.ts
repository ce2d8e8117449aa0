import { get, post, type Routes } from '../route.ts'
import * as webhooks from '../webhooks.ts'

/**
 * The routes with which operators read webhooks, replay deliveries and reveal a secret once. Endpoints change
 * by proposals.
 */
export const webhooksRoutes = {
  webhooks: get('admin/webhooks', 'viewer', 'The endpoints of webhooks', { data: webhooks.webhooksData }),
  webhookSecret: post('admin/webhooks/:endpoint_id/secret', 'owner', 'The secret of an endpoint, once', {
    params: webhooks.webhookParams,
    data: webhooks.webhookSecretData,
  }),
  webhookDeliveries: get('admin/webhook-deliveries', 'viewer', 'Deliveries of events, newest first', {
    query: webhooks.deliveriesQuery,
    data: webhooks.deliveriesData,
  }),
  webhookDelivery: get('admin/webhook-deliveries/:delivery_id', 'viewer', 'A delivery with its attempts', {
    params: webhooks.deliveryParams,
    data: webhooks.deliveryData,
  }),
  replayWebhook: post(
    'admin/webhook-deliveries/:delivery_id/replay',
    'operator',
    'Deliver an event again, under the same id',
    { params: webhooks.deliveryParams, data: webhooks.deliveryData },
  ),
} satisfies Routes
