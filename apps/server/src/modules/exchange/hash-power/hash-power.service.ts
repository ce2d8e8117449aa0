import type {
  Conversion,
  ConversionQuote,
  HashRate,
  HashRateEntry,
  HashRateKind,
  HashRatePercent,
} from '@rif/api-schema'
import { dayOf, formatMicros, hashRateDiscount, type Micros, quoteHashPower, worth } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerEntry, LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Consent } from '../../leaving/leaving.consents.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import type { Conversions } from '../exchange.conversions.service.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly conversions: Conversions
}

export type HashPowerService = ReturnType<typeof createHashPowerService>

/** Creates the service of hash power (RIF): balance, discounts and purchases. Rules, sections 4 and 11. */
export function createHashPowerService({ now, ledger, plans, pricing, conversions }: Deps) {
  async function pricesAt(db: Db, at: Date) {
    const amc = await pricing.priceAt(db, 'AMC', at)
    const rif = await pricing.priceAt(db, 'RIF', at)
    return { amcPriceMicros: amc?.priceMicros ?? null, rifPriceMicros: rif?.priceMicros ?? null }
  }

  return {
    /** Returns a member's balance and a page of its movements, newest first. */
    async overview(
      db: Db,
      memberId: bigint,
      page: { cursor?: string | undefined; limit: number },
    ): Promise<HashRate> {
      const balances = await ledger.balances(db, memberId)
      const { amcPriceMicros, rifPriceMicros } = await pricesAt(db, now())
      const { items, next } = await ledger.history.entries(db, memberId, { ...page, asset: 'RIF' })
      return {
        available: formatMicros(balances.RIF.available),
        locked: formatMicros(balances.RIF.locked),
        worth_usdt:
          rifPriceMicros === null ? null : formatMicros(worth(balances.RIF.available, rifPriceMicros)),
        available_amc: formatMicros(balances.AMC.available),
        prices: { AMC: textOf(amcPriceMicros), RIF: textOf(rifPriceMicros) },
        items: items.map(entryView),
        next,
      }
    },

    /** Returns the current discount on each package; empty while RIF has no price. */
    async discounts(db: Db, memberId: bigint): Promise<HashRatePercent> {
      const at = now()
      const plan = await plans.planAt(db, dayOf(at.getTime()))
      const { RIF } = await ledger.balances(db, memberId)
      const { rifPriceMicros } = await pricesAt(db, at)
      const packages = rifPriceMicros === null ? [] : plan.packages
      return {
        percent_ppm: plan.order.hashRatePpm,
        rif_price: textOf(rifPriceMicros),
        packages: packages.map(({ level, name, priceMicros }) => {
          const { discountMicros, rifMicros } = hashRateDiscount(
            priceMicros,
            RIF.available,
            rifPriceMicros!,
            plan,
          )
          return {
            product_id: `${level}`,
            name,
            price: formatMicros(priceMicros),
            discount: formatMicros(discountMicros),
            rif: formatMicros(rifMicros),
          }
        }),
      }
    },

    /**
     * Quotes the RIF for an amount of AMC, for 60 seconds. Throws INVALID_AMOUNT, PRICE_UNAVAILABLE,
     * INSUFFICIENT_BALANCE.
     */
    async quote(dbTx: Db, memberId: bigint, amcMicros: Micros): Promise<ConversionQuote> {
      const prices = await pricesAt(dbTx, now())
      const { AMC } = await ledger.balances(dbTx, memberId)
      const quote = quoteHashPower({ amcMicros, availableMicros: AMC.available }, prices)
      if (!quote.ok) throw new AppError(quote.code)
      return conversions.quote(dbTx, {
        member_id: memberId,
        source_asset: 'AMC',
        target_asset: 'RIF',
        paid_micros: amcMicros,
        received_micros: quote.rifMicros,
        amc_price_micros: prices.amcPriceMicros,
        rif_price_micros: prices.rifPriceMicros,
      })
    },

    /**
     * Executes a quoted purchase of hash power once; a repeated call returns the first result. Throws
     * QUOTE_EXPIRED, INSUFFICIENT_BALANCE, SIGNATURE_REQUIRED, NONCE_INVALID, and INVALID_AMOUNT if the new
     * balance would exceed the storable range.
     */
    buy(dbTx: Db, memberId: bigint, quoteId: bigint, consent?: Consent): Promise<Conversion> {
      const quote = { id: quoteId, source: 'AMC', consent } as const
      return conversions.convert(dbTx, memberId, quote, async (row) => {
        const { AMC } = await ledger.balances(dbTx, memberId)
        if (AMC.available < row.paid_micros) throw new AppError('INSUFFICIENT_BALANCE')
      })
    },
  }
}

const textOf = (micros: Micros | null) => (micros === null ? null : formatMicros(micros))

const REVERSAL = ':reversal'

function entryView(entry: LedgerEntry): HashRateEntry {
  const { kind, source, destination, amountMicros, cause } = entry
  const change = destination === 'available' ? amountMicros : source === 'available' ? -amountMicros : 0n
  return {
    entry_id: `${entry.seq}-${entry.line}`,
    kind: kind.replace(REVERSAL, '') as HashRateKind,
    reversed: kind.endsWith(REVERSAL),
    amount: formatMicros(amountMicros),
    change: formatMicros(change),
    order_id: cause.type === 'order' ? cause.id : null,
    at: entry.postedAt.toISOString(),
  }
}
