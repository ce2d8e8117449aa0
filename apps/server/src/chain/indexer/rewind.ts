import { sql } from 'kysely'
import { type Db, inTx } from '../../db/database.ts'
import type { ChainEvent } from './events.ts'
import type { BlockHeader, ChainReader, ProvenHeader } from './reader.ts'
import { bumpRevision, type ChainPosition, type EventRow, eventColumns, eventOf, tipOf } from './store.ts'

/** A stored block with its time. */
export type Ancestor = Pick<BlockHeader, 'number' | 'hash' | 'blockAt'>

/**
 * A booked event whose block is no longer in the chain, and the same event in another block, if the chain has
 * it.
 */
export interface MissingEvent {
  readonly event: ChainEvent
  /** In a block that is final in the new branch. */
  readonly reincluded: ChainEvent | null
  /** The recovery in which two admins approved its undoing. */
  readonly recoveryId: bigint | null
  /** True if L1 had finalised its block, so that it is undone only in a recovery. */
  readonly needsRecovery: boolean
}

/**
 * Returns the highest stored block, at or below the last final one, that the chain of `head` still has. All
 * blocks above the last one that L1 has finalised are stored, or the ends of the ranges in which they were
 * read. Undefined if it has none of them: the reorganisation goes below L1 finality.
 */
export async function findAncestor(
  db: Db,
  chainId: number,
  reader: Pick<ChainReader, 'blockAt'>,
  head: ProvenHeader,
): Promise<Ancestor | undefined> {
  const { rows } = await sql<Ancestor>`
    select b.number, b.hash, b.block_at as "blockAt" from chain_blocks as b join chain_cursors as c using (chain_id)
    where chain_id = ${chainId} and b.number <= finalised_number and b.number >= coalesce((
      select max(number) from chain_blocks as final
      where final.chain_id = c.chain_id and final.number <= c.l1_final_number), 0)
    order by b.number`.execute(db)
  // Below a common block, both branches have the same blocks.
  let [shared, replaced] = [-1, rows.length]
  while (replaced - shared > 1) {
    const middle = Math.floor((shared + replaced) / 2)
    const { number, hash } = rows[middle]!
    if ((await reader.blockAt(head, number)).hash === hash) shared = middle
    else replaced = middle
  }
  return rows[shared]
}

/**
 * Sets the cursor back to a common block of both branches. Booked events above it are missing from then on:
 * nothing is delivered until the new branch is as long as the old one was, and then they are undone or moved.
 * Throws if the position has changed. Returns the number of missing booked events.
 */
export async function rewind(
  db: Db,
  chainId: number,
  position: ChainPosition,
  ancestor: Ancestor,
): Promise<number> {
  return inTx(db, async (dbTx) => {
    await bumpRevision(dbTx, chainId, position.revision)
    return setBack(dbTx, chainId, ancestor, tipOf(position).number)
  })
}

/** Sets the cursor back, whose row the caller has locked. The new branch counts from block `until` on. */
export async function setBack(dbTx: Db, chainId: number, ancestor: Ancestor, until: bigint): Promise<number> {
  const { number } = ancestor
  // This statement waits for events that another process is applying. It skips them, and the next one sees
  // them.
  await sql`
    update chain_events set state = 'dropped'
    where chain_id = ${chainId} and block_number > ${number} and told <> 'final' and state <> 'dropped'`.execute(
    dbTx,
  )
  const missing = await sql`
    update chain_events set missing = true
    where chain_id = ${chainId} and block_number > ${number} and told = 'final' and not missing`.execute(dbTx)
  await sql`delete from chain_blocks where chain_id = ${chainId} and number > ${number}`.execute(dbTx)
  await sql`
    update chain_cursors set finalised_number = ${number}, finalised_hash = ${ancestor.hash},
      finalised_block_at = ${ancestor.blockAt},
      applied_number = least(applied_number, ${number}), applied_block_at = least(applied_block_at, ${ancestor.blockAt}),
      undo_until = case when exists (select from chain_events where chain_id = ${chainId} and missing)
        then greatest(undo_until, ${until}) end,
      halted = false
    where chain_id = ${chainId}`.execute(dbTx)
  return Number(missing.numAffectedRows ?? 0n)
}

