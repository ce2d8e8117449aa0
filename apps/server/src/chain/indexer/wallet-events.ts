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

/** Returns the events of a wallet before a position, newest first, without dropped ones. */
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

/** Movements of a wallet through the contracts on a UTC day (paid, claimed, received, sent), in base units of the tokens. */
export interface WalletDayChange {
  readonly day: string
  readonly kind: 'paid' | 'claimed' | 'received' | 'sent'
  /** The id in the contract of a paid order; null for anything else. */
  readonly orderId: bigint | null
  readonly usdtUnits: bigint
  readonly amcUnits: bigint
}

interface WalletDays extends Pick<EventsQuery, 'chainId' | 'contracts' | 'wallet'> {
  readonly since: Date
  readonly limit: number
}

/**
 * Returns the newest changes of a wallet since a time, by day, without events that a reorganisation dropped.
 */
export async function walletChangesSince(db: Db, query: WalletDays): Promise<WalletDayChange[]> {
  const { chainId, contracts, wallet, since, limit } = query
  const ofToken = (token: Address) => sql`case when lower(args ->> 'token') = ${token.toLowerCase()}
    then (args ->> 'amount')::numeric else 0 end`
  const moved = { usdt: ofToken(contracts.usdt), amc: ofToken(contracts.amc) }
  const paid = { usdt: sql`(args ->> 'usdtAmount')::numeric`, amc: sql`(args ->> 'amcAmount')::numeric` }
  const part = (kind: WalletDayChange['kind'], name: WalletEvent['name'], field: string) => {
    const isPaid = kind === 'paid'
    const { usdt, amc } = isPaid ? paid : moved
    return sql`(
      select (block_at at time zone 'UTC')::date as day, ${sql.lit(kind)} as kind,
        ${isPaid ? sql`args ->> 'orderId'` : sql`null`} as order_id, ${usdt} as usdt, ${amc} as amc
      from chain_events
      where chain_id = ${chainId} and name = ${sql.lit(name)} and args ->> ${sql.lit(field)} = ${wallet}
        and state <> 'dropped' and block_at >= ${since})`
  }
  const parts = [
    part('paid', 'OrderPaid', 'payer'),
    part('claimed', 'Claimed', 'to'),
    part('received', 'Transferred', 'to'),
    part('sent', 'Transferred', 'from'),
  ]
  const { rows } = await sql<
    Record<'day' | 'usdt' | 'amc', string> & Pick<WalletDayChange, 'kind'> & { orderId: string | null }
  >`
    select day, kind, order_id as "orderId", sum(usdt)::text as usdt, sum(amc)::text as amc
    from (${sql.join(parts, sql` union all `)}) as moves
    group by day, kind, order_id order by day desc, kind, order_id limit ${limit}`.execute(db)
  return rows.map(({ day, kind, orderId, usdt, amc }) => ({
    day,
    kind,
    usdtUnits: BigInt(usdt),
    amcUnits: BigInt(amc),
    orderId: orderId === null ? null : BigInt(orderId),
  }))
}

/** The argument of a payment's event that holds the amount of an asset. */
const PAID_IN = { USDT: 'usdtAmount', AMC: 'amcAmount' } as const

/** The transfers to a wallet in events of the bank and the transfer contract. */
export interface ObservedTransfers {
  /** The number of claims that the bank paid to the wallet. */
  readonly claims: number
  /** The number of transfers by sending wallet, in lower case. */
  readonly senders: ReadonlyMap<string, number>
}

/** Returns the observed transfers to a wallet (checksummed), without dropped ones. */
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
