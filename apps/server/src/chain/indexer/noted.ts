import { sql } from 'kysely'
import { noteChange } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import { type ChainEvent, decodeArgs, type EventName } from './events.ts'

type Seen = Pick<ChainEvent, 'name' | 'args'>

/**
 * Notes the members and operators affected by an event of the banks or the transfer contract, or by its
 * confirmations.
 */
export function noteEvent(db: Db, { name, args }: Seen): void {
  if (name === 'OrderPaid') {
    const { orderId, payer } = args as ChainEvent<'OrderPaid'>['args']
    noteChange(db, memberIn(orderId), 'order')
    noteChange(db, lower(payer), 'send')
  } else if (name === 'Claimed') {
    const { withdrawalId, to } = args as ChainEvent<'Claimed'>['args']
    noteChange(db, memberIn(withdrawalId), 'withdrawal')
    noteChange(db, lower(to), 'send')
  } else if (name === 'Transferred') {
    const { from, to } = args as ChainEvent<'Transferred'>['args']
    noteChange(db, lower(from), 'send')
    noteChange(db, lower(to), 'send')
  }
}

/** Notes the events that another block has confirmed and that are not final yet. */
export async function noteConfirmed(db: Db, chainId: number): Promise<void> {
  const { rows } = await sql<{ name: EventName; args: Record<string, unknown> }>`
    select name, args from chain_events where chain_id = ${chainId} and state = 'seen'`.execute(db)
  for (const { name, args } of rows) noteEvent(db, { name, args: decodeArgs(name, args) } as Seen)
}

const ID_BITS = 64n
/** Returns the member in an on-chain id; a foreign id gives a member without a stream. */
const memberIn = (onChainId: bigint): bigint => onChainId >> ID_BITS

const lower = (address: string) => address.toLowerCase() as `0x${string}`
