import { parseArgs } from 'node:util'
import { isDay } from '@rif/rules'
import { createChainProgress } from '../chain/progress.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { createLogger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { createLedgerService } from '../modules/books/ledger/ledger.service.ts'
import { createPlacementService } from '../modules/members/placement/placement.service.ts'
import { createWebhookEvents } from '../modules/messages/webhooks/webhooks.events.service.ts'
import { createAdminLogService } from '../modules/operators/admin-log/admin-log.service.ts'
import { createPlansService } from '../modules/prices/plans/plans.service.ts'
import { createPricingService } from '../modules/prices/pricing/pricing.service.ts'
import { createSettlement } from '../modules/settlement/settlement.service.ts'
import { CHAIN_ID } from '../settings.ts'
import { openSubject } from './audit.ts'
import { openDatabase } from './database.ts'
import { usageOf } from './usage.ts'

const CONNECTIONS = 4

/** The messages for days that cannot be settled. */
const REFUSALS: Readonly<Record<string, string>> = {
  DAY_NOT_ENDED: 'has not ended yet (days are UTC)',
  DAY_OUT_OF_ORDER: 'comes after a day that is not settled yet',
  DAY_NOT_FINAL: 'has bookings that are not final on L1 yet; try again in some minutes',
  PRICE_UNAVAILABLE: 'needs an AMC price, and none was ever published; nothing was posted',
}

/**
 * Runs `rif settle --day D`: settles a day, or reports that it is settled. Works with or without a running
 * product. Throws StartError with a one-line reason.
 */
export async function settle(config: Config, args: string[]): Promise<number> {
  const day = dayOf(args)
  const subject = await openSubject(config)
  const database = await openDatabase(subject.databaseUrl, CONNECTIONS)
  try {
    const { settled } = await settlementOf(config, database.db).settle(day)
    process.stdout.write(settled ? `${day} is settled.\n` : `${day} was settled before: nothing to do.\n`)
    return 0
  } catch (error) {
    const refusal = error instanceof AppError ? REFUSALS[error.code] : undefined
    throw refusal ? new StartError(`${day} ${refusal}`) : error
  } finally {
    await database.close()
    await subject.close()
  }
}

function dayOf(args: string[]): string {
  try {
    const { day } = parseArgs({ args, options: { day: { type: 'string' } } }).values
    if (day !== undefined && isDay(day)) return day
  } catch {
    // An unknown option is reported in the same line.
  }
  throw new StartError(usageOf('settle'))
}

/** Creates settlement without the rest of the product; it needs neither keys nor contracts. */
function settlementOf(config: Config, db: Db) {
  const now = () => new Date()
  const log = createLogger({ level: config.logLevel ?? 'warn' })
  const webhookEvents = createWebhookEvents({ now })
  const ledger = createLedgerService([webhookEvents.ofPostings])
  const progress = createChainProgress({ chainId: CHAIN_ID, confirmations: config.confirmations, now })
  const adminLog = createAdminLogService({ now })
  const plans = createPlansService({ now, adminLog })
  const pricing = createPricingService({ now, adminLog })
  const placement = createPlacementService({ now })
  return createSettlement({ db, now, log, ledger, placement, plans, pricing, progress, webhookEvents })
}
