import type { Opening, OpeningStepName } from '@rif/api-schema'
import { type Day, dayOf } from '@rif/rules'
import type { Alarms } from '../../../alarms/alarms.ts'
import { type AlarmSettings, hasReceiver } from '../../../alarms/sender.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { TermsTexts } from '../../access/auth/auth.texts.service.ts'
import { openAreas, openingOf } from '../../access/gates/gates.service.ts'
import type { DestinationsService } from '../../fund/treasury/treasury.destinations.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import type { SettlementService } from '../../settlement/settlement.service.ts'
import type { SolvencyService } from '../solvency/solvency.service.ts'

interface Deps {
  readonly now: Now
  readonly adminLog: AdminLogService
  readonly admins: Pick<AdminsService, 'list'>
  readonly plans: Pick<PlansService, 'isInForce'>
  readonly pricing: Pick<PricingService, 'priceAt'>
  readonly settlement: Pick<SettlementService, 'begin'>
  readonly solvency: Pick<SolvencyService, 'lastPublishedSnapshotAt'>
  readonly solvencyPublishing: { canPayAhead(): Promise<boolean> }
  readonly exitDestinations: Pick<DestinationsService, 'hasApproved'>
  readonly alarms: Pick<Alarms, 'wasTested'>
  readonly receivers: AlarmSettings
  /** True on a chain that the product does not run itself. */
  readonly isReal: boolean
  readonly termsTexts: Pick<TermsTexts, 'versionIn'>
}

export type OpeningService = ReturnType<typeof createOpening>

const APPROVERS_NEEDED = 2

/**
 * Creates the opening of a product on a real chain: the first steps that must be done, and the decision of two
 * owners that starts it. Decision 11.
 */
export function createOpening(deps: Deps) {
  const { now, adminLog, termsTexts } = deps

  async function stepsDone(db: Db): Promise<Readonly<Record<OpeningStepName, boolean>>> {
    const at = now()
    const admins = await deps.admins.list(db)
    const personsOf = (wanted: string) =>
      new Set(admins.filter(({ role }) => role === wanted).map(({ personId }) => personId)).size
    const prices = [await deps.pricing.priceAt(db, 'AMC', at), await deps.pricing.priceAt(db, 'RIF', at)]
    return {
      plan: await deps.plans.isInForce(db, dayOf(at.getTime())),
      prices: prices.every((price) => price !== undefined && price !== null),
      operator: personsOf('operator') > 0,
      approvers: personsOf('approver') >= APPROVERS_NEEDED,
      destination: await deps.exitDestinations.hasApproved(db),
      publisher: await deps.solvencyPublishing.canPayAhead().catch(() => false),
      publication: (await deps.solvency.lastPublishedSnapshotAt(db)) !== null,
      alarm: hasReceiver(deps.receivers) && (await deps.alarms.wasTested(db)),
    }
  }

  /** Throws NOT_READY_TO_OPEN with the steps that are missing, and NOT_FOUND for a product that is open. */
  async function requireReady(db: Db, stated: { terms: string }): Promise<void> {
    const opening = await openingOf(db)
    if (opening === null || opening.openedAt !== null) throw new AppError('NOT_FOUND')
    const missing: string[] = Object.entries(await stepsDone(db)).flatMap(([name, done]) =>
      done ? [] : [name],
    )
    if (stated.terms !== (await termsTexts.versionIn(db))) missing.push('terms')
    if (missing.length > 0) throw new AppError('NOT_READY_TO_OPEN', { missing: missing.join(' ') })
  }

  return {
    requireReady,

    /** Returns the first steps of a product that is not open yet; null for one that is. */
    async steps(db: Db): Promise<Opening | null> {
      const opening = await openingOf(db)
      if (opening === null || opening.openedAt !== null) return null
      const done = await stepsDone(db)
      return {
        steps: Object.entries(done).map(([name, isDone]) => ({
          name: name as OpeningStepName,
          done: isDone,
        })),
        terms: await termsTexts.versionIn(db),
      }
    },

    /** Reports whether alarms reach nobody although the product is on a real chain. */
    lacksReceiver: (): boolean => deps.isReal && !hasReceiver(deps.receivers),

    /** Opens the product from now on. Throws as `requireReady`. */
    async open(
      dbTx: Db,
      { backup, terms: read }: { backup: string; terms: string },
      { preparedBy, decidedBy, reason }: { preparedBy: string; decidedBy: string; reason: string },
    ): Promise<void> {
      await requireReady(dbTx, { terms: read })
      const at = now()
      await openAreas(dbTx, { at, preparedBy, openedBy: decidedBy, backup })
      const firstDay: Day = dayOf(at.getTime())
      await deps.settlement.begin(firstDay, dbTx)
      await adminLog.record(dbTx, {
        actor: decidedBy,
        action: 'product.open',
        subject: 'opening',
        reason,
        after: { firstDay, backup, terms: read },
      })
    },
  }
}
