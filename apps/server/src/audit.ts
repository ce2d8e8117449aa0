import { readBankHoldings } from './chain/bank-holdings.ts'
import type { Chain } from './chain/client.ts'
import { bookedBlock } from './chain/indexer/position.ts'
import type { Db } from './db/database.ts'
import { ADMIN_CHECKS } from './modules/admin-log/admin-log.audit.ts'
import { ANALYTICS_CHECKS } from './modules/analytics/analytics.audit.ts'
import { EXCHANGE_CHECKS } from './modules/exchange/exchange.audit.ts'
import { FUND_CHECKS } from './modules/fund/fund.audit.ts'
import type { AuditCheck } from './modules/ledger/ledger.audit.ts'
import { PLACEMENT_CHECKS } from './modules/placement/placement.audit.ts'
import { REVERSAL_CHECKS } from './modules/reversals/reversals.audit.ts'
import { REWARD_CHECKS } from './modules/rewards/rewards.audit.ts'
import { SAVINGS_CHECKS } from './modules/savings/savings.audit.ts'
import { SETTLEMENT_CHECKS } from './modules/settlement/settlement.audit.ts'
import { SHOP_CHECKS } from './modules/shop/shop.audit.ts'
import { SOLVENCY_CHECKS } from './modules/solvency/solvency.audit.ts'
import { TRANSFER_CHECKS } from './modules/transfers/transfers.audit.ts'
import { TREASURY_CHECKS } from './modules/treasury/treasury.audit.ts'
import { WITHDRAWAL_CHECKS } from './modules/withdrawals/withdrawals.audit.ts'

/** The checks of every module except the ledger, whose own always run. */
export const AUDIT_CHECKS: readonly AuditCheck[] = [
  ...SHOP_CHECKS,
  ...FUND_CHECKS,
  ...WITHDRAWAL_CHECKS,
  ...TREASURY_CHECKS,
  ...REWARD_CHECKS,
  ...SAVINGS_CHECKS,
  ...SETTLEMENT_CHECKS,
  ...TRANSFER_CHECKS,
  ...EXCHANGE_CHECKS,
  ...ANALYTICS_CHECKS,
  ...PLACEMENT_CHECKS,
  ...ADMIN_CHECKS,
  ...REVERSAL_CHECKS,
  ...SOLVENCY_CHECKS,
]

/**
 * Returns the holdings of the banks, in micro-units, at the end of the block that the books of a snapshot
 * have reached; null within a block.
 */
export async function heldAtBooks(
  chain: Chain,
  snapshot: Db,
): Promise<Readonly<Record<'USDT' | 'AMC', bigint>> | null> {
  const block = await bookedBlock(snapshot, chain.chainId)
  if (block === null) return null
  const { USDT, AMC } = await readBankHoldings(chain, block)
  return { USDT: USDT.micros, AMC: AMC.micros }
}
