import { z } from 'zod'
import { amount, id, ppm, time } from './primitives.ts'

/** A fund product, for admins who value and invest its money. */
export const fundProductOperated = z.object({
  product_id: id,
  name: z.string(),
  state: z.enum(['open', 'closed']),
  risk_level: z.number().int(),
  minimum_usd: amount,
  lock_days: z.number().int(),
  redeemable_weekdays: z.array(z.number().int()),
  subscription_ppm: ppm,
  redemption_ppm: ppm,
  management_ppm: ppm,
  units: z.string(),
  /** The unit net value, computed from cash and investments. */
  nav: amount,
  /** The last valuation; null if nothing was ever invested. */
  valued_at: time.nullable(),
  /** True when the last valuation is too old for purchases, approvals and payments. */
  stale: z.boolean(),
  /** All units at the last net value. */
  units_worth: amount,
  cash: amount,
  /** The value of all investments. */
  invested: amount,
  /** The open proposals for its valuation and its state. */
  valuation_proposal_id: id.nullable(),
  state_proposal_id: id.nullable(),
})
export type FundProductOperated = z.infer<typeof fundProductOperated>
export const fundProductsOperated = z.object({ items: z.array(fundProductOperated) })
