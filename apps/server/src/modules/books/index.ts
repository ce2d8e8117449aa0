import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import { createFinalBatch } from './final-batch.service.ts'
import { createLedgerService } from './ledger/ledger.service.ts'
import { ledgerJobs } from './ledger/ledger.worker.ts'
import { REVERSAL_CHECKS } from './reversals/reversals.audit.ts'
import { createReversals } from './reversals/reversals.service.ts'
import { reversalJobs } from './reversals/reversals.worker.ts'

export type Books = ServicesOf<typeof books>

/** The ledger, and the reversal of what a reorganisation of the chain undid. Rules, sections 2 and 3. */
export const books = capability({
  create(needs: Ground) {
    const ledger = createLedgerService(needs.postingListeners)
    return {
      ledger,
      reversals: createReversals({ now: needs.now, ledger }),
      onFinalBatch: createFinalBatch(ledger, needs.finalBatch),
    }
  },
  jobs: ({ db, ledger, reversals }) => ({
    money: [...reversalJobs({ db, reversals }), ...ledgerJobs({ db, ledger })],
  }),
  audits: REVERSAL_CHECKS,
})
