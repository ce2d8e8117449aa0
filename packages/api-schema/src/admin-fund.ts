import { z } from 'zod'
import { amount, id, ppm, time } from './primitives.ts'

/** A fund product, for admins who publish its net values. */
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
  /** The last published unit net value; null before the first. */
  nav: amount.nullable(),
  published_at: time.nullable(),
  /** True when the net value is missing or too old for purchases and redemptions. */
  stale: z.boolean(),
  /** All units at the last net value. */
  units_worth: amount,
  /** The assets attested with the last net value. */
  assets: amount.nullable(),
  /** The attested assets per unit; null without units or assets. */
  backing: amount.nullable(),
  /** The open proposals for its net value and its state. */
  nav_proposal_id: id.nullable(),
  state_proposal_id: id.nullable(),
})
export type FundProductOperated = z.infer<typeof fundProductOperated>
export const fundProductsOperated = z.object({ items: z.array(fundProductOperated) })
