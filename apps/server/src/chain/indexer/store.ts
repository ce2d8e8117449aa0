import { sql } from 'kysely'
import type { Address, Hash } from 'viem'
import { type Db, inTx } from '../../db/database.ts'
import { banksOf, type ContractAddresses, followedContracts } from '../banks.ts'
import { type ChainEvent, decodeArgs, type EventName, encodeArgs } from './events.ts'
import type { BlockHeader } from './reader.ts'

/** A block stored in the database. */
export type StoredBlock = { readonly number: bigint; readonly hash: Hash }

/** The indexer's position: the last final block and the blocks above it, in ascending order. */
export type ChainPosition = {
  readonly revision: bigint
  readonly finalised: StoredBlock
  readonly window: readonly StoredBlock[]
}

/** The last block read. */
export function tipOf(position: ChainPosition): StoredBlock {
  return position.window.at(-1) ?? position.finalised
}

/**
 * Starts following a chain after block `before` (the one before the contracts were deployed), or does nothing
 * if already done. Returns the banks of the settings that the database does not follow yet. Throws if it has
 * followed other contracts, or banks that are no longer in the settings.
 */
export async function openCursor(
  db: Db,
  chainId: number,
  contracts: ContractAddresses,
  before: BlockHeader,
  now: Date,
): Promise<Address[]> {
  const followed = contractsText(contracts)
  await sql`
    insert into chain_cursors (chain_id, contracts, finalised_number, finalised_hash, finalised_block_at,
      applied_number, applied_block_at, head_number, polled_at)
    values (${chainId}, ${followed}, ${before.number}, ${before.hash}, ${before.blockAt},
      ${before.number}, ${before.blockAt}, ${before.number}, ${now})
    on conflict (chain_id) do nothing`.execute(db)
  await sql`
    insert into chain_blocks (chain_id, number, hash, parent_hash, block_at)
    select chain_id, ${before.number}, ${before.hash}, ${before.parentHash}, ${before.blockAt} from chain_cursors
    where chain_id = ${chainId} and finalised_hash = ${before.hash} on conflict do nothing`.execute(db)
  const stored = await sql<{ contracts: string }>`
    select contracts from chain_cursors where chain_id = ${chainId}`.execute(db)
  const text = stored.rows[0]?.contracts ?? ''
  if (!isFollowedBy(text, contracts))
    throw new Error(`this database has followed the contracts ${text}, not ${followed}`)
  const added = newBanks(text, contracts)
  if (added.length === 0) await insertBanks(db, contracts, before.number + 1n)
  return added
}

/** Stores the decimals of USDT once they are known, for processes that start while no node answers. */
export async function storeUsdtDecimals(db: Db, chainId: number, decimals: 6 | 18): Promise<void> {
  await sql`
    update chain_cursors set usdt_decimals = ${decimals}
    where chain_id = ${chainId} and usdt_decimals is null`.execute(db)
}

/** The followed contracts as stored in the database: the banks, oldest first, and the transfer contract. */
export function contractsText(contracts: ContractAddresses): string {
  return followedContracts({ contracts }).join(' ').toLowerCase()
}

/** Reports whether these contracts are the stored ones, or these with newer banks. */
export function isFollowedBy(stored: string, contracts: ContractAddresses): boolean {
  const banks = stored.split(' ')
  const transfer = banks.pop()
  const wanted = banksOf(contracts).map((bank) => bank.toLowerCase())
  return transfer === contracts.transfer.toLowerCase() && banks.every((bank, index) => bank === wanted[index])
}

/** Returns the banks that are newer than the stored ones, for contracts that `isFollowedBy` accepts. */
export function newBanks(stored: string, contracts: ContractAddresses): Address[] {
  return banksOf(contracts).slice(stored.split(' ').length - 1)
}

/** Stores the banks of the list that are not stored yet. */
async function insertBanks(db: Db, contracts: ContractAddresses, fromBlock: bigint): Promise<void> {
  await sql`
    insert into banks (address, number, from_block)
    select address, place - 1, ${fromBlock}
    from unnest(${banksOf(contracts).map((bank) => bank.toLowerCase())}::text[]) with ordinality as b (address, place)
    on conflict do nothing`.execute(db)
}

/**
 * Adds newer banks to the followed ones, with their events up to the last final block, which are final and
 * delivered next. Throws if the position has changed.
 */
export async function addBanks(
  db: Db,
  chainId: number,
  position: ChainPosition,
  {
    contracts,
    fromBlock,
    events,
  }: { contracts: ContractAddresses; fromBlock: bigint; events: readonly ChainEvent[] },
): Promise<void> {
  await inTx(db, async (dbTx) => {
    await bumpRevision(dbTx, chainId, position.revision)
    await insertBanks(dbTx, contracts, fromBlock)
    await upsertEvents(dbTx, chainId, events, 'final')
    await sql`
      update chain_cursors set contracts = ${contractsText(contracts)} where chain_id = ${chainId}`.execute(
      dbTx,
    )
  })
}

