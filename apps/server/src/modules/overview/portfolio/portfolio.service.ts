import type { Portfolio, PortfolioChange, PortfolioDay } from '@rif/api-schema'
import {
  addDays,
  type Day,
  dayOf,
  formatMicros,
  type MemberAccount,
  type Micros,
  type PaymentAsset,
  PLATFORM_ACCOUNTS,
  SAVINGS_ACCOUNTS,
  startOfDay,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { LedgerService, MemberBalances } from '../../books/ledger/ledger.service.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { LocalWalletService } from '../../leaving/local-wallet/local-wallet.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import type { Shop } from '../../shop/shop.service.ts'

interface Deps {
  readonly now: Now
  readonly fund: Pick<Fund, 'overview'>
  readonly ledger: Pick<LedgerService, 'balances' | 'history'>
  readonly localWallet: Pick<LocalWalletService, 'changesSince'>
  readonly members: Pick<MembersService, 'get'>
  readonly pricing: Pick<PricingService, 'dailyPrices'>
  readonly shop: Pick<Shop, 'packageNames'>
}

export type PortfolioService = ReturnType<typeof createPortfolioService>

type LedgerChange = Awaited<ReturnType<LedgerService['history']['changesSince']>>[number]
type WalletChange = Awaited<ReturnType<LocalWalletService['changesSince']>>[number]

/** Creates the service of a member's holdings by day, and of their changes. */
export function createPortfolioService(deps: Deps) {
  const { now, fund, ledger, localWallet, members, pricing, shop } = deps

  async function walletChanges(db: Db, memberId: bigint, since: Date): Promise<PortfolioChange[]> {
    const changes = await localWallet.changesSince(db, memberId, since)
    const orderIds = [...new Set(changes.flatMap(({ orderId }) => orderId ?? []))]
    const names = await shop.packageNames(db, memberId, orderIds)
    return changes.map((change) => walletChangeView(change, names))
  }

  return {
    /**
     * Returns a member's holdings in the product at the end of each of the last `count` UTC days (for today,
     * now), at the prices and net values of that day, and the changes on these days by cause, including those
     * of the member's wallet as far as the product observes them. The history of a new member begins with the
     * day before joining, so that what happened on the first day is a change. The wallet's balances are not
     * stored: the member's device reads them from the chain.
     */
    async history(db: Db, memberId: bigint, count: number): Promise<Portfolio> {
      const today = dayOf(now().getTime())
      const { joinedAt } = await members.get(db, memberId)
      const joined = dayOf(joinedAt.getTime())
      const start = addDays(joined, -1)
      const newestFirst = Array.from({ length: count }, (_, index) => addDays(today, -index)).filter(
        (day) => day >= start,
      )
      const since = new Date(startOfDay(newestFirst.at(-1)!))
      const [changes, balances, prices, units, ofWallet] = await Promise.all([
        ledger.history.changesSince(db, memberId, since),
        ledger.balances(db, memberId),
        pricing.dailyPrices(db, 'AMC', [...newestFirst, joined]),
        fund.overview.worthByDay(db, memberId, newestFirst),
        walletChanges(db, memberId, since),
      ])
      const byDay = grouped(changes, ({ day }) => day)
      const balanceNow = heldNow(balances)
      const days: PortfolioDay[] = []
      for (const day of newestFirst) {
        // The day before joining has the price of the day of joining: a first price is no change of the total.
        const amcPrice = prices.get(day === start ? joined : day) ?? null
        days.push(dayView(day, balanceNow, { amcPrice, fund: units.get(day) ?? 0n }))
        for (const { asset, isSaved, deltaMicros } of byDay.get(day) ?? [])
          balanceNow[isSaved ? 'saved' : 'other'][asset] -= deltaMicros
      }
      return { days: days.reverse(), changes: [...ledgerChanges(changes), ...ofWallet].sort(byDayOf) }
    },
  }
}

/** A member's balances in savings and in all other accounts. */
type Held = Record<'saved' | 'other', Record<PaymentAsset, Micros>>

function heldNow(balances: MemberBalances): Held {
  const sumOf = (asset: PaymentAsset, accounts: readonly MemberAccount[]) =>
    accounts.reduce((sum, account) => sum + balances[asset][account], 0n)
  return {
    saved: { USDT: sumOf('USDT', SAVINGS_ACCOUNTS), AMC: sumOf('AMC', SAVINGS_ACCOUNTS) },
    other: { USDT: sumOf('USDT', PLATFORM_ACCOUNTS), AMC: sumOf('AMC', PLATFORM_ACCOUNTS) },
  }
}

function dayView(
  day: Day,
  { saved, other }: Held,
  { amcPrice, fund }: { amcPrice: Micros | null; fund: Micros },
): PortfolioDay {
  return {
    day,
    amc_price: amcPrice === null ? null : formatMicros(amcPrice),
    usdt: formatMicros(other.USDT),
    amc: formatMicros(other.AMC),
    savings_usdt: formatMicros(saved.USDT),
    savings_amc: formatMicros(saved.AMC),
    fund: formatMicros(fund),
  }
}

/** Returns the changes of all accounts together, without movements between the member's own accounts. */
function ledgerChanges(changes: readonly LedgerChange[]): PortfolioChange[] {
  const causes = grouped(changes, ({ day, kind }) => `${day} ${kind}`)
  return [...causes.values()].flatMap((parts): PortfolioChange[] => {
    const { day, kind } = parts[0]!
    const sumOf = (wanted: PaymentAsset) =>
      parts.reduce((sum, { asset, deltaMicros }) => (asset === wanted ? sum + deltaMicros : sum), 0n)
    const [usdt, amc] = [sumOf('USDT'), sumOf('AMC')]
    if (usdt === 0n && amc === 0n) return []
    const amounts = { usdt: formatMicros(usdt), amc: formatMicros(amc) }
    return [{ day, place: 'account', kind, title: null, ...amounts }]
  })
}

function walletChangeView(
  { day, kind, orderId, usdtMicros, amcMicros }: WalletChange,
  names: ReadonlyMap<bigint, string>,
): PortfolioChange {
  const title = orderId === null ? null : (names.get(orderId) ?? null)
  const amounts = { usdt: formatMicros(usdtMicros), amc: formatMicros(amcMicros) }
  return { day, place: 'wallet', kind, title, ...amounts }
}

function grouped(
  changes: readonly LedgerChange[],
  keyOf: (change: LedgerChange) => string,
): ReadonlyMap<string, LedgerChange[]> {
  const groups = new Map<string, LedgerChange[]>()
  for (const change of changes) {
    const group = groups.get(keyOf(change))
    if (group === undefined) groups.set(keyOf(change), [change])
    else group.push(change)
  }
  return groups
}

const byDayOf = (a: PortfolioChange, b: PortfolioChange) => a.day.localeCompare(b.day)
