import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import type { ChainEvent, EventHandler, EventHandlers, EventName } from './events.ts'
import { type EventRow, eventColumns, eventOf } from './store.ts'
import { markDelivered } from './undelivered.ts'

const MAX_FAILURE_LENGTH = 500

/** The key of an event of the followed chain. */
export interface EventKey {
  readonly blockHash: string
  readonly logIndex: number
}

/** The final event that its handler cannot apply, which blocks all later ones. */
export interface StuckEvent {
  readonly event: ChainEvent
  readonly failedAt: Date
  /** The last error, in one line. */
  readonly failure: string
  /** The number of waiting later events. */
  readonly waiting: number
  /** Only events that L1 has finalised are set aside, because a reorganisation cannot undo them. */
  readonly isFinalOnL1: boolean
}

/** Two admins' decision to set an event aside. */
export interface SetAside {
  readonly preparedBy: string
  readonly decidedBy: string
  readonly reason: string
  readonly at: Date
}

/** Records that the handler of an event failed. */
export async function recordFailure(
  db: Db,
  chainId: number,
  { blockHash, logIndex }: EventKey,
  { failure, at }: { failure: string; at: Date },
): Promise<void> {
  const line = failure.split('\n', 1)[0]!.slice(0, MAX_FAILURE_LENGTH)
  await sql`
    update chain_events set failed_at = coalesce(failed_at, ${at}), failure = ${line}
    where chain_id = ${chainId} and block_hash = ${blockHash} and log_index = ${logIndex}`.execute(db)
}

/** Returns the final event that blocks all later ones, if any. */
export async function stuckEvent(db: Db, chainId: number): Promise<StuckEvent | null> {
  return (await select(db, chainId, sql`true`)) ?? null
}

/**
 * Returns the stuck event with a key. Throws NOTHING_TO_REVIEW if it is no longer stuck, or not final on L1
 * yet.
 */
export async function requireStuck(db: Db, chainId: number, key: EventKey): Promise<StuckEvent> {
  const isKey = sql`block_hash = ${key.blockHash} and log_index = ${key.logIndex}`
  const stuck = await select(db, chainId, isKey)
  if (!stuck?.isFinalOnL1) throw new AppError('NOTHING_TO_REVIEW')
  return stuck
}

/**
 * Sets a stuck event aside: its handler books its money, if any, in another way, and later events continue.
 * All in the caller's database transaction. Throws NOTHING_TO_REVIEW.
 */
export async function setAside(
  dbTx: Db,
  chain: { readonly chainId: number; readonly handlers: EventHandlers },
  key: EventKey,
  decision: SetAside,
): Promise<void> {
  const { chainId, handlers } = chain
  const { event, failure } = await requireStuck(dbTx, chainId, key)
  const handler = handlers[event.name] as EventHandler<EventName> | undefined
  // Marking the event first locks it: the indexer, which retries, then finds nothing to do.
  const due = await markDelivered(dbTx, chainId, { events: [event], state: 'final' }, decision.at)
  if (due.length === 0) throw new AppError('NOTHING_TO_REVIEW')
  await handler?.onSetAside?.(dbTx, event)
  await sql`
    insert into chain_set_aside (chain_id, block_hash, log_index, tx_hash, name, failure, reason, prepared_by,
      approved_by, set_aside_at)
    values (${chainId}, ${key.blockHash}, ${key.logIndex}, ${event.txHash}, ${event.name}, ${failure},
      ${decision.reason}, ${decision.preparedBy}, ${decision.decidedBy}, ${decision.at})`.execute(dbTx)
}

async function select(
  db: Db,
  chainId: number,
  condition: RawBuilder<unknown>,
): Promise<StuckEvent | undefined> {
  const { rows } = await sql<
    EventRow & { failed_at: Date; failure: string; waiting: number; is_final: boolean }
  >`
    select ${eventColumns}, failed_at, failure, (
      select count(*)::integer from chain_events as later
      where later.chain_id = stuck.chain_id and later.state <> later.told and later.state <> 'dropped'
        and later.name not in ('SolvencyPublished', 'Transferred')
        and (later.block_number, later.log_index) > (stuck.block_number, stuck.log_index)) as waiting, exists (
      select from chain_cursors as c
      where c.chain_id = stuck.chain_id and c.l1_final_number >= stuck.block_number) as is_final
    from chain_events as stuck
    where chain_id = ${chainId} and failed_at is not null and state = 'final' and told <> 'final' and ${condition}
    order by block_number, log_index limit 1`.execute(db)
  return rows.map((row) => ({
    event: eventOf(row),
    failedAt: row.failed_at,
    failure: row.failure,
    waiting: row.waiting,
    isFinalOnL1: row.is_final,
  }))[0]
}
