import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Db } from '../db/database.ts'
import { type Read, read } from '../db/read.ts'
import { AppError } from '../lib/errors.ts'
import { banksOf, type ContractAddresses } from './banks.ts'
import type { BlockPlace } from './l1-finality.ts'

/**
 * `taking_orders`: the oldest bank that has not handed over, which also pays claims. `waiting`: a later one, which accepts no
 * order before that has handed over to it. `handed_over`: closed for ever, with its holdings in its successor.
 */
export type BankPhase = 'taking_orders' | 'waiting' | 'handed_over'

/** A bank contract of the list, with its hand-over according to final events. */
export interface FollowedBank {
  readonly address: Address
  readonly phase: BankPhase
  /** The successor of a queued or executed hand-over. */
  readonly successor: string | null
  /** The earliest time of a queued hand-over. */
  readonly executableAt: Date | null
  /** The block of the hand-over. */
  readonly handedOver: BlockPlace | null
}

/** Returns the list of banks with their hand-overs, oldest first. */
export async function listBanks(db: Db, contracts: ContractAddresses): Promise<FollowedBank[]> {
  const rows = await db.selectFrom('banks').selectAll().execute()
  const stored = new Map(rows.map((row) => [row.address, row]))
  const isOpen = (address: Address) => stored.get(address.toLowerCase())?.handed_over_block == null
  const oldestOpen = banksOf(contracts).find(isOpen)
  return banksOf(contracts).map((address) => {
    const row = stored.get(address.toLowerCase())
    const isClosed = row?.handed_over_block != null
    const open = address === oldestOpen ? 'taking_orders' : 'waiting'
    return {
      address,
      phase: isClosed ? 'handed_over' : open,
      successor: row?.successor ?? null,
      executableAt: row?.executable_at ?? null,
      handedOver: isClosed ? { blockNumber: row.handed_over_block!, blockAt: row.handed_over_at! } : null,
    }
  })
}

/**
 * Returns the bank for new vouchers and orders: the oldest that has not handed over, because it holds the money and counts the
 * copies until then. Throws PAUSED if every bank has handed over, which ends with the next setting of CONTRACTS.
 */
export async function payingBank(
  db: Db,
  contracts: ContractAddresses,
  area: 'withdrawals' | 'orders' = 'withdrawals',
): Promise<FollowedBank> {
  const bank = (await listBanks(db, contracts)).find(({ phase }) => phase === 'taking_orders')
  if (bank === undefined) throw new AppError('PAUSED', { area })
  return bank
}

/** Reports whether a bank, stored in lower case, has handed over. */
export async function hasHandedOver(db: Db, bank: string): Promise<boolean> {
  const { rows } = await sql`
    select from banks where address = ${bank} and handed_over_block is not null`.execute(db)
  return rows.length > 0
}

/** The newest block in which a bank has handed over, its number as text; no row if there is none. */
export const LAST_HAND_OVER = sql`
  select handed_over_block::text as "blockNumber", handed_over_at as "blockAt" from banks
  where handed_over_block is not null order by handed_over_block desc limit 1`

/** The change of the claim key that claims wait for; no row if the bank that pays them accepts it. */
export const KEY_CHANGE = sql`
  select next_key_at as "executableAt" from banks
  where key_away and handed_over_block is null order by next_key_at limit 1`

/** Stores whether a bank accepts the claim key of the signer and, if not, when a queued one can be appointed. */
export async function storeClaimKey(
  dbTx: Db,
  bank: Address,
  { isAway, nextAt }: { isAway: boolean; nextAt: Date | null },
): Promise<void> {
  await sql`
    update banks set key_away = ${isAway}, next_key_at = ${nextAt}
    where address = ${bank.toLowerCase()} and (key_away, next_key_at) is distinct from (${isAway}, ${nextAt})`.execute(
    dbTx,
  )
}

/** Returns the read of the address of the bank that takes orders, as `payingBank`; null if every bank has handed over. */
export const takingBankRead = (contracts: ContractAddresses): Read<Address | null> =>
  read<string[], Address | null>(
    () => sql`
      select null::bigint as member_id, json_agg(address) as value from banks where handed_over_block is not null`,
    (closed = []) => banksOf(contracts).find((bank) => !closed.includes(bank.toLowerCase())) ?? null,
  )

/**
 * Stores the hand-over of a bank according to its last delivered event. Each such event calls this when it
 * becomes final and when it is undone, so the result does not depend on the stored state.
 */
export async function storeHandOver(dbTx: Db, chainId: number, bank: Address): Promise<void> {
  await sql`
    with last as (
      select name, lower(args ->> 'successor') as successor, block_number, block_at,
        to_timestamp((args ->> 'executableAt')::float8) as executable_at
      from chain_events
      where chain_id = ${chainId} and contract = ${bank} and told = 'final'
        and name in ('HandOverQueued', 'HandOverCancelled', 'HandedOver')
      order by block_number desc, log_index desc limit 1
    )
    update banks set
      successor = (select successor from last where name <> 'HandOverCancelled'),
      executable_at = (select executable_at from last where name = 'HandOverQueued'),
      handed_over_block = (select block_number from last where name = 'HandedOver'),
      handed_over_at = (select block_at from last where name = 'HandedOver')
    where address = ${bank.toLowerCase()}`.execute(dbTx)
}
