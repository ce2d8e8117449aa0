import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Logger } from '../lib/logger.ts'

const MESSAGES = {
  OrderPaid: 'the bank was paid for an order whose payment is not booked',
  Claimed: 'the bank has paid a withdrawal whose claim is not booked',
} as const

/** A use of the bank according to the bank itself, whose event was missed. */
export interface MissedUse {
  readonly kind: keyof typeof MESSAGES
  /** The number of the order or withdrawal in the contract. */
  readonly onchainId: bigint
  /** The final block at whose end the bank was checked. */
  readonly blockNumber: bigint
  readonly at: Date
}

/** Raises an alarm about a missed event: once for each, whichever process finds it and however often. */
export async function reportMissed(
  db: Db,
  log: Logger,
  { kind, onchainId, blockNumber, at }: MissedUse,
): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into chain_missed (kind, onchain_id, block_number, found_at)
    values (${kind}, ${`${onchainId}`}, ${blockNumber}, ${at}) on conflict do nothing`.execute(db)
  if (numAffectedRows === 0n) return
  const details = { alarm: true, onchainId: `${onchainId}`, block: `${blockNumber}` }
  log.error(details, MESSAGES[kind])
}
