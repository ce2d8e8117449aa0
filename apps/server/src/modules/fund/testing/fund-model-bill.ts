import { type FundModel, sum } from './fund-model.ts'

/** Returns a member's bill of a month; null if there is nothing to bill. */
export function modelBill(
  { members, products, lots, redemptions }: FundModel,
  member: number,
  { from, to }: { from: number; to: number },
) {
  const navAt = (product: number, before: number) =>
    products[product]!.navs.filter(({ at }) => at < before).at(-1)?.nav ?? 0n
  const within = (at: number | null) => at !== null && at >= from && at < to
  const before = (at: number | null) => at !== null && at < from
  const lines = products.flatMap((_, product) => {
    const own = lots.filter((lot) => lot.member === member && lot.product === product)
    const out = redemptions.filter(
      (redemption) => redemption.member === member && redemption.product === product,
    )
    const bought = own.filter((lot) => within(lot.collectedAt))
    const redeemed = out.filter((item) => within(item.paidAt))
    const opening =
      sum(own.filter((lot) => before(lot.collectedAt)).map((lot) => lot.units)) -
      sum(out.filter((item) => before(item.paidAt)).map((item) => item.units))
    if (opening === 0n && bought.length === 0 && redeemed.length === 0) return []
    const boughtUnits = sum(bought.map((lot) => lot.units))
    const redeemedUnits = sum(redeemed.map((item) => item.units))
    const closing = opening + boughtUnits - redeemedUnits
    const figures = {
      opening_value: opening * navAt(product, from),
      purchased_value: sum(bought.map((lot) => lot.units * lot.nav)),
      subscription_fees: sum(bought.map((lot) => lot.fee)),
      redeemed_value: sum(redeemed.map((item) => item.units * item.nav)),
      redemption_fees: sum(redeemed.map((item) => item.redemptionFee)),
      management_fees: sum(redeemed.map((item) => item.managementFee)),
      closing_value: closing * navAt(product, to),
    }
    const gained = figures.closing_value + figures.redeemed_value - figures.opening_value
    const fees = figures.subscription_fees + figures.redemption_fees + figures.management_fees
    const profit = gained - figures.purchased_value - fees
    const units = { opening, purchased: boughtUnits, redeemed: redeemedUnits, closing }
    return [{ product, units, figures: { ...figures, profit } }]
  })
  const { incomes, moves } = members[member]!
  const came = incomes.filter(({ at }) => within(at))
  const went = moves.filter(({ at }) => within(at))
  if (lines.length + came.length + went.length === 0) return null
  return {
    lines,
    income: sum(came.map(({ amount }) => amount)),
    moved: sum(went.map(({ amount }) => amount)),
  }
}
