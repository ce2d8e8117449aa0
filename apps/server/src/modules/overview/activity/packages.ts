import type { OwnPackage, OwnPackages } from '@rif/api-schema'
import { type Day, dayOf, formatMicros, type Micros, type Plan, remainingDividends } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { RewardFigures } from '../../rewards/rewards.figures.service.ts'
import type { Shop } from '../../shop/shop.service.ts'

interface Deps {
  readonly now: Now
  readonly plans: Pick<PlansService, 'planAt'>
  readonly rewardFigures: Pick<RewardFigures, 'ofPackages'>
  readonly shop: Pick<Shop, 'packages'>
}

type Package = Awaited<ReturnType<Shop['packages']>>[number]
type Figures = Awaited<ReturnType<RewardFigures['ofPackages']>>

/** The number of packages in the list. The sums are over all. */
const SHOWN = 200

/** Creates the reader of a member's packages: the cost, the static rewards, and the rest of the ceiling (rules, section 5.4). */
export function createPackages({ now, plans, rewardFigures, shop }: Deps) {
  return async (db: Db, memberId: bigint): Promise<OwnPackages> => {
    const today = dayOf(now().getTime())
    const [packages, figures, plan] = await Promise.all([
      shop.packages(db, memberId),
      rewardFigures.ofPackages(db, memberId),
      plans.planAt(db, today),
    ])
    const sum = (of: (own: Package) => Micros) =>
      formatMicros(packages.reduce((all, own) => all + of(own), 0n))
    return {
      items: packages.slice(0, SHOWN).map((own) => packageView(own, figures, plan)),
      count: packages.length,
      sums: {
        price: sum((own) => own.quote.dueMicros),
        discount: sum((own) => own.quote.discountMicros),
        rif: sum((own) => own.quote.rifMicros),
        static_paid: sum((own) => own.staticPaidMicros),
        ceiling: sum((own) => own.staticPaidMicros + leftOf(own, plan)),
        ceiling_left: sum((own) => leftOf(own, plan)),
      },
      months: monthsOf(figures),
    }
  }
}

const leftOf = ({ priceMicros, staticPaidMicros }: Package, plan: Plan) =>
  remainingDividends({ priceMicros, paidSoFarMicros: staticPaidMicros }, plan)

function packageView(own: Package, { months, last }: Figures, plan: Plan): OwnPackage {
  const { order } = own
  const orderId = BigInt(order.order_id)
  const left = leftOf(own, plan)
  const rows = months.filter((row) => row.orderId === orderId)
  const lastDay = last.get(orderId)
  return {
    order_id: order.order_id,
    name: order.product_name,
    level: order.level,
    price: order.price,
    amc_price: order.amc_price,
    quote: order.quote,
    bought_at: order.paid_at ?? order.created_at,
    tx_hash: order.tx_hash,
    static_paid: formatMicros(own.staticPaidMicros),
    ceiling: formatMicros(own.staticPaidMicros + left),
    ceiling_left: formatMicros(left),
    last_30_days: {
      due: formatMicros(rows.reduce((all, row) => all + row.recentDueMicros, 0n)),
      paid: formatMicros(rows.reduce((all, row) => all + row.recentPaidMicros, 0n)),
      days: rows.reduce((all, row) => all + row.recentDays, 0),
    },
    last_day:
      lastDay === undefined
        ? null
        : { day: lastDay.day, due: formatMicros(lastDay.dueMicros), paid: formatMicros(lastDay.paidMicros) },
  }
}

/** Adds the packages up by month. */
function monthsOf({ months }: Figures): OwnPackages['months'] {
  const sums = new Map<Day, { due: Micros; paid: Micros }>()
  for (const { month, dueMicros, paidMicros } of months) {
    const { due, paid } = sums.get(month) ?? { due: 0n, paid: 0n }
    sums.set(month, { due: due + dueMicros, paid: paid + paidMicros })
  }
  return [...sums].map(([month, { due, paid }]) => ({
    month,
    due: formatMicros(due),
    paid: formatMicros(paid),
  }))
}
