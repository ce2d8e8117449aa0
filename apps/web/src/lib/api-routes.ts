import type { AdminRouteName, Locale, RouteName, routes } from '@rif/api-schema'

export const API_PREFIX = '/api/v1/'

export interface ApiRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Takes an `Idempotency-Key`. */
  readonly movesMoney?: true
}

export type Facts<R> = Pick<R, Extract<keyof R, 'method' | 'path' | 'movesMoney'>>

/**
 * The facts of the API's route table that a caller needs. The table itself carries the Zod schemas, a seventh of all
 * that may load before the first screen; so it is used here as a type only, and the type holds this list to it, route by route.
 * The calls of the operator's side come with its pages (lib/admin-routes.ts).
 */
export const apiRoutes: {
  readonly [N in Exclude<RouteName, AdminRouteName>]: Facts<(typeof routes)[N]> & ApiRoute
} = {
  config: { method: 'GET', path: 'config' },
  pauses: { method: 'GET', path: 'pauses' },
  nonce: { method: 'GET', path: 'nonce' },
  auth: { method: 'POST', path: 'auth' },
  signOut: { method: 'POST', path: 'auth/sign-out' },
  sessions: { method: 'GET', path: 'auth/sessions' },
  endSessions: { method: 'POST', path: 'auth/sessions/end' },
  invitation: { method: 'GET', path: 'invitation' },
  plan: { method: 'GET', path: 'plan' },
  tokenPrice: { method: 'GET', path: 'token/price' },
  tokenPrice2: { method: 'GET', path: 'token/price2' },
  me: { method: 'GET', path: 'me' },
  invite: { method: 'GET', path: 'me/invite' },
  relation: { method: 'GET', path: 'me/relation' },
  tree: { method: 'GET', path: 'me/tree' },
  treeBranches: { method: 'GET', path: 'me/tree/branches' },
  labels: { method: 'GET', path: 'me/labels' },
  setLabel: { method: 'POST', path: 'me/labels' },
  deleteLabel: { method: 'POST', path: 'me/labels/delete' },
  activity: { method: 'GET', path: 'me/activity' },
  notifications: { method: 'GET', path: 'me/notifications' },
  seeNotifications: { method: 'POST', path: 'me/notifications/seen' },
  balanceDays: { method: 'GET', path: 'me/balances' },
  volumes: { method: 'GET', path: 'me/volumes' },
  products: { method: 'GET', path: 'products' },
  createOrder: { method: 'POST', path: 'order', movesMoney: true },
  orders: { method: 'GET', path: 'order/all' },
  order: { method: 'GET', path: 'order/:order_id' },
  approveUsdt: { method: 'GET', path: 'order/approve/usdt/:order_id' },
  approveAmc: { method: 'GET', path: 'order/approve/amc/:order_id' },
  orderTx: { method: 'GET', path: 'order/tx/:order_id' },
  payOrder: { method: 'POST', path: 'order/pay', movesMoney: true },
  cancelOrder: { method: 'POST', path: 'order/cancel', movesMoney: true },
  profitAll: { method: 'GET', path: 'profit/all' },
  profitType: { method: 'GET', path: 'profit/type' },
  profitDay: { method: 'GET', path: 'profit/day' },
  profitCoverage: { method: 'GET', path: 'profit/coverage' },
  management: { method: 'GET', path: 'profit/mng' },
  setManagement: { method: 'POST', path: 'profit/mng', movesMoney: true },
  profitDetail: { method: 'GET', path: 'profit/:reward_id' },
  withdraw: { method: 'POST', path: 'withdraw', movesMoney: true },
  withdrawCheck: { method: 'POST', path: 'withdraw/check' },
  withdrawLimit: { method: 'GET', path: 'withdraw/limit' },
  withdrawals: { method: 'GET', path: 'withdraws' },
  withdrawal: { method: 'GET', path: 'withdraw/:withdraw_id' },
  claim: { method: 'GET', path: 'withdraw/claim/:id' },
  cancelWithdrawal: { method: 'POST', path: 'withdraw/cancel/:id', movesMoney: true },
  savings: { method: 'GET', path: 'savings' },
  savingsIn: { method: 'POST', path: 'savings/in', movesMoney: true },
  savingsOut: { method: 'POST', path: 'savings/out', movesMoney: true },
  savingsTransfers: { method: 'GET', path: 'savings/transfers' },
  savingsInterest: { method: 'GET', path: 'savings/interest' },
  savingsCoverage: { method: 'GET', path: 'savings/coverage' },
  transfer: { method: 'POST', path: 'transfer', movesMoney: true },
  transfers: { method: 'GET', path: 'transfer' },
  receiver: { method: 'GET', path: 'transfer/receiver' },
  contacts: { method: 'GET', path: 'transfer/contacts' },
  saveContact: { method: 'POST', path: 'transfer/contacts' },
  removeContact: { method: 'POST', path: 'transfer/contacts/remove' },
  walletHistory: { method: 'GET', path: 'local-wallet/history' },
  tellSend: { method: 'POST', path: 'local-wallet/sends' },
  walletSend: { method: 'GET', path: 'local-wallet/sends/:first_hash' },
  hashRate: { method: 'GET', path: 'hashrate' },
  hashRatePercent: { method: 'GET', path: 'hashrate/percent' },
  hashRateQuote: { method: 'POST', path: 'hashrate/quote' },
  buyHashRate: { method: 'POST', path: 'hashrate', movesMoney: true },
  exchange: { method: 'GET', path: 'exchange' },
  exchangeQuote: { method: 'POST', path: 'exchange/quote' },
  makeExchange: { method: 'POST', path: 'exchange', movesMoney: true },
  exchanges: { method: 'GET', path: 'exchange/list' },
  dividends: { method: 'GET', path: 'exchange/dividends' },
  launches: { method: 'GET', path: 'exchange/launches' },
  subscribeLaunch: {
    method: 'POST',
    path: 'exchange/launches/:launch_id/subscribe',
    movesMoney: true,
  },
  transactions: { method: 'GET', path: 'me/transactions' },
  noteTransaction: { method: 'POST', path: 'me/transactions' },
  fundProducts: { method: 'GET', path: 'fund/products' },
  fundProduct: { method: 'GET', path: 'fund/product/:product_id' },
  fundNavs: { method: 'GET', path: 'fund/product/:product_id/navs' },
  fundDocument: { method: 'GET', path: 'fund/product/:product_id/document/:document_id' },
  fundQuote: { method: 'GET', path: 'fund/quote' },
  fundBuy: { method: 'POST', path: 'fund/buy', movesMoney: true },
  fundApprove: { method: 'GET', path: 'fund/approve/:order_id' },
  fundTx: { method: 'GET', path: 'fund/tx/:order_id' },
  fundPay: { method: 'POST', path: 'fund/pay', movesMoney: true },
  fundCancel: { method: 'POST', path: 'fund/cancel', movesMoney: true },
  fundOrders: { method: 'GET', path: 'fund/orders' },
  fundOrder: { method: 'GET', path: 'fund/order/:order_id' },
  fundHoldings: { method: 'GET', path: 'fund/holdings' },
  fundRecords: { method: 'GET', path: 'fund/records' },
  fundTransactions: { method: 'GET', path: 'fund/transactions' },
  fundRedemptionPreview: { method: 'GET', path: 'fund/redemption/preview' },
  fundRedeem: { method: 'POST', path: 'fund/redeem', movesMoney: true },
  fundCancelRedemption: { method: 'POST', path: 'fund/redemption/cancel', movesMoney: true },
  fundRedemptions: { method: 'GET', path: 'fund/redemptions' },
  fundRedemption: { method: 'GET', path: 'fund/redemption/:redemption_id' },
  fundBills: { method: 'GET', path: 'fund/bills' },
  fundBill: { method: 'GET', path: 'fund/bill/:month' },
  fundBillCsv: { method: 'GET', path: 'fund/bill/:month/csv' },
  fundBillPdf: { method: 'GET', path: 'fund/bill/:month/pdf' },
  fundIncome: { method: 'GET', path: 'fund/income' },
  fundIncomeList: { method: 'GET', path: 'fund/income/list' },
  fundIncomeWithdraw: { method: 'POST', path: 'fund/income/withdraw', movesMoney: true },
}

