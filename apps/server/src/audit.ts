import { readBankHoldings } from './chain/bank-holdings.ts'
import { copiesPaid } from './chain/bank-uses.ts'
import type { Chain } from './chain/client.ts'
import { bookedBlock } from './chain/indexer/position.ts'
import type { Db } from './db/database.ts'
import { ADMIN_CHECKS } from './modules/admin-log/admin-log.audit.ts'
import { ANALYTICS_CHECKS } from './modules/analytics/analytics.audit.ts'
import { unattestedDeposits } from './modules/attested-revenue/attested-revenue.audit.ts'
import { EXCHANGE_CHECKS } from './modules/exchange/exchange.audit.ts'
import { FUND_CHECKS } from './modules/fund/fund.audit.ts'
import type { AuditCheck, AuditOptions } from './modules/ledger/ledger.audit.ts'
import { PLACEMENT_CHECKS } from './modules/placement/placement.audit.ts'
import { REVERSAL_CHECKS } from './modules/reversals/reversals.audit.ts'
import { REWARD_CHECKS } from './modules/rewards/rewards.audit.ts'
import { SAVINGS_CHECKS } from './modules/savings/savings.audit.ts'
import { SETTLEMENT_CHECKS } from './modules/settlement/settlement.audit.ts'
import { copiesFindings, SHOP_CHECKS } from './modules/shop/shop.audit.ts'
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

/** Returns the comparisons of the books with the banks, each at the end of the block that the books of a snapshot have reached. */
export function bankChecks(chain: Chain): Required<AuditOptions>['chain'] {
  return {
    async holdings(snapshot: Db) {
      const block = await bookedBlock(snapshot, chain.chainId)
      if (block === null) return null
      const { USDT, AMC } = await readBankHoldings(chain, block)
      return { USDT: USDT.micros, AMC: AMC.micros }
    },
    unattested: unattestedDeposits,
    async findings(snapshot: Db) {
      const block = (await bookedBlock(snapshot, chain.chainId))!
      return copiesFindings(snapshot, (packageIds) => copiesPaid(chain, packageIds, block))
    },
  }
}
