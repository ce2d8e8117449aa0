import { z } from 'zod'
import { address, amount, hash, id, time } from './primitives.ts'

const count = z.number().int()
const units = z.string().regex(/^(0|[1-9][0-9]{0,18})$/)

/** A document that proves an investment or a valuation; null only in a simulation. */
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

/**
 * A valuation of all investments of a product. A divestment returns cash and values the remaining
 * investments.
 */
export const fundValuation = z.object({
  valuation_id: id,
  kind: z.enum(['valuation', 'divestment']),
  value: amount,
  /** The returned cash; null for a valuation. */
  amount: amount.nullable(),
  held_at: z.string(),
  evidence,
  /** The resulting NAV. */
  nav: amount,
  prepared_at: time,
  decided_at: time,
})

/** The public books of a product, which explain the value of its units. */
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
  /** The reason why the product was closed; `loss` and `empty` are permanent. */
  closed_reason: z.enum(['operator', 'loss', 'empty']).nullable(),
  /** True while a proposed valuation suspends purchases, approvals and payments. */
  valuation_proposed: z.boolean(),
  investments: z.array(fundInvestment),
  /** The last valuations, newest first. */
  valuations: z.array(fundValuation),
  /**
   * The waiting approved redemptions, their units, the present worth of these, and the earliest time of the
   * first payment.
   */
  queue: z.object({
    length: count,
    units,
    value: amount,
    next_due_at: time.nullable(),
    /** The first of them in the order of the queue. */
    items: z.array(z.object({ place: count, units, value: amount, due_at: time })),
  }),
})

/** A redemption of a product that is not paid yet. */
const openRedemption = z.object({
  redemption_id: id,
  member_id: id,
  address,
  units,
  /** An estimate at the present NAV. */
  value: amount,
})

/** A redemption in a product's queue. */
export const fundQueued = openRedemption.extend({
  place: count,
  /** The missing cash for this redemption and those before it, estimated at the present NAV. */
  cash_needed: amount,
  approved_at: time,
  due_at: time,
  waits_for: z.enum(['time', 'cash', 'valuation']),
})

/** A product as shown to the operators who invest its money. */
export const fundDesk = fundBooks.extend({
  product_id: id,
  name: z.string(),
  nav: amount,
  /** True while something is invested, even if it is worth nothing. */
  is_invested: z.boolean(),
  /** The NAV at which investing began; null if nothing was ever invested. */
  began_nav: amount.nullable(),
  /** The cash without the announced part and without the worth of the approved redemptions at the NAV. */
  investable: amount,
  /** True when the last valuation is too old for purchases, approvals and payments. */
  stale: z.boolean(),
  /** When the last valuation becomes too old; null while nothing is invested. */
  stale_at: time.nullable(),
  /** All placements, including cancelled ones, and the admin who decided on each. */
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
  /** The valuation that is waiting for a decision. */
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
  /** The open proposals: a valuation or returned money, an investment, and the first pending redemption. */
  proposals: z.object({ valuation: id.nullable(), invest: id.nullable(), redemption: id.nullable() }),
})

export type FundInvestment = z.infer<typeof fundInvestment>
export type FundValuation = z.infer<typeof fundValuation>
export type FundBooks = z.infer<typeof fundBooks>
export type FundDesk = z.infer<typeof fundDesk>
