import type { FundBill } from '@rif/api-schema'
import { type BillFigures, billLine, billTotals, formatMicros, type Micros, type Month } from '@rif/rules'
import type { NavRow, ProductRow } from '../products/products.repository.ts'
import type { BillRow, MovementRow, Period } from './bills.repository.ts'

/** A stored bill. The digest is computed from its text, so names and order of the fields never change. */
type StoredBill = Omit<FundBill, 'made_at' | 'hash'>

/** The part that all bills of a month share. */
export interface MonthBooks {
  readonly month: Month
  readonly period: Period
  readonly products: ReadonlyMap<bigint, ProductRow>
  readonly openingNavs: ReadonlyMap<bigint, NavRow>
  readonly closingNavs: ReadonlyMap<bigint, NavRow>
}

/** Returns the stored text: every field in one fixed order. */
export function toBill(
  books: MonthBooks,
  parts: { rows: readonly MovementRow[]; income: Micros; moved: Micros },
): StoredBill {
  const lines = parts.rows.map((row) => {
    const openingNav = books.openingNavs.get(row.product_id)?.nav_micros ?? null
    const closingNav = books.closingNavs.get(row.product_id)?.nav_micros ?? null
    const line = billLine({
      openingUnits: row.opening_units,
      openingNavMicros: openingNav,
      purchasedUnits: row.purchased_units,
      purchasedMicros: row.purchased_micros,
      subscriptionFeesMicros: row.subscription_fees,
      redeemedUnits: row.redeemed_units,
      redeemedMicros: row.redeemed_micros,
      redemptionFeesMicros: row.redemption_fees,
      managementFeesMicros: row.management_fees,
      closingNavMicros: closingNav,
    })
    return { row, line, openingNav, closingNav }
  })
  return {
    month: books.month,
    ...figuresView(billTotals(lines.map(({ line }) => line))),
    income: formatMicros(parts.income),
    income_moved: formatMicros(parts.moved),
    lines: lines.map(({ row, line, openingNav, closingNav }) => ({
      product_id: `${row.product_id}`,
      product_name: books.products.get(row.product_id)!.name,
      opening_units: `${row.opening_units}`,
      opening_nav: openingNav === null ? null : formatMicros(openingNav),
      purchased_units: `${row.purchased_units}`,
      redeemed_units: `${row.redeemed_units}`,
      closing_units: `${line.closingUnits}`,
      closing_nav: closingNav === null ? null : formatMicros(closingNav),
      ...figuresView(line),
    })),
  }
}

function figuresView(figures: BillFigures) {
  return {
    opening_value: formatMicros(figures.openingMicros),
    purchased_value: formatMicros(figures.purchasedMicros),
    subscription_fees: formatMicros(figures.subscriptionFeesMicros),
    redeemed_value: formatMicros(figures.redeemedMicros),
    redemption_fees: formatMicros(figures.redemptionFeesMicros),
    management_fees: formatMicros(figures.managementFeesMicros),
    closing_value: formatMicros(figures.closingMicros),
    profit: formatMicros(figures.profitMicros),
  }
}

/** Returns a stored bill in the API's format. */
export function billView(row: BillRow): FundBill {
  const bill = JSON.parse(row.bill) as StoredBill
  return { ...bill, made_at: row.made_at.toISOString(), hash: `0x${row.digest.toString('hex')}` }
}