/** Reports whether `openCursor` has run for this chain. */
export async function hasCursor(db: Db, chainId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from chain_cursors where chain_id = ${chainId}`.execute(db)
  return rows.length > 0
}

/** Reads the position; the cursor must be open. */
export async function loadPosition(db: Db, chainId: number): Promise<ChainPosition> {
  const { rows } = await sql<{ revision: bigint; number: bigint; hash: Hash }>`
    select revision, finalised_number as number, finalised_hash as hash from chain_cursors where chain_id = ${chainId}
    union all
    select 0, b.number, b.hash from chain_blocks as b join chain_cursors using (chain_id)
    where chain_id = ${chainId} and b.number > finalised_number
    order by number`.execute(db)
  const [finalised, ...window] = rows
  if (finalised === undefined) throw new Error(`chain ${chainId} is not followed yet`)
  return { revision: finalised.revision, finalised, window }
}

/**
 * Stores the events of all blocks after the final one and makes them final. An event that was seen in another
 * block of the same height is dropped. Throws if the position has changed, and if an event that was seen in
 * one of the blocks is missing: then nothing is stored.
 */
export async function storeFinalised(
  db: Db,
  chainId: number,
  position: ChainPosition,
  segment: { events: readonly ChainEvent[]; blocks: readonly BlockHeader[] },
): Promise<ChainPosition> {
  const { events, blocks } = segment
  const last = blocks.at(-1)!
  await inTx(db, async (dbTx) => {
    await bumpRevision(dbTx, chainId, position.revision)
    await sql`
      update chain_cursors set finalised_number = ${last.number}, finalised_hash = ${last.hash},
        finalised_block_at = ${last.blockAt} where chain_id = ${chainId}`.execute(dbTx)
    await sql`
      update chain_events set state = 'dropped'
      where chain_id = ${chainId} and state = 'seen' and block_number <= ${last.number}`.execute(dbTx)
    await upsertEvents(dbTx, chainId, events, 'final')
    await refuseLostEvents(dbTx, chainId, blocks)
    await keepFinalBlocks(dbTx, chainId, blocks)
    await forgetBlocks(dbTx, chainId)
  })
  const window = position.window.filter((block) => block.number > last.number)
  return { revision: position.revision + 1n, finalised: last, window }
}

/**
 * Replaces everything above block `after` by `blocks` and their events, none of them final. Events seen above
 * it that are not among `events` are dropped. Throws if the position has changed.
 */
export async function storeWindow(
  db: Db,
  chainId: number,
  position: ChainPosition,
  segment: { after: bigint; blocks: readonly BlockHeader[]; events: readonly ChainEvent[] },
): Promise<ChainPosition> {
  const { after, blocks, events } = segment
  await inTx(db, async (dbTx) => {
    await bumpRevision(dbTx, chainId, position.revision)
    await sql`
      update chain_events set state = 'dropped'
      where chain_id = ${chainId} and state = 'seen' and block_number > ${after}`.execute(dbTx)
    await upsertEvents(dbTx, chainId, events, 'seen')
    await refuseLostEvents(dbTx, chainId, blocks)
    await sql`delete from chain_blocks where chain_id = ${chainId} and number > ${after}`.execute(dbTx)
    await keepBlocks(dbTx, chainId, blocks)
  })
  const window = [...position.window.filter((block) => block.number <= after), ...blocks]
  return { revision: position.revision + 1n, finalised: position.finalised, window }
}

/** Stores blocks by number; existing ones stay. */
async function keepBlocks(dbTx: Db, chainId: number, blocks: readonly BlockHeader[]): Promise<void> {
  await sql`
    insert into chain_blocks (chain_id, number, hash, parent_hash, block_at)
    select ${chainId}, * from unnest(${blocks.map((b) => b.number)}::bigint[], ${blocks.map((b) => b.hash)}::text[],
      ${blocks.map((b) => b.parentHash)}::text[], ${blocks.map((b) => b.blockAt)}::timestamptz[])
    on conflict (chain_id, number) do nothing`.execute(dbTx)
}

/**
 * Stores the blocks of a range that became final, replacing the seen ones: the last one, and all that L1 has
 * not finalised, for a reorganisation above L1 finality.
 */
async function keepFinalBlocks(dbTx: Db, chainId: number, blocks: readonly BlockHeader[]): Promise<void> {
  const [first, last] = [blocks[0]!, blocks.at(-1)!]
  await sql`
    delete from chain_blocks
    where chain_id = ${chainId} and number between ${first.number} and ${last.number}`.execute(dbTx)
  const { rows } = await sql<{ number: bigint | null }>`
    select l1_final_number as number from chain_cursors where chain_id = ${chainId}`.execute(dbTx)
  const l1Final = rows[0]?.number ?? last.number
  await keepBlocks(
    dbTx,
    chainId,
    blocks.filter(({ number }) => number > l1Final || number === last.number),
  )
}

/**
 * Deletes the blocks that a reorganisation can reach only through a recovery: those below the last one that
 * L1 has finalised, of which the highest is kept.
 */
async function forgetBlocks(dbTx: Db, chainId: number): Promise<void> {
  await sql`
    delete from chain_blocks where chain_id = ${chainId} and number < (
      select max(b.number) from chain_blocks as b join chain_cursors as c using (chain_id)
      where chain_id = ${chainId} and b.number <= least(l1_final_number, finalised_number))`.execute(dbTx)
}

/**
 * Locks the cursor for this transaction and checks that nobody else has written since the position was read.
 */
export async function bumpRevision(dbTx: Db, chainId: number, expected: bigint): Promise<void> {
  const updated = await sql`
    update chain_cursors set revision = ${expected + 1n}
    where chain_id = ${chainId} and revision = ${expected}`.execute(dbTx)
  if (updated.numAffectedRows !== 1n) throw new Error('another indexer has written to this database')
}

/**
 * Throws if an event is dropped although its block is one of the final ones. The proof of the events excludes
 * this; the check keeps a defect of the reader from dropping a payment or a claim.
 */
async function refuseLostEvents(dbTx: Db, chainId: number, blocks: readonly BlockHeader[]): Promise<void> {
  const { rows } = await sql<{ name: string; tx_hash: string }>`
    select name, tx_hash from chain_events
    where chain_id = ${chainId} and state = 'dropped' and block_hash = any(${blocks.map(({ hash }) => hash)}::text[])
    limit 1`.execute(dbTx)
  const [lost] = rows
  if (lost !== undefined)
    throw new Error(`${lost.name} of transaction ${lost.tx_hash} is missing in a block that holds it`)
}

/**
 * An event of a block that came back is seen again; a final one changes only if it was missing and is final
 * again.
 */
export async function upsertEvents(
  dbTx: Db,
  chainId: number,
  events: readonly ChainEvent[],
  state: 'seen' | 'final',
): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into chain_events as stored
      (chain_id, block_hash, log_index, block_number, block_at, tx_hash, contract, name, args, state)
    select ${chainId}, block_hash, log_index, block_number, block_at, tx_hash, contract, name, args::jsonb, ${state}
    from unnest(
      ${events.map((e) => e.blockHash)}::text[], ${events.map((e) => e.logIndex)}::integer[],
      ${events.map((e) => e.blockNumber)}::bigint[], ${events.map((e) => e.blockAt)}::timestamptz[],
      ${events.map((e) => e.txHash)}::text[], ${events.map((e) => e.contract)}::text[],
      ${events.map((e) => e.name)}::text[], ${events.map((e) => encodeArgs(e.args))}::text[]
    ) as e (block_hash, log_index, block_number, block_at, tx_hash, contract, name, args)
    on conflict (chain_id, block_hash, log_index) do update set state = excluded.state, missing = false
    where stored.state <> 'final' or (stored.missing and excluded.state = 'final')`.execute(dbTx)
}