/** `waiting`: the new branch is not long enough yet. `due`: missing events are to be undone or moved now. */
export async function undoState(db: Db, chainId: number): Promise<'none' | 'waiting' | 'due'> {
  const { rows } = await sql<{ state: 'none' | 'waiting' | 'due' }>`
    select case when undo_until is null then 'none' when finalised_number < undo_until then 'waiting' else 'due' end
      as state from chain_cursors where chain_id = ${chainId}`.execute(db)
  return rows[0]?.state ?? 'none'
}

/**
 * Prevents setting the cursor back until the transaction ends. Returns false if it was set back over booked
 * events that are still missing: nothing is delivered before they are undone, since the new branch may have
 * the same events.
 */
export async function holdBranch(dbTx: Db, chainId: number): Promise<boolean> {
  const { rows } = await sql<{ isWhole: boolean }>`
    select undo_until is null as "isWhole" from chain_cursors where chain_id = ${chainId} for share`.execute(
    dbTx,
  )
  return rows[0]?.isWhole ?? true
}

/**
 * Returns the newest missing event and locks it; undefined if there is none, and then nothing waits any more.
 */
export async function nextMissing(dbTx: Db, chainId: number): Promise<MissingEvent | undefined> {
  const { rows } = await sql<EventRow & { recovery_id: bigint | null; needs_recovery: boolean }>`
    select ${eventColumns}, (
        select e.recovery_id from chain_recovery_events as e join chain_recoveries as r using (recovery_id)
        where e.block_hash = chain_events.block_hash and e.log_index = chain_events.log_index and not e.moves
          and r.approved_at is not null
        order by e.recovery_id desc limit 1) as recovery_id,
      block_number <= (select coalesce(l1_final_number, 0) from chain_cursors as c
        where c.chain_id = chain_events.chain_id)
      or exists (select from chain_recovery_events as e
        where e.block_hash = chain_events.block_hash and e.log_index = chain_events.log_index) as needs_recovery
    from chain_events where chain_id = ${chainId} and missing
    order by block_number desc, log_index desc limit 1 for update`.execute(dbTx)
  const [row] = rows
  if (row === undefined) {
    await sql`update chain_cursors set undo_until = null where chain_id = ${chainId}`.execute(dbTx)
    return undefined
  }
  const event = eventOf(row)
  const { rows: again } = await sql<EventRow>`
    select ${eventColumns} from chain_events
    where chain_id = ${chainId} and state = 'final' and told <> 'final' and name = ${event.name}
      and contract = ${event.contract} and args = (
        select args from chain_events as gone where gone.chain_id = ${chainId} and gone.block_hash = ${event.blockHash}
          and gone.log_index = ${event.logIndex})
    limit 1`.execute(dbTx)
  return {
    event,
    reincluded: again[0] === undefined ? null : eventOf(again[0]),
    recoveryId: row.recovery_id,
    needsRecovery: row.needs_recovery,
  }
}

/** Removes a missing event from the booked ones; the caller has locked it through `nextMissing`. */
export async function dropMissing(
  dbTx: Db,
  chainId: number,
  { event }: MissingEvent,
  at: Date,
): Promise<void> {
  await sql`
    update chain_events set missing = false, state = 'dropped', told = 'dropped', told_at = ${at}
    where chain_id = ${chainId} and block_hash = ${event.blockHash} and log_index = ${event.logIndex}`.execute(
    dbTx,
  )
}

/** Records the outcome of a missing event. */
export async function recordUndone(
  dbTx: Db,
  chainId: number,
  { event, recoveryId }: MissingEvent,
  { outcome, at }: { outcome: 'undone' | 'covered' | 'moved'; at: Date },
): Promise<void> {
  await sql`
    insert into chain_undone (chain_id, block_hash, log_index, block_number, tx_hash, name, args, outcome, recovery_id,
      undone_at)
    select chain_id, block_hash, log_index, block_number, tx_hash, name, args, ${outcome}, ${recoveryId}::bigint, ${at}
    from chain_events
    where chain_id = ${chainId} and block_hash = ${event.blockHash} and log_index = ${event.logIndex}`.execute(
    dbTx,
  )
}
