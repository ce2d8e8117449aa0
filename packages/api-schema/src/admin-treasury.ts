import { z } from 'zod'
import { address, amount, hash, hex, id, moneyAsset, page, pageOf, shownText, time } from './primitives.ts'

export const exitKind = z.enum(['treasury_payout', 'fund_invest'])
export type ExitKind = z.infer<typeof exitKind>

/**
 * `Approved`: reserved in the books, and not announced on chain yet. `Withdrawn`: abandoned before that.
 * `Lapsed`: not executed within the window. `HandedOver`: its bank was closed.
 */
export const exitState = z.enum([
  ...(['Approved', 'Announced', 'Executed', 'Cancelled', 'Lapsed', 'HandedOver', 'Withdrawn'] as const),
])
export type ExitState = z.infer<typeof exitState>

export const treasuryExit = z.object({
  exit_id: id,
  bank: address,
  /** The id in the contract, of 256 bits. */
  onchain_id: z.string(),
  kind: exitKind,
  /** The account that funds a treasury payout. */
  source: z.enum(['revenue', 'fees']).nullable(),
  /** The fund product of an investment. */
  product_id: id.nullable(),
  asset: moneyAsset,
  amount,
  destination: address,
  destination_name: z.string(),
  purpose: z.string(),
  document_hash: hash,
  prepared_by: z.string(),
  approved_by: z.string(),
  approved_at: time,
  state: exitState,
  /** The next event, which is on chain and not final yet. */
  seen: z.object({ step: z.enum(['announced', 'executed', 'cancelled']), tx_hash: hash }).nullable(),
  announced_tx: hash.nullable(),
  /** The window in which it can be executed; null until it is announced. */
  executable_at: time.nullable(),
  expires_at: time.nullable(),
  ended_tx: hash.nullable(),
  ended_at: time.nullable(),
  /** The wallet that sent the cancellation; null without one, and while the chain does not answer. */
  cancelled_by: address.nullable(),
  /** The time when its amount was released. */
  released_at: time.nullable(),
})
export type TreasuryExit = z.infer<typeof treasuryExit>

/** An exit in the contract for which the books have reserved nothing. A guardian cancels it. */
export const unapprovedExit = z.object({
  bank: address,
  onchain_id: z.string(),
  /** 0: treasury payout, 1: fund investment. */
  kind: z.number().int(),
  asset: moneyAsset.nullable(),
  amount: amount.nullable(),
  destination: address,
  reason: z.enum(['unknown', 'wrong_terms', 'ended']),
  state: z.enum(['Announced', 'Executed', 'Cancelled']),
  executable_at: time.nullable(),
  announced_tx: hash.nullable(),
  ended_tx: hash.nullable(),
})

/** A destination of exits: in the contract's list, announced for it, or approved and not announced yet. */
export const exitDestination = z.object({
  address,
  /** The terms that two admins approved; null for a destination that nobody approved here. */
  approved: z
    .object({ name: z.string(), purpose: z.string(), by: z.string(), prepared_by: z.string(), at: time })
    .nullable(),
  state: z.enum(['approved', 'queued', 'listed', 'cancelled', 'removed']),
  /** The window in which the contract lists a queued one. */
  executable_at: time.nullable(),
  expires_at: time.nullable(),
})
export type ExitDestination = z.infer<typeof exitDestination>

/** The causes that limit the amount that may leave. */
export const mayTakeReason = z.enum([
  /** Revenue and fees have no larger balance. */
  'books',
  /** The published liabilities leave no more. */
  'liabilities',
  /** The last publication is older than 48 hours, so it covers nothing. */
  'publication_old',
  /** Nothing was published yet. */
  'no_publication',
  /** Announced payouts use the covered amount. */
  'announced',
  /** The chain does not answer. */
  'chain_unavailable',
])
export type MayTakeReason = z.infer<typeof mayTakeReason>

/** The amount of an asset that may leave, and its limits. */
export const mayTake = z.object({
  asset: moneyAsset,
  revenue: amount,
  fees: amount,
  /** Reserved for payouts that are approved or announced. */
  set_aside: amount,
  /** The publication on chain; null when the chain does not answer. */
  cover: z
    .object({
      /** L, F and I of the rules, section 2, and H: the holdings that count. */
      liabilities: amount,
      fund_cash: amount,
      invested: amount,
      held: amount,
      published_at: time.nullable(),
      covers_until: time.nullable(),
      /** The largest payout that the contract would execute now. */
      payout: amount,
    })
    .nullable(),
  /** The largest new payout: within the books and within what the contract would execute now. */
  amount,
  /** Its limits; the first one is the binding limit. */
  reasons: z.array(mayTakeReason).min(1),
})
export type MayTake = z.infer<typeof mayTake>

export const treasuryData = z.object({
  assets: z.array(mayTake),
  unapproved: z.array(unapprovedExit),
  /** The number of open exits, and of deposits that are not assigned yet. */
  open: z.number().int(),
  unmatched_deposits: z.number().int(),
  /** True if the caller's wallet may announce exits; null when the chain does not answer. */
  you_are_treasurer: z.boolean().nullable(),
})

export const exitsQuery = page.extend({
  show: z.enum(['open', 'ended', 'all']).default('all'),
  kind: treasuryExit.shape.kind.optional(),
  asset: moneyAsset.optional(),
})
export type ExitsQuery = z.infer<typeof exitsQuery>
export const exitsData = pageOf(treasuryExit)
export const exitParams = z.object({ exit_id: id })
export const exitTxParams = exitParams.extend({ call: z.enum(['announce', 'execute', 'cancel']) })
export type ExitCall = z.infer<typeof exitTxParams>['call']

/**
 * The unsigned transaction of a step, and the terms that the page must find in it before the wallet signs.
 */
export const exitTx = z.object({
  raw_tx: hex,
  bank: address,
  onchain_id: z.string(),
  kind: z.number().int(),
  product_id: z.string(),
  token: address,
  to: address,
  /** In base units of the token. */
  amount: z.string(),
})
export const exitDestinationsData = z.object({ items: z.array(exitDestination) })
export const withdrawExitBody = z.object({ reason: shownText(400, { min: 3 }) })
