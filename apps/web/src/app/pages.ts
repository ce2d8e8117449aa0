import type {
  ActivityGroup,
  MoneyAsset,
  OrderStatus,
  PlacementSide,
  RewardType,
  RouteName,
  TransferDirection,
  WalletAsset,
  WithdrawalStatus,
} from '@rif/api-schema'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { FirstRead } from '../lib/api-routes.ts'
import { readRequestSearch } from '../wallet/request/request-search.ts'
import {
  dayRange,
  id,
  isoDay,
  linkToken,
  maybe,
  month,
  oneOf,
  query,
  type RawSearch,
  text,
  txHash,
  wholeUnits,
} from './page-search.ts'

/**
 * The module of a page; `readAhead` starts reads that need more than the API, before the first page is drawn.
 */
type PageModule = Promise<{ default: ComponentType; readAhead?: (client: QueryClient) => Promise<void> }>

/** The declaration of a page. */
export interface PageSpec {
  /** Needs no sign-in. */
  readonly open?: true
  /** Belongs to the operator's side and exists for admins only; an `open` one shows others a part of itself. */
  readonly admin?: true
  /** Reads the query string; throws if a required parameter is missing. */
  readonly search?: (raw: RawSearch) => object
  /** The API reads that start before the app itself has loaded, if a visit begins with this page. */
  readonly reads?: readonly (RouteName | FirstRead)[]
  /** Loads the component. Every page is a separate chunk. */
  readonly load: () => PageModule
}

const fundTab = oneOf('Purchased', 'Redeemed', 'Pending', 'Agent')
const memberTab = oneOf('ledger', 'orders', 'fund', 'rewards', 'withdrawals', 'sessions', 'notes')
const moneyAsset = oneOf<MoneyAsset>('USDT', 'AMC')
const orderStatus = oneOf<OrderStatus>('UnPaid', 'Processing', 'Paid', 'Cancelled')
const activityGroup = oneOf<ActivityGroup>(
  'rewards',
  'orders',
  'withdrawals',
  'fund',
  'savings',
  'transfers',
  'exchange',
)
const placementSide = oneOf<PlacementSide>('left', 'right', 'auto')
const rewardType = oneOf<RewardType>(
  'Interest',
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
)
const transferDirection = oneOf<TransferDirection>('in', 'out')
const walletAsset = oneOf<WalletAsset>('ETH', 'USDT', 'AMC')
const withdrawalStatus = oneOf<WithdrawalStatus>(
  'Auditing',
  'Withdrawable',
  'Success',
  'Rejected',
  'Cancelled',
)

/**
 * Every page of the app by its path, spelled as in the specification (section 2). `app/router.tsx` creates
 * the routes from this table; `early.ts` reads it before the app has loaded, so it imports nothing large.
 */
