import { z } from 'zod'
import { address, amount, day, hash, id, moneyAsset, page, pageOf, time } from './primitives.ts'

export const attestedPool = z.enum(['yield_pool', 'savings_pool', 'dividend_pool', 'fund_proceeds'])
export type AttestedPool = z.infer<typeof attestedPool>

/** Revenue that was paid into the bank and is final, whether a pool got it or not. */
export const revenueDeposit = z.object({
  deposit_id: id,
  from: address,
  /** What kind of revenue the depositor called it: text where it is text, else its 32 bytes; empty where it is none. */
  label: z.string(),
  asset: moneyAsset,
  amount,
  /** Hash of the paper that proves the source. */
  document_hash: hash,
  tx_hash: hash,
  deposited_at: time,
  /** Where two admins let it in; null while it waits. */
  attested: z
    .object({ pool: attestedPool, product_name: z.string().nullable(), source: z.string(), day })
    .nullable(),
  /** The open proposal about it. */
  proposal_id: id.nullable(),
})
export type RevenueDeposit = z.infer<typeof revenueDeposit>

export const revenueDepositsQuery = page
export const revenueDepositsData = pageOf(revenueDeposit).extend({
  /** How many wait to be attested. */
  waiting: z.number().int(),
})
