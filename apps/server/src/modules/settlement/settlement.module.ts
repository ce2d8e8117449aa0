import type { DepsOf } from '../../lib/deps.ts'
import { createSettlementDays } from './days/days.service.ts'
import { createSettlementRerun } from './days/rerun.service.ts'
import { createSettlementReplays } from './replay/replay.service.ts'
import { createSettlement } from './settlement.service.ts'

type Deps = DepsOf<typeof createSettlement> &
  DepsOf<typeof createSettlementDays> &
  Omit<DepsOf<typeof createSettlementRerun>, 'settlement' | 'days'> &
  DepsOf<typeof createSettlementReplays>

/** Creates the services of settlement. Rules, section 6. */
export function createSettlementServices(deps: Deps) {
  const settlement = createSettlement(deps)
  const settlementDays = createSettlementDays(deps)
  return {
    settlement,
    settlementDays,
    settlementRerun: createSettlementRerun({ ...deps, settlement, days: settlementDays }),
    settlementReplays: createSettlementReplays(deps),
  }
}
