import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ChainEvent, EventName } from './events.ts'
import { type EventRow, type EventState, eventColumns, eventOf } from './store.ts'

export type UndeliveredEvent = { readonly event: ChainEvent; readonly state: EventState }

/** An undelivered event; `hasFailed` when its handler has refused it before. */
export type WaitingEvent = UndeliveredEvent & { readonly hasFailed: boolean }

type WaitingRow = EventRow & { has_failed: boolean }

const columns = sql`${eventColumns}, failed_at is not null as has_failed`

/**
 * Returns the next events that their handlers must process, in that order: first events that a reorganisation dropped, the
 * newest first; when there are none, the others in chain order.
 */
export async function loadUndelivered(
  db: Db,
  chainId: number,
  names: readonly EventName[],
  limit: number,
): Promise<WaitingEvent[]> {
  const drops = await sql<WaitingRow>`
    select ${columns} from chain_events
    where chain_id = ${chainId} and name = any(${names}) and state = 'dropped' and told = 'seen'
    order by block_number desc, log_index desc limit ${limit}`.execute(db)
  if (drops.rows.length > 0) return drops.rows.map(waitingOf)
  // The first events of each name, merged: the index returns them in order, however many are waiting.
  const { rows } = await sql<WaitingRow>`
    select first.* from unnest(${names}::text[]) as handled (name) cross join lateral (
      select ${columns} from chain_events
      where chain_id = ${chainId} and name = handled.name and state <> told and state <> 'dropped'
      order by block_number, log_index limit ${limit}) as first
    order by block_number, log_index limit ${limit}`.execute(db)
  return rows.map(waitingOf)
}

function waitingOf(row: WaitingRow): WaitingEvent {
  return { event: eventOf(row), state: row.state, hasFailed: row.has_failed }
}

/**
 * Records the delivery of `state`, in the transaction in which the handler works. Returns false when that state need not
 * be delivered any more: another process delivered it, or the chain has changed.
 */
export async function markDelivered(
  dbTx: Db,
  chainId: number,
  undelivered: UndeliveredEvent,
  now: Date,
): Promise<boolean> {
  const { event, state } = undelivered
  const updated = await sql`
    update chain_events set told = ${state}, told_at = ${now}
    where chain_id = ${chainId} and block_hash = ${event.blockHash} and log_index = ${event.logIndex}
      and state = ${state} and told <> ${state}`.execute(dbTx)
  return updated.numAffectedRows === 1n
}

/**
 * Records the delivery of final events, as `markDelivered` does, and returns those that are to be delivered. Their rows are
 * locked in chain order, so two processes with the same events wait for each other and never block each other.
 */
export async function markAllDelivered(
  dbTx: Db,
  chainId: number,
  events: readonly ChainEvent[],
  now: Date,
): Promise<ChainEvent[]> {
  const { rows } = await sql<{ place: number }>`
    with due as materialized (
      select e.block_hash, e.log_index, wanted.place
      from unnest(${events.map((event) => event.blockHash)}::text[], ${events.map((event) => event.logIndex)}::integer[])
        with ordinality as wanted (block_hash, log_index, place)
      join chain_events as e on e.chain_id = ${chainId} and e.block_hash = wanted.block_hash
        and e.log_index = wanted.log_index
      where e.state = 'final' and e.told <> 'final'
      order by e.block_number, e.log_index for update of e
    )
    update chain_events as e set told = 'final', told_at = ${now} from due
    where e.chain_id = ${chainId} and e.block_hash = due.block_hash and e.log_index = due.log_index
    returning due.place::integer as place`.execute(dbTx)
  return rows
    .map(({ place }) => place)
    .sort((a, b) => a - b)
    .map((place) => events[place - 1]!)
}

/** Moves the applied position to the final block when no final event is undelivered. */
export async function advanceApplied(db: Db, chainId: number, names: readonly EventName[]): Promise<void> {
  await sql`
    update chain_cursors set applied_number = finalised_number, applied_block_at = finalised_block_at
    where chain_id = ${chainId} and applied_number < finalised_number and not exists (
      select 1 from chain_events
      where chain_id = ${chainId} and name = any(${names}) and state <> told and state <> 'dropped'
        and state = 'final')`.execute(db)
}
