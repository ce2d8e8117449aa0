import type { WebhookDelivery, WebhookEvent } from '@rif/api-schema'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** An endpoint that two persons approved. */
export interface Endpoint {
  readonly endpointId: bigint
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly active: boolean
  readonly changedAt: Date
  readonly secretShownAt: Date | null
}

export type DeliveryState = WebhookDelivery['state']
export type Problem = NonNullable<WebhookDelivery['problem']>

/** A delivery with its event and endpoint. */
export interface WebhookDeliveryRow {
  readonly deliveryId: bigint
  readonly endpointId: bigint
  readonly endpoint: string
  readonly url: string
  readonly active: boolean
  readonly eventId: bigint
  readonly event: WebhookEvent
  readonly data: unknown
  readonly occurredAt: Date
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: Date
  readonly status: number | null
  readonly problem: Problem | null
}

const ENDPOINT = sql`endpoint_id as "endpointId", name, url, events, active, changed_at as "changedAt",
  secret_shown_at as "secretShownAt"`
const DELIVERY = sql`d.delivery_id as "deliveryId", d.endpoint_id as "endpointId", p.name as endpoint, p.url, p.active,
  d.event_id as "eventId", e.kind as event, e.data, e.occurred_at as "occurredAt", d.state, d.attempts,
  d.next_at as "nextAt", d.status, d.problem`
const JOINED = sql`webhook_deliveries as d join webhook_events as e using (event_id)
  join webhook_endpoints as p using (endpoint_id)`

/**
 * Stores an event with a delivery for each active endpoint that subscribes to it, and queues these; does
 * nothing if there is none.
 */
export async function insertEvent(
  dbTx: Db,
  { kind, data, at }: { kind: WebhookEvent; data: unknown; at: Date },
): Promise<void> {
  await sql`
    with wanted as (select endpoint_id from webhook_endpoints where active and ${kind} = any (events)),
    event as (
      insert into webhook_events (kind, data, occurred_at)
      select ${kind}, ${JSON.stringify(data)}::jsonb, ${at} where exists (select from wanted) returning event_id
    ), made as (
      insert into webhook_deliveries (endpoint_id, event_id, next_at)
      select endpoint_id, event_id, ${at} from wanted, event returning delivery_id
    )
    select webhook_enqueue(delivery_id, ${at}) from made`.execute(dbTx)
}

/** Stores events as `insertEvent` does, in order. */
export async function insertEvents(
  dbTx: Db,
  events: readonly { kind: WebhookEvent; data: unknown }[],
  at: Date,
): Promise<void> {
  if (events.length === 0) return
  const kinds = [...new Set(events.map(({ kind }) => kind))]
  const { rows } = await sql<{ kind: WebhookEvent }>`
    select distinct kind from webhook_endpoints, unnest(${kinds}::text[]) as kind
    where active and kind = any (events)`.execute(dbTx)
  const wanted = new Set(rows.map(({ kind }) => kind))
  for (const { kind, data } of events) if (wanted.has(kind)) await insertEvent(dbTx, { kind, data, at })
}

export async function listEndpoints(db: Db): Promise<(Endpoint & { waiting: number; failed: number })[]> {
  const { rows } = await sql<Endpoint & { waiting: number; failed: number }>`
    select ${ENDPOINT},
      (select count(*) from webhook_deliveries as d
       where d.endpoint_id = p.endpoint_id and state in ('waiting', 'sending'))::integer as waiting,
      (select count(*) from webhook_deliveries as d
       where d.endpoint_id = p.endpoint_id and state = 'failed')::integer as failed
    from webhook_endpoints as p order by endpoint_id`.execute(db)
  return rows
}

export async function findEndpoint(db: Db, endpointId: bigint): Promise<Endpoint | undefined> {
  const { rows } = await sql<Endpoint>`
    select ${ENDPOINT} from webhook_endpoints where endpoint_id = ${endpointId}`.execute(db)
  return rows[0]
}

export interface EndpointDraft extends Pick<Endpoint, 'name' | 'url' | 'events' | 'active'> {
  /** Null for a new one. */
  readonly endpointId: bigint | null
  readonly approvedBy: string
  readonly at: Date
}

/**
 * Stores a new endpoint or changes one. Returns its id, or undefined if its name is taken or it does not
 * exist.
 */
export async function putEndpoint(dbTx: Db, draft: EndpointDraft): Promise<bigint | undefined> {
  const { endpointId, name, url, events, active, approvedBy, at } = draft
  const { rows } =
    endpointId === null
      ? await sql<{ id: bigint }>`
          insert into webhook_endpoints (name, url, events, active, approved_by, changed_at)
          values (${name}, ${url}, ${events}::text[], ${active}, ${approvedBy}, ${at})
          on conflict do nothing returning endpoint_id as id`.execute(dbTx)
      : await sql<{ id: bigint }>`
          update webhook_endpoints set name = ${name}, url = ${url}, events = ${events}::text[], active = ${active},
            approved_by = ${approvedBy}, changed_at = ${at}
          where endpoint_id = ${endpointId} returning endpoint_id as id`.execute(dbTx)
  return rows[0]?.id
}