/** Records the outcome of the last poll of the chain, for the readiness check of every process. */
export async function recordPoll(
  db: Db,
  chainId: number,
  poll: { head: bigint | null; at: Date; error: string | null; halted: boolean },
): Promise<void> {
  await sql`
    update chain_cursors set head_number = coalesce(${poll.head}::bigint, head_number), polled_at = ${poll.at},
      last_error = ${poll.error}, halted = ${poll.halted}
    where chain_id = ${chainId}`.execute(db)
}

/** The state of an event on the chain, which is delivered to its handler next. */
export type EventState = 'seen' | 'final' | 'dropped'

/** An event in the form of its columns. */
export type EventRow = {
  block_hash: Hash
  log_index: number
  block_number: bigint
  block_at: Date
  tx_hash: Hash
  contract: Address
  name: EventName
  args: Record<string, unknown>
  state: EventState
}

/** The columns of an `EventRow`. */
export const eventColumns = sql.raw(
  'block_hash, log_index, block_number, block_at, tx_hash, contract, name, args, state',
)

/** Returns the event of a row. */
export function eventOf(row: EventRow): ChainEvent {
  return {
    name: row.name,
    args: decodeArgs(row.name, row.args),
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    blockAt: row.block_at,
    txHash: row.tx_hash,
    logIndex: row.log_index,
    contract: row.contract,
  }
}
