import { z } from 'zod'
import { adminRole } from './admin.ts'
import { auditedDeparture, riskReason } from './admin-departures.ts'
import { attestedPool } from './admin-deposits.ts'
import { announcementDraft } from './announcements.ts'
import { units } from './fund.ts'
import { currency, outsideSource } from './pricing.ts'
import { address, amount, day, hash, id, moneyAsset, page, pageOf, ppm, time } from './primitives.ts'
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

/** Why the guard keeps money from moving. */
export const guardCause = z.enum(['difference', 'shortfall', 'old_snapshot'])
export type GuardCause = z.infer<typeof guardCause>

const text = (max: number) => z.string().trim().min(1).max(max)
const memberId = id
const locales = z.strictObject({ en: text(4000), 'zh-Hans': text(4000), ja: text(4000), ko: text(4000) })

const evidenceDocument = z.strictObject({
  title: text(120),
  media_type: z.enum(['application/pdf', 'text/plain']),
  content: z.base64(),
})
const valuedLines = z.array(z.strictObject({ investment_id: id, value: amount })).max(100)

/** The payload of each kind of proposal, as stored, shown and applied. */
export const proposalPayloads = {
  /** A price of AMC or RIF in USDT; without a time, valid from its approval. */
  price: z.strictObject({ asset: z.enum(['AMC', 'RIF']), price: amount, valid_from: time.optional() }),
  /** A price of a feed or an oracle that waits for approval, exactly as the source gave it. */
  outside_price: z.strictObject({
    source: outsideSource,
    name: text(60),
    asset: z.enum(['AMC', 'RIF']),
    price: amount,
    observed_at: time,
  }),
  /** A rate of a currency for one USDT, which screens show and nothing is computed with; null withdraws the currency. */
  display_rate: z.strictObject({
    currency,
    published: z.strictObject({ rate: amount, day, source: text(120) }).nullable(),
  }),
  /** A new version of the plan, in the JSON form of `parsePlan`. */
  plan: z.strictObject({ effective_day: day, figures: z.record(z.string(), z.unknown()) }),
  /** Grants a role to a wallet, or revokes it (null). `person` is the owner of the wallet. */
  role: z.strictObject({ address, role: adminRole.nullable(), person: text(60) }),
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
    source: text(200),
    document_hash: hash,
    deposit_id: id,
  }),
  /** Pays revenue or fees out of the bank contract, to a listed destination. */
  treasury_payout: z.strictObject({
    source: z.enum(['revenue', 'fees']),
    asset: moneyAsset,
    amount,
    destination: address,
    purpose: text(200),
    document_hash: hash,
  }),
  /** Names the owner of a destination, before the admin of the bank contract announces it there. */
  exit_destination: z.strictObject({ address, name: text(80), purpose: text(200) }),
  /** Grants hash power to members. `batch` names the file, and a repeated name is refused. */
  hash_power: z.strictObject({
    batch: text(80),
    lines: z
      .array(z.strictObject({ address, amount, reason: text(200) }))
      .min(1)
      .max(400),
  }),
  fund_product: z.strictObject({
    name: text(80),
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
    held_at: text(200),
    document: evidenceDocument,
  }),
  /** Cash of investments that a deposit on chain brought back (none for a total loss), and the value of what remains. */
  fund_divest: z.strictObject({
    product_id: id,
    amount,
    left: amount,
    lines: valuedLines.optional(),
    deposit_id: id.nullable(),
    held_at: text(200),
    document: evidenceDocument,
  }),
  /** Invests cash of a product at a destination of the bank contract's list. */
  fund_invest: z.strictObject({
    product_id: id,
    amount,
    destination: address,
    held_at: text(200),
    document: evidenceDocument,
  }),
  fund_redemption: z.strictObject({ member_id: memberId, redemption_id: id, approve: z.boolean() }),
  /** A VC launch. The price is in VC per unit. */
  launch: z.strictObject({
    name: text(80),
    introduction: text(4000),
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
  /** Releases a payment in `suspense` to the balance of a member. */
  suspense: z.strictObject({
    /** The member under which it is booked; 0 when no order has its id. */
    member_id: z.union([memberId, z.literal('0')]),
    tx_hash: hash,
    log_index: z.number().int().min(0),
    to_member_id: memberId,
  }),
  /** Undoes booked events that a reorganisation below L1 finality removed, as `rif recover` found them. */
  recovery: z.strictObject({ recovery_id: id }),
  /** Clears the differences that the audit found, so that they keep no money from moving any more. */
  guard_clear: z.strictObject({}),
  /** Sets an event aside that cannot be applied; later events go on. */
  event_set_aside: z.strictObject({ block_hash: hash, log_index: z.number().int().min(0) }),
  /** Adds an endpoint of webhooks (null), or changes one. */
  webhook: z.strictObject({
    endpoint_id: id.nullable(),
    name: text(60),
    url: z.string().trim().min(1).max(500),
    events: z.array(webhookEvent).min(1).max(WEBHOOK_EVENTS.length),
    active: z.boolean(),
  }),
  /** Publishes an announcement to the members. */
  announcement: announcementDraft,
  /** Refuses countries or wallets from now on, or serves them again; two persons have read the reason. */
  reach: z.strictObject({
    list: z.enum(['countries', 'addresses']),
    action: z.enum(['refuse', 'serve']),
    values: z.array(z.string().trim().min(2).max(42)).min(1).max(100),
    level: refusalLevel,
    reason: text(300),
  }),
  /** Reverses a posted transaction of a member in full. */
  reversal: z.strictObject({ member_id: memberId, seq: id }),
} as const

export type ProposalKind = keyof typeof proposalPayloads
export const PROPOSAL_KINDS = Object.keys(proposalPayloads) as [ProposalKind, ...ProposalKind[]]
export const proposalKind = z.enum(PROPOSAL_KINDS)
export type ProposalPayload<K extends ProposalKind> = z.output<(typeof proposalPayloads)[K]>

export const proposalState = z.enum([
  'Open',
  'Approved',
  'Applied',
  'Refused',
  'Withdrawn',
  'Expired',
  'Failed',
])
export type ProposalState = z.infer<typeof proposalState>

/** A line of the difference; null for an absent value. `item` identifies the changed object when there are several. */
export const difference = z.object({
  item: z.string().nullable(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
/** An effect by name and values. The screens have the texts. */
export const effect = z.object({ name: z.string(), values: z.record(z.string(), z.string()) })

/** The sentences of proposals. The screens have the texts. */
export const HEADLINES = [
  ...([
    'price',
    'outside_price',
    'display_rate',
    'display_rate_withdrawn',
    'plan',
    'role_given',
    'role_taken',
    'pause',
    'resume',
    'unfreeze',
    'unflag',
  ] as const),
  ...(['release', 'release_several', 'release_rejected', 'release_several_rejected'] as const),
  ...(['transfer', 'transfer_several', 'transfer_rejected', 'transfer_several_rejected'] as const),
  ...(['attestation', 'hash_power', 'fund_product', 'fund_opened', 'fund_stopped'] as const),
  ...(['fund_valuation', 'fund_divest', 'fund_invest', 'redemption', 'redemption_rejected'] as const),
  ...(['launch', 'exchange_terms', 'day_cap', 'day_cap_lifted', 'guard_clear', 'event_set_aside'] as const),
  ...([
    'refund',
    'assign',
    'recovery',
    'treasury_payout',
    'exit_destination',
    'webhook',
    'announcement',
    'reach_refused',
    'reach_served',
    'reversal',
  ] as const),
] as const
/** A proposal in one sentence: its name, and the amounts, names and addresses in it. Amounts and their assets are separate values. */
export const headline = z.object({
  name: z.enum(HEADLINES),
  values: z.record(z.string(), z.string()),
})
export type Headline = z.infer<typeof headline>

/** The parsed form of the text in `content`. */
export const proposalContent = z.object({
  kind: proposalKind,
  subject: z.string(),
  summary: z.string(),
  headline,
  reason: z.string(),
  delay_minutes: z.number().int(),
  payload: z.unknown(),
  difference: z.array(difference),
  effects: z.array(effect),
})
export type ProposalContent = z.infer<typeof proposalContent>
export type Difference = z.infer<typeof difference>
export type Effect = z.infer<typeof effect>

export const proposalListItem = z.object({
  proposal_id: id,
  kind: proposalKind,
  subject: z.string(),
  /** One English line, as the wallet shows it. */
  summary: z.string(),
  headline,
  /** The risks of the withdrawals and transfers that an undecided proposal releases. */
  risks: z.array(riskReason),
  reason: z.string(),
  state: proposalState,
  prepared_by: z.string(),
  prepared_person: z.string(),
  prepared_at: time,
  expires_at: time,
  decided_by: z.string().nullable(),
  decided_at: time.nullable(),
  decision_reason: z.string().nullable(),
  apply_after: time.nullable(),
  applied_at: time.nullable(),
  failure: z.string().nullable(),
  /** True when the caller can decide on it now; otherwise `hindrance` has the reason. */
  may_decide: z.boolean(),
  hindrance: z.enum(['own', 'role', 'final', 'about_you', 'approved']).nullable(),
  /** The number of persons who must approve it, and those who have. */
  approvals_needed: z.number().int(),
  approvals: z.array(z.object({ address: z.string(), person: z.string(), at: time })),
})
export type ProposalListItem = z.infer<typeof proposalListItem>

/** Describes what the bank contract holds and owes now, and once a proposal is carried out and claimed. */
const bankChange = z.object({
  asset: moneyAsset,
  held: z.object({ before: amount, after: amount }).nullable(),
  owed: z.object({ before: amount, after: amount }),
  ratio_ppm: z.object({ before: z.number().int().nullable(), after: z.number().int().nullable() }),
})

/** Describes what an admin reads before a decision beside the proposal itself. It is not part of what is signed. */
export const proposalBriefing = z.object({
  /** The withdrawals or transfers that it decides on, the first 20. */
  departures: z.array(auditedDeparture.omit({ proposal_id: true, bulk: true })),
  departures_count: z.number().int(),
  /** The history of the one member that it is about; null when it is about none or several. Worths in USDT. */
  member: z
    .object({
      member_id: id,
      address,
      level: z.number().int(),
      joined_at: time,
      state: z.enum(['active', 'deactivated']),
      rewards: amount,
      received: amount,
      sent: amount,
      withdrawn: amount,
      withdrawals_done: z.number().int(),
      withdrawals_rejected: z.number().int(),
    })
    .nullable(),
  /** The assets that leave the bank contract; empty for a proposal by which nothing leaves. */
  bank: z.array(bankChange),
})
export type ProposalBriefing = z.infer<typeof proposalBriefing>

export const proposal = proposalListItem.extend({
  /** JSON of `proposalContent`, as hashed to `digest` and signed. */
  content: z.string(),
  digest: hash,
  signature: z.string().nullable(),
})
export type Proposal = z.infer<typeof proposal>

export const proposalParams = z.object({ proposal_id: id })
export const proposalsQuery = page.extend({
  /**
   * `open`: undecided; `mine`: open ones that the caller can decide on; `own`: undecided ones that the caller prepared; `decided`:
   * those that the caller decided on within seven days; `ended`: all that are not undecided.
   */
  show: z.enum(['open', 'mine', 'own', 'decided', 'ended', 'all']).default('all'),
  kind: proposalKind.optional(),
})
export const proposalsData = pageOf(proposalListItem).extend({ open: z.number().int() })

/** The size limit of a proposal, which can contain documents of a product or a file of grants. */
export const PROPOSAL_BYTES = 1024 * 1024

const bodies = PROPOSAL_KINDS.map((kind) =>
  z.object({
    kind: z.literal(kind),
    payload: proposalPayloads[kind] as z.ZodType,
    /** The reason. For rejected withdrawals, the member sees it. */
    reason: z.string().trim().min(3).max(400),
    /** The delay between its approval and its effect. */
    delay_minutes: z.number().int().min(0).max(10_080).default(0),
  }),
)
type Prepared<K extends ProposalKind, P> = {
  kind: K
  payload: P
  reason: string
}
type PrepareOutput = {
  [K in ProposalKind]: Prepared<K, ProposalPayload<K>> & { delay_minutes: number }
}[ProposalKind]
type PrepareInput = {
  [K in ProposalKind]: Prepared<K, z.input<(typeof proposalPayloads)[K]>> & { delay_minutes?: number }
}[ProposalKind]

/** A new proposal, with the payload of its kind. */
export const prepareBody = z.discriminatedUnion('kind', bodies as never) as unknown as z.ZodType<
  PrepareOutput,
  PrepareInput
>
export const previewData = z.object({ content: z.string() })

export const statementBody = z.object({ approve: z.boolean(), reason: z.string().trim().max(400) })
/** The values that the statement to sign contains in addition to the proposal. */
export const statementData = z.object({
  nonce: hash,
  deadline: z.number().int(),
  /** The hashes that a hardware wallet shows of the statement (EIP-712): the hash of the domain, of the message, and of both. */
  domain_hash: hash,
  message_hash: hash,
  digest: hash,
})
export const decideBody = z.object({
  nonce: hash,
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/)
    .max(8192),
})
