import type { Activity, ActivityKind } from '@rif/api-schema'
import type { IconName } from '../../ui/index.ts'

/** The transactions with their own text and picture; `in` and `out` distinguish those with two directions. */
const KNOWN = {
  order_payment: 'orders',
  unmatched_payment: 'warn',
  suspense_release: 'check',
  order_discount_spend: 'bolt',
  commission: 'rewards',
  pairing: 'rewards',
  management: 'rewards',
  static: 'rewards',
  release: 'clock',
  withdrawal_request: 'withdraw',
  withdrawal_return: 'refresh',
  withdrawal_paid: 'wallet',
  claim_set_aside: 'wallet',
  grant: 'bolt',
  hash_power_purchase: 'bolt',
  exchange: 'transfer',
  dividend: 'rewards',
  vc_subscription: 'fund',
  vc_allocation: 'fund',
  fund_purchase: 'fund',
  fund_redemption: 'fund',
  fund_income: 'fund',
  fund_income_transfer: 'fund',
  savings_in: 'savings',
  savings_out: 'savings',
  savings_arrival: 'savings',
  savings_interest: 'savings',
  transfer_hold: 'clock',
  transfer_release: 'refresh',
  transfer_in: 'receive',
  transfer_out: 'send',
  reversal_advance: 'info',
  debt_repayment: 'warn',
  undone: 'warn',
} as const satisfies Record<KnownActivity, IconName>

type KnownActivity = Exclude<ActivityKind, 'transfer'> | 'transfer_in' | 'transfer_out' | 'undone'

const isOut = ({ amounts }: Pick<Activity, 'amounts'>) => amounts.some(({ amount }) => amount.startsWith('-'))

const isKnown = (kind: string): kind is KnownActivity => Object.hasOwn(KNOWN, kind)

/**
 * The presentation of a transaction: its text key (null for a kind without one), its icon, and the mark that
 * replaces the icon.
 */
export function activityLook(activity: Pick<Activity, 'kind' | 'amounts'>): {
  words: KnownActivity | null
  icon: IconName
  mark: string | null
} {
  const direction = isOut(activity) ? 'transfer_out' : 'transfer_in'
  if (activity.kind.endsWith(':reversal')) return { words: 'undone', icon: KNOWN.undone, mark: null }
  const kind = activity.kind === 'transfer' ? direction : activity.kind
  if (!isKnown(kind)) return { words: null, icon: 'info', mark: null }
  return { words: kind, icon: KNOWN[kind], mark: markOf(kind, activity) }
}

const FUND_KINDS = ['fund_purchase', 'fund_redemption', 'fund_income']

/** Packages, funds and received money have a mark. */
function markOf(kind: KnownActivity, { amounts }: Pick<Activity, 'amounts'>): string | null {
  if (kind === 'order_payment') return 'package'
  if (FUND_KINDS.includes(kind)) return 'fund'
  return kind === 'transfer_in' ? (amounts[0]?.asset ?? null) : null
}

const EARNED = [
  'commission',
  'pairing',
  'management',
  'static',
  'savings_interest',
  'dividend',
  'fund_income',
]

/** Reports whether a transaction paid a reward or another income of the member. */
export const isEarned = ({ kind }: Pick<Activity, 'kind'>) => EARNED.includes(kind)

/** Returns the kinds whose name in the member's language contains a text. */
export function kindsNamed(text: string, nameOf: (kind: KnownActivity) => string): string[] {
  const wanted = text.trim().toLocaleLowerCase()
  const names = Object.keys(KNOWN) as KnownActivity[]
  const kinds = names
    .filter((kind) => nameOf(kind).toLocaleLowerCase().includes(wanted))
    .map((kind) => (kind === 'transfer_in' || kind === 'transfer_out' ? 'transfer' : kind))
  return wanted === '' ? [] : [...new Set(kinds)].filter((kind) => kind !== 'undone')
}

const REWARD_KINDS = ['commission', 'pairing', 'management', 'static']

/** The pages of transactions without individual pages, by kind. */
const LISTS = {
  fund_redemption: { to: '/pages/found/recordList' },
  fund_income: { to: '/pages/found/foundIncome/incomeList' },
  fund_income_transfer: { to: '/pages/found/transtionList' },
  hash_power_purchase: { to: '/pages/index/hashRate' },
  exchange: { to: '/pages/exchange/list', search: { show: 'exchanges' } },
  dividend: { to: '/pages/exchange/list', search: { show: 'dividends' } },
  vc_subscription: { to: '/pages/exchange/list', search: { show: 'launches' } },
  vc_allocation: { to: '/pages/exchange/list', search: { show: 'launches' } },
  savings_in: { to: '/pages/savings/list', search: { show: 'transfers' } },
  savings_out: { to: '/pages/savings/list', search: { show: 'leaving' } },
  savings_arrival: { to: '/pages/savings/list', search: { show: 'transfers' } },
  savings_interest: { to: '/pages/savings/list', search: { show: 'interest' } },
} as const satisfies Partial<Record<ActivityKind, object>>

export type ActivityTarget =
  | { to: '/pages/rewardList/detail'; search: { reward_id: string } }
  | { to: '/pages/shop/shopOrderDetail'; search: { order_id: string } }
  | { to: '/pages/withdrawal/detail'; search: { withdraw_id: string } }
  | { to: '/pages/found/order_detail'; search: { order_id: string } }
  | { to: '/pages/transfer/list'; search: { direction: 'in' | 'out' } }
  | { to: '/pages/rewardList/index'; search: { show: 'rewards' } }
  | (typeof LISTS)[keyof typeof LISTS]

const isListed = (kind: string): kind is keyof typeof LISTS => Object.hasOwn(LISTS, kind)

/**
 * Returns the page that explains a transaction; null where there is none. Orders without a title belong to
 * other members.
 */
export function activityTarget(
  activity: Pick<Activity, 'kind' | 'cause' | 'title' | 'reward_id' | 'amounts'>,
): ActivityTarget | null {
  const { kind, cause, title, reward_id } = activity
  if (reward_id !== null) return { to: '/pages/rewardList/detail', search: { reward_id } }
  if (REWARD_KINDS.includes(kind)) return { to: '/pages/rewardList/index', search: { show: 'rewards' } }
  if (cause.type === 'order' && title !== null) {
    return { to: '/pages/shop/shopOrderDetail', search: { order_id: cause.id } }
  }
  if (cause.type === 'withdrawal') {
    return { to: '/pages/withdrawal/detail', search: { withdraw_id: cause.id } }
  }
  if (kind === 'fund_purchase' && cause.type === 'fund_order') {
    return { to: '/pages/found/order_detail', search: { order_id: cause.id } }
  }
  if (kind === 'transfer') {
    return { to: '/pages/transfer/list', search: { direction: isOut(activity) ? 'out' : 'in' } }
  }
  if (kind === 'grant' && cause.type === 'hash-power') return { to: '/pages/index/hashRate' }
  return isListed(kind) ? LISTS[kind] : null
}
