import { z } from 'zod'
import { id, page, pageOf, time } from './primitives.ts'

/** The events that an endpoint may receive. */
export const WEBHOOK_EVENTS = [
  ...(['order.created', 'order.paid', 'payment.unmatched', 'payment.released'] as const),
  ...(['withdrawal.requested', 'withdrawal.approved', 'withdrawal.returned', 'withdrawal.paid'] as const),
  ...(['fund.purchased', 'fund.redeemed', 'treasury.paid', 'settlement.completed'] as const),
  ...(['alarm.raised', 'alarm.ended', 'price.published'] as const),
  ...(['proposal.prepared', 'proposal.approved', 'proposal.refused', 'proposal.applied'] as const),
  ...(['proposal.ended', 'announcement.published', 'announcement.withdrawn'] as const),
] as const
export const webhookEvent = z.enum(WEBHOOK_EVENTS)
export type WebhookEvent = z.infer<typeof webhookEvent>

export const MAX_WEBHOOK_ENDPOINTS = 10

const endpoint = z.object({
  endpoint_id: id,
  name: z.string(),
  url: z.string(),
  events: z.array(webhookEvent),
  active: z.boolean(),
  changed_at: time,
  /** True if somebody has read the secret, which is shown once. */
  secret_shown: z.boolean(),
  /** The deliveries that wait for their next attempt, and those that were given up. */
  waiting: z.number().int(),
  failed: z.number().int(),
})

/** `ready`: whether the settings have the key from which secrets are derived. */
export const webhooksData = z.object({ ready: z.boolean(), endpoints: z.array(endpoint) })
export type WebhookEndpoint = z.infer<typeof endpoint>
export const webhookParams = z.object({ endpoint_id: id })
export const webhookSecretData = z.object({ secret: z.string() })

export const deliveryState = z.enum(['waiting', 'sending', 'delivered', 'failed'])
const problem = z.enum(['refused', 'timeout', 'unreachable', 'inactive'])
const delivery = z.object({
  delivery_id: id,
  endpoint_id: id,
  endpoint: z.string(),
  event_id: id,
  event: webhookEvent,
  occurred_at: time,
  state: deliveryState,
  attempts: z.number().int(),
  next_at: time.nullable(),
  status: z.number().int().nullable(),
  problem: problem.nullable(),
})
export type WebhookDelivery = z.infer<typeof delivery>
export const deliveriesQuery = page.extend({ state: deliveryState.optional() })
export const deliveriesData = pageOf(delivery)
export const deliveryParams = z.object({ delivery_id: id })
export const deliveryData = delivery.extend({
  /** The body exactly as sent. */
  body: z.string(),
  tries: z.array(
    z.object({
      at: time,
      duration_ms: z.number().int(),
      status: z.number().int().nullable(),
      problem: problem.nullable(),
    }),
  ),
})
