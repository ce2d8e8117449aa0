import { readBankHoldings } from './chain/bank-holdings.ts'
import { copiesPaid } from './chain/bank-uses.ts'
import type { Chain } from './chain/client.ts'
import { bookedBlock } from './chain/indexer/position.ts'
import type { Db } from './db/database.ts'
import type { AuditCheck, AuditOptions } from './modules/books/ledger/audit.ts'
import type { AnyCapability } from './modules/capability.ts'
import { CAPABILITIES } from './modules/index.ts'
import { unattestedDeposits } from './modules/rewards/attested-revenue/audit.ts'
import { copiesFindings } from './modules/shop/audit.ts'

export const auditChecksOf = (capabilities: readonly AnyCapability[]): readonly AuditCheck[] =>
  capabilities.flatMap(({ audits = [] }) => audits)

/** The checks of every capability except the ledger, whose own always run. */
export const AUDIT_CHECKS = auditChecksOf(CAPABILITIES)

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
