import type { ExitKind, ExitState, ExitsQuery } from '@rif/api-schema'
import type { Micros } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The terms of an exit that two admins approved. Addresses are in lower case. */
export interface ApprovedExit {
  readonly bank: string
  readonly kind: ExitKind
  readonly source: 'revenue' | 'fees' | null
  readonly productId: bigint | null
  /** The fund investment that it executes. */
  readonly investmentId: bigint | null
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  readonly destination: string
  readonly purpose: string
  readonly documentHash: string
  readonly preparedBy: string
  readonly approvedBy: string
}

/** The columns that change during the life of an exit. */
export interface ExitProgress {
  readonly state: ExitState
  readonly seenStep: 'announced' | 'executed' | 'cancelled' | null
  readonly seenTx: string | null
  readonly announcedTx: string | null
  readonly announcedAt: Date | null
  readonly executableAt: Date | null
  readonly expiresAt: Date | null
  readonly endedTx: string | null
  readonly endedAt: Date | null
  readonly releasedAt: Date | null
}

export interface ExitRow extends ApprovedExit, ExitProgress {
  readonly exitId: bigint
  /** The id in the contract, in decimal. */
  readonly onchainId: string
  readonly approvedAt: Date
  readonly destinationName: string
}

const COLUMNS = sql`
  exit_id as "exitId", bank, onchain_id as "onchainId", kind, source, product_id as "productId",
  investment_id as "investmentId", asset,
  amount_micros as "amountMicros", destination, name as "destinationName", exits.purpose,
  document_hash as "documentHash", exits.prepared_by as "preparedBy", exits.approved_by as "approvedBy",
  exits.approved_at as "approvedAt", state, seen_step as "seenStep", seen_tx as "seenTx",
  announced_tx as "announcedTx", announced_at as "announcedAt", executable_at as "executableAt",
  expires_at as "expiresAt", ended_tx as "endedTx", ended_at as "endedAt", released_at as "releasedAt"
`
/** The exits whose amounts are set aside. */
const OPEN = sql`released_at is null and state <> 'Executed'`

async function select(db: Db, rest: RawBuilder<unknown>): Promise<ExitRow[]> {
  const { rows } = await sql<ExitRow>`
    select ${COLUMNS} from exits join exit_destinations on address = destination ${rest}`.execute(db)
  return rows
}

/** Stores an approved exit and returns its number. */
export async function insertExit(
  dbTx: Db,
  exit: ApprovedExit & { readonly onchainId: string; readonly at: Date },
): Promise<bigint> {
  const { rows } = await sql<{ exitId: bigint }>`
    insert into exits (bank, onchain_id, kind, source, product_id, investment_id, asset, amount_micros, destination,
      purpose, document_hash, prepared_by, approved_by, approved_at)
    values (${exit.bank}, ${exit.onchainId}, ${exit.kind}, ${exit.source}, ${exit.productId},
      ${exit.investmentId}, ${exit.asset}, ${exit.amountMicros}, ${exit.destination}, ${exit.purpose}, ${exit.documentHash}, ${exit.preparedBy},
      ${exit.approvedBy}, ${exit.at})
    returning exit_id as "exitId"`.execute(dbTx)
  return rows[0]!.exitId
}

/** Locks an exit, by its number or by its id on chain. */
export async function lockExit(
  dbTx: Db,
  which: { readonly exitId: bigint } | { readonly onchainId: string },
): Promise<ExitRow | undefined> {
  const isIt = 'exitId' in which ? sql`exit_id = ${which.exitId}` : sql`onchain_id = ${which.onchainId}`
  return (await select(dbTx, sql`where ${isIt} for update of exits`))[0]
}

export async function findExit(db: Db, exitId: bigint): Promise<ExitRow | undefined> {
  return (await select(db, sql`where exit_id = ${exitId}`))[0]
}

/** Returns the numbers of the exits whose amounts are set aside. */
export async function openIds(db: Db): Promise<bigint[]> {
  const { rows } = await sql<{ exitId: bigint }>`
    select exit_id as "exitId" from exits where ${OPEN} order by exit_id`.execute(db)
  return rows.map(({ exitId }) => exitId)
}

/** Returns a page of exits, newest first. */
export function listExits(
  db: Db,
  { show, kind, asset, before, limit }: Omit<ExitsQuery, 'cursor'> & { before: bigint | undefined },
): Promise<ExitRow[]> {
  const wanted = [{ open: OPEN, ended: sql`not (${OPEN})`, all: sql`true` }[show]]
  if (kind !== undefined) wanted.push(sql`kind = ${kind}`)
  if (asset !== undefined) wanted.push(sql`asset = ${asset}`)
  return select(
    db,
    sql`where ${sql.join(wanted, sql` and `)} and (${before ?? null}::bigint is null or exit_id < ${before ?? null}::bigint)
      order by exit_id desc limit ${limit}`,
  )
}

