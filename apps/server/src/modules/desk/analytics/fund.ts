import type { AnalyticsFund } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Flow, LedgerService } from '../../books/ledger/ledger.service.ts'
import * as repository from './analytics.repository.ts'
import { groupBy, type Range, sumColumns } from './range.ts'

const FUND_KINDS = ['fund_purchase', 'fund_redemption'] as const

/** Creates the figures of the fund: values of products, purchases and redemptions. */
export function createFundFigures({ ledger }: { readonly ledger: LedgerService }) {
  return {
    async fund(db: Db, range: Range): Promise<AnalyticsFund> {
      const [products, flows] = await Promise.all([
        repository.products(db),
        ledger.flows.list(db, range, FUND_KINDS),
      ])
      const byProduct = groupBy(flows, productOf)
      const byDay = groupBy(
        flows.filter((flow) => productOf(flow) !== null),
        (flow) => `${flow.day} ${productOf(flow)}`,
      )
      const fees = sumColumns(byProduct.get(null) ?? [], ['micros'])
      return {
        ...range,
        purchase_fees: formatMicros(fees.micros),
        products: products.map((product) => ({
          product_id: `${product.productId}`,
          name: product.name,
          state: product.state,
          units: Number(product.units),
          nav: formatMicros(product.navMicros),
          nav_at: product.navAt?.toISOString() ?? null,
          value: formatMicros(unitsValue(product)),
          cash: formatMicros(product.cashMicros),
          invested: formatMicros(product.investedMicros),
          waiting_redemptions: product.waiting,
          ...fundTurnover(byProduct.get(`${product.productId}`) ?? []),
        })),
        days: [...byDay.values()].map((of) => ({
          day: of[0]!.day,
          product_id: productOf(of[0]!)!,
          ...fundTurnover(of),
        })),
      }
    },
  }
}

/** Returns the value of a product's units at its last NAV, in USDT micro-units. */
export function unitsValue({ units, navMicros }: repository.ProductState): bigint {
  return units * navMicros
}

/** Returns the product whose custody a flow touches; null for the fee of a purchase. */
function productOf({ source, destination }: Flow): string | null {
  return /fund_custody:([0-9]+)/.exec(`${source} ${destination}`)?.[1] ?? null
}

function fundTurnover(flows: readonly Flow[]) {
  const of = (is: (flow: Flow) => boolean) => sumColumns(flows.filter(is), ['micros', 'postings'])
  const isRedemption = ({ kind }: Flow) => kind === 'fund_redemption'
  const purchased = of(({ kind }) => kind === 'fund_purchase')
  const net = of((flow) => isRedemption(flow) && flow.destination === 'available')
  const fees = of((flow) => isRedemption(flow) && flow.destination === 'fees')
  return {
    purchases: Number(purchased.postings),
    purchased: formatMicros(purchased.micros),
    redemptions: Number(net.postings),
    redeemed: formatMicros(net.micros + fees.micros),
    redemption_fees: formatMicros(fees.micros),
  }
}
