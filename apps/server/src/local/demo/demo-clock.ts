import { addDays, dayOf, startOfDay } from '@rif/rules'
import type { Now } from '../../lib/clock.ts'
import { createLogger } from '../../lib/logger.ts'
import { createServices, type Services } from '../../services.ts'

/** The number of days of the short demonstration. */
const PAST_DAYS = 14
const HOUR_OF_BEGINNING_MS = 8 * 3_600_000

/** Returns the start of the demonstration, relative to its creation. */
export function beginningOf(now: Date, days: number = PAST_DAYS): Date {
  return new Date(startOfDay(addDays(dayOf(now.getTime()), -days)) + HOUR_OF_BEGINNING_MS)
}

/** The same services with a separate clock, on which the team's wallets sign only if `membersSign` says so. */
export function servicesAt(
  { db, chain, settings }: Services,
  now: Now,
  { membersSign = false }: { readonly membersSign?: boolean } = {},
): Services {
  return createServices({
    db,
    now,
    log: createLogger({ level: 'silent' }),
    chain,
    settings: { ...settings, membersSign },
  })
}

/**
 * The same services, on which the team's wallets do not sign: for what cannot be taken back at the same
 * worth. Withdrawals need the true ones, because the signing process checks the signatures of members.
 */
export const unsigned = (services: Services): Services => servicesAt(services, services.now)
