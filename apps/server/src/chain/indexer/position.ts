import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { EventName } from './events.ts'

/** The last final block up to which all handlers are done, and its time. */
export type AppliedPosition = { readonly blockNumber: bigint; readonly blockAt: Date }

/** The events that move tokens of a bank. */
const MONEY_EVENTS: EventName[] = ['OrderPaid', 'Claimed', 'RevenueDeposited', 'ExitExecuted']

/**
 * Returns the last final block up to which every event is applied. Null before the first run of the indexer.
 */
export async function appliedPosition(db: Db, chainId: number): Promise<AppliedPosition | null> {
  const { rows } = await sql<AppliedPosition>`
    select applied_number as "blockNumber", applied_block_at as "blockAt" from chain_cursors
    where chain_id = ${chainId}`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns the block at whose end the bank's holdings match the books of a snapshot. It is above
 * `appliedPosition` while the indexer applies events, or cannot apply one. Null before the first run of the
 * indexer, while only some of a block's events are applied, and while the books have events that a
 * reorganisation removed.
 */
export async function bookedBlock(snapshot: Db, chainId: number): Promise<bigint | null> {
  const { rows } = await sql<{ number: bigint }>`
    select booked.number from chain_cursors as c cross join lateral (
      select greatest(c.applied_number, max(block_number)) as number from chain_events
      where chain_id = c.chain_id and told = 'final'
    ) as booked
    where c.chain_id = ${chainId}
      and not exists (select from chain_events where chain_id = c.chain_id and missing)
      and not exists (
        select from chain_events
        where chain_id = c.chain_id and name = any(${MONEY_EVENTS}::text[]) and state <> told and state <> 'dropped'
          and state = 'final' and block_number <= booked.number)`.execute(snapshot)
  return rows[0]?.number ?? null
}

/**
 * Returns the time of the last final block whose events have all been applied: an event that has not happened
 * by a deadline before it never will (expiry of orders and claims). Null before the first run of the indexer.
 */
export async function finalisedTime(db: Db, chainId: number): Promise<Date | null> {
  return (await appliedPosition(db, chainId))?.blockAt ?? null
}

export type IndexerStatus = {
  /** The node's newest block at the last look. */
  readonly head: bigint
  /** The last final block that is completely stored. */
  readonly finalised: bigint
  /** The last final block that is completely applied. */
  readonly applied: bigint
  /** The number of the node's blocks that have not been read yet. */
  readonly lagBlocks: bigint
  /** The time of the last poll; an old time means that no indexer runs. */
  readonly polledAt: Date
  /** The current failure of the indexer or a handler, in one line. */
  readonly lastError: string | null
  /** A reorganisation went deeper than finality: an operator must decide (docs/operations/runbooks.md). */
  readonly halted: boolean
}

/** The indexer's state for readiness and metrics, from any process. Null before it ran for the first time. */
export async function indexerStatus(db: Db, chainId: number): Promise<IndexerStatus | null> {
  const { rows } = await sql<IndexerStatus>`
    select head_number as head, finalised_number as finalised, applied_number as applied,
      greatest(0, head_number - greatest(finalised_number,
        (select max(number) from chain_blocks where chain_id = c.chain_id))) as "lagBlocks",
      polled_at as "polledAt", last_error as "lastError", halted
    from chain_cursors c where chain_id = ${chainId}`.execute(db)
  return rows[0] ?? null
}
