import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ChainEvent, EventName } from './events.ts'
import { type EventRow, type EventState, eventColumns, eventOf } from './store.ts'

export type UndeliveredEvent = { readonly event: ChainEvent; readonly state: EventState }

/** An undelivered event; `hasFailed` if its handler has refused it before. */
export type WaitingEvent = UndeliveredEvent & { readonly hasFailed: boolean }

type WaitingRow = EventRow & { has_failed: boolean }

const columns = sql`${eventColumns}, failed_at is not null as has_failed`

/**
 * Returns the next events to process, in order: first events that a reorganisation dropped, newest first; if
 * there are none, the others in chain order.
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
 * Records the delivery of a state of events, in the transaction of the handler. Returns the events to deliver:
 * those that no other process has delivered, and for which the chain has not changed. Locks their rows in chain
 * order, so two processes with the same events cannot deadlock.
 */
export async function markDelivered(
  dbTx: Db,
  chainId: number,
  { events, state }: { events: readonly ChainEvent[]; state: EventState },
  now: Date,
): Promise<ChainEvent[]> {
  // Looked up by their blocks, which the primary key supports even without statistics of a freshly filled
  // table.
  const blocks = [...new Set(events.map((event) => event.blockHash))]
  const { rows } = await sql<{ block_hash: string; log_index: number; isDue: boolean }>`
    select block_hash, log_index, state = ${state} and told <> ${state} as "isDue" from chain_events
    where chain_id = ${chainId} and block_hash = any (${blocks}::text[])
    order by block_number, log_index for update`.execute(dbTx)
  const keyOf = (blockHash: string, logIndex: number) => `${blockHash}/${logIndex}`
  const waiting = new Set(rows.flatMap((row) => (row.isDue ? keyOf(row.block_hash, row.log_index) : [])))
  const due = events.filter((event) => waiting.has(keyOf(event.blockHash, event.logIndex)))
  await sql`
    update chain_events set told = ${state}, told_at = ${now}
    where chain_id = ${chainId} and block_hash = any (${blocks}::text[]) and (block_hash, log_index) in (
      select * from unnest(${due.map((event) => event.blockHash)}::text[], ${due.map((event) => event.logIndex)}::integer[])
    )`.execute(dbTx)
  return due
}

/** Advances the applied position to the final block if no final event is undelivered. */
export async function advanceApplied(db: Db, chainId: number, names: readonly EventName[]): Promise<void> {
  await sql`
    update chain_cursors set applied_number = finalised_number, applied_block_at = finalised_block_at
    where chain_id = ${chainId} and applied_number < finalised_number and not exists (
      select 1 from chain_events
      where chain_id = ${chainId} and name = any(${names}) and state <> told and state <> 'dropped'
        and state = 'final')`.execute(db)
}
