import { z } from 'zod'
import { adminRole, personChoice } from './admin.ts'
import { attestedPool } from './admin-deposits.ts'
import { announcementDraft } from './announcements.ts'
import { units } from './fund.ts'
import { planFigures } from './plans.ts'
import { currency, outsideSource } from './pricing.ts'
import { amount, day, hash, id, moneyAsset, ppm, shownText, time, walletAddress } from './primitives.ts'
import { refusalLevel } from './reach.ts'
import { WEBHOOK_EVENTS, webhookEvent } from './webhooks.ts'

/** The areas that can be paused separately. */
export const PAUSE_AREAS = [
  'sign_ups',
  'orders',
  'withdrawals',
  'transfers',
  'savings',
  'exchange',
  'fund',
  'settlement',
] as const
export const pauseArea = z.enum(PAUSE_AREAS)
export type PauseArea = z.infer<typeof pauseArea>

/** The causes for which the guard blocks money. */
export const guardCause = z.enum(['difference', 'shortfall', 'old_snapshot'])
export type GuardCause = z.infer<typeof guardCause>

const memberId = id
const introduction = shownText(4000, { lines: true })
const locales = z.strictObject({
  en: introduction,
  'zh-Hans': introduction,
  ja: introduction,
  ko: introduction,
})

const evidenceDocument = z.strictObject({
  title: shownText(120),
  media_type: z.enum(['application/pdf', 'text/plain']),
  content: z.base64(),
})
const valuedLines = z.array(z.strictObject({ investment_id: id, value: amount })).max(100)