/** Marks the secret of an endpoint as shown. Returns false if it already was. */
export async function markSecretShown(
  dbTx: Db,
  endpointId: bigint,
  { to, at }: { to: string; at: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoints set secret_shown_to = ${to}, secret_shown_at = ${at}
    where endpoint_id = ${endpointId} and secret_shown_at is null`.execute(dbTx)
  return numAffectedRows === 1n
}

export async function listDeliveries(
  db: Db,
  { before, state, limit }: { before: bigint | undefined; state: DeliveryState | undefined; limit: number },
): Promise<WebhookDeliveryRow[]> {
  const { rows } = await sql<WebhookDeliveryRow>`
    select ${DELIVERY} from ${JOINED}
    where (${before ?? null}::bigint is null or d.delivery_id < ${before ?? null}::bigint)
      and (${state ?? null}::text is null or d.state = ${state ?? null})
    order by d.delivery_id desc limit ${limit}`.execute(db)
  return rows
}

export async function findDelivery(db: Db, deliveryId: bigint): Promise<WebhookDeliveryRow | undefined> {
  const { rows } = await sql<WebhookDeliveryRow>`
    select ${DELIVERY} from ${JOINED} where d.delivery_id = ${deliveryId}`.execute(db)
  return rows[0]
}

/** Takes a delivery that is due, or whose worker has died. Returns undefined if there is none. */
export async function takeDelivery(
  db: Db,
  deliveryId: bigint,
  { at, deadSince }: { at: Date; deadSince: Date },
): Promise<WebhookDeliveryRow | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    update webhook_deliveries set state = 'sending', taken_at = ${at}, attempts = attempts + 1
    where delivery_id = ${deliveryId}
      and ((state = 'waiting' and next_at <= ${at}) or (state = 'sending' and taken_at < ${deadSince}))
    returning delivery_id as id`.execute(db)
  return rows[0] === undefined ? undefined : findDelivery(db, deliveryId)
}

export interface Attempt {
  readonly at: Date
  readonly durationMs: number
  readonly status: number | null
  readonly problem: Problem | null
}

/** Stores an attempt and its consequence: an end, or the time of the next attempt. */
export async function endAttempt(
  dbTx: Db,
  deliveryId: bigint,
  attempt: Attempt,
  next: { state: 'delivered' | 'failed' } | { state: 'waiting'; at: Date },
): Promise<void> {
  const { at, durationMs, status, problem } = attempt
  await sql`
    insert into webhook_attempts (delivery_id, attempted_at, duration_ms, status, problem)
    values (${deliveryId}, ${at}, ${durationMs}, ${status}, ${problem})`.execute(dbTx)
  await sql`
    update webhook_deliveries set state = ${next.state}, status = ${status}, problem = ${problem},
      next_at = ${next.state === 'waiting' ? next.at : at}
    where delivery_id = ${deliveryId}`.execute(dbTx)
  if (next.state === 'waiting') await enqueue(dbTx, deliveryId, next.at)
}

const enqueue = (dbTx: Db, deliveryId: bigint, at: Date) =>
  sql`select webhook_enqueue(${deliveryId}, ${at})`.execute(dbTx)

/** Restarts a delivery that has ended, from the first attempt. Reports whether it had ended. */
export async function replayDelivery(dbTx: Db, deliveryId: bigint, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'waiting', attempts = 0, next_at = ${at}
    where delivery_id = ${deliveryId} and state in ('delivered', 'failed')`.execute(dbTx)
  if (numAffectedRows === 1n) await enqueue(dbTx, deliveryId, at)
  return numAffectedRows === 1n
}

/** Requeues deliveries whose worker died or whose queue entry was lost. */
export async function enqueueLost(
  db: Db,
  { deadSince, lateSince, limit }: { deadSince: Date; lateSince: Date; limit: number },
): Promise<void> {
  await sql`
    select webhook_enqueue(delivery_id, next_at) from (
      select delivery_id, next_at from webhook_deliveries
      where (state = 'waiting' and next_at < ${lateSince}) or (state = 'sending' and taken_at < ${deadSince})
      order by next_at limit ${limit}
    ) as lost`.execute(db)
}

export async function listAttempts(db: Db, deliveryId: bigint): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select attempted_at as at, duration_ms as "durationMs", status, problem from webhook_attempts
    where delivery_id = ${deliveryId} order by attempt_id desc limit 50`.execute(db)
  return rows
}

/** Deletes events from before a time with their deliveries. */
export async function deleteEvents(db: Db, before: Date, limit: number): Promise<void> {
  await sql`
    delete from webhook_events where event_id in (
      select event_id from webhook_events where occurred_at < ${before} order by occurred_at limit ${limit})`.execute(
    db,
  )
}
