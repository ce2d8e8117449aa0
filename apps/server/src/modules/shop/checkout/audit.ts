import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { isOrderPaid } from '../../../chain/bank-uses.ts'
import { bankAt } from '../../../chain/banks.ts'
import type { Chain } from '../../../chain/client.ts'
import { appliedPosition } from '../../../chain/indexer/position.ts'
import type { Db } from '../../../db/database.ts'
import type { Finding } from '../../books/ledger/audit.ts'

/** The maximum number of newest orders to check, so that the check ends in time. */
const ORDERS_ASKED = 1_000

/**
 * Explains a surplus of the bank: returns each order that was paid on chain up to the last applied block and
 * whose payment is not booked. Throws CHAIN_UNAVAILABLE.
 */
export async function missedPayments(db: Db, chain: Chain): Promise<Finding[]> {
  // Read before the orders, so that payments up to this block are booked unless their event was missed.
  const applied = await appliedPosition(db, chain.chainId)
  if (applied === null) return []
  const { rows } = await sql<{ orderId: string; bank: string; payer: Hex }>`
    with suspended as materialized (select chain_order_id, payer from unmatched_payments)
    select "orderId"::text, bank, payer from (
      select member_id::numeric * 18446744073709551616 + order_id as "orderId", bank, payer, created_at
      from orders where status <> 'Paid'
      union all
      select member_id::numeric * 18446744073709551616 + 4611686018427387904 + order_id, bank, payer, created_at
      from fund_orders where payment_method = 'wallet' and paid_at is null
    ) as unpaid
    where not exists (select 1 from suspended as u where u.chain_order_id = "orderId" and u.payer = unpaid.payer)
    order by created_at desc limit ${ORDERS_ASKED}`.execute(db)
  const findings: Finding[] = []
  for (const { orderId, bank, payer } of rows) {
    const terms = { orderId: BigInt(orderId), payer: getAddress(payer) }
    if (!(await isOrderPaid(chain, bankAt(chain, bank), terms, applied.blockNumber))) continue
    const subject = `payment of order ${orderId} by ${payer}`
    findings.push({ check: 'missed payment', subject, expected: 'booked', actual: 'only in the bank' })
  }
  return findings
}
