import type { BankAlarmKind } from '@rif/api-schema'
import { dayOf, formatMicros } from '@rif/rules'
import { isAddressEqual } from 'viem'
import type { BankState } from '../../../chain/bank-state.ts'
import type { IndexerStatus } from '../../../chain/indexer/position.ts'
import type { SignerStatus } from '../../../signer/protocol.ts'

/** An active alarm, with details for the log. */
export interface Alarm {
  readonly kind: BankAlarmKind
  readonly detail: string
}

/** The findings of one check by the watcher. */
export interface BankObservation {
  readonly at: Date
  /** The banks that have not handed over, oldest first; null if the node did not answer. */
  readonly banks: readonly BankState[] | null
  /**
   * The time of the newest block; null if blocks are mined only with transactions, or if the node did not
   * answer.
   */
  readonly headAt: Date | null
  readonly indexer: IndexerStatus | null
  /** Null if the signing process did not answer. */
  readonly signer: SignerStatus | null
  /** The differences between the signer's approvers and the roles, one line each. */
  readonly differences: readonly string[]
  /** The number of withdrawals that the signer refuses, by reason. */
  readonly refused: readonly { readonly reason: string; readonly count: number }[]
  /** The exits and destinations on chain that no admin approved, one line each. */
  readonly strangers: { readonly exits: readonly string[]; readonly destinations: readonly string[] }
  /** The approved exits that are waiting in public, one line each. */
  readonly announced: readonly string[]
}

/**
 * The age of the newest block above which the chain counts as stalled. Arbitrum One makes several blocks each
 * second.
 */
const NO_BLOCKS_MS = 120_000
const NO_POLL_MS = 120_000
/** The percentage of the day's cap below which the remainder raises an alarm. */
const LOW_CAP_PERCENT = 20n

/** Returns the active alarms. */
export function alarmsOf(seen: BankObservation): Alarm[] {
  const { banks } = seen
  const allBankAlarms = (banks ?? []).flatMap((bank, index) => bankAlarms(bank, seen, { pays: index === 0 }))
  return [...nodeAlarms(seen), ...onePerKind(allBankAlarms), ...exitAlarms(seen), ...signerAlarms(seen)]
}

function exitAlarms({ strangers: { exits, destinations }, announced }: BankObservation): Alarm[] {
  return [
    ...(announced.length === 0 ? [] : [{ kind: 'exit_announced' as const, detail: announced.join(', ') }]),
    ...(exits.length === 0 ? [] : [{ kind: 'exit_unapproved' as const, detail: exits.join(', ') }]),
    ...(destinations.length === 0
      ? []
      : [{ kind: 'destination_unapproved' as const, detail: destinations.join(', ') }]),
  ]
}

/** Joins the alarms of several banks. The time is that of the first, which pays claims. */
function onePerKind(alarms: readonly Alarm[]): Alarm[] {
  const kinds = [...new Set(alarms.map(({ kind }) => kind))]
  return kinds.map((kind) => {
    const same = alarms.filter((alarm) => alarm.kind === kind)
    return { ...same[0]!, detail: [...new Set(same.map(({ detail }) => detail))].join(', ') }
  })
}

/** The refusals of the signer, a log that lacks vouchers, and approvers that differ from the roles. */
function signerAlarms({ signer, differences, refused }: BankObservation): Alarm[] {
  const alarms: Alarm[] = []
  if (refused.length > 0) {
    const detail = refused.map(({ reason, count }) => `${count} ${reason}`).join(', ')
    alarms.push({ kind: 'claims_refused', detail })
  }
  if (signer === null) return alarms
  if (differences.length > 0) alarms.push({ kind: 'approvers_differ', detail: differences.join(', ') })
  if (signer.strict?.until) alarms.push({ kind: 'signer_log', detail: `until ${signer.strict.until}` })
  return alarms
}

function nodeAlarms({ at, banks, headAt, indexer, signer }: BankObservation): Alarm[] {
  const alarms: Alarm[] = []
  if (banks === null) alarms.push({ kind: 'node_away', detail: 'the chain node does not answer' })
  if (signer === null) alarms.push({ kind: 'signer_away', detail: 'the signing process does not answer' })
  else if (signer.trouble !== null) alarms.push({ kind: 'signer_away', detail: signer.trouble })
  if (headAt !== null && at.getTime() - headAt.getTime() > NO_BLOCKS_MS)
    alarms.push({ kind: 'no_blocks', detail: `the newest block is of ${headAt.toISOString()}` })
  if (indexer !== null) {
    const isOld = at.getTime() - indexer.polledAt.getTime() > NO_POLL_MS
    if (indexer.lastError !== null) alarms.push({ kind: 'indexer_stalled', detail: indexer.lastError })
    else if (isOld)
      alarms.push({ kind: 'indexer_stalled', detail: `last poll at ${indexer.polledAt.toISOString()}` })
  }
  return alarms
}

/** Returns whether a bank accepts the claim key and, if not, when a queued one can be appointed; null if none is queued. */
export function claimKeyOf(
  { holders, queue }: Pick<BankState, 'holders' | 'queue'>,
  { claimSigner }: Pick<SignerStatus, 'claimSigner'>,
): { isAway: boolean; nextAt: Date | null } {
  const isAway = !holders.claim_signer.some((holder) => isAddressEqual(holder, claimSigner))
  const times = queue.flatMap(({ kind, executableAt }) =>
    kind === 'claim_signer' ? [executableAt.getTime()] : [],
  )
  return { isAway, nextAt: isAway && times.length > 0 ? new Date(Math.min(...times)) : null }
}

/** `pays`: this bank pays claims, so its caps count. */
function bankAlarms(
  { holders, caps, queue }: BankState,
  { at, signer }: BankObservation,
  { pays }: { pays: boolean },
): Alarm[] {
  const alarms: Alarm[] = []
  const holds = (role: 'claim_signer' | 'quote_signer', key: string) =>
    holders[role].some((holder) => holder.toLowerCase() === key.toLowerCase())
  if (signer !== null && !holds('claim_signer', signer.claimSigner))
    alarms.push({ kind: 'claim_signer_away', detail: signer.claimSigner })
  if (signer !== null && !holds('quote_signer', signer.quoteSigner))
    alarms.push({ kind: 'quote_signer_away', detail: signer.quoteSigner })
  if (holders.guardian.length === 0) alarms.push({ kind: 'no_guardian', detail: 'nobody holds the role' })
  for (const { asset, capMicros, remainingMicros } of pays ? caps : []) {
    if (remainingMicros * 100n >= capMicros * LOW_CAP_PERCENT && capMicros > 0n) continue
    const detail = `${formatMicros(remainingMicros)} of ${formatMicros(capMicros)} left on ${dayOf(at.getTime())}`
    alarms.push({ kind: asset === 'USDT' ? 'cap_low_usdt' : 'cap_low_amc', detail })
  }
  for (const { kind, subject, executableAt } of queue) {
    if (kind === 'hand_over') {
      const detail = `to ${subject}, from ${executableAt.toISOString()} on`
      alarms.push({ kind: 'hand_over_queued', detail })
    } else alarms.push({ kind: 'change_queued', detail: `${kind} ${subject}` })
  }
  return alarms
}
