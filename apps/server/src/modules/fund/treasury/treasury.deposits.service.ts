import type { EventHandler } from '../../../chain/indexer/events.ts'
import type { AttestedRevenue } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import type { Fund } from '../fund.service.ts'

interface Deps {
  readonly attestedRevenue: Pick<AttestedRevenue, 'handler' | 'depositIdOf'>
  readonly fund: Pick<Fund, 'valuations'>
}

/**
 * Creates the handler of deposits: a dropped one takes its divestment or its attestation back with it. Rules,
 * section 2.
 */
export function createDepositEvents({
  attestedRevenue: { handler, depositIdOf },
  fund,
}: Deps): EventHandler<'RevenueDeposited'> {
  return {
    ...handler,
    async onUndone(dbTx, event) {
      const depositId = depositIdOf(event)
      await fund.valuations.undo(dbTx, { depositId, cause: { type: 'deposit', id: depositId } })
      return handler.onUndone(dbTx, event)
    },
  }
}
