import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A block of the chain: its number and its time. */
export interface BlockPlace {
  readonly blockNumber: bigint
  readonly blockAt: Date
}

/** The usual waits of booked events in ms: medians of the last week; null without measurements. */
export interface UsualWaits {
  /** From the block of an event to its booking. */
  readonly bookedMs: number | null
  /** From the block of an event to its finality on L1. */
  readonly l1FinalMs: number | null
}

/** The maximum age of the previous poll for an advance to be timed; otherwise its time was not observed. */
const OBSERVED_WITHIN_MS = 60_000
const HISTORY_MS = 7 * 86_400_000
const HISTORY_EVENTS = 200

/**
 * Reports whether everything booked up to `bookedBlock` is final on L1. A withdrawal's claim is signed only
 * if this holds for the block that was booked when the withdrawal was requested. Rules, section 7.
 */
export function isFinalOnL1(bookedBlock: bigint, l1FinalNumber: bigint | null): boolean {
  // Block 0, for which no event was booked, is final without any poll.
  return (l1FinalNumber ?? 0n) >= bookedBlock
}

/** Returns the last block that L1 has finalised, as the indexer stored it; null before its first poll. */
export async function l1FinalBlock(db: Db, chainId: number): Promise<BlockPlace | null> {
  const { rows } = await sql<BlockPlace>`
    select l1_final_number as "blockNumber", l1_final_block_at as "blockAt" from chain_cursors
    where chain_id = ${chainId} and l1_final_number is not null`.execute(db)
  return rows[0] ?? null
}

/**
 * Reports whether the bookings of a transaction, or all those before a time, are final on L1. A
 * reorganisation can undo the others, so actions that could not be undone with them wait: the settlement of
 * their day, and approvals that use their money. False for every time while the chain is halted or events are
 * being undone.
 */
export async function isBookedForGood(
  db: Db,
  chainId: number,
  which: { readonly txHash: string } | { readonly before: Date },
): Promise<boolean> {
  const [among, stopped] =
    'txHash' in which
      ? [sql`tx_hash = ${which.txHash}`, sql`false`]
      : [sql`told_at < ${which.before}`, sql`halted or undo_until is not null`]
  const { rows } = await sql`
    select from chain_cursors as c where chain_id = ${chainId} and (${stopped} or exists (
      select from chain_events as e
      where e.chain_id = c.chain_id and told = 'final' and ${among}
        and (missing or block_number > coalesce(l1_final_number, 0))))`.execute(db)
  return rows.length === 0
}

/** Returns the block of the last booked event; block 0 if there is none. */
export async function lastBookedBlock(db: Db, chainId: number): Promise<BlockPlace> {
  const { rows } = await sql<BlockPlace>`
    select block_number as "blockNumber", block_at as "blockAt" from chain_events
    where chain_id = ${chainId} and state = 'final' and told = 'final' order by block_number desc limit 1`.execute(
    db,
  )
  return rows[0] ?? { blockNumber: 0n, blockAt: new Date(0) }
}

/**
 * Stores the node's `finalized` block unless a later one is stored, and the time of finality of the events
 * that it newly covers. Since the block was read, the caller has checked that the stored blocks are part of
 * the node's chain.
 */
export async function storeL1Final(
  db: Db,
  chainId: number,
  block: { readonly number: bigint; readonly blockAt: Date },
  at: Date,
): Promise<void> {
  const observedSince = new Date(at.getTime() - OBSERVED_WITHIN_MS)
  await sql`
    with before as (
      select l1_final_number, polled_at from chain_cursors where chain_id = ${chainId}
    ), moved as (
      update chain_cursors set l1_final_number = ${block.number}, l1_final_block_at = ${block.blockAt}
      where chain_id = ${chainId} and undo_until is null
        and (l1_final_number is null or l1_final_number < ${block.number})
      returning chain_id
    )
    update chain_events as e set l1_final_at = ${at}
    from before, moved
    where e.chain_id = ${chainId} and e.state = 'final' and e.l1_final_at is null
      and e.block_number > before.l1_final_number and e.block_number <= ${block.number}
      and before.polled_at >= ${observedSince}`.execute(db)
}

/** Returns a query of the usual waits as of `at`, from the events whose finality was observed. */
export function usualWaitsOf(chainId: number, at: Date): RawBuilder<UsualWaits> {
  const since = new Date(at.getTime() - HISTORY_MS)
  return sql<UsualWaits>`
    select percentile_cont(0.5) within group (order by booked_ms) as "bookedMs",
      percentile_cont(0.5) within group (order by l1_final_ms) as "l1FinalMs"
    from (
      select greatest(0, extract(epoch from told_at - block_at) * 1000)::float8 as booked_ms,
        greatest(0, extract(epoch from l1_final_at - block_at) * 1000)::float8 as l1_final_ms
      from chain_events
      where chain_id = ${chainId} and state = 'final' and told = 'final' and l1_final_at >= ${since}
      order by block_number desc limit ${HISTORY_EVENTS}
    ) as measured`
}
