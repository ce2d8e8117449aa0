import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { FundServices } from '../fund/index.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Rewards } from '../rewards/index.ts'
import type { Settlement } from '../settlement/index.ts'
import type { ShopServices } from '../shop/index.ts'
import { createBankWatch } from './bank-watch/bank-watch.service.ts'
import { bankWatchJobs } from './bank-watch/bank-watch.worker.ts'
import { earningsRoutes } from './earnings/earnings.routes.ts'
import { createEarnings } from './earnings/earnings.service.ts'
import { earningsJobs } from './earnings/earnings.worker.ts'
import { guardRoutes } from './guard/guard.routes.ts'
import { createAuditRuns } from './guard/guard.runs.service.ts'
import { createGuard } from './guard/guard.service.ts'
import { guardJobs } from './guard/guard.worker.ts'
import { guardClearKind } from './guard/proposal-kind.ts'
import { moneyPolicyRoutes } from './money-policy/money-policy.routes.ts'
import { createMoneyPolicy } from './money-policy/money-policy.service.ts'
import { createOpening } from './opening/opening.service.ts'
import { openingKind } from './opening/proposal-kind.ts'
import { SOLVENCY_CHECKS } from './solvency/audit.ts'
import { SOLVENCY_MESSAGES } from './solvency/messages.ts'
import { solvencyRoutes } from './solvency/solvency.routes.ts'
import { createSolvency } from './solvency/solvency.ts'
import { solvencyJobs } from './solvency/solvency.worker.ts'

export type Trust = ServicesOf<typeof trust>

const REPLICA_WAIT_MS = 60_000

/**
 * Checks that anybody can repeat, and which stop money when they fail: proofs of solvency, audits, the watch over the bank; the
 * published earnings of members, the way of money, and the opening. Rules, section 13.
 */
export const trust = capability({
  create(
    needs: Ground &
      Books &
      Operators &
      Prices &
      Members &
      Access &
      Rewards &
      ShopServices &
      Leaving &
      Settlement &
      FundServices,
  ) {
    const { db, replicaDb, settings } = needs
    const { saltKey = null, verifierSha256 = null, demoWallets } = settings
    const isReal = demoWallets === null
    const solvency = createSolvency({ ...needs, saltKey, verifierSha256 })
    const guard = createGuard({
      ...needs,
      ...solvency,
      auditDb: replicaDb ?? db,
      needsSnapshots: settings.needsSnapshots ?? true,
      replicaWaitMs: settings.replicaWaitMs ?? REPLICA_WAIT_MS,
    })
    return {
      ...solvency,
      guard,
      auditRuns: createAuditRuns({ ...needs, guard }),
      bankWatch: createBankWatch({ ...needs, makesBlocks: isReal }),
      opening: createOpening({ ...needs, ...solvency, receivers: settings.alarms ?? {}, isReal }),
      earnings: createEarnings(needs),
      moneyPolicy: createMoneyPolicy(needs),
    }
  },
  async routes(app, services) {
    moneyPolicyRoutes(app, services)
    earningsRoutes(app, services)
    await solvencyRoutes(app, services)
    guardRoutes(app, services)
  },
  jobs: (services) => ({
    always: [...guardJobs(services), ...bankWatchJobs(services.bankWatch)],
    money: [...earningsJobs(services.earnings), ...solvencyJobs(services)],
    queued: [services.auditRuns.handler],
  }),
  events: ({ bankWatch, solvencyEvents }) => ({ ...bankWatch.eventHandlers, ...solvencyEvents }),
  proposalKinds: (services) => ({ guard_clear: guardClearKind(services), opening: openingKind(services) }),
  readings: ({ solvencyPublishing, guard, bankWatch }) => [
    ...solvencyPublishing.readings,
    ...guard.readings,
    ...bankWatch.readings,
  ],
  audits: SOLVENCY_CHECKS,
  messages: SOLVENCY_MESSAGES,
})
