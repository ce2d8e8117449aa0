import { z } from 'zod'
import { address, amount, hash, id, time } from './primitives.ts'

const count = z.number().int()
const units = z.string().regex(/^(0|[1-9][0-9]{0,18})$/)

/** A document that shows an investment or a valuation; null only in a simulation. */
const evidence = z.object({ document_id: id, title: z.string(), hash }).nullable()

/** A placement of a product's money. */
export const fundInvestment = z.object({
  investment_id: id,
  state: z.enum(['announced', 'invested', 'ended', 'cancelled']),
  destination: z.string(),
  cost: amount,
  /** At cost until the first valuation; 0 while it is announced and after its end. */
  value: amount,
  evidence,
  announced_at: time,
  invested_at: time.nullable(),
  ended_at: time.nullable(),
})

/** A valuation of all investments of a product. A divestment brings cash back and values what remains. */
export const fundValuation = z.object({
  valuation_id: id,
  kind: z.enum(['valuation', 'divestment']),
  value: amount,
  /** The cash that came back; null for a valuation. */
  amount: amount.nullable(),
  held_at: z.string(),
  evidence,
  /** The NAV that it led to. */
  nav: amount,
  prepared_at: time,
  decided_at: time,
})

/** The public books of a product: what its units are worth and why. */
export const fundBooks = z.object({
  cash: amount,
  /** The part of the cash that is announced for investing. */
  announced: amount,
  /** The value of all investments, and their cost. */
  invested: amount,
  cost: amount,
  net_assets: amount,
  units,
  opening_nav: amount,
  /** The last valuation; null if nothing was ever invested. */
  valued_at: time.nullable(),
  /** Why the product was closed; `loss` and `empty` are for good. */
  closed_reason: z.enum(['operator', 'loss', 'empty']).nullable(),
  /** True while a proposed valuation stops buying, approving and paying. */
  valuation_proposed: z.boolean(),
  investments: z.array(fundInvestment),
  /** The last valuations, newest first. */
  valuations: z.array(fundValuation),
  /** The approved redemptions that wait, their units, what these are worth now, and the earliest time of the first payment. */
  queue: z.object({
    ...{ length: count, units, value: amount, next_due_at: time.nullable() },
    /** The first of them, by their place. */
    items: z.array(z.object({ place: count, units, value: amount, due_at: time })),
  }),
})

/** A redemption of a product that is not paid yet. */
const openRedemption = z.object({
  redemption_id: id,
  member_id: id,
  address,
  units,
  /** An estimate at the NAV of now. */
  value: amount,
})

/** A redemption in a product's queue. */
export const fundQueued = openRedemption.extend({
  place: count,
  /** The cash that this redemption and those before it lack, by the estimate of now. */
  cash_needed: amount,
  approved_at: time,
  due_at: time,
  waits_for: z.enum(['time', 'cash', 'valuation']),
})

/** A product as the operators who invest its money see it. */
export const fundDesk = fundBooks.extend({
  product_id: id,
  name: z.string(),
  nav: amount,
  /** Something is invested, even if it is worth nothing. */
  is_invested: z.boolean(),
  /** The NAV at which investing began; null if nothing was ever invested. */
  began_nav: amount.nullable(),
  /** The cash less what is announced and less the units of approved redemptions at the NAV. */
  investable: amount,
  /** True when the last valuation is too old for buying, approving and paying. */
  stale: z.boolean(),
  /** When the last valuation becomes too old; null while nothing is invested. */
  stale_at: time.nullable(),
  /** All placements, the cancelled ones too, and who decided each. */
  investments: z.array(fundInvestment.extend({ prepared_by: z.string(), approved_by: z.string() })),
  valuations: z.array(fundValuation.extend({ prepared_by: z.string(), decided_by: z.string() })),
  redemptions: z.array(fundQueued),
  /** The redemptions that wait for a decision: their number, their units, and the first of them in the order of approval. */
  pending: z.object({
    length: count,
    units,
    value: amount,
    items: z.array(openRedemption.extend({ submitted_at: time })),
  }),
  /** The earliest payment of a redemption that is approved now. */
  next_due_at: time,
  /** The valuation that waits for a decision. */
  proposed: z
    .object({
      valuation_id: id,
      kind: z.enum(['valuation', 'divestment']),
      value: amount,
      amount: amount.nullable(),
      prepared_at: time,
      lapses_at: time,
      stops_dealing: z.boolean(),
    })
    .nullable(),
  /** The open proposals: a valuation or money that comes back, an investment, and the first pending redemption. */
  proposals: z.object({ valuation: id.nullable(), invest: id.nullable(), redemption: id.nullable() }),
})

export type FundInvestment = z.infer<typeof fundInvestment>
export type FundValuation = z.infer<typeof fundValuation>
export type FundBooks = z.infer<typeof fundBooks>
export type FundDesk = z.infer<typeof fundDesk>
