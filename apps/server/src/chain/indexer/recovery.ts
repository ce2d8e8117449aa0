import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { type ChainEvent, encodeArgs } from './events.ts'
import type { ChainReader, ProvenHeader } from './reader.ts'
import { type Ancestor, setBack } from './rewind.ts'
import { type EventRow, eventColumns, eventOf, loadPosition, tipOf } from './store.ts'

/**
 * A booked event above the last common block of both branches; `moves`: the new branch has it in another
 * block.
 */
export interface LostEvent {
  readonly event: ChainEvent
  readonly moves: boolean
}

/** A reorganisation below L1 finality. */
export interface DeepReorganisation {
  readonly ancestor: Ancestor
  readonly events: readonly LostEvent[]
  /** The events of the new branch above the ancestor with enough confirmations to be booked. */
  readonly branch: readonly ChainEvent[]
}

/** The postings of the undoing according to a trial. Amounts are decimal texts of whole units. */
export interface RecoveryPlan {
  readonly events: readonly {
    readonly name: string
    readonly txHash: string
    readonly block: string
    readonly outcome: string
  }[]
  readonly postings: readonly {
    readonly memberId: string
    readonly kind: string
    readonly asset: string
    readonly source: string
    readonly destination: string
    readonly amount: string
  }[]
  /** The operator's accounts that change, over all members. */
  readonly accounts: readonly {
    readonly account: string
    readonly asset: string
    readonly before: string
    readonly after: string
  }[]
  /**
   * The rewards of settled days that depend on the orders, by kind: the sums that the days pay with them and
   * without them, in USDT worth. They remain.
   */
  readonly settled: readonly { readonly kind: string; readonly paid: string; readonly without: string }[]
  readonly debts: readonly { readonly memberId: string; readonly asset: string; readonly amount: string }[]
  /** The claims of debtors on the bank since the first of the events was booked. */
  readonly left: readonly { readonly memberId: string; readonly asset: string; readonly amount: string }[]
}

export interface Recovery {
  readonly recoveryId: bigint
  readonly ancestor: Ancestor
  readonly plan: RecoveryPlan
  readonly foundAt: Date
  readonly approvedAt: Date | null
}

const RANGE_BLOCKS = 2_000n

/**
 * Compares the booked events with the chain of a quorum of the nodes. Returns undefined if the chain has the
 * block of every booked event. Throws as the reader does.
 */
export async function findDeepReorganisation(
  db: Db,
  chainId: number,
  { reader, confirmations }: { reader: ChainReader; confirmations: number },
): Promise<DeepReorganisation | undefined> {
  const head = await reader.head()
  const ancestor = await commonAncestor(db, chainId, reader, head)
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from chain_events
    where chain_id = ${chainId} and told = 'final' and (block_number > ${ancestor.number} or missing)
    order by block_number desc, log_index desc`.execute(db)
  const { finalised } = await loadPosition(db, chainId)
  if (rows.length === 0 && finalised.number <= ancestor.number) return undefined
  const branch = await eventsAbove(reader, head, ancestor.number, head.number - BigInt(confirmations) + 1n)
  const inBranch = new Set(branch.map(identity))
  const events = rows.map(eventOf).map((event) => ({ event, moves: inBranch.has(identity(event)) }))
  return { ancestor, events, branch }
}

/**
 * Returns the highest block in both the database and the chain; below every stored one, that before the first
 * event.
 */
async function commonAncestor(
  db: Db,
  chainId: number,
  reader: ChainReader,
  head: ProvenHeader,
): Promise<Ancestor> {
  const { rows } = await sql<Ancestor>`
    select number, hash, block_at as "blockAt" from chain_blocks where chain_id = ${chainId} and number <= ${head.number}
    union
    select distinct block_number, block_hash, block_at from chain_events
    where chain_id = ${chainId} and told = 'final' and block_number <= ${head.number}
    order by number`.execute(db)
  let [shared, replaced] = [-1, rows.length]
  while (replaced - shared > 1) {
    const middle = Math.floor((shared + replaced) / 2)
    const { number, hash } = rows[middle]!
    if ((await reader.blockAt(head, number)).hash === hash) shared = middle
    else replaced = middle
  }
  const { number } = rows[0]!
  return rows[shared] ?? reader.blockAt(head, number > 0n ? number - 1n : 0n)
}

/** Returns the events of the blocks above `ancestor` up to `target`, in chain order. */
export async function eventsAbove(
  reader: ChainReader,
  head: ProvenHeader,
  ancestor: bigint,
  target: bigint,
): Promise<ChainEvent[]> {
  const events: ChainEvent[] = []
  for (let first = ancestor + 1n; first <= target; first += RANGE_BLOCKS) {
    const end = first + RANGE_BLOCKS - 1n
    const last = await reader.blockAt(head, end < target ? end : target)
    events.push(...(await reader.eventsOf(await reader.lineage(last, first))))
  }
  return events
}

const identity = ({ name, contract, args }: ChainEvent) =>
  `${name} ${contract.toLowerCase()} ${encodeArgs(args)}`

/** Stores a reorganisation with the postings of its undoing, for two admins to decide on. */
export async function insertRecovery(
  dbTx: Db,
  chainId: number,
  { ancestor, events }: DeepReorganisation,
  { plan, at }: { plan: RecoveryPlan; at: Date },
): Promise<bigint> {
  const { rows } = await sql<{ recoveryId: bigint }>`
    insert into chain_recoveries (chain_id, ancestor_number, ancestor_hash, ancestor_block_at, plan, found_at)
    values (${chainId}, ${ancestor.number}, ${ancestor.hash}, ${ancestor.blockAt}, ${JSON.stringify(plan)}, ${at})
    returning recovery_id as "recoveryId"`.execute(dbTx)
  const { recoveryId } = rows[0]!
  await sql`
    insert into chain_recovery_events (recovery_id, block_hash, log_index, moves)
    select ${recoveryId}, * from unnest(${events.map(({ event }) => event.blockHash)}::text[],
      ${events.map(({ event }) => event.logIndex)}::integer[], ${events.map(({ moves }) => moves)}::boolean[])`.execute(
    dbTx,
  )
  return recoveryId
}

/** Returns a recovery, by default the last one found. */
export async function findRecovery(db: Db, recoveryId?: bigint): Promise<Recovery | undefined> {
  const { rows } = await sql<Recovery & { number: bigint; hash: Ancestor['hash']; blockAt: Date }>`
    select recovery_id as "recoveryId", ancestor_number as number, ancestor_hash as hash, ancestor_block_at as "blockAt",
      plan, found_at as "foundAt", approved_at as "approvedAt"
    from chain_recoveries where ${recoveryId === undefined ? sql`true` : sql`recovery_id = ${recoveryId}`}
    order by recovery_id desc limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { number, hash, blockAt, ...rest } = row
  return { ...rest, ancestor: { number, hash, blockAt } }
}

