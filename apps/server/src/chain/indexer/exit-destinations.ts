import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A destination of exits according to the last final event about it. */
export interface DestinationStatus {
  /** In lower case. */
  readonly address: string
  readonly state: 'queued' | 'listed' | 'cancelled' | 'removed'
  /** The earliest time at which a queued one can be listed. */
  readonly executableAt: Date | null
}

const STATES: Readonly<Record<string, DestinationStatus['state']>> = {
  DestinationQueued: 'queued',
  DestinationListed: 'listed',
  DestinationCancelled: 'cancelled',
  DestinationRemoved: 'removed',
}

/**
 * Returns the exit destinations that a bank (lower case) ever announced, one or all, according to its final
 * events.
 */
export async function destinationStates(
  db: Db,
  chainId: number,
  bank: string,
  address?: string,
): Promise<DestinationStatus[]> {
  const wanted = address === undefined ? sql`true` : sql`lower(args ->> 'destination') = ${address}`
  const { rows } = await sql<{ address: string; name: string; executableAt: string | null }>`
    select distinct on (address) lower(args ->> 'destination') as address, name,
      args ->> 'executableAt' as "executableAt"
    from chain_events
    where chain_id = ${chainId} and name = any(${Object.keys(STATES)}::text[]) and lower(contract) = ${bank}
      and state = 'final' and not missing and ${wanted}
    order by address, block_number desc, log_index desc`.execute(db)
  return rows.map((row) => ({
    address: row.address,
    state: STATES[row.name]!,
    executableAt: row.executableAt === null ? null : new Date(Number(row.executableAt) * 1_000),
  }))
}

/** Reports whether L1 has finalised the hand-over of a bank (lower case), after which it executes nothing. */
export async function isHandedOverForGood(db: Db, chainId: number, bank: string): Promise<boolean> {
  const { rows } = await sql`
    select from chain_events as e join chain_cursors as c using (chain_id)
    where chain_id = ${chainId} and name = 'HandedOver' and lower(contract) = ${bank} and told = 'final' and not missing
      and block_number <= l1_final_number`.execute(db)
  return rows.length > 0
}
