import { createHmac } from 'node:crypto'
import { MAX_WEBHOOK_ENDPOINTS, type RouteData, type WebhookDelivery } from '@rif/api-schema'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import { type Outgoing, OutgoingRefused } from '../../../lib/outgoing.ts'
import { signWebhook } from '../../../lib/signed-webhook.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { EndpointDraft, Problem, WebhookDeliveryRow } from './webhooks.repository.ts'
import * as repository from './webhooks.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly adminLog: Pick<AdminLogService, 'record'>
  readonly outgoing: Outgoing
  /** The key from which the secrets of endpoints are derived, 32 bytes; without it there are no webhooks. */
  readonly webhookKey: Uint8Array | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The pauses between attempts that Standard Webhooks recommends: about three days in all. */
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** An attempt takes at most ten seconds; after this time its worker counts as dead. */
const DEAD_AFTER_MS = MINUTE_MS
const KEPT_MS = 30 * 24 * HOUR_MS
const CLEAN_UP_ROWS = 500
const GONE = 410

export type Webhooks = ReturnType<typeof createWebhooks>

/** Creates the service of webhooks: endpoints, deliveries with retries, and manual replays. */
export function createWebhooks({ db, now, adminLog, outgoing, webhookKey }: Deps) {
  const before = (ms: number) => new Date(now().getTime() - ms)

  function secretOf(endpointId: bigint): string {
    if (webhookKey === null) throw new AppError('WEBHOOKS_NOT_SET_UP')
    return `whsec_${createHmac('sha256', webhookKey).update(`webhook/${endpointId}`).digest('base64')}`
  }

  /** Sends an event once. Returns the HTTP status, or the reason why there was none. */
  async function send(
    delivery: WebhookDeliveryRow,
  ): Promise<{ status: number | null; problem: Problem | null }> {
    if (!delivery.active) return { status: null, problem: 'inactive' }
    const message = {
      id: `evt_${delivery.eventId}`,
      timestamp: `${Math.floor(now().getTime() / 1_000)}`,
      body: bodyOf(delivery),
    }
    try {
      const { status } = await outgoing.send({
        url: delivery.url,
        method: 'POST',
        body: message.body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': message.id,
          'webhook-timestamp': message.timestamp,
          'webhook-signature': signWebhook(secretOf(delivery.endpointId), message),
        },
      })
      return { status, problem: null }
    } catch (error) {
      return { status: null, problem: problemOf(error) }
    }
  }

  async function detail(on: Db, deliveryId: bigint): Promise<RouteData<'webhookDelivery'>> {
    const row = await repository.findDelivery(on, deliveryId)
    if (row === undefined) throw new AppError('NOT_FOUND')
    const tries = await repository.listAttempts(on, deliveryId)
    return {
      ...viewOf(row),
      body: bodyOf(row),
      tries: tries.map(({ at, durationMs, ...rest }) => ({
        at: at.toISOString(),
        duration_ms: durationMs,
        ...rest,
      })),
    }
  }

  return {
    find: repository.findEndpoint,

    /**
     * Validates an endpoint before it is proposed. Throws VALIDATION_FAILED for an internal address, too many
     * endpoints, and without a key.
     */
    async check(
      on: Db,
      { endpointId, url, name }: Pick<EndpointDraft, 'endpointId' | 'url' | 'name'>,
    ): Promise<void> {
      if (webhookKey === null) throw new AppError('WEBHOOKS_NOT_SET_UP')
      try {
        outgoing.check(url)
      } catch (error) {
        if (!(error instanceof OutgoingRefused)) throw error
        throw new AppError('VALIDATION_FAILED', { field: 'url', problem: error.message })
      }
      const endpoints = await repository.listEndpoints(on)
      if (endpoints.some((endpoint) => endpoint.name === name && endpoint.endpointId !== endpointId))
        throw new AppError('VALIDATION_FAILED', { field: 'name', problem: 'is taken' })
      if (endpointId === null && endpoints.length >= MAX_WEBHOOK_ENDPOINTS)
        throw new AppError('VALIDATION_FAILED', { field: 'endpoint_id', problem: 'too many endpoints' })
    },

    /** Adds or changes an endpoint that two persons approved. Throws NOT_FOUND, and as `check`. */
    async put(dbTx: Db, draft: Omit<EndpointDraft, 'at'>): Promise<{ endpoint_id: string }> {
      await this.check(dbTx, draft)
      const endpointId = await repository.putEndpoint(dbTx, { ...draft, at: now() })
      if (endpointId === undefined) throw new AppError('NOT_FOUND')
      return { endpoint_id: `${endpointId}` }
    },

    async list(): Promise<RouteData<'webhooks'>> {
      const endpoints = await repository.listEndpoints(db)
      return {
        ready: webhookKey !== null,
        endpoints: endpoints.map(({ endpointId, changedAt, secretShownAt, events, ...rest }) => ({
          ...rest,
          endpoint_id: `${endpointId}`,
          events: [...events],
          changed_at: changedAt.toISOString(),
          secret_shown: secretShownAt !== null,
        })),
      }
    },

    /** Returns the secret of an endpoint once. Throws NOT_FOUND, also if it was shown before. */
    async showSecret(actor: string, endpointId: bigint): Promise<string> {
      const secret = secretOf(endpointId)
      await inTx(db, async (dbTx) => {
        if (!(await repository.markSecretShown(dbTx, endpointId, { to: actor, at: now() })))
          throw new AppError('NOT_FOUND')
        const subject = `webhook/${endpointId}`
        await adminLog.record(dbTx, { actor, action: 'webhook.secret', subject })
      })
      return secret
    },

    async deliveries({ cursor, limit, state }: RouteInputOf): Promise<RouteData<'webhookDeliveries'>> {
      const [last] = decodeCursor(cursor, 1) ?? []
      const rows = await repository.listDeliveries(db, { before: last, state, limit: limit + 1 })
      return toPage(rows, limit, viewOf, ({ deliveryId }) => encodeCursor(deliveryId))
    },

    delivery: (deliveryId: bigint) => detail(db, deliveryId),

    /** Delivers an event again under the same id. Throws NOT_FOUND while it is waiting or being sent. */
    async replay(actor: string, deliveryId: bigint): Promise<RouteData<'webhookDelivery'>> {
      return inTx(db, async (dbTx) => {
        if (!(await repository.replayDelivery(dbTx, deliveryId, now()))) throw new AppError('NOT_FOUND')
        const subject = `webhook-delivery/${deliveryId}`
        await adminLog.record(dbTx, { actor, action: 'webhook.replay', subject })
        return detail(dbTx, deliveryId)
      })
    },

    /**
     * Makes one attempt to deliver. If the worker dies during it, `enqueueLost` retries the delivery, so the
     * receiver may get an event twice, under the same id.
     */
    async deliver(deliveryId: bigint): Promise<void> {
      const begun = now()
      const taken = { at: begun, deadSince: before(DEAD_AFTER_MS) }
      const delivery = await repository.takeDelivery(db, deliveryId, taken)
      if (delivery === undefined) return
      const answer = await send(delivery)
      const attempt = { at: begun, durationMs: now().getTime() - begun.getTime(), ...answer }
      const next = nextOf(delivery, answer)
      await inTx(db, (dbTx) => repository.endAttempt(dbTx, deliveryId, attempt, next))
    },

    /** Requeues deliveries of dead workers, and deletes events after 30 days. */
    async keepUp(): Promise<void> {
      const times = { deadSince: before(DEAD_AFTER_MS), lateSince: before(DEAD_AFTER_MS) }
      await repository.enqueueLost(db, { ...times, limit: CLEAN_UP_ROWS })
      await repository.deleteEvents(db, before(KEPT_MS), CLEAN_UP_ROWS)
    },
  }

  function nextOf(
    { attempts }: WebhookDeliveryRow,
    { status, problem }: { status: number | null; problem: Problem | null },
  ): Parameters<typeof repository.endAttempt>[3] {
    if (status !== null && status >= 200 && status < 300) return { state: 'delivered' }
    const pauseMs = PAUSES_MS[attempts - 1]
    const isFinal =
      status === GONE || problem === 'inactive' || problem === 'refused' || pauseMs === undefined
    if (isFinal) return { state: 'failed' }
    // Endpoints that failed together must not all be retried at the same moment.
    const spread = 0.9 + Math.random() * 0.2
    return { state: 'waiting', at: new Date(now().getTime() + Math.round(pauseMs * spread)) }
  }
}

type RouteInputOf = {
  cursor?: string | undefined
  limit: number
  state?: WebhookDelivery['state'] | undefined
}

/** Returns the body of an event, the same in every attempt. */
const bodyOf = ({ event, occurredAt, data }: WebhookDeliveryRow): string =>
  JSON.stringify({ type: event, timestamp: occurredAt.toISOString(), data })

function problemOf(error: unknown): Problem {
  if (error instanceof OutgoingRefused) return 'refused'
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable'
}

const viewOf = (row: WebhookDeliveryRow): WebhookDelivery => ({
  delivery_id: `${row.deliveryId}`,
  endpoint_id: `${row.endpointId}`,
  endpoint: row.endpoint,
  event_id: `${row.eventId}`,
  event: row.event,
  occurred_at: row.occurredAt.toISOString(),
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  problem: row.problem,
  next_at: row.state === 'waiting' ? row.nextAt.toISOString() : null,
})
