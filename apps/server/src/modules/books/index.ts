import { formatMicros } from '@rif/rules'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import { createFinalBatch } from './final-batch.service.ts'
import { createLedgerService } from './ledger/ledger.service.ts'
import { ledgerJobs } from './ledger/ledger.worker.ts'
import { REVERSAL_CHECKS } from './reversals/audit.ts'
import { createReversals } from './reversals/reversals.service.ts'
import { reversalJobs } from './reversals/reversals.worker.ts'

export type Books = ServicesOf<typeof books>

const POOLS = ['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense'] as const

/** The ledger, and the reversal of what a reorganisation of the chain undid. Rules, sections 2 and 3. */
export const books = capability({
  create(needs: Ground) {
    const ledger = createLedgerService(needs.postingListeners)
    return {
      ledger,
      reversals: createReversals({ now: needs.now, ledger }),
      onFinalBatch: createFinalBatch(ledger, () => needs.declared().finalBatch),
    }
  },
  jobs: ({ db, ledger, reversals }) => ({
    money: [...reversalJobs({ db, reversals }), ...ledgerJobs({ db, ledger })],
  }),
  readings: ({ db, ledger }) => [
    {
      name: 'rif_pool_balance',
      help: 'What a pool holds, in whole units of the asset',
      labels: ['pool', 'asset'],
      read: async () => {
        const balances = await Promise.all(POOLS.map((pool) => ledger.pools.balances(db, pool)))
        return POOLS.flatMap((pool, index) =>
          Object.entries(balances[index]!).map(([asset, micros]) => ({
            labels: { pool, asset },
            value: Number(formatMicros(micros)),
          })),
        )
      },
    },
  ],
  audits: REVERSAL_CHECKS,
})
