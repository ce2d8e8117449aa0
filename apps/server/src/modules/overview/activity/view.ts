import type { Activity, ActivityDetail } from '@rif/api-schema'
import { ASSETS, type Asset, formatMicros, MEMBER_ACCOUNTS, type MemberAccount } from '@rif/rules'
import type { HistoryEntry } from '../../books/ledger/ledger.service.ts'
import type { ActivityFacts } from './sources.ts'

/** Kinds that only hold money for an order or release it, and those by which the operator pays for a lost payment. */
export const SKIPPED_KINDS = [
  ...(['order_discount_hold', 'order_discount_release'] as const),
  ...(['payment_made_good', 'shortfall_cover'] as const),
] as const

/** Kinds whose amounts leave or reach the wallet, not the account: payments of orders, and claims. */
const WALLET_KINDS = new Set(['order_payment', 'unmatched_payment', 'withdrawal_paid', 'claim_set_aside'])

/** Kinds of conversions by the member. They also add to the account, but are the member's own actions. */
const OWN_ACTIONS = new Set(['exchange', 'hash_power_purchase', 'fund_income_transfer'])

/** Returns a transaction as the API has it. */
export function activityView(entry: HistoryEntry, facts: ActivityFacts): Activity {
  return {
    activity_id: `${entry.seq}`,
    kind: entry.kind,
    at: entry.postedAt.toISOString(),
    day: entry.accountingDay,
    cause: entry.cause,
    ...facts,
    ...amountsOf(entry),
  }
}

/**
 * Reports whether a transaction is news to the member. Own actions are not: they only take from the account,
 * or convert one asset in it into another.
 */
export function isNews(entry: HistoryEntry): boolean {
  if (OWN_ACTIONS.has(entry.kind)) return false
  // A reversal by the chain, or a debt from it, is not an action of the member.
  if (entry.kind.endsWith(':reversal') || entry.kind === 'debt_repayment') return true
  const { place, amounts } = changesOf(entry)
  return place === 'wallet' || amounts.some(({ amount }) => !amount.startsWith('-'))
}

/** Returns the amounts of a row: the signed changes, or what was moved where no change is to be shown. */
function amountsOf(entry: HistoryEntry): Pick<Activity, 'place' | 'amounts'> {
  const { place, amounts } = changesOf(entry)
  return {
    place,
    amounts:
      amounts.length > 0
        ? amounts
        : changesIn(
            entry,
            () => true,
            () => false,
          ),
  }
}

/**
 * Returns the signed changes: of the wallet; otherwise of all the member's accounts together; otherwise, for
 * example for a withdrawal request or a release of locked AMC, of `available`.
 */
function changesOf(entry: HistoryEntry): Pick<Activity, 'place' | 'amounts'> {
  if (WALLET_KINDS.has(entry.kind)) {
    return { place: 'wallet', amounts: changesIn(entry, (account) => account === 'external') }
  }
  const whole = changesIn(entry, (account) => MEMBER_ACCOUNTS.includes(account as MemberAccount))
  const usable = changesIn(entry, (account) => account === 'available')
  return { place: 'account', amounts: whole.length > 0 ? whole : usable }
}

function changesIn(
  entry: HistoryEntry,
  isIn: (account: string) => boolean,
  isOut = isIn,
): Activity['amounts'] {
  const changes = new Map<Asset, bigint>()
  const add = (asset: Asset, micros: bigint) => changes.set(asset, (changes.get(asset) ?? 0n) + micros)
  for (const { asset, source, destination, amountMicros } of entry.lines) {
    if (isIn(destination)) add(asset, amountMicros)
    if (isOut(source)) add(asset, -amountMicros)
  }
  return ASSETS.flatMap((asset) => {
    const micros = changes.get(asset) ?? 0n
    return micros === 0n ? [] : [{ asset, amount: formatMicros(micros) }]
  })
}

/** Returns what a transaction changed in each account, by asset; the changes of an asset sum to zero. */
export function linesOf({ lines }: HistoryEntry): ActivityDetail['lines'] {
  const changes = new Map<string, { account: string; asset: Asset; micros: bigint }>()
  const add = (account: string, asset: Asset, micros: bigint) => {
    const name = account.startsWith('fund_custody') ? 'fund_custody' : account
    const key = `${asset} ${name}`
    changes.set(key, { account: name, asset, micros: (changes.get(key)?.micros ?? 0n) + micros })
  }
  for (const { asset, source, destination, amountMicros } of lines) {
    add(source, asset, -amountMicros)
    add(destination, asset, amountMicros)
  }
  const all = [...changes.values()].filter(({ micros }) => micros !== 0n)
  return ASSETS.flatMap((asset) =>
    all
      .filter((line) => line.asset === asset)
      .map(({ account, micros }) => ({
        account,
        own: MEMBER_ACCOUNTS.includes(account as MemberAccount),
        asset,
        amount: formatMicros(micros),
      })),
  )
}
