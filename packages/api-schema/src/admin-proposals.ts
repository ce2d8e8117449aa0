import { z } from 'zod'
import { adminRole } from './admin.ts'
import { attestedPool } from './admin-deposits.ts'
import { address, amount, day, hash, id, moneyAsset, page, pageOf, ppm, time } from './primitives.ts'

/** What can be stopped, each on its own. */
export const pauseArea = z.enum(['sign_ups', 'orders', 'withdrawals', 'settlement'])
export type PauseArea = z.infer<typeof pauseArea>

const text = (max: number) => z.string().trim().min(1).max(max)
const memberId = id
const locales = z.strictObject({ en: text(4000), 'zh-Hans': text(4000), ja: text(4000), ko: text(4000) })

/** What each kind of proposal asks for. One schema a kind: what is stored, shown and carried out. */
export const proposalPayloads = {
  /** A price of AMC or RIF in USDT; without a time from its approval on. */
  price: z.strictObject({ asset: z.enum(['AMC', 'RIF']), price: amount, valid_from: time.optional() }),
  /** A new version of the plan, in the form that `parsePlan` reads. */
  plan: z.strictObject({ effective_day: day, figures: z.record(z.string(), z.unknown()) }),
  /** Gives a wallet a role, or takes it away (null). `person`: who the wallet belongs to. */
  role: z.strictObject({ address, role: adminRole.nullable(), person: text(60) }),
  /** Stops an area: one owner alone. */
  pause: z.strictObject({ area: pauseArea }),
  /** Lets it go on. */
  resume: z.strictObject({ area: pauseArea }),
  /** Lets a frozen member act again; freezing needs one operator alone. */
  unfreeze: z.strictObject({ member_id: memberId }),
  /** No longer holds every withdrawal of a member for review. */
  unflag: z.strictObject({ member_id: memberId }),
  /** Withdrawals under audit; more than one only where each is worth no more than the plan's audit threshold. */
  withdrawals: z.strictObject({
    approve: z.boolean(),
    withdrawals: z
      .array(z.strictObject({ member_id: memberId, withdraw_id: id }))
      .min(1)
      .max(200),
  }),
  /** Revenue earned elsewhere, as a deposit on chain brought it. */
  attestation: z.strictObject({
    pool: attestedPool,
    product_id: id.optional(),
    asset: moneyAsset,
    amount,
    source: text(200),
    document_hash: hash,
    deposit_id: id,
  }),
  /** Hash power for members, also many lines at once. `batch` names the file: the same one again is refused. */
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
    documents: z
      .array(
        z.strictObject({
          title: text(120),
          media_type: z.enum(['application/pdf', 'text/plain']),
          content: z.base64(),
        }),
      )
      .max(5),
  }),
  /** Stops or resumes selling a product. */
  fund_product_state: z.strictObject({ product_id: id, state: z.enum(['open', 'closed']) }),
  /** A unit net value, with the product's attested total assets. */
  nav: z.strictObject({ product_id: id, nav: amount, assets: amount, document_hash: hash }),
  fund_redemption: z.strictObject({ member_id: memberId, redemption_id: id, approve: z.boolean() }),
  /** A VC launch; the price is VC for one unit. */
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
  /** A member's own cap of a day of pairing; null takes it back. */
  day_cap: z.strictObject({ member_id: memberId, cap: amount.nullable() }),
  /** A payment in `suspense`: to its payer's balance (`refund`, the payer is a member), or to the member named. */
  suspense: z.strictObject({
    /** Under whom it is booked: 0 where the order's id is no member's. */
    member_id: z.union([memberId, z.literal('0')]),
    tx_hash: hash,
    log_index: z.number().int().min(0),
    to_member_id: memberId,
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

/** One line of what changes; null: nothing there. `item` tells the lines of many things apart. */
export const difference = z.object({
  item: z.string().nullable(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
/** A consequence, by name and values: the screens have the words. */
export const effect = z.object({ name: z.string(), values: z.record(z.string(), z.string()) })

/** What the text in `content` holds, once parsed. */
export const proposalContent = z.object({
  kind: proposalKind,
  subject: z.string(),
  summary: z.string(),
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
  summary: z.string(),
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
  /** Whether whoever asks may decide on it now, and if not, why. */
  may_decide: z.boolean(),
  hindrance: z.enum(['own', 'role', 'final', 'about_you']).nullable(),
})
export type ProposalListItem = z.infer<typeof proposalListItem>

export const proposal = proposalListItem.extend({
  /** JSON of `proposalContent`, as hashed to `digest` and signed. */
  content: z.string(),
  digest: hash,
  signature: z.string().nullable(),
})
export type Proposal = z.infer<typeof proposal>

export const proposalParams = z.object({ proposal_id: id })
export const proposalsQuery = page.extend({
  /** `open`: waiting for a decision; `mine`: open ones that the caller may decide on; `ended`: all others. */
  show: z.enum(['open', 'mine', 'ended', 'all']).default('all'),
  kind: proposalKind.optional(),
})
export const proposalsData = pageOf(proposalListItem).extend({ open: z.number().int() })

/** What a proposal may take on the wire: a product's papers, or a file of grants. */
export const PROPOSAL_BYTES = 1024 * 1024

const bodies = PROPOSAL_KINDS.map((kind) =>
  z.object({
    kind: z.literal(kind),
    payload: proposalPayloads[kind] as z.ZodType,
    /** Why; of a rejected withdrawal, what the member is told. */
    reason: z.string().trim().min(3).max(400),
    /** How long after its approval it takes effect. */
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

/** What is prepared, one form a kind. */
export const prepareBody = z.discriminatedUnion('kind', bodies as never) as unknown as z.ZodType<
  PrepareOutput,
  PrepareInput
>
export const previewData = z.object({ content: z.string() })

export const statementBody = z.object({ approve: z.boolean(), reason: z.string().trim().max(400) })
/** What goes into the statement that is to be signed besides the proposal itself. */
export const statementData = z.object({ nonce: hash, deadline: z.number().int() })
export const decideBody = z.object({
  nonce: hash,
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/)
    .max(8192),
})
