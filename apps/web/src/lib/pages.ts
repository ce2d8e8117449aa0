import type {
  MoneyAsset,
  OrderStatus,
  PlacementSide,
  RewardType,
  RouteName,
  TransferDirection,
  WalletAsset,
  WithdrawalStatus,
} from '@rif/api-schema'
import type { CallInput } from './api-routes.ts'

/**
 * The table of pages: every path of the app, spelt as in the specification (section 2). `tab` marks the five pages of
 * the tab bar, `open` those that need no sign-in, `search` what the query string carries, all of it text. A page is
 * added here and in `app/page-components.ts`; a path that is in neither does not exist.
 */
export interface PageSpec {
  readonly tab?: TabName
  readonly open?: true
  /** Of the operator's side: exists for admins only. */
  readonly admin?: true
  readonly search?: (raw: RawSearch) => object
  /** What the API is asked for before the app itself is here, where a visit begins with this page. */
  readonly reads?: readonly (RouteName | FirstRead)[]
}

/** A read of the API, with its input as the page gives it. */
export type FirstRead = readonly [name: RouteName, input: CallInput]

export type RawSearch = Readonly<Record<string, string | undefined>>

export type TabName = 'home' | 'activity' | 'shop' | 'fund' | 'my'

/** One of the words of a list, else nothing. */
const oneOf =
  <T extends string>(...words: readonly T[]) =>
  (value: string | undefined): T | undefined =>
    words.find((word) => word === value)

const side = oneOf<PlacementSide>('left', 'right', 'auto')
const rewardType = oneOf<RewardType>(
  'Interest',
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
)
const orderStatus = oneOf<OrderStatus>('UnPaid', 'Processing', 'Paid', 'Cancelled')
const withdrawalStatus = oneOf<WithdrawalStatus>(
  'Auditing',
  'Withdrawable',
  'Success',
  'Rejected',
  'Cancelled',
)
const exchangeList = oneOf('exchanges', 'dividends', 'launches')

const transferDirection = oneOf<TransferDirection>('in', 'out')
const moneyAsset = oneOf<MoneyAsset>('USDT', 'AMC')
const walletAsset = oneOf<WalletAsset>('ETH', 'USDT', 'AMC')

/** An address to begin with; whether it is a good one the page tells. */
const addressText = (value: string | undefined) => value?.trim().slice(0, 42) || undefined
const teamScope = oneOf('left', 'right', 'direct')
const teamLevel = oneOf('0', '1', '2', '3', '4', '5')
const yesNo = oneOf('true', 'false')
const oldest = oneOf('oldest')

const savingsList = oneOf('transfers', 'leaving', 'interest')

/** A transaction's hash that the page cannot be without. */
function txHash(value: string | undefined): string {
  if (value === undefined || !/^0x[0-9a-fA-F]{64}$/.test(value)) throw new Error('the address lacks a hash')
  return value
}

/** An id that the page cannot be without. */
function id(value: string | undefined): string {
  if (value === undefined || !/^[1-9][0-9]{0,18}$/.test(value)) throw new Error('the address lacks an id')
  return value
}

/** A month such as 2026-01 that the page cannot be without. */
function month(value: string | undefined): string {
  if (value === undefined || !/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(value))
    throw new Error('the address lacks a month')
  return value
}

/** An id, where there is one. */
const optionalId = (value: string | undefined) => (value === undefined ? undefined : id(value))

/** Whole units to begin with; whether they are enough the page tells. */
const unitsText = (value: string | undefined) =>
  value !== undefined && /^[1-9][0-9]{0,17}$/.test(value) ? value : undefined
const fundTab = oneOf('Purchased', 'Redeemed', 'Pending', 'Agent')
const fundSearch = (raw: RawSearch) => optional({ tab: fundTab(raw.tab) })
const productSearch = (raw: RawSearch) => ({ product_id: id(raw.product_id) })
const unitsSearch = (raw: RawSearch) => ({
  product_id: id(raw.product_id),
  ...optional({ units: unitsText(raw.units) }),
})