/**
 * Approves a recovery: the indexer continues from the ancestor and undoes exactly these events. Throws
 * NOT_FOUND, NOTHING_TO_REVIEW if it was approved before, and PROPOSAL_CHANGED if the booked events above the
 * ancestor have changed.
 */
export async function approveRecovery(
  dbTx: Db,
  chainId: number,
  { recoveryId, actor, at }: { recoveryId: bigint; actor: string; at: Date },
): Promise<void> {
  await sql`select from chain_cursors where chain_id = ${chainId} for update`.execute(dbTx)
  const recovery = await findRecovery(dbTx, recoveryId)
  if (recovery === undefined) throw new AppError('NOT_FOUND')
  if (recovery.approvedAt !== null) throw new AppError('NOTHING_TO_REVIEW')
  const { rows } = await sql`
    select from (select block_hash, log_index, true as is_booked from chain_events
        where chain_id = ${chainId} and told = 'final' and (block_number > ${recovery.ancestor.number} or missing)) as booked
      full join (select block_hash, log_index, true as is_listed from chain_recovery_events
        where recovery_id = ${recoveryId}) as listed using (block_hash, log_index)
    where is_booked is null or is_listed is null`.execute(dbTx)
  if (rows.length > 0) throw new AppError('PROPOSAL_CHANGED')
  await sql`
    update chain_recoveries set approved_by = ${actor}, approved_at = ${at}
    where recovery_id = ${recoveryId}`.execute(dbTx)
  const position = await loadPosition(dbTx, chainId)
  await sql`update chain_cursors set revision = revision + 1 where chain_id = ${chainId}`.execute(dbTx)
  await setBack(dbTx, chainId, recovery.ancestor, tipOf(position).number)
  // The new branch's own finality counts from here on.
  await sql`
    update chain_cursors set l1_final_number = least(l1_final_number, finalised_number),
      l1_final_block_at = least(l1_final_block_at, finalised_block_at) where chain_id = ${chainId}`.execute(
    dbTx,
  )
}

/** Returns the last events that were undone, covered or moved, newest first. */
export async function undoneEvents(
  db: Db,
  chainId: number,
  limit: number,
): Promise<{ name: string; txHash: Hash; outcome: 'undone' | 'covered' | 'moved'; at: Date }[]> {
  const { rows } = await sql<{
    name: string
    txHash: Hash
    outcome: 'undone' | 'covered' | 'moved'
    at: Date
  }>`
    select name, tx_hash as "txHash", outcome, undone_at as at from chain_undone
    where chain_id = ${chainId} order by undone_id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the outcomes of the events of a recovery. */
export async function eventsOfRecovery(db: Db, recoveryId: bigint): Promise<RecoveryPlan['events']> {
  const { rows } = await sql<RecoveryPlan['events'][number]>`
    select u.name, u.tx_hash as "txHash", u.block_number::text as block, u.outcome
    from chain_undone as u join chain_recovery_events as e using (block_hash, log_index)
    where e.recovery_id = ${recoveryId} order by undone_id`.execute(db)
  return rows
}
