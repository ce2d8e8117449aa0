import { sql } from 'kysely'
import type { Alarms } from '../alarms/alarms.ts'
import type { Db } from '../db/database.ts'

const ALARM_OF = { OrderPaid: 'payment_missed', Claimed: 'claim_missed' } as const

/** A use of the bank according to the bank itself, whose event was missed. */
export interface MissedUse {
  readonly kind: keyof typeof ALARM_OF
  /** The number of the order or withdrawal in the contract. */
  readonly onchainId: bigint
  /** The final block at whose end the bank was checked. */
  readonly blockNumber: bigint
  readonly at: Date
}

/** Raises an alarm about a missed event: once for each, whichever process finds it and however often. */
export async function reportMissed(
  db: Db,
  alarms: Pick<Alarms, 'once'>,
  { kind, onchainId, blockNumber, at }: MissedUse,
): Promise<void> {
  await sql`
    insert into chain_missed (kind, onchain_id, block_number, found_at)
    values (${kind}, ${`${onchainId}`}, ${blockNumber}, ${at}) on conflict do nothing`.execute(db)
  const facts = { onchainId: `${onchainId}`, block: `${blockNumber}` }
  await alarms.once(ALARM_OF[kind], facts, { subject: `${onchainId}`, on: db })
}
