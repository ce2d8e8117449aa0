import { z } from 'zod'
import { address, amount, day, hash, id, moneyAsset, page, pageOf, time } from './primitives.ts'

export const attestedPool = z.enum(['yield_pool', 'savings_pool', 'dividend_pool'])
export type AttestedPool = z.infer<typeof attestedPool>

/** The facts about the wallet that deposited: whether its money may have come from the bank itself. */
export const depositorFacts = z.object({
  /** The member and the person of the admins to whom the wallet belongs. */
  member_id: id.nullable(),
  admin: z.string().nullable(),
  /** The number of payouts of the bank to the wallet. */
  paid_by_bank: z.number().int(),
  /**
   * The wallets of members and admins, and the wallets paid by the bank, from which transfers to this wallet
   * were observed.
   */
  funded_by: z.array(
    z.object({
      address,
      is: z.enum(['member', 'admin', 'paid_by_bank']),
      name: z.string(),
      transfers: z.number().int(),
    }),
  ),
  /**
   * The blocks in which the nodes were searched for token transfers to it; null before an attestation was
   * prepared.
   */
  looked_at: z.object({ from_block: z.string(), to_block: z.string(), from_at: time }).nullable(),
})
export type DepositorFacts = z.infer<typeof depositorFacts>

/** Final revenue deposits of the bank, attested or not. */
export const revenueDeposit = z.object({
  deposit_id: id,
  from: address,
  depositor: depositorFacts,
  /** The kind of revenue given by the depositor: a text, or the 32 bytes if they are not text; empty without one. */
  label: z.string(),
  asset: moneyAsset,
  amount,
  /** The hash of the document that proves the source. */
  document_hash: hash,
  tx_hash: hash,
  deposited_at: time,
  /** The attested pool; null until two admins have attested it. */
  attested: z.object({ pool: attestedPool, source: z.string(), day }).nullable(),
  /** The deposit returned invested money of a fund, and is not attested. */
  divested: z.boolean(),
  /** The open proposal for it. */
  proposal_id: id.nullable(),
})
export type RevenueDeposit = z.infer<typeof revenueDeposit>

export const revenueDepositsQuery = page.extend({
  /** `waiting`: not assigned to any purpose yet. */
  state: z.enum(['waiting', 'attested', 'divested']).optional(),
  asset: moneyAsset.optional(),
})
export type RevenueDepositsQuery = z.infer<typeof revenueDepositsQuery>
export const revenueDepositsData = pageOf(revenueDeposit).extend({
  /** The number of deposits that are not attested. */
  waiting: z.number().int(),
})
