import type { WalletAsset } from '@rif/api-schema'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Address, Hash } from 'viem'
import type { EventName } from '../../chain/indexer/events.ts'
import type { Db } from '../../db/database.ts'
import type { WalletSends } from '../../db/types.gen.ts'

/** A send as it is stored; the migration says what the columns mean. */
export type SendRow = Selectable<WalletSends>

const OPEN = ['Sent', 'Confirming'] as const

/** Stores a send; undefined when its hash is known already. */
export async function insertSend(db: Db, send: Insertable<WalletSends>): Promise<SendRow | undefined> {
  return db
    .insertInto('wallet_sends')
    .values(send)
    .onConflict((conflict) => conflict.columns(['member_id', 'first_hash']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** A member's send by the hash it was told with, or by the one that took effect. */
export async function findSend(db: Db, memberId: bigint, hash: string): Promise<SendRow | undefined> {
  return db
    .selectFrom('wallet_sends')
    .selectAll()
    .where('member_id', '=', memberId)
    .where((or) => or.or([or('first_hash', '=', hash), or('tx_hash', '=', hash)]))
    .orderBy('send_id')
    .limit(1)
    .executeTakeFirst()
}

export async function countOpen(db: Db, memberId: bigint): Promise<number> {
  const row = await db
    .selectFrom('wallet_sends')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('member_id', '=', memberId)
    .where('status', 'in', OPEN)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Open sends that are due to be looked at. */
export async function dueSends(db: Db, at: Date, limit: number): Promise<SendRow[]> {
  return db
    .selectFrom('wallet_sends')
    .selectAll()
    .where('status', 'in', OPEN)
    .where('look_at', '<=', at)
    .orderBy('look_at')
    .limit(limit)
    .execute()
}

/** Changes a send as long as it is open and still what it was looked at as; whether it was. */
export async function updateOpen(db: Db, seen: SendRow, changes: Updateable<WalletSends>): Promise<boolean> {
  const updated = await db
    .updateTable('wallet_sends')
    .set(changes)
    .where('member_id', '=', seen.member_id)
    .where('send_id', '=', seen.send_id)
    .where('status', 'in', OPEN)
    .where('tx_hash', '=', seen.tx_hash)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Forgets what was told as a send and is none. */
export async function deleteSend(db: Db, send: SendRow): Promise<void> {
  await db
    .deleteFrom('wallet_sends')
    .where('member_id', '=', send.member_id)
    .where('send_id', '=', send.send_id)
    .execute()
}

/** A member's sends, newest first, before the one with an id. */
export async function sendsBefore(
  db: Db,
  memberId: bigint,
  { beforeId, limit, asset, direction }: MoveFilter & { beforeId: bigint; limit: number },
): Promise<SendRow[]> {
  if (direction === 'in') return []
  const ofMember = db
    .selectFrom('wallet_sends')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('send_id', '<', beforeId)
  const rows = await (asset === undefined ? ofMember : ofMember.where('asset', '=', asset))
    .orderBy('send_id', 'desc')
    .limit(limit)
    .execute()
  return rows as SendRow[]
}

/** Which of these transactions the member told as sends. */
export async function toldHashes(db: Db, memberId: bigint, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('wallet_sends')
    .select('tx_hash')
    .where('member_id', '=', memberId)
    .where('tx_hash', 'in', hashes)
    .execute()
  return new Set(rows.map((row) => row.tx_hash))
}

/** An event that moved tokens of a wallet. */
export interface MoveRow {
  readonly block_number: bigint
  readonly log_index: number
  readonly block_at: Date
  readonly tx_hash: Hash
  readonly name: Extract<EventName, 'OrderPaid' | 'Claimed' | 'Transferred'>
  readonly args: Readonly<Record<string, string>>
  readonly is_final: boolean
}

/** Where a list of events has arrived. */
export interface EventPosition {
  readonly block: bigint
  readonly log: bigint
}

/** Which movements of a wallet are wanted; all without a word on it. */
export interface MoveFilter {
  readonly asset?: WalletAsset | undefined
  readonly direction?: 'in' | 'out' | undefined
}

interface EventsQuery extends MoveFilter {
  readonly chainId: number
  readonly contracts: Readonly<Record<'usdt' | 'amc', Address>>
  /** Checksummed. */
  readonly wallet: Address
  readonly before: EventPosition
  readonly limit: number
}

/** What the contracts' events say of a wallet, newest first; what a reorganisation took is not among it. */
export async function eventsBefore(db: Db, query: EventsQuery): Promise<MoveRow[]> {
  const { chainId, contracts, wallet, before, limit, asset, direction } = query
  // The contracts' events know nothing of ether.
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
  const { rows } = await sql<MoveRow>`
    select * from (${sql.join(parts, sql` union all `)}) as moves
    order by block_number desc, log_index desc limit ${limit}`.execute(db)
  return rows
}

/** Where a payment's event says how much of an asset it was. */
const PAID_IN = { USDT: 'usdtAmount', AMC: 'amcAmount' } as const
