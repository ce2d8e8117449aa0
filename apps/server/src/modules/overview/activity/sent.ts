import type { SentTo } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { formatUnits, getAddress, type Hex } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import type { Db } from '../../../db/database.ts'
import { readAddress } from '../../leaving/leaving.addresses.service.ts'
import { WALLET_SENDS } from '../../leaving/local-wallet/local-wallet.relations.ts'
import { TRANSFER_DEPARTURES } from '../../leaving/transfers/transfers.relations.ts'
import { WITHDRAWAL_DEPARTURES } from '../../leaving/withdrawals/withdrawals.relations.ts'
import { MEMBERS } from '../../members/members.relations.ts'

type Item = SentTo['items'][number]
type Way = Pick<Item, 'way' | 'asset'>

/** The maximum number of payments in the list. The sums cover all. */
const SHOWN = 20
const ETHER_DECIMALS = 18

/**
 * Creates the reader of all that a member sent to an address: withdrawals, transfers to the member who signs
 * in with it, and tracked sends from the member's wallet. Returned amounts are left out. Throws
 * INVALID_ADDRESS.
 */
export function createSentTo({ decimals }: Pick<Chain, 'decimals'>) {
  const amountOf = ({ way, asset }: Way, amount: string) =>
    way === 'wallet'
      ? formatUnits(BigInt(amount), asset === 'ETH' ? ETHER_DECIMALS : decimals[asset])
      : formatMicros(BigInt(amount))

  return async (db: Db, memberId: bigint, text: string): Promise<SentTo> => {
    const address = readAddress(text)
    const payments = paymentsTo(memberId, address)
    const { rows: sums } = await sql<Way & { amount: string; count: number }>`
      select way, asset, sum(amount)::text as amount, count(*)::integer as count
      from ${payments} as payments where is_done group by way, asset order by way, asset`.execute(db)
    const { rows: items } = await sql<Way & { id: string; amount: string; at: Date; isDone: boolean }>`
      select way, id, asset, amount::text as amount, at, is_done as "isDone"
      from ${payments} as payments order by at desc, id desc limit ${SHOWN}`.execute(db)
    return {
      address: getAddress(address as Hex),
      sums: sums.map((row) => ({ ...row, amount: amountOf(row, row.amount) })),
      items: items.map(({ isDone, at, ...row }) => ({
        ...row,
        amount: amountOf(row, row.amount),
        at: at.toISOString(),
        is_done: isDone,
      })),
    }
  }
}

/** Returns all payments of a member to an address, given in lower case. */
const paymentsTo = (memberId: bigint, address: string) => sql`(
  select 'withdrawal' as way, id::text, asset, amount_micros::numeric as amount, created_at as at, is_done
  from ${WITHDRAWAL_DEPARTURES} as w where member_id = ${memberId} and to_address = ${address} and not is_undone
  union all
  select 'transfer', id::text, asset, amount_micros::numeric, created_at, is_done
  from ${TRANSFER_DEPARTURES} as t where member_id = ${memberId} and not is_undone
    and counterpart_id = (select m.member_id from ${MEMBERS} as m where m.address = ${address})
  union all
  select 'wallet', first_hash, asset, amount_units, sent_at, is_done
  from ${WALLET_SENDS} as s where member_id = ${memberId} and to_address = ${address}
)`
