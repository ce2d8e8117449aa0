import type { AnalyticsHoldings } from '@rif/api-schema'
import { formatMicros, PAYMENT_ASSETS } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { owedMicros, ratioPpm, type SolvencyService } from '../../trust/solvency/solvency.service.ts'
import * as repository from './analytics.repository.ts'

/** The maximum wait for the chain. */
const CHAIN_WAIT_MS = 700

interface Deps {
  readonly solvency: Pick<SolvencyService, 'positionAtBlock'>
}

/** Creates the figures of the bank's holdings and liabilities. Rules, section 13. */
export function createHoldings({ solvency }: Deps) {
  return {
    async holdings(db: Db): Promise<AnalyticsHoldings> {
      const [{ block, position }, products] = await Promise.all([
        solvency.positionAtBlock(CHAIN_WAIT_MS),
        repository.products(db),
      ])
      const invested = products.reduce((sum, { investedMicros }) => sum + investedMicros, 0n)
      const assets = PAYMENT_ASSETS.map((asset) => {
        const { heldMicros, booksMicros } = position[asset]
        const liabilities = owedMicros(position[asset])
        return {
          asset,
          chain: heldMicros === null ? null : formatMicros(heldMicros),
          books: formatMicros(booksMicros),
          fund_assets: formatMicros(asset === 'USDT' ? invested : 0n),
          liabilities: formatMicros(liabilities),
          ratio_ppm: ratioPpm(heldMicros, liabilities),
        }
      })
      const isKnown = PAYMENT_ASSETS.every((asset) => position[asset].heldMicros !== null)
      return { block: block === null || !isKnown ? null : `${block}`, assets }
    },
  }
}
