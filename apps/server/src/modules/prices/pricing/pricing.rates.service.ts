import { dayOf, formatMicros, isAmount, isPriceJump, type Micros, rateAge } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { CurrentRate } from './pricing.rates.repository.ts'
import * as repository from './pricing.rates.repository.ts'

/** A rate to publish, in micro-units of the currency for one USDT; null withdraws the currency. */
export interface RateDraft {
  readonly currency: string
  readonly published: { readonly rateMicros: Micros; readonly day: string; readonly source: string } | null
}

/** Units of account, precious metals and test codes, which are not currencies for members. */
const NO_MONEY = /^X(?!AF$|CD$|CG$|OF$|PF$)/
const CURRENCIES = new Set(Intl.supportedValuesOf('currency').filter((code) => !NO_MONEY.test(code)))

export type DisplayRates = ReturnType<typeof createDisplayRates>

/**
 * Creates the service of the rates of currencies, in which screens show amounts a second time. No service
 * computes money with them. Rules, section 1.
 */
export function createDisplayRates({
  now,
  adminLog,
  jumpPpm,
}: {
  readonly now: Now
  readonly adminLog: AdminLogService
  /** The share of the last rate above which two persons must approve a change. */
  readonly jumpPpm: number
}) {
  /**
   * Checks a publication, and returns the last rate of the currency, even a withdrawn one. Throws
   * VALIDATION_FAILED for an unknown currency and for a day that is in the future, is too old to be shown, or
   * is before that of the last rate; INVALID_AMOUNT for a rate that is not positive; NOT_FOUND if there is
   * nothing to withdraw.
   */
  async function check(db: Db, { currency, published }: RateDraft): Promise<CurrentRate | undefined> {
    if (!CURRENCIES.has(currency))
      throw new AppError('VALIDATION_FAILED', { field: 'currency', problem: 'is unknown' })
    const last = await repository.lastRate(db, currency)
    if (published === null) {
      const [newest] = await repository.publishedRates(db, currency, { limit: 1 })
      if (newest === undefined || newest.rateMicros === null) throw new AppError('NOT_FOUND')
      return last
    }
    const { rateMicros, day } = published
    if (!isAmount(rateMicros)) throw new AppError('INVALID_AMOUNT')
    const today = dayOf(now().getTime())
    const refuse = (problem: string) => new AppError('VALIDATION_FAILED', { field: 'day', problem })
    if (day > today) throw refuse('has not come')
    if (rateAge(day, today) === 'hidden') throw refuse('is too old')
    if (last !== undefined && day < last.rateDay) throw refuse('lies before that of the last rate')
    return last
  }

  return {
    jumpPpm,
    check,
    current: repository.current,
    published: repository.publishedRates,

    /** Reports whether a rate differs from the last one by more than the limit. */
    isJump: (rateMicros: Micros, last: CurrentRate | undefined) =>
      last !== undefined && isPriceJump(rateMicros, last.rateMicros, jumpPpm),

    /** Publishes a rate, or withdraws a currency, for an applied proposal. Throws as `check`. */
    async publish(
      dbTx: Db,
      draft: RateDraft,
      { actor, proposalId }: { actor: string; proposalId: bigint | null },
    ): Promise<void> {
      const { currency, published } = draft
      await repository.lockCurrency(dbTx, currency)
      const last = await check(dbTx, draft)
      await repository.insertRate(dbTx, {
        currency,
        rate_micros: published?.rateMicros ?? null,
        rate_day: published?.day ?? null,
        source: published?.source ?? null,
        share_ppm: jumpPpm,
        published_at: now(),
        published_by: actor,
        proposal_id: proposalId,
      })
      await adminLog.record(dbTx, {
        actor,
        action: 'display_rate.publish',
        subject: `display-rate/${currency}`,
        before: last && { rate: formatMicros(last.rateMicros), day: last.rateDay, source: last.source },
        after: published && {
          rate: formatMicros(published.rateMicros),
          day: published.day,
          source: published.source,
        },
      })
    },
  }
}
