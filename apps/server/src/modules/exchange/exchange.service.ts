import type { Conversion, ConversionQuote, Exchange } from '@rif/api-schema'
import {
  dayOf,
  EXCHANGE_TARGETS,
  type ExchangeTarget,
  exchangeRemaining,
  formatMicros,
  type Micros,
  nextDay,
  quoteExchange,
  sharePpm,
  startOfDay,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { Consent } from '../leaving/leaving.consents.service.ts'
import type { Conversions } from './exchange.conversions.service.ts'
import type { Dividends } from './exchange.dividends.service.ts'
import { enterExchange } from './exchange.repository.ts'
import type { ExchangeTerms } from './exchange.terms.service.ts'

/** A member's request to exchange RIF. */
export interface ExchangeOrder {
  readonly to: ExchangeTarget
  readonly rifMicros: Micros
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly terms: ExchangeTerms
  readonly conversions: Conversions
  readonly dividends: Dividends
}

export type ExchangeService = ReturnType<typeof createExchangeService>

/** Creates the exchange centre for RIF. Rules, section 11. */
export function createExchangeService({ db, now, ledger, terms, conversions, dividends }: Deps) {
  /**
   * Checks an exchange at a rate as of a time. Throws ASSET_NOT_ALLOWED, INVALID_AMOUNT,
   * INSUFFICIENT_BALANCE, and DAILY_LIMIT with the RIF that remain for the day.
   */
  async function judge(
    dbTx: Db,
    memberId: bigint,
    { to, rifMicros }: ExchangeOrder,
    { at, rateMicros }: { at: Date; rateMicros?: Micros },
  ): Promise<{ receivesMicros: Micros; rateMicros: Micros }> {
    const current = await terms.at(dbTx, to, at)
    const used = await conversions.usedOn(dbTx, memberId, dayOf(at.getTime()))
    const { RIF } = await ledger.balances(dbTx, memberId)
    const rate = rateMicros ?? current.rateMicros
    const quote = quoteExchange(
      { to, rifMicros, availableMicros: RIF.available },
      { rateMicros: rate, dayCapMicros: current.dayCapMicros, usedTodayMicros: used.get(to) ?? 0n },
    )
    if (!quote.ok) {
      if (quote.code !== 'DAILY_LIMIT') throw new AppError(quote.code)
      throw new AppError('DAILY_LIMIT', { remaining_amount: formatMicros(quote.remainingMicros) })
    }
    return { receivesMicros: quote.receivesMicros, rateMicros: rate }
  }

  return {
    /**
     * Quotes an exchange for 60 seconds; balance and cap are checked again on execution. Throws as `judge`.
     */
    async quote(dbTx: Db, memberId: bigint, order: ExchangeOrder): Promise<ConversionQuote> {
      const judged = await judge(dbTx, memberId, order, { at: now() })
      return conversions.quote(dbTx, {
        member_id: memberId,
        source_asset: 'RIF',
        target_asset: order.to,
        paid_micros: order.rifMicros,
        received_micros: judged.receivesMicros,
        rate_micros: judged.rateMicros,
      })
    },

    /**
     * Executes a quoted exchange once; a repeated call returns the first result. Throws QUOTE_EXPIRED,
     * INSUFFICIENT_BALANCE, DAILY_LIMIT, SIGNATURE_REQUIRED, NONCE_INVALID, and INVALID_AMOUNT if the new
     * balance would exceed the storable range.
     */
    async make(dbTx: Db, memberId: bigint, quoteId: bigint, consent?: Consent): Promise<Conversion> {
      await enterExchange(dbTx)
      const quote = { id: quoteId, source: 'RIF', consent } as const
      return conversions.convert(dbTx, memberId, quote, async (row, at) => {
        const order = { to: row.target_asset as ExchangeTarget, rifMicros: row.paid_micros }
        await judge(dbTx, memberId, order, { at, rateMicros: row.rate_micros! })
      })
    },

    /** Returns a member's holdings, the terms of exchange today, and the dividends actually paid. */
    async overview(memberId: bigint): Promise<Exchange> {
      const at = now()
      const day = dayOf(at.getTime())
      const [{ RIF, DIV, VC }, sharesHeld, used, received, paid30Days, ...current] = await Promise.all([
        ledger.balances(db, memberId),
        ledger.sharesHeld(db),
        conversions.usedOn(db, memberId, day),
        dividends.received(db, memberId),
        dividends.paidLately(db),
        ...EXCHANGE_TARGETS.map((to) => terms.at(db, to, at)),
      ])
      return {
        rif: formatMicros(RIF.available),
        div: {
          available: formatMicros(DIV.available),
          share_ppm: sharePpm(DIV.available, sharesHeld.DIV),
        },
        vc: {
          available: formatMicros(VC.available),
          locked: formatMicros(VC.locked),
          share_ppm: sharePpm(VC.available + VC.locked, sharesHeld.VC),
        },
        terms: EXCHANGE_TARGETS.map((to, index) => {
          const { rateMicros, dayCapMicros } = current[index]!
          const remaining = exchangeRemaining({ dayCapMicros, usedTodayMicros: used.get(to) ?? 0n })
          return {
            to,
            rate: formatMicros(rateMicros),
            day_cap: dayCapMicros === null ? null : formatMicros(dayCapMicros),
            remaining_today: remaining === null ? null : formatMicros(remaining),
          }
        }),
        resets_at: new Date(startOfDay(nextDay(day))).toISOString(),
        received,
        paid_30d: paid30Days,
      }
    },
  }
}
