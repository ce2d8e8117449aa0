import { type RawBuilder, sql } from 'kysely'
import type { Address, Hash } from 'viem'
import type { Db } from '../../db/database.ts'
import type { EventName } from './events.ts'

/** An event that moved tokens of a wallet. */
export interface WalletEvent {
  readonly block_number: bigint
  readonly log_index: number
  readonly block_at: Date
  readonly tx_hash: Hash
  readonly name: Extract<EventName, 'OrderPaid' | 'Claimed' | 'Transferred'>
  readonly args: Readonly<Record<string, string>>
  readonly is_final: boolean
}

/** The position of an event in the chain. */
export interface EventPosition {
  readonly block: bigint
  readonly log: bigint
}

interface EventsQuery {
  readonly asset?: 'ETH' | 'USDT' | 'AMC' | undefined
  readonly direction?: 'in' | 'out' | undefined
  readonly chainId: number
  readonly contracts: Readonly<Record<'usdt' | 'amc', Address>>
  /** Checksummed. */
  readonly wallet: Address
  readonly before: EventPosition
  readonly limit: number
}

/** Returns the events of a wallet before a position, newest first, without those that a reorganisation dropped. */
export async function walletEventsBefore(db: Db, query: EventsQuery): Promise<WalletEvent[]> {
  const { chainId, contracts, wallet, before, limit, asset, direction } = query
  // The contracts emit no events about ether.
  if (asset === 'ETH') return []
  const ofToken =
    asset === undefined
      ? sql`true`
      : sql`lower(args ->> 'token') = ${contracts[asset === 'USDT' ? 'usdt' : 'amc'].toLowerCase()}`
  const ofPayment = asset === undefined ? sql`true` : sql`args ->> ${sql.lit(PAID_IN[asset])} <> '0'`
  const part = (names: readonly string[], field: string, wanted: RawBuilder<unknown>) => sql`(
    select block_number, log_index, block_at, tx_hash, name, args, state = 'final' as is_final from chain_events
    where chain_id = ${chainId} and name in (${sql.join(names.map((name) => sql.lit(name)))})
      and args ->> ${sql.lit(field)} = ${wallet} and state <> 'dropped' and ${wanted}
      and (block_number, log_index) < (${before.block}, ${before.log})
    order by block_number desc, log_index desc limit ${limit})`
  const parts = [
    ...(direction === 'out' ? [] : [part(['Claimed', 'Transferred'], 'to', ofToken)]),
    ...(direction === 'in'
      ? []
      : [part(['OrderPaid'], 'payer', ofPayment), part(['Transferred'], 'from', ofToken)]),
  ]
  const { rows } = await sql<WalletEvent>`
    select * from (${sql.join(parts, sql` union all `)}) as moves
    order by block_number desc, log_index desc limit ${limit}`.execute(db)
  return rows
}

/** The argument of a payment's event that holds the amount of an asset. */
const PAID_IN = { USDT: 'usdtAmount', AMC: 'amcAmount' } as const

/** The transfers to a wallet that the bank and the transfer contract announced. */
export interface ObservedTransfers {
  /** The number of claims that the bank paid to the wallet. */
  readonly claims: number
  /** The number of transfers by sending wallet, in lower case. */
  readonly senders: ReadonlyMap<string, number>
}

/** Returns the observed transfers to a wallet (checksummed), without those that a reorganisation dropped. */
export async function observedTransfers(
  db: Db,
  chainId: number,
  wallet: Address,
): Promise<ObservedTransfers> {
  const { rows } = await sql<{ name: EventName; from: string | null; count: number }>`
    select name, lower(args ->> 'from') as "from", count(*)::integer as count from chain_events
    where chain_id = ${chainId} and args ->> 'to' = ${wallet} and state <> 'dropped'
      and name in ('Claimed', 'Transferred')
    group by name, lower(args ->> 'from')`.execute(db)
  const claims = rows.filter(({ name }) => name === 'Claimed')
  const transfers = rows.filter(({ name }) => name === 'Transferred')
  return {
    claims: claims.reduce((sum, { count }) => sum + count, 0),
    senders: new Map(transfers.map(({ from, count }) => [from!, count])),
  }
}