export const pages = {
  '/': {
    reads: ['config', 'me', 'fundHoldings', 'tokenPrice'],
    load: () => import('../features/home/pages/home-page.tsx'),
  },
  '/pages/rewardList/index': {
    search: query({
      show: oneOf('rewards'),
      type: rewardType,
      group: activityGroup,
      q: text(60),
      from: isoDay,
      to: isoDay,
    }),
    reads: [
      ['activity', { query: { limit: 50 } }, 'list'],
      'me',
      ['orders', { query: { status: 'UnPaid', limit: 10 } }],
      ['orders', { query: { status: 'Processing', limit: 10 } }],
      ['withdrawals', { query: { status: 'Withdrawable', limit: 10 } }],
      ['withdrawals', { query: { status: 'Auditing', limit: 10 } }],
    ],
    load: () => import('./activity-tab-page.tsx'),
  },
  '/pages/rewardList/activity': {
    search: query({ activity_id: id }),
    load: () => import('../features/home/pages/activity-detail-page.tsx'),
  },
  '/pages/rewardList/types': { load: () => import('../features/rewards/pages/reward-types-page.tsx') },
  '/pages/shop/packages': { load: () => import('../features/shop/pages/packages-page.tsx') },
  '/pages/shop/index': {
    reads: ['me', 'products', 'hashRatePercent', ['orders', { query: { status: 'UnPaid' } }]],
    load: () => import('../features/shop/pages/shop-page.tsx'),
  },
  '/pages/found/home': {
    open: true,
    search: query({ tab: fundTab }),
    reads: ['fundProducts'],
    load: () => import('../features/fund/pages/fund-home-page.tsx'),
  },
  '/pages/my/index': {
    reads: ['me', 'plan', 'withdrawLimit'],
    load: () => import('../features/members/pages/my-page.tsx'),
  },
  '/pages/login/index': {
    open: true,
    search: query({ code: text(32), side: placementSide }),
    load: () => import('../features/auth/pages/login-page.tsx'),
  },
  '/pages/index/hashRate': { load: () => import('../features/hash-power/pages/hash-rate-page.tsx') },
  '/pages/index/team_user': {
    search: query({
      scope: oneOf('left', 'right', 'direct'),
      level: oneOf('0', '1', '2', '3', '4', '5'),
      valid: oneOf('true', 'false'),
      sort: oneOf('oldest'),
      q: text(60),
      member: maybe(id),
    }),
    load: () => import('../features/members/pages/team-page.tsx'),
  },
  '/pages/rewardList/detail': {
    search: query({ reward_id: id }),
    load: () => import('../features/rewards/pages/reward-detail-page.tsx'),
  },
  '/pages/rewardList/coverage': { load: () => import('../features/rewards/pages/coverage-page.tsx') },
  '/pages/shop/paySuccess': {
    search: query({ order_id: id }),
    load: () => import('../features/shop/pages/pay-success-page.tsx'),
  },
  '/pages/shop/orderList': {
    search: query({ status: orderStatus }),
    load: () => import('../features/shop/pages/order-list-page.tsx'),
  },
  '/pages/shop/shopOrderDetail': {
    search: query({ order_id: id }),
    load: () => import('../features/shop/pages/order-detail-page.tsx'),
  },
  '/pages/withdrawal/index': { load: () => import('../features/withdrawals/pages/withdraw-page.tsx') },
  '/pages/withdrawal/withdrawalSunccess': {
    search: query({ withdraw_id: id }),
    load: () => import('../features/withdrawals/pages/withdrawal-success-page.tsx'),
  },
  '/pages/withdrawal/list': {
    search: query({ status: withdrawalStatus }),
    load: () => import('../features/withdrawals/pages/withdrawal-list-page.tsx'),
  },
  '/pages/withdrawal/detail': {
    search: query({ withdraw_id: id }),
    load: () => import('../features/withdrawals/pages/withdrawal-detail-page.tsx'),
  },
  '/pages/localWallet/index': { load: () => import('../features/local-wallet/pages/wallet-page.tsx') },
  '/pages/localWallet/transaction': { load: () => import('../features/local-wallet/pages/send-page.tsx') },
  '/pages/localWallet/result': {
    search: query({ tx_hash: txHash }),
    load: () => import('../features/local-wallet/pages/result-page.tsx'),
  },
  '/pages/localWallet/list': {
    search: query({ direction: transferDirection, asset: walletAsset }),
    load: () => import('../features/local-wallet/pages/wallet-list-page.tsx'),
  },
  '/pages/localWallet/withdrawal': { load: () => import('../features/local-wallet/pages/bring-page.tsx') },
  '/pages/transfer/index': {
    search: readRequestSearch,
    load: () => import('../features/transfers/pages/transfer-page.tsx'),
  },
  '/pages/transfer/list': {
    search: query({ direction: transferDirection, asset: moneyAsset }),
    load: () => import('../features/transfers/pages/transfer-list-page.tsx'),
  },
  '/pages/savings/index': { load: () => import('../features/savings/pages/savings-page.tsx') },
  '/pages/savings/in': {
    search: query({ asset: moneyAsset }),
    load: () => import('../features/savings/pages/savings-in-page.tsx'),
  },
  '/pages/savings/out': {
    search: query({ asset: moneyAsset }),
    load: () => import('../features/savings/pages/savings-out-page.tsx'),
  },
  '/pages/savings/list': {
    search: query({ show: oneOf('transfers', 'leaving', 'interest') }),
    load: () => import('../features/savings/pages/savings-list-page.tsx'),
  },
  '/pages/found/my': {
    open: true,
    search: query({ tab: fundTab }),
    load: () => import('../features/fund/pages/fund-my-page.tsx'),
  },
  '/pages/found/foundIncome/index': { load: () => import('../features/fund/pages/fund-income-page.tsx') },
  '/pages/found/foundIncome/withdrawal': {
    load: () => import('../features/fund/pages/income-withdrawal-page.tsx'),
  },
  '/pages/found/foundIncome/incomeList': {
    load: () => import('../features/fund/pages/income-list-page.tsx'),
  },
  '/pages/found/productDetail': {
    open: true,
    search: query({ product_id: id }),
    load: () => import('../features/fund/pages/product-detail-page.tsx'),
  },
  '/pages/found/buy': {
    search: query({ product_id: id, units: wholeUnits }),
    load: () => import('../features/fund/pages/buy-page.tsx'),
  },
  '/pages/found/pay': {
    search: query({ order_id: id }),
    load: () => import('../features/fund/pages/pay-page.tsx'),
  },
  '/pages/found/pay_success': {
    search: query({ order_id: id }),
    load: () => import('../features/fund/pages/fund-pay-success-page.tsx'),
  },
  '/pages/found/order_detail': {
    search: query({ order_id: id }),
    load: () => import('../features/fund/pages/fund-order-detail-page.tsx'),
  },
  '/pages/found/newOrderDetail': {
    search: query({ order_id: id }),
    load: () => import('../features/fund/pages/new-order-detail-page.tsx'),
  },
  '/pages/found/redemption': {
    search: query({ product_id: id, units: wholeUnits }),
    load: () => import('../features/fund/pages/redemption-page.tsx'),
  },
  '/pages/found/redemption_success': {
    search: query({ redemption_id: id }),
    load: () => import('../features/fund/pages/redemption-success-page.tsx'),
  },
  '/pages/found/recordList': {
    search: query({ product_id: maybe(id) }),
    load: () => import('../features/fund/pages/record-list-page.tsx'),
  },
  '/pages/found/transtionList': { load: () => import('../features/fund/pages/fund-transactions-page.tsx') },
  '/pages/found/month_list': { load: () => import('../features/fund/pages/month-list-page.tsx') },
  '/pages/found/month_detail': {
    search: query({ month }),
    load: () => import('../features/fund/pages/month-detail-page.tsx'),
  },
  '/pages/my/notifications': {
    search: query({ scope: oneOf('all') }),
    load: () => import('../features/home/pages/notifications-page.tsx'),
  },
  '/pages/my/announcements': {
    load: () => import('../features/notices/pages/announcements-page.tsx'),
  },
  '/pages/my/figures': { load: () => import('../features/members/pages/figures-page.tsx') },
  '/pages/my/addresses': {
    search: query({ q: text(60) }),
    load: () => import('../features/members/pages/addresses-page.tsx'),
  },
  '/pages/my/lock': { load: () => import('../features/auth/pages/lock-page.tsx') },
  '/pages/my/notices': { load: () => import('../features/notices/pages/notices-page.tsx') },
  '/pages/my/stopNotices': {
    open: true,
    search: query({ token: linkToken }),
    load: () => import('../features/notices/pages/stop-notices-page.tsx'),
  },
  '/pages/my/sessions': { load: () => import('../features/members/pages/sessions-page.tsx') },
  '/pages/my/statements': { load: () => import('../features/members/pages/statements-page.tsx') },
  '/pages/my/data': { load: () => import('../features/members/pages/data-page.tsx') },
  '/pages/search': {
    search: query({ q: text(80) }),
    load: () => import('../features/home/pages/search-page.tsx'),
  },
  '/pages/my/help': {
    open: true,
    search: query({ q: text(60) }),
    load: () => import('../features/info/help/help-page.tsx'),
  },
  '/pages/help/article': {
    open: true,
    search: query({ name: text(40) }),
    load: () => import('../features/info/help/article-page.tsx'),
  },
  '/pages/my/risk': {
    open: true,
    load: () => import('../features/info/info-pages.tsx').then((m) => ({ default: m.RiskPage })),
  },
  '/pages/my/terms': {
    open: true,
    load: () => import('../features/info/info-pages.tsx').then((m) => ({ default: m.TermsPage })),
  },
  '/pages/refused': { open: true, load: () => import('../features/info/refused-page.tsx') },
  '/pages/money-policy': {
    open: true,
    reads: ['plan', 'moneyPolicy'],
    load: () => import('../features/info/money-policy-page.tsx'),
  },
  '/pages/earnings': {
    open: true,
    reads: ['earnings'],
    load: () => import('../features/info/earnings-page.tsx'),
  },
  '/pages/solvency': {
    open: true,
    reads: ['solvency'],
    load: () => import('../features/solvency/pages/solvency-page.tsx'),
  },
  '/pages/shared': { open: true, load: () => import('../features/solvency/shared/shared-page.tsx') },
  '/pages/exchange/index': { load: () => import('../features/exchange/pages/exchange-page.tsx') },
  '/pages/exchange/list': {
    search: query({ show: oneOf('exchanges', 'dividends', 'launches') }),
    load: () => import('../features/exchange/pages/exchange-list-page.tsx'),
  },
  '/pages/my/selectLan/index': { load: () => import('../features/members/pages/language-page.tsx') },
  '/pages/my/approvals': { load: () => import('../features/approvals/pages/approvals-page.tsx') },
  '/pages/my/invite/index': { load: () => import('../features/members/pages/invite-page.tsx') },
  '/pages/my/invite/inviteTree': {
    search: query({ member: maybe(id) }),
    load: () => import('../features/members/pages/invite-tree-page.tsx'),
  },
  '/pages/admin/home': { admin: true, load: () => import('../features/admin/pages/desk-page.tsx') },
  '/pages/admin/analytics': {
    admin: true,
    search: dayRange,
    load: () => import('../features/admin/pages/analytics-page.tsx'),
  },
  '/pages/admin/search': {
    admin: true,
    search: query({ q: text(100), member_id: maybe(id), tab: memberTab }),
    load: () => import('../features/admin/pages/search-page.tsx'),
  },
  '/pages/admin/roles': { admin: true, load: () => import('../features/admin/pages/roles-page.tsx') },
  '/pages/admin/approvals': {
    admin: true,
    search: query({ show: oneOf('mine', 'own', 'open', 'ended'), proposal_id: maybe(id) }),
    load: () => import('../features/admin/pages/approvals-page.tsx'),
  },
  '/pages/admin/audit': { admin: true, load: () => import('../features/admin/pages/audit-page.tsx') },
  '/pages/admin/auditOrder': {
    admin: true,
    load: () => import('../features/admin/pages/audit-order-page.tsx'),
  },
  '/pages/admin/rewardDistribution': {
    admin: true,
    load: () => import('../features/admin/pages/reward-distribution-page.tsx'),
  },
  '/pages/admin/updateFound': {
    admin: true,
    load: () => import('../features/admin/pages/update-found-page.tsx'),
  },
  '/pages/admin/fundDesk': {
    admin: true,
    search: query({ product_id: maybe(id) }),
    load: () => import('../features/admin/pages/fund-desk-page.tsx'),
  },
  '/pages/admin/distrubutionHash': {
    admin: true,
    load: () => import('../features/admin/pages/distrubution-hash-page.tsx'),
  },
  '/pages/admin/prices': { admin: true, load: () => import('../features/admin/pages/prices-page.tsx') },
  '/pages/admin/plan': { admin: true, load: () => import('../features/admin/pages/plan-page.tsx') },
  '/pages/admin/treasury': { admin: true, load: () => import('../features/admin/pages/treasury-page.tsx') },
  '/pages/admin/solvency': { admin: true, load: () => import('../features/admin/pages/solvency-page.tsx') },
  '/pages/admin/emergency': {
    open: true,
    admin: true,
    load: () => import('../features/admin/pages/emergency-page.tsx'),
  },
  '/pages/admin/statements': {
    admin: true,
    load: () => import('../features/admin/pages/statements-page.tsx'),
  },
  '/pages/admin/announcements': {
    admin: true,
    load: () => import('../features/admin/pages/announcements-page.tsx'),
  },
  '/pages/admin/reach': { admin: true, load: () => import('../features/admin/pages/reach-page.tsx') },
  '/pages/admin/webhooks': { admin: true, load: () => import('../features/admin/pages/webhooks-page.tsx') },
  '/pages/admin/log': {
    admin: true,
    search: query({ q: text(100) }),
    load: () => import('../features/admin/pages/log-page.tsx'),
  },
} as const satisfies Record<string, PageSpec>

/** Returns the declaration of a path, or null when no such page exists. */
export function pageSpec(path: string): PageSpec | null {
  return Object.hasOwn(pages, path) ? pages[path as keyof typeof pages] : null
}