const known: Partial<Record<RouteName, ApiRoute>> = { ...apiRoutes }

/** Adds the facts of routes that are loaded later. */
export function addRoutes(routes: Readonly<Partial<Record<RouteName, ApiRoute>>>) {
  Object.assign(known, routes)
}

/** The facts of a route; those of the operator's side are known once its pages are loaded. */
export function routeOf(name: RouteName): ApiRoute {
  const route = known[name]
  if (route === undefined) throw new Error(`the route ${name} is not loaded`)
  return route
}

export type CallInput = { params?: unknown; query?: unknown; body?: unknown }

/** The address of a route with its parameters and query filled in. */
export function urlOf(route: Pick<ApiRoute, 'path'>, input: CallInput): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.toString()
  return API_PREFIX + path + (search === '' ? '' : `?${search}`)
}

/** A read of the API, with its input as the page gives it. */
export type FirstRead = readonly [name: RouteName, input: CallInput]

export const API_TIMEOUT_MS = 30_000

/** Says who asks, and in which language the answer's texts should be. */
export const memberHeaders = (locale: Locale, token: string, tokenAddress: string) => ({
  'Accept-Language': locale,
  ...(token !== '' && { Authorization: `Bearer ${token}`, 'X-Wallet-Address': tokenAddress }),
})

/** Answers that were asked for while the app was on its way, by address. */
const answers = new Map<string, Promise<Response>>()

/** Asks the API before the app is here; main.tsx takes every answer as soon as it runs. */
export function readEarly(reads: readonly FirstRead[], headers: ReturnType<typeof memberHeaders>) {
  for (const [name, input] of reads) {
    const url = urlOf(routeOf(name), input)
    const answer = fetch(url, { headers, signal: AbortSignal.timeout(API_TIMEOUT_MS) })
    // Whoever takes the answer is told.
    answer.catch(() => undefined)
    answers.set(url, answer)
  }
}

/** The answer that was asked for early, once; undefined where there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = answers.get(url)
  answers.delete(url)
  return answer
}
