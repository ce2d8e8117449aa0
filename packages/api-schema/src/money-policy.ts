import { z } from 'zod'
import { exitKind } from './admin-treasury.ts'
import { address, amount, asset, moneyAsset, time } from './primitives.ts'

/**
 * The flows of money between the bank and the outside: the kinds of transactions with flows to or from
 * `external`, and the refund, which reaches the outside as the payer's claim.
 */
export const MONEY_WAYS = [
  'withdrawal_paid',
  'treasury_payout',
  'fund_invest',
  'suspense_release',
  'claim_set_aside',
  'payment_made_good',
  'order_payment',
  'fund_purchase',
  'attested_revenue',
  'fund_divest',
  'unmatched_payment',
  'grant',
  'hash_power_purchase',
  'exchange',
] as const

const duration = z.number().int().min(0)

export const moneyWay = z.object({
  /** `other`: a kind that the policy does not describe. */
  kind: z.enum([...MONEY_WAYS, 'other']),
  /** `credit`: units in the books that do not correspond to tokens of the bank. */
  direction: z.enum(['out', 'in', 'credit']),
  assets: z.array(asset),
  /** The accounts of the ledger on the inner side. */
  accounts: z.array(z.string()),
  /** `nobody`: a booking that results from an event of the chain, or one that exists only in a simulation. */
  ordered_by: z.enum(['member', 'two_admins', 'two_admins_document', 'anyone', 'nobody']),
  /**
   * The public delay on chain between the order and the payment; null without one, or while the chain does
   * not answer.
   */
  delay_ms: duration.nullable(),
  enforced_by: z.array(z.enum(['contract', 'database', 'people'])),
})

/** A row of the ledger's flow table: the accounts between which a kind of transaction may move amounts. */
export const ledgerFlow = z.object({
  kind: z.string(),
  asset,
  source: z.string(),
  destination: z.string(),
})

/** An exit that two admins approved and that is in its public delay on chain. */
const announcedExit = z.object({
  kind: exitKind,
  asset: moneyAsset,
  amount,
  destination: address,
  destination_name: z.string(),
  /** The window in which it can leave. */
  executable_at: time,
  expires_at: time,
})

/** The flows of money into and out of the bank. Rules, sections 2 and 7. */
export const moneyPolicyData = z.object({
  ways: z.array(moneyWay),
  flows: z.array(ledgerFlow),
  /** The figures of the bank contract; null while the chain does not answer. */
  contract: z
    .object({
      address,
      /** Before an exit, and before a new destination may be used. */
      change_delay_ms: duration,
      hand_over_delay_ms: duration,
      caps: z.array(z.object({ asset: moneyAsset, day_cap: amount, claimed_today: amount })),
      destinations: z.array(address),
    })
    .nullable(),
  /** The exits that wait, at most 50, newest first. */
  announced: z.array(announcedExit),
})

export type MoneyWay = z.infer<typeof moneyWay>
export type LedgerFlow = z.infer<typeof ledgerFlow>
export type MoneyPolicy = z.infer<typeof moneyPolicyData>
