import { z } from 'zod'
import { auditedDeparture, riskReason } from './admin-departures.ts'
import { address, amount, hash, id, moneyAsset, page, pageOf, shownText, time } from './primitives.ts'
import {
  PROPOSAL_KINDS,
  type ProposalKind,
  type ProposalPayload,
  proposalKind,
  proposalPayloads,
} from './proposal-payloads.ts'

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
    'plan_first',
    'role_given',
    'role_given_new',
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
  ...([
    'launch',
    'exchange_terms',
    'day_cap',
    'day_cap_lifted',
    'guard_clear',
    'opening',
    'event_set_aside',
  ] as const),
  ...([
    'refund',
    'refund_free',
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
/**
 * The sentence of a proposal: its name, and the amounts, names and addresses in it. Amounts and their assets
 * are separate values.
 */
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

/**
 * The amounts that the bank contract holds and owes, now and after the proposal is carried out and claimed.
 */
const bankChange = z.object({
  asset: moneyAsset,
  held: z.object({ before: amount, after: amount }).nullable(),
  owed: z.object({ before: amount, after: amount }),
  ratio_ppm: z.object({ before: z.number().int().nullable(), after: z.number().int().nullable() }),
})

/**
 * The information that an admin reads beside the proposal before a decision. It is not part of the signed
 * content.
 */
export const proposalBriefing = z.object({
  /** The first 20 withdrawals or transfers that it decides on. */
  departures: z.array(auditedDeparture.omit({ proposal_id: true, bulk: true })),
  departures_count: z.number().int(),
  /** The history of its only member; null when it concerns no member or several. Worth is in USDT. */
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
  /** The assets that leave the bank contract; empty when none leave. */
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
   * `open`: undecided. `mine`: open, and the caller can decide on it. `own`: undecided, and prepared by the
   * caller. `decided`: decided on by the caller within seven days. `ended`: all that are decided.
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
    reason: shownText(400, { min: 3 }),
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

export const statementBody = z.object({ approve: z.boolean(), reason: shownText(400, { min: 0 }) })
/** The values that the signed statement contains in addition to the proposal. */
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