const orderSearch = (raw: RawSearch) => ({ order_id: id(raw.order_id) })
const rewardSearch = (raw: RawSearch) => ({ reward_id: id(raw.reward_id) })
const withdrawSearch = (raw: RawSearch) => ({ withdraw_id: id(raw.withdraw_id) })
/** Leaves out what is undefined, so that it is left out of the address too. */
const optional = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const savingsSearch = (raw: RawSearch) => optional({ asset: moneyAsset(raw.asset) })

const dayText = (value: string | undefined) =>
  value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined
/** Both days of a range or none. */
const analyticsSearch = (raw: RawSearch) => {
  const [from, to] = [dayText(raw.from), dayText(raw.to)]
  return optional({ from: to && from, to: from && to })
}
const memberTab = oneOf('ledger', 'orders', 'fund', 'rewards', 'withdrawals', 'sessions', 'notes')
const adminSearch = (raw: RawSearch) =>
  optional({
    q: raw.q?.trim().slice(0, 100) || undefined,
    member_id: optionalId(raw.member_id),
    tab: memberTab(raw.tab),
  })

const proposalsShown = oneOf('mine', 'open', 'ended')

export const pages = {
  '/': {
    tab: 'home',
    reads: ['me', 'fundHoldings', 'tokenPrice', 'tokenPrice2', 'management', 'notifications'],
  },
  '/pages/rewardList/index': {
    tab: 'activity',
    search: (raw: RawSearch) => optional({ type: rewardType(raw.type) }),
  },
  '/pages/shop/index': {
    tab: 'shop',
    reads: ['me', 'products', 'hashRatePercent', ['orders', { query: { status: 'UnPaid' } }]],
  },
  '/pages/found/home': { tab: 'fund', open: true, reads: ['fundProducts'], search: fundSearch },
  '/pages/my/index': { tab: 'my', reads: ['me', 'plan', 'withdrawLimit'] },
  '/pages/login/index': {
    open: true,
    search: (raw: RawSearch) =>
      optional({ code: raw.code?.trim().slice(0, 32) || undefined, side: side(raw.side) }),
  },
  '/pages/index/hashRate': {},
  '/pages/index/team_user': {
    search: (raw: RawSearch) =>
      optional({
        scope: teamScope(raw.scope),
        level: teamLevel(raw.level),
        valid: yesNo(raw.valid),
        sort: oldest(raw.sort),
        q: raw.q?.trim().slice(0, 60) || undefined,
      }),
  },
  '/pages/rewardList/detail': { search: rewardSearch },
  '/pages/rewardList/coverage': {},
  '/pages/shop/paySuccess': { search: orderSearch },
  '/pages/shop/orderList': { search: (raw: RawSearch) => optional({ status: orderStatus(raw.status) }) },
  '/pages/shop/shopOrderDetail': { search: orderSearch },
  '/pages/withdrawal/index': {},
  '/pages/withdrawal/withdrawalSunccess': { search: withdrawSearch },
  '/pages/withdrawal/list': {
    search: (raw: RawSearch) => optional({ status: withdrawalStatus(raw.status) }),
  },
  '/pages/withdrawal/detail': { search: withdrawSearch },
  '/pages/localWallet/index': {},
  '/pages/localWallet/transaction': {},
  '/pages/localWallet/result': { search: (raw: RawSearch) => ({ tx_hash: txHash(raw.tx_hash) }) },
  '/pages/localWallet/list': {
    search: (raw: RawSearch) =>
      optional({ direction: transferDirection(raw.direction), asset: walletAsset(raw.asset) }),
  },
  '/pages/localWallet/withdrawal': {},
  '/pages/transfer/index': { search: (raw: RawSearch) => optional({ to: addressText(raw.to) }) },
  '/pages/transfer/list': {
    search: (raw: RawSearch) =>
      optional({ direction: transferDirection(raw.direction), asset: moneyAsset(raw.asset) }),
  },
  '/pages/savings/index': {},
  '/pages/savings/in': { search: savingsSearch },
  '/pages/savings/out': { search: savingsSearch },
  '/pages/savings/list': { search: (raw: RawSearch) => optional({ show: savingsList(raw.show) }) },
  '/pages/found/my': { open: true, search: fundSearch },
  '/pages/found/foundIncome/index': {},
  '/pages/found/foundIncome/withdrawal': {},
  '/pages/found/foundIncome/incomeList': {},
  '/pages/found/productDetail': { search: productSearch },
  '/pages/found/buy': { search: unitsSearch },
  '/pages/found/pay': { search: orderSearch },
  '/pages/found/pay_success': { search: orderSearch },
  '/pages/found/order_detail': { search: orderSearch },
  '/pages/found/newOrderDetail': { search: orderSearch },
  '/pages/found/redemption': { search: unitsSearch },
  '/pages/found/redemption_success': {
    search: (raw: RawSearch) => ({ redemption_id: id(raw.redemption_id) }),
  },
  '/pages/found/recordList': {
    search: (raw: RawSearch) => optional({ product_id: optionalId(raw.product_id) }),
  },
  '/pages/found/transtionList': {},
  '/pages/found/month_list': {},
  '/pages/found/month_detail': { search: (raw: RawSearch) => ({ month: month(raw.month) }) },
  '/pages/my/notifications': {
    search: (raw: RawSearch) => optional({ scope: oneOf('all')(raw.scope) }),
  },
  '/pages/my/sessions': {},
  '/pages/my/help': { open: true },
  '/pages/my/risk': { open: true },
  '/pages/my/terms': { open: true },
  '/pages/exchange/index': {},
  '/pages/exchange/list': { search: (raw: RawSearch) => optional({ show: exchangeList(raw.show) }) },
  '/pages/my/selectLan/index': {},
  '/pages/my/approvals': {},
  '/pages/my/invite/index': {},
  '/pages/my/invite/inviteTree': {},
  '/pages/admin/analytics': { admin: true, search: analyticsSearch },
  '/pages/admin/search': { admin: true, search: adminSearch },
  '/pages/admin/roles': { admin: true },
  '/pages/admin/approvals': {
    admin: true,
    search: (raw: RawSearch) =>
      optional({ show: proposalsShown(raw.show), proposal_id: optionalId(raw.proposal_id) }),
  },
  '/pages/admin/audit': { admin: true },
  '/pages/admin/auditOrder': { admin: true },
  '/pages/admin/rewardDistribution': { admin: true },
  '/pages/admin/updateFound': { admin: true },
  '/pages/admin/distrubutionHash': { admin: true },
  '/pages/admin/plan': { admin: true },
  '/pages/admin/emergency': { admin: true },
  '/pages/admin/log': {
    admin: true,
    search: (raw: RawSearch) => optional({ q: raw.q?.trim().slice(0, 100) || undefined }),
  },
} as const satisfies Record<string, PageSpec>

export type PagePath = keyof typeof pages
export type TabPath = { [P in PagePath]: (typeof pages)[P] extends { tab: TabName } ? P : never }[PagePath]
export type PlainPath = Exclude<PagePath, TabPath>

/** What the query string of a page carries, read. */
export type SearchOf<P extends PagePath> = (typeof pages)[P] extends { search: (raw: RawSearch) => infer S }
  ? S
  : Record<never, never>
/** The argument for it; may be left out where nothing is required. */
export type SearchArgs<P extends PagePath> =
  Record<never, never> extends SearchOf<P> ? [search?: SearchOf<P>] : [search: SearchOf<P>]

/** The table's row of a path, or null when there is no such page. */
export function pageSpec(path: string): PageSpec | null {
  return Object.hasOwn(pages, path) ? pages[path as PagePath] : null
}

/** A page's address with its query string. */
export function hrefOf<P extends PagePath>(path: P, ...[search]: SearchArgs<P>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search ?? {}))
    if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return path + (text === '' ? '' : `?${text}`)
}
