import { z } from 'zod'
import { address, amount, hash, id, moneyAsset, shownText, time } from './primitives.ts'
import { guardCause, pauseArea } from './proposal-payloads.ts'

const reason = shownText(400, { min: 3 })
export const memberParams = z.object({ member_id: id })
export const reasonBody = z.object({ reason })
/** The holds on a member: `frozen`, and `flagged` for the review of every withdrawal. */
export const memberHold = z.object({
  member_id: id,
  frozen: z.boolean(),
  freeze_reason: z.string().nullable(),
  flagged: z.boolean(),
})
export type MemberHold = z.infer<typeof memberHold>

/** The state of an area; null when it is not paused. */
export const pauseEntry = z.object({
  area: pauseArea,
  paused: z.object({ since: time, by: z.string(), reason: z.string() }).nullable(),
})
/** A change that waits in the bank contract and can be executed from `executable_at` to `expires_at`. */
export const queuedBankChange = z.object({
  kind: z.enum(['claim_signer', 'guardian_removal', 'cap_raise', 'destination', 'hand_over']),
  /** The key, the guardian, the token or the successor. */
  subject: address,
  asset: moneyAsset.nullable(),
  /** The cap after the raise. */
  cap: amount.nullable(),
  executable_at: time,
  expires_at: time,
})
const bankRole = z.enum([
  'admin',
  'quote_signer',
  'claim_signer',
  'publisher',
  'pauser',
  'guardian',
  'treasurer',
  'unknown',
])
export type BankRole = z.infer<typeof bankRole>
const bankChangeKind = z.enum([
  ...(['role_granted', 'role_revoked', 'signer_queued', 'signer_cancelled'] as const),
  ...(['removal_queued', 'removal_cancelled', 'raise_queued', 'raise_cancelled', 'cap_changed'] as const),
  ...(['orders_paused', 'orders_resumed', 'admin_transfer', 'admin_transfer_cancelled'] as const),
  ...(['admin_delay', 'hand_over_queued', 'hand_over_cancelled', 'handed_over'] as const),
])
export type BankChangeKind = z.infer<typeof bankChangeKind>
/** A final change of the bank contract's roles, queue, caps or pause. */
export const bankChange = z.object({
  kind: bankChangeKind,
  bank: address,
  role: bankRole.nullable(),
  account: address.nullable(),
  asset: moneyAsset.nullable(),
  cap: amount.nullable(),
  executable_at: time.nullable(),
  /** The admin who announced it in the product; null when nobody did. */
  proposed_by: z.string().nullable(),
  changed_at: time,
  tx_hash: z.string(),
  log_index: z.number().int(),
})
export const bankAlarmKind = z.enum([
  ...(['node_away', 'no_blocks', 'indexer_stalled', 'signer_away'] as const),
  ...(['claim_signer_away', 'quote_signer_away'] as const),
  ...(['no_guardian', 'cap_low_usdt', 'cap_low_amc', 'change_queued', 'hand_over_queued'] as const),
  ...(['exit_unapproved', 'destination_unapproved', 'exit_announced'] as const),
  ...(['claims_refused', 'approvers_differ', 'signer_log'] as const),
])
export type BankAlarmKind = z.infer<typeof bankAlarmKind>
/**
 * The active alarms, the newest changes of the bank contract, and the amounts that can still leave it today.
 */
export const bankWatchReport = z.object({
  alarms: z.array(
    z.object({
      kind: bankAlarmKind,
      detail: z.string(),
      since: time,
    }),
  ),
  changes: z.array(bankChange),
  caps: z.array(z.object({ asset: moneyAsset, cap: amount, remaining: amount, read_at: time })),
})
/**
 * A node of the chain, as the indexer rates it. Nodes in any state but `healthy` are set aside and not read.
 */
