import type { NoticeKind } from '@rif/api-schema'

/**
 * The facts of a notice, as shown in the text: amounts are decimal strings from the ledger, days and times
 * ISO.
 */
export type Facts = Readonly<Record<string, string>>

/**
 * A notice: its text, the kind by which members choose it, and the page that shows the same figures. A path
 * contains no token: the reader must sign in as usual.
 */
export const TOPICS = {
  test: { kind: null, path: () => '/pages/my/notices' },
  confirm_email: { kind: null, path: () => '/pages/my/notices' },
  sign_in: { kind: 'sign_in', path: () => '/pages/my/sessions' },
  email_added: { kind: 'changes', path: () => '/pages/my/notices' },
  email_ended: { kind: 'changes', path: () => '/pages/my/notices' },
  push_added: { kind: 'changes', path: () => '/pages/my/notices' },
  address_saved: { kind: 'changes', path: () => '/pages/my/addresses' },
  address_removed: { kind: 'changes', path: () => '/pages/my/addresses' },
  saved_only_on: { kind: 'changes', path: () => '/pages/my/addresses' },
  saved_only_off: { kind: 'changes', path: () => '/pages/my/addresses' },
  erasure_requested: { kind: 'changes', path: () => '/pages/my/data' },
  claim_ready: { kind: 'withdrawal', path: withdrawal },
  withdrawal_paid: { kind: 'withdrawal', path: withdrawal },
  withdrawal_rejected: { kind: 'withdrawal', path: withdrawal },
  redemption_paid: { kind: 'redemption', path: () => '/pages/found/my?tab=Redeemed' },
  rewards_paid: { kind: 'rewards', path: () => '/pages/rewardList/index?show=rewards' },
  nav_published: {
    kind: 'valuation',
    path: ({ product_id }) => `/pages/found/productDetail?product_id=${product_id}`,
  },
  plan_published: { kind: 'plan', path: () => '/pages/money-policy' },
  announcement: { kind: 'announcement', path: () => '/pages/my/announcements' },
} as const satisfies Record<string, { kind: NoticeKind | null; path: (facts: Facts) => string }>

export type Topic = keyof typeof TOPICS

function withdrawal({ id }: Facts): string {
  return `/pages/withdrawal/detail?withdraw_id=${id}`
}