/** Returns the sum that open payouts of an asset have set aside. */
export async function sumSetAside(db: Db, asset: 'USDT' | 'AMC'): Promise<Micros> {
  const { rows } = await sql<{ micros: string }>`
    select coalesce(sum(amount_micros), 0)::text as micros from exits
    where asset = ${asset} and kind = 'treasury_payout' and ${OPEN}`.execute(db)
  return BigInt(rows[0]!.micros)
}

/** Advances an exit's state. The database refuses invalid steps and any change of the terms. */
export async function moveExit(dbTx: Db, exitId: bigint, next: ExitProgress): Promise<void> {
  await sql`
    update exits set state = ${next.state}, seen_step = ${next.seenStep}, seen_tx = ${next.seenTx},
      announced_tx = ${next.announcedTx}, announced_at = ${next.announcedAt},
      executable_at = ${next.executableAt}, expires_at = ${next.expiresAt}, ended_tx = ${next.endedTx},
      ended_at = ${next.endedAt}, released_at = ${next.releasedAt}
    where exit_id = ${exitId}`.execute(dbTx)
}

export interface DestinationApproval {
  readonly address: string
  readonly name: string
  readonly purpose: string
  readonly preparedBy: string
  readonly approvedBy: string
  readonly approvedAt: Date
}

/** Returns the destinations that two admins approved, by address in lower case. */
export async function approvedDestinations(db: Db): Promise<Map<string, DestinationApproval>> {
  const { rows } = await sql<DestinationApproval>`
    select address, name, purpose, prepared_by as "preparedBy", approved_by as "approvedBy",
      approved_at as "approvedAt" from exit_destinations order by approved_at desc`.execute(db)
  return new Map(rows.map((row) => [row.address, row]))
}

/** Stores an approved destination. Returns false if it was approved before. */
export async function insertDestination(dbTx: Db, approval: DestinationApproval): Promise<boolean> {
  const { rows } = await sql`
    insert into exit_destinations (address, name, purpose, prepared_by, approved_by, approved_at)
    values (${approval.address}, ${approval.name}, ${approval.purpose}, ${approval.preparedBy}, ${approval.approvedBy}, ${approval.approvedAt})
    on conflict do nothing returning address`.execute(dbTx)
  return rows.length === 1
}

/** An exit in the contract for which the books have set nothing aside. */
export interface UnapprovedExit {
  readonly bank: string
  readonly onchainId: string
  readonly kind: number
  readonly chainProductId: string
  /** In lower case. */
  readonly token: string
  readonly destination: string
  /** In base units of the token. */
  readonly amount: string
  readonly reason: 'unknown' | 'wrong_terms' | 'ended'
  readonly state: 'Announced' | 'Executed' | 'Cancelled' | 'Undone'
  readonly executableAt: Date | null
  readonly announcedTx: string | null
  readonly endedTx: string | null
}

const UNAPPROVED = sql`
  bank, onchain_id as "onchainId", kind, chain_product_id as "chainProductId", token, destination, amount, reason,
  state, executable_at as "executableAt", announced_tx as "announcedTx", ended_tx as "endedTx"
`

export async function findUnapproved(
  dbTx: Db,
  bank: string,
  onchainId: string,
): Promise<UnapprovedExit | undefined> {
  const { rows } = await sql<UnapprovedExit>`
    select ${UNAPPROVED} from unapproved_exits
    where bank = ${bank} and onchain_id = ${onchainId} for update`.execute(dbTx)
  return rows[0]
}

/** Stores the current state of an unapproved exit. */
export async function storeUnapproved(dbTx: Db, exit: UnapprovedExit, at: Date): Promise<void> {
  await sql`
    insert into unapproved_exits (bank, onchain_id, kind, chain_product_id, token, destination, amount, reason, state,
      executable_at, announced_tx, ended_tx, noted_at)
    values (${exit.bank}, ${exit.onchainId}, ${exit.kind}, ${exit.chainProductId}, ${exit.token}, ${exit.destination},
      ${exit.amount}, ${exit.reason}, ${exit.state}, ${exit.executableAt}, ${exit.announcedTx}, ${exit.endedTx}, ${at})
    on conflict (bank, onchain_id) do update set kind = excluded.kind, chain_product_id = excluded.chain_product_id,
      token = excluded.token, destination = excluded.destination, amount = excluded.amount, reason = excluded.reason,
      state = excluded.state, executable_at = excluded.executable_at, announced_tx = excluded.announced_tx,
      ended_tx = excluded.ended_tx`.execute(dbTx)
}

/** Returns the unapproved exits on chain, those that can still be executed first. */
export async function listUnapproved(db: Db, limit: number): Promise<UnapprovedExit[]> {
  const { rows } = await sql<UnapprovedExit>`
    select ${UNAPPROVED} from unapproved_exits where state <> 'Undone'
    order by array_position(array['Announced', 'Executed'], state), noted_at desc limit ${limit}`.execute(db)
  return rows
}