export const chainNode = z.object({
  /** Its index in the settings, from 0. */
  place: z.number().int(),
  host: z.string(),
  state: z.enum(['healthy', 'lagging', 'wrong-chain', 'disagrees', 'unreachable']),
  /** The technical reason, as in the log. */
  reason: z.string().nullable(),
  head: z.object({ number: z.number().int(), at: time }).nullable(),
  since: time,
})
/** The switches of a bank contract, and the permissions of the caller's wallet in it. */
const bankSwitches = z.object({
  bank: address,
  orders_paused: z.boolean(),
  /** The signer of the claims, and whether the bank contract accepts it; null when nobody could sign a claim. */
  claim_signer: address.nullable(),
  claim_signer_appointed: z.boolean(),
  /** The changes that wait in public. */
  queue: z.array(queuedBankChange),
  caps: z.array(z.object({ asset: moneyAsset, cap: amount, remaining: amount })),
  /** The time of the newest block, by which the contract decides whether a change can be executed. */
  head_at: time,
  /**
   * The roles of the caller's wallet in the bank contract. A pauser stops orders. The default admin resumes
   * them and executes queued changes. All three roles cancel queued changes.
   */
  you: z.object({ pauser: z.boolean(), admin: z.boolean(), guardian: z.boolean() }),
})
/** The causes for which the guard blocks money, and its last audits. */
export const guardReport = z.object({
  causes: z.array(z.object({ cause: guardCause, detail: z.string(), since: time })),
  audits: z.array(
    z.object({
      kind: z.enum(['full', 'changes']),
      started_at: time,
      /** Null while it runs, and when it was interrupted. */
      ended_at: time.nullable(),
      differences: z.number().int().nullable(),
    }),
  ),
  /** The last closings that have ended, newest first. */
  closings: z.array(z.object({ cause: guardCause, from: time, until: time })),
  /**
   * The last report on chain, or the installation before the first report, from which the age counts; null
   * where no report is needed.
   */
  snapshot: z.object({ at: time, lasts_ms: z.number().int() }).nullable(),
})
export const emergencyData = z.object({
  items: z.array(pauseEntry),
  guard: guardReport,
  /** The nodes in the order of the settings, and how many must agree. */
  nodes: z.object({ quorum: z.number().int(), items: z.array(chainNode) }),
  /** The state of the bank that takes orders; null when the chain is unavailable. */
  chain: bankSwitches.nullable(),
  /** The former banks that have not handed over, the oldest first; empty when the chain is unavailable. */
  former_banks: z.array(bankSwitches),
  watch: bankWatchReport,
})
/** The losses of the books caused by reorganisations, and the remaining steps. */
export const reorganisationData = z.object({
  /** `halted`: below L1 finality, for `rif recover`. `undoing`: booked events wait to be undone. */
  state: z.enum(['none', 'undoing', 'halted']),
  /** The recovery that `rif recover` found and that is not approved yet. */
  recovery: z
    .object({ recovery_id: id, found_at: time, events: z.number().int(), postings: z.number().int() })
    .nullable(),
  /** Undone events, newest first. */
  undone: z.array(
    z.object({ name: z.string(), tx_hash: hash, outcome: z.enum(['undone', 'covered', 'moved']), at: time }),
  ),
  /** The amounts that members owe back. */
  debts: z.array(z.object({ member_id: id, asset: z.string(), amount })),
  /** The amount that the operator must still make good. */
  shortfall: z.object({ USDT: amount, AMC: amount }),
})

/**
 * A call of a bank contract that the caller's wallet is about to send, and its subject: the account, the
 * token or `bank`.
 */
export const bankCallBody = z
  .object({
    call: z.enum([
      ...(['pauseOrders', 'unpauseOrders', 'dismissClaimSigner'] as const),
      ...(['queueClaimSigner', 'executeClaimSigner', 'cancelClaimSigner'] as const),
      ...(['executeGuardianRemoval', 'cancelGuardianRemoval'] as const),
      ...(['queueCapRaise', 'executeCapRaise', 'cancelCapRaise'] as const),
      ...(['executeHandOver', 'cancelHandOver'] as const),
      ...(['queueDestination', 'executeDestination', 'cancelDestination', 'removeDestination'] as const),
    ]),
    subject: z.union([address, z.literal('bank')]),
    bank: address,
    /** The new daily cap of `queueCapRaise`; no other call has one. */
    cap: amount.optional(),
  })
  .refine(({ call, cap }) => (call === 'queueCapRaise') === (cap !== undefined), {
    error: 'queueCapRaise has a cap, and no other call has one',
    path: ['cap'],
  })
export type BankCallBody = z.infer<typeof bankCallBody>
export type BankCall = BankCallBody['call']
export const announcedCall = z.object({ announced: z.literal(true) })
/**
 * The paused areas, and the causes for which the guard blocks money (empty while it does not), for all
 * callers. `audited_at` is the end of the last audit of the books; null before the first. `paused_since` and
 * `guard_since` are the times of the first pause and of the first cause; null without one.
 */
export const pausesData = z.object({
  paused: z.array(pauseArea),
  paused_since: time.nullable(),
  guard: z.array(guardCause),
  guard_since: time.nullable(),
  audited_at: time.nullable(),
})
export type PausesData = z.infer<typeof pausesData>
