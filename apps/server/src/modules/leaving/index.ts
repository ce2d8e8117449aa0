import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import type { ShopServices } from '../shop/index.ts'
import { createAddressesService } from './leaving.addresses.service.ts'
import { createConsentsService } from './leaving.consents.service.ts'
import { createOneWayService } from './leaving.one-way.service.ts'
import { createDepartureQueue } from './leaving.queue.service.ts'
import { createLeavingService } from './leaving.service.ts'
import { localWalletRoutes } from './local-wallet/local-wallet.routes.ts'
import { createLocalWalletService } from './local-wallet/local-wallet.service.ts'
import { localWalletJobs } from './local-wallet/local-wallet.worker.ts'
import { LEAVING_MESSAGES } from './messages.ts'
import { reversalKind, transfersKind, unflagKind, withdrawalsKind } from './proposal-kinds.ts'
import { TRANSFER_CHECKS } from './transfers/audit.ts'
import { TRANSFERS_MESSAGES } from './transfers/messages.ts'
import { transferRoutes } from './transfers/transfers.routes.ts'
import { createTransfersService } from './transfers/transfers.service.ts'
import { WITHDRAWAL_CHECKS } from './withdrawals/audit.ts'
import { WITHDRAWALS_MESSAGES } from './withdrawals/messages.ts'
import { withdrawalRoutes } from './withdrawals/withdrawals.routes.ts'
import { createWithdrawals } from './withdrawals/withdrawals.service.ts'

export type Leaving = ServicesOf<typeof leaving>

/** All movements that leave a member at the member's request, and what guards them. Rules, sections 8 and 10. */
export const leaving = capability({
  create(needs: Ground & Books & Operators & Prices & Members & Access & ShopServices) {
    const { membersSign = true, transfersLimited = true } = needs.settings
    const consents = createConsentsService({ ...needs, membersSign })
    const guards = {
      consents,
      contacts: createAddressesService({ ...needs, consents }),
      leaving: createLeavingService(needs),
      oneWay: createOneWayService({ consents, membersSign }),
      departureQueue: createDepartureQueue(needs),
    }
    const withdrawals = createWithdrawals({ ...needs, ...guards })
    const transfers = createTransfersService({ ...needs, ...guards, transfersLimited })
    return {
      ...guards,
      withdrawals,
      withdrawalReview: withdrawals.review,
      claims: withdrawals.claims,
      transfers,
      transferReview: transfers.review,
      localWallet: createLocalWalletService({ ...needs, ...guards }),
    }
  },
  routes(app, services) {
    withdrawalRoutes(app, services)
    transferRoutes(app, services)
    localWalletRoutes(app, services)
  },
  jobs: (services) => ({ money: localWalletJobs(services) }),
  events: ({ claims, onFinalBatch }) => ({ Claimed: { ...claims.claims, onFinalBatch } }),
  finalBatch: ({ claims }) => [claims.finalClaims],
  proposalKinds: (services) => ({
    withdrawals: withdrawalsKind({ ...services, review: services.withdrawalReview }),
    transfers: transfersKind({ ...services, review: services.transferReview }),
    unflag: unflagKind(services),
    reversal: reversalKind(services),
  }),
  audits: [...WITHDRAWAL_CHECKS, ...TRANSFER_CHECKS],
  messages: { ...LEAVING_MESSAGES, ...TRANSFERS_MESSAGES, ...WITHDRAWALS_MESSAGES },
})
