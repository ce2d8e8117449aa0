import type { Chain } from '../../../chain/client.ts'
import type { Now } from '../../../lib/clock.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { SettlementService } from '../../settlement/settlement.service.ts'
import type { SolvencyService } from '../../trust/solvency/solvency.service.ts'
import { createFundFigures } from './fund.ts'
import { createHoldings } from './holdings.ts'
import { createMoneyFigures } from './money.ts'
import { createPending } from './pending.ts'
import { createPeopleFigures } from './people.ts'
import { rangeOf } from './range.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly settlement: Pick<SettlementService, 'nextToSettle'>
  readonly chain: Chain
  readonly solvency: Pick<SolvencyService, 'positionAtBlock'>
}

export type AnalyticsService = ReturnType<typeof createAnalyticsService>

/** Creates the service of the operator's figures. All are derived from daily sums, not from single rows. */
export function createAnalyticsService({ now, ledger, plans, settlement, chain, solvency }: Deps) {
  return {
    /** Returns the days of a query. */
    range: (query: Parameters<typeof rangeOf>[0]) => rangeOf(query, now()),
    ...createPeopleFigures({ now, plans }),
    ...createMoneyFigures({ ledger }),
    ...createFundFigures({ ledger }),
    ...createHoldings({ solvency }),
    ...createPending({ now, plans, settlement, chainId: chain.chainId }),
  }
}