/** The payload of each kind of proposal, as stored, shown and applied. */
export const proposalPayloads = {
  /** A price of AMC or RIF in USDT; without a time, valid from its approval. */
  price: z.strictObject({ asset: z.enum(['AMC', 'RIF']), price: amount, valid_from: time.optional() }),
  /** A price of a feed or an oracle that waits for approval, exactly as received. */
  outside_price: z.strictObject({
    source: outsideSource,
    name: shownText(60),
    asset: z.enum(['AMC', 'RIF']),
    price: amount,
    observed_at: time,
  }),
  /** A rate of a currency for one USDT, for display only; null withdraws the currency. */
  display_rate: z.strictObject({
    currency,
    published: z.strictObject({ rate: amount, day, source: shownText(120) }).nullable(),
  }),
  /** A new version of the plan, in the JSON form of `parsePlan`. */
  plan: z.strictObject({ effective_day: day, figures: planFigures }),
  /** Grants a role to a wallet, or revokes it (null). `person` is the owner of the wallet. */
  role: z.strictObject({ address: walletAddress, role: adminRole.nullable(), person: personChoice }),
  /** Pauses an area. One owner is enough. */
  pause: z.strictObject({ area: pauseArea }),
  /** Resumes an area. */
  resume: z.strictObject({ area: pauseArea }),
  /** Unfreezes a member. Freezing requires only one operator. */
  unfreeze: z.strictObject({ member_id: memberId }),
  /** Ends the review of every withdrawal of a member. */
  unflag: z.strictObject({ member_id: memberId }),
  /** Withdrawals under audit; several only if each is worth no more than the plan's audit threshold. */
  withdrawals: z.strictObject({
    approve: z.boolean(),
    withdrawals: z
      .array(z.strictObject({ member_id: memberId, withdraw_id: id }))
      .min(1)
      .max(200),
  }),
  /** Transfers held for review; several only if each is within the plan's audit threshold. */
  transfers: z.strictObject({
    approve: z.boolean(),
    transfers: z
      .array(z.strictObject({ member_id: memberId, transfer_id: id }))
      .min(1)
      .max(200),
  }),
  /** Attests external revenue that was deposited on chain. */
  attestation: z.strictObject({
    pool: attestedPool,
    asset: moneyAsset,
    amount,
    source: shownText(200),
    document_hash: hash,
    deposit_id: id,
  }),
  /** Pays revenue or fees out of the bank contract, to a listed destination. */
  treasury_payout: z.strictObject({
    source: z.enum(['revenue', 'fees']),
    asset: moneyAsset,
    amount,
    destination: walletAddress,
    purpose: shownText(200),
    document_hash: hash,
  }),
  /** Names the owner of a destination, before the admin of the bank contract announces it there. */
  exit_destination: z.strictObject({ address: walletAddress, name: shownText(80), purpose: shownText(200) }),
  /** Grants hash power to members. `batch` names the file, and a repeated name is refused. */
  hash_power: z.strictObject({
    batch: shownText(80),
    lines: z
      .array(z.strictObject({ address: walletAddress, amount, reason: shownText(200) }))
      .min(1)
      .max(400),
  }),
  fund_product: z.strictObject({
    name: shownText(80),
    introduction: locales,
    risk_level: z.number().int().min(1).max(5),
    estimated_annual_return: ppm.max(10_000_000),
    minimum_usd: amount,
    lock_days: z.number().int().min(0).max(36_500),
    redeemable_weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
    subscription_ppm: ppm.max(1_000_000),
    redemption_ppm: ppm.max(1_000_000),
    management_ppm: ppm.max(1_000_000),
    /** The price of the first units. */
    opening_nav: amount,
    /** The most units of a member and in all, and the part of the outstanding units sold between two valuations; null for no limit. */
    max_member_units: units.nullable(),
    max_units: units.nullable(),
    sold_ppm: ppm.max(1_000_000).nullable(),
    documents: z.array(evidenceDocument).max(5),
  }),
  /** Stops or resumes selling a product. */
  fund_product_state: z.strictObject({ product_id: id, state: z.enum(['open', 'closed']) }),
  /** A valuation of all investments of a product. `lines` gives each investment its value; they add up to it. */
  fund_valuation: z.strictObject({
    product_id: id,
    value: amount,
    lines: valuedLines.optional(),
    held_at: shownText(200),
    document: evidenceDocument,
  }),
  /** Cash of investments that a deposit on chain brought back (none for a total loss), and the value of what remains. */
  fund_divest: z.strictObject({
    product_id: id,
    amount,
    left: amount,
    lines: valuedLines.optional(),
    deposit_id: id.nullable(),
    held_at: shownText(200),
    document: evidenceDocument,
  }),
  /** Invests cash of a product at a destination of the bank contract's list. */
  fund_invest: z.strictObject({
    product_id: id,
    amount,
    destination: walletAddress,
    held_at: shownText(200),
    document: evidenceDocument,
  }),
  fund_redemption: z.strictObject({ member_id: memberId, redemption_id: id, approve: z.boolean() }),
  /** A VC launch. The price is in VC per unit. */
  launch: z.strictObject({
    name: shownText(80),
    introduction,
    allocation: amount,
    price: amount,
    starts_at: time,
    ends_at: time,
  }),
  exchange_terms: z.strictObject({
    asset: z.enum(['DIV', 'VC']),
    rate: amount,
    day_cap: amount.nullable(),
    valid_from: time.optional(),
  }),
  /** A daily pairing cap of one member; null removes it. */
  day_cap: z.strictObject({ member_id: memberId, cap: amount.nullable() }),
  /**
   * Releases a payment in `suspense` to the balance of a member. It is free to withdraw when the payer did not err; never for
   * another member than the payer.
   */
  suspense: z.strictObject({
    /** The member under which it is booked; 0 when no order has its id. */
    member_id: z.union([memberId, z.literal('0')]),
    tx_hash: hash,
    log_index: z.number().int().min(0),
    to_member_id: memberId,
    is_free: z.boolean(),
  }),
  /** Reverses booked events that a reorganisation below L1 finality removed, as `rif recover` found them. */
  recovery: z.strictObject({ recovery_id: id }),
  /** Clears differences that the audit found, so that they no longer block money. */
  guard_clear: z.strictObject({}),
  /** Opens a product on a real chain: who restored which backup, and the version of the terms that was read. */
  opening: z.strictObject({ backup: shownText(200), terms: shownText(19) }),
  /** Sets aside an event that cannot be applied, so that later events are applied. */
  event_set_aside: z.strictObject({ block_hash: hash, log_index: z.number().int().min(0) }),
  /** Adds an endpoint of webhooks (null), or changes one. */
  webhook: z.strictObject({
    endpoint_id: id.nullable(),
    name: shownText(60),
    url: shownText(500),
    events: z.array(webhookEvent).min(1).max(WEBHOOK_EVENTS.length),
    active: z.boolean(),
  }),
  /** Publishes an announcement to the members. */
  announcement: announcementDraft,
  /** Refuses countries or wallets from now on, or serves them again; two persons have read the reason. */
  reach: z.strictObject({
    list: z.enum(['countries', 'addresses']),
    action: z.enum(['refuse', 'serve']),
    values: z
      .array(shownText(42, { min: 2 }))
      .min(1)
      .max(100),
    level: refusalLevel,
    reason: shownText(300),
  }),
  /** Reverses a posted transaction of a member in full. */
  reversal: z.strictObject({ member_id: memberId, seq: id }),
} as const

export type ProposalKind = keyof typeof proposalPayloads
export const PROPOSAL_KINDS = Object.keys(proposalPayloads) as [ProposalKind, ...ProposalKind[]]
export const proposalKind = z.enum(PROPOSAL_KINDS)
export type ProposalPayload<K extends ProposalKind> = z.output<(typeof proposalPayloads)[K]>
