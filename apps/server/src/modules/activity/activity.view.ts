import type { Activity } from '@rif/api-schema'
import { ASSETS, type Asset, formatMicros, MEMBER_ACCOUNTS, type MemberAccount } from '@rif/rules'
import type { HistoryEntry } from '../ledger/ledger.service.ts'

/** Kinds that only set money aside for an order and give it back: nobody has more or less by them. */
export const SKIPPED_KINDS = ['order_discount_hold', 'order_discount_release'] as const

/** Kinds whose amounts leave or reach the wallet, not the account: what was paid for an order, and what was claimed. */
const WALLET_KINDS = new Set(['order_payment', 'unmatched_payment', 'withdrawal_paid'])

/** Kinds by which a member turns one thing into another: they add something, and are the member's own doing all the same. */
const OWN_DOINGS = new Set(['exchange', 'hash_power_purchase', 'fund_income_transfer'])

export interface ActivityFacts {
  readonly title: string | null
  readonly rewardId: bigint | null
}

/** A transaction as the member reads it. */
export function activityView(entry: HistoryEntry, { title, rewardId }: ActivityFacts): Activity {
  return {
    activity_id: `${entry.seq}`,
    kind: entry.kind,
    at: entry.postedAt.toISOString(),
    day: entry.accountingDay,
    cause: entry.cause,
    title,
    reward_id: rewardId === null ? null : `${rewardId}`,
    ...amountsOf(entry),
  }
}

/**
 * Whether a transaction tells the member something: not what the member just did, which is all that only takes away from
 * the account, or turns one thing in it into another.
 */
export function isNews(entry: HistoryEntry): boolean {
  if (OWN_DOINGS.has(entry.kind)) return false
  const { place, amounts } = amountsOf(entry)
  return place === 'wallet' || amounts.some(({ amount }) => !amount.startsWith('-'))
}

/**
 * What changed, signed: in the wallet; else in what the member has, all accounts together; else, as when a withdrawal is set
 * aside or locked AMC is released, in what can be used.
 */
function amountsOf(entry: HistoryEntry): Pick<Activity, 'place' | 'amounts'> {
  if (WALLET_KINDS.has(entry.kind)) {
    return { place: 'wallet', amounts: changesIn(entry, (account) => account === 'external') }
  }
  const whole = changesIn(entry, (account) => MEMBER_ACCOUNTS.includes(account as MemberAccount))
  const usable = changesIn(entry, (account) => account === 'available')
  return { place: 'account', amounts: whole.length > 0 ? whole : usable }
}

function changesIn(entry: HistoryEntry, isIn: (account: string) => boolean): Activity['amounts'] {
  const changes = new Map<Asset, bigint>()
  const add = (asset: Asset, micros: bigint) => changes.set(asset, (changes.get(asset) ?? 0n) + micros)
  for (const { asset, source, destination, amountMicros } of entry.lines) {
    if (isIn(destination)) add(asset, amountMicros)
    if (isIn(source)) add(asset, -amountMicros)
  }
  return ASSETS.flatMap((asset) => {
    const micros = changes.get(asset) ?? 0n
    return micros === 0n ? [] : [{ asset, amount: formatMicros(micros) }]
  })
}
