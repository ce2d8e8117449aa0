import type { SavingsAccount, SavingsCoverage, SavingsInterest } from '@rif/api-schema'
import {
  addDays,
  type Day,
  dayOf,
  daysBetween,
  formatMicros,
  MICRO,
  type Micros,
  PAYMENT_ASSETS,
  type PaymentAsset,
  previousDay,
  RECENT_MS,
  savingsCoverage,
  savingsRatePpm,
  worth,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { readMember } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'
import type { InterestSum } from './savings.repository.ts'
import * as repository from './savings.repository.ts'
import { interestView } from './view.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
}

export type SavingsAccounts = ReturnType<typeof createSavingsAccounts>

const RANGE_DAYS = 30
const EPOCH: Day = '1970-01-01'

/** Creates the reads of savings for the screens: the account, its interest, and the coverage by the pool. Rules, section 9. */
export function createSavingsAccounts({ now, ledger, plans, pricing }: Deps) {
  return {
    /** Returns a member's current account. */
    async account(db: Db, memberId: bigint): Promise<SavingsAccount> {
      const at = now()
      const today = dayOf(at.getTime())
      const plan = await plans.planAt(db, today)
      const balances = await ledger.balances(db, memberId)
      const after = new Date(at.getTime() - RECENT_MS)
      const recentOut = await readMember(db, memberId, repository.recentOutRead(after))
      const earned = await repository.earned(db, memberId, previousDay(today))
      const amcPrice = (await pricing.priceAt(db, 'AMC', at))?.priceMicros ?? null
      const assets = PAYMENT_ASSETS.map((asset) => {
        const { savings, savings_leaving: leaving, available } = balances[asset]
        const income = earned.find((sum) => sum.asset === asset)
        return {
          asset,
          savings,
          leaving,
          available,
          ratePpm: savingsRatePpm(asset, plan),
          yesterday: income?.dayMicros ?? 0n,
          earned: income?.totalMicros ?? 0n,
        }
      })
      const priceOf = (asset: PaymentAsset) => (asset === 'USDT' ? MICRO : (amcPrice ?? 0n))
      const sum = (amountOf: (asset: (typeof assets)[number]) => Micros) =>
        formatMicros(
          assets.reduce((total, entry) => total + worth(amountOf(entry), priceOf(entry.asset)), 0n),
        )
      return {
        total_amount: sum(({ savings }) => savings),
        yesterday_income: sum(({ yesterday }) => yesterday),
        total_earned: sum((entry) => entry.earned),
        total_holding_value: sum(({ savings, leaving }) => savings + leaving),
        locked_amc: formatMicros(balances.AMC.locked),
        assets: assets.map((asset) => ({
          asset: asset.asset,
          savings: formatMicros(asset.savings),
          leaving: formatMicros(asset.leaving),
          available: formatMicros(asset.available),
          yesterday_income: formatMicros(asset.yesterday),
          total_earned: formatMicros(asset.earned),
          rate_ppm: asset.ratePpm,
        })),
        prices: { AMC: amcPrice === null ? null : formatMicros(amcPrice) },
        fast_up_to_usdt: formatMicros(plan.savings.fastUpToMicros),
        recent_out_usdt: recentOut === null ? null : formatMicros(recentOut),
        fast_delay_ms: plan.savings.fastDelayMs,
        slow_delay_ms: plan.savings.slowDelayMs,
      }
    },

    /** Returns a page of a member's interest, newest day first. */
    async interest(
      db: Db,
      memberId: bigint,
      query: { asset?: PaymentAsset | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: SavingsInterest[]; next: string | null }> {
      const cursor = decodeCursor(query.cursor, 2)
      const before = cursor && ([addDays(EPOCH, Number(cursor[0])), assetAt(cursor[1]!)] as const)
      const rows = await repository.listInterest(db, memberId, { ...query, before })
      return toPage(rows, query.limit, interestView, ({ day, asset }) =>
        encodeCursor(daysBetween(EPOCH, day), PAYMENT_ASSETS.indexOf(asset)),
      )
    },

    /** Returns a member's interest of some days, due and paid. */
    interestOn: repository.interestOn,

    /** Returns the amounts due and paid of all members' interest over the last 30 days. */
    async coverage(db: Db): Promise<SavingsCoverage> {
      const to = dayOf(now().getTime())
      const from = addDays(to, 1 - RANGE_DAYS)
      const days = await repository.batchesFrom(db, from)
      const totals = PAYMENT_ASSETS.map((asset): InterestSum => {
        const ofAsset = days.filter((day) => day.asset === asset)
        const sum = (amountOf: (day: InterestSum) => Micros) =>
          ofAsset.reduce((total, day) => total + amountOf(day), 0n)
        return { asset, dueMicros: sum((day) => day.dueMicros), paidMicros: sum((day) => day.paidMicros) }
      })
      return {
        from,
        to,
        days: days.map(({ day, ...sum }) => ({ day, ...sumView(sum) })),
        totals: totals.filter(({ dueMicros }) => dueMicros > 0n).map(sumView),
      }
    },
  }
}

function sumView({ asset, dueMicros, paidMicros }: InterestSum) {
  return {
    asset,
    due: formatMicros(dueMicros),
    paid: formatMicros(paidMicros),
    coverage_ppm: savingsCoverage(paidMicros, dueMicros),
  }
}

/** An asset by its position; a cursor with another value is forged, and finds only the member's own rows. */
function assetAt(place: bigint): PaymentAsset {
  return place === 1n ? 'AMC' : 'USDT'
}
