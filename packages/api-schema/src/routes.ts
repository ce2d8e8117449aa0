import type { z } from 'zod'
import * as activity from './activity.ts'
import * as auth from './auth.ts'
import * as exchange from './exchange.ts'
import * as fund from './fund.ts'
import * as hashPower from './hash-power.ts'
import * as localWallet from './local-wallet.ts'
import * as members from './members.ts'
import * as plans from './plans.ts'
import * as pricing from './pricing.ts'
import * as rewards from './rewards.ts'
import * as savings from './savings.ts'
import * as shop from './shop.ts'
import * as system from './system.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'
import * as withdrawals from './withdrawals.ts'

/**
 * One call of the API. `access`: who may call it. `movesMoney`: takes an `Idempotency-Key`.
 * Paths are the specification's, under `/api/v1/`; `:name` marks a path parameter.
 */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: 'public' | 'member'
  readonly movesMoney?: boolean
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly data: z.ZodType
}

const get = <const R extends Omit<Route, 'method'>>(route: R) => ({ method: 'GET' as const, ...route })
const post = <const R extends Omit<Route, 'method'>>(route: R) => ({ method: 'POST' as const, ...route })

export const API_PREFIX = '/api/v1/'

export const routes = {
  config: get({
    path: 'config',
    access: 'public',
    summary: 'Chain, contracts, limits',
    data: system.configData,
  }),
  nonce: get({
    path: 'nonce',
    access: 'public',
    summary: 'A single-use nonce for signing in',
    query: auth.nonceQuery,
    data: auth.nonceData,
  }),
  auth: post({
    path: 'auth',
    access: 'public',
    summary: 'Sign in with a signed EIP-4361 message',
    body: auth.authBody,
    data: auth.authData,
  }),
  signOut: post({
    path: 'auth/sign-out',
    access: 'member',
    summary: 'Revoke the token',
    data: auth.signOutData,
  }),
  sessions: get({
    path: 'auth/sessions',
    access: 'member',
    summary: 'The own sign-ins that are not over',
    data: auth.sessionsData,
  }),
  endSessions: post({
    path: 'auth/sessions/end',
    access: 'member',
    summary: 'Sign out one of the own sign-ins, or all others',
    body: auth.endSessionsBody,
    data: auth.endSessionsData,
  }),
  invitation: get({
    path: 'invitation',
    access: 'public',
    summary: 'The sponsor behind a code',
    query: members.invitationQuery,
    data: members.invitationData,
  }),
  plan: get({
    path: 'plan',
    access: 'public',
    summary: 'Every figure of the rules in force today',
    data: plans.planData,
  }),
  tokenPrice: get({
    path: 'token/price',
    access: 'public',
    summary: 'AMC in USDT',
    data: pricing.tokenPrice,
  }),
  tokenPrice2: get({
    path: 'token/price2',
    access: 'public',
    summary: 'RIF in USDT',
    data: pricing.tokenPrice,
  }),
  me: get({ path: 'me', access: 'member', summary: 'The member', data: members.me }),
  invite: get({
    path: 'me/invite',
    access: 'member',
    summary: 'Invitation code and links',
    data: members.inviteData,
  }),
  relation: get({
    path: 'me/relation',
    access: 'member',
    summary: 'The team, in pages',
    query: members.relationQuery,
    data: members.relationData,
  }),
  tree: get({
    path: 'me/tree',
    access: 'member',
    summary: 'The binary tree, by branch',
    query: members.treeQuery,
    data: members.treeNode,
  }),
  treeBranches: get({
    path: 'me/tree/branches',
    access: 'member',
    summary: 'Several branches of the binary tree, generation by generation',
    query: members.treeBranchesQuery,
    data: members.treeBranchesData,
  }),
  labels: get({
    path: 'me/labels',
    access: 'member',
    summary: 'What the member has noted about the own team',
    data: members.labelsData,
  }),
  setLabel: post({
    path: 'me/labels',
    access: 'member',
    summary: 'Note something about a member of the own team',
    body: members.setLabelBody,
    data: members.memberLabel,
  }),
  deleteLabel: post({
    path: 'me/labels/delete',
    access: 'member',
    summary: 'Delete a note',
    body: members.deleteLabelBody,
    data: members.deleteLabelData,
  }),
  activity: get({
    path: 'me/activity',
    access: 'member',
    summary: 'What happened in the own books, newest first',
    query: activity.activityQuery,
    data: activity.activityData,
  }),
  notifications: get({
    path: 'me/notifications',
    access: 'member',
    summary: 'How much happened since the last visit',
    data: activity.notificationsData,
  }),
  seeNotifications: post({
    path: 'me/notifications/seen',
    access: 'member',
    summary: 'Note up to where the member has read',
    body: activity.seenBody,
    data: activity.notificationsData,
  }),
  balanceDays: get({
    path: 'me/balances',
    access: 'member',
    summary: 'Balances at the end of each of the last days',
    query: activity.balanceDaysQuery,
    data: activity.balanceDaysData,
  }),
  volumes: get({
    path: 'me/volumes',
    access: 'member',
    summary: 'Team investment by month and side',
    query: activity.volumesQuery,
    data: activity.volumesData,
  }),
  products: get({
    path: 'products',
    access: 'public',
    summary: 'Launchpad packages',
    data: shop.productsData,
  }),
  createOrder: post({
    path: 'order',
    access: 'member',
    movesMoney: true,
    summary: 'Quote and store an order',
    body: shop.createOrderBody,
    data: shop.order,
  }),
  orders: get({
    path: 'order/all',
    access: 'member',
    summary: 'Orders, newest first',
    query: shop.orderListQuery,
    data: shop.orderListData,
  }),
  order: get({
    path: 'order/:order_id',
    access: 'member',
    summary: 'One order',
    params: shop.orderParams,
    data: shop.order,
  }),
  approveUsdt: get({
    path: 'order/approve/usdt/:order_id',
    access: 'member',
    summary: 'Raw approval of exactly the USDT',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.approvalData,
  }),
  approveAmc: get({
    path: 'order/approve/amc/:order_id',
    access: 'member',
    summary: 'Raw approval of exactly the AMC',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.approvalData,
  }),
  orderTx: get({
    path: 'order/tx/:order_id',
    access: 'member',
    summary: 'Raw payment with the signed quote',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.paymentData,
  }),
  payOrder: post({
    path: 'order/pay',
    access: 'member',
    movesMoney: true,
    summary: 'Tell the hash of the payment',
    body: shop.payBody,
    data: shop.order,
  }),
  cancelOrder: post({
    path: 'order/cancel',
    access: 'member',
    movesMoney: true,
    summary: 'Cancel an unpaid order',
    body: shop.cancelOrderBody,
    data: shop.order,
  }),
  profitAll: get({
    path: 'profit/all',
    access: 'member',
    summary: 'Rewards and their sums',
    query: rewards.profitAllQuery,
    data: rewards.profitAllData,
  }),
  profitType: get({
    path: 'profit/type',
    access: 'member',
    summary: 'Sums and counts by type over some days',
    query: rewards.rewardRangeQuery,
    data: rewards.profitTypeData,
  }),
  profitDay: get({
    path: 'profit/day',
    access: 'member',
    summary: 'Sums by day, newest first',
    query: rewards.profitDayQuery,
    data: rewards.profitDayData,
  }),
  profitCoverage: get({
    path: 'profit/coverage',
    access: 'public',
    summary: 'What was due and paid over 30 days, and attested revenue',
    data: rewards.profitCoverageData,
  }),
  management: get({
    path: 'profit/mng',
    access: 'member',
    summary: 'The management award: rank, base, paused or not',
    data: rewards.management,
  }),
  setManagement: post({
    path: 'profit/mng',
    access: 'member',
    movesMoney: true,
    summary: 'Pause or resume the management award',
    body: rewards.managementBody,
    data: rewards.management,
  }),
  profitDetail: get({
    path: 'profit/:reward_id',
    access: 'member',
    summary: 'One reward and all that it was worked out from',
    params: rewards.rewardParams,
    data: rewards.rewardDetail,
  }),
  withdraw: post({
    path: 'withdraw',
    access: 'member',
    movesMoney: true,
    summary: 'Request a withdrawal',
    body: withdrawals.withdrawBody,
    data: withdrawals.withdrawal,
  }),
  withdrawCheck: post({
    path: 'withdraw/check',
    access: 'member',
    summary: 'What a withdrawal would cost and need',
    body: withdrawals.withdrawBody,
    data: withdrawals.withdrawCheckData,
  }),
  withdrawLimit: get({
    path: 'withdraw/limit',
    access: 'member',
    summary: "Today's limit",
    data: withdrawals.withdrawLimitData,
  }),
  withdrawals: get({
    path: 'withdraws',
    access: 'member',
    summary: 'Withdrawals, newest first',
    query: withdrawals.withdrawListQuery,
    data: withdrawals.withdrawListData,
  }),
  withdrawal: get({
    path: 'withdraw/:withdraw_id',
    access: 'member',
    summary: 'One withdrawal',
    params: withdrawals.withdrawParams,
    data: withdrawals.withdrawal,
  }),
  claim: get({
    path: 'withdraw/claim/:id',
    access: 'member',
    summary: 'Raw claim with the signed voucher',
    params: withdrawals.claimParams,
    data: withdrawals.claimData,
  }),
  cancelWithdrawal: post({
    path: 'withdraw/cancel/:id',
    access: 'member',
    movesMoney: true,
    summary: 'Cancel a withdrawal',
    params: withdrawals.claimParams,
    data: withdrawals.withdrawal,
  }),
  savings: get({
    path: 'savings',
    access: 'member',
    summary: 'The Simple Earn account',
    data: savings.savingsAccount,
  }),
  savingsIn: post({
    path: 'savings/in',
    access: 'member',
    movesMoney: true,
    summary: 'Transfer into savings, at once',
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
  }),
  savingsOut: post({
    path: 'savings/out',
    access: 'member',
    movesMoney: true,
    summary: 'Transfer out of savings',
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
  }),
  savingsTransfers: get({
    path: 'savings/transfers',
    access: 'member',
    summary: 'Transfers in and out, newest first',
    query: savings.savingsTransfersQuery,
    data: savings.savingsTransfersData,
  }),
  savingsInterest: get({
    path: 'savings/interest',
    access: 'member',
    summary: 'Interest by day, newest first',
    query: savings.savingsInterestQuery,
    data: savings.savingsInterestData,
  }),
  savingsCoverage: get({
    path: 'savings/coverage',
    access: 'public',
    summary: 'What was due and paid of the interest over 30 days',
    data: savings.savingsCoverageData,
  }),
  transfer: post({
    path: 'transfer',
    access: 'member',
    movesMoney: true,
    summary: 'Send to another member',
    body: transfers.transferBody,
    data: transfers.transfer,
  }),
  transfers: get({
    path: 'transfer',
    access: 'member',
    summary: 'Transfers in and out, newest first',
    query: transfers.transferListQuery,
    data: transfers.transferListData,
  }),
  receiver: get({
    path: 'transfer/receiver',
    access: 'member',
    summary: 'Whose address it is, as far as the member may know, and what to beware of',
    query: transfers.receiverQuery,
    data: transfers.receiver,
  }),
  contacts: get({
    path: 'transfer/contacts',
    access: 'member',
    summary: "The member's own address book",
    data: transfers.contactsData,
  }),
  saveContact: post({
    path: 'transfer/contacts',
    access: 'member',
    summary: 'Give an address a name',
    body: transfers.contactBody,
    data: transfers.contactsData,
  }),
  removeContact: post({
    path: 'transfer/contacts/remove',
    access: 'member',
    summary: 'Take the name of an address away',
    body: transfers.removeContactBody,
    data: transfers.contactsData,
  }),
  hashRate: get({
    path: 'hashrate',
    access: 'member',
    summary: 'Hash power and what moved it',
    query: hashPower.hashRateQuery,
    data: hashPower.hashRateData,
  }),
  hashRatePercent: get({
    path: 'hashrate/percent',
    access: 'member',
    summary: 'The discount that hash power gives',
    data: hashPower.hashRatePercentData,
  }),
  hashRateQuote: post({
    path: 'hashrate/quote',
    access: 'member',
    summary: 'Freeze what an amount of AMC buys',
    body: hashPower.hashRateQuoteBody,
    data: hashPower.hashRateQuoteData,
  }),
  buyHashRate: post({
    path: 'hashrate',
    access: 'member',
    movesMoney: true,
    summary: 'Buy hash power as it was quoted',
    body: hashPower.buyHashRateBody,
    data: hashPower.buyHashRateData,
  }),
  exchange: get({
    path: 'exchange',
    access: 'member',
    summary: 'Dividend rights, VC, rates, caps and dividends paid',
    data: exchange.exchangeData,
  }),
  exchangeQuote: post({
    path: 'exchange/quote',
    access: 'member',
    summary: 'Freeze what an amount of RIF is exchanged into',
    body: exchange.exchangeQuoteBody,
    data: exchange.conversionQuote,
  }),
  makeExchange: post({
    path: 'exchange',
    access: 'member',
    movesMoney: true,
    summary: 'Exchange as it was quoted',
    body: exchange.exchangeBody,
    data: exchange.conversion,
  }),
  exchanges: get({
    path: 'exchange/list',
    access: 'member',
    summary: 'Exchanges, newest first',
    query: exchange.exchangeListQuery,
    data: exchange.exchangeListData,
  }),
  dividends: get({
    path: 'exchange/dividends',
    access: 'member',
    summary: 'Dividends received, newest first',
    query: exchange.dividendsQuery,
    data: exchange.dividendsData,
  }),
  launches: get({
    path: 'exchange/launches',
    access: 'member',
    summary: 'VC launches, newest first',
    query: exchange.launchesQuery,
    data: exchange.launchesData,
  }),
  subscribeLaunch: post({
    path: 'exchange/launches/:launch_id/subscribe',
    access: 'member',
    movesMoney: true,
    summary: 'Put VC into an open launch',
    params: exchange.launchParams,
    body: exchange.subscribeBody,
    data: exchange.launch,
  }),
  transactions: get({
    path: 'me/transactions',
    access: 'member',
    summary: "What the member's wallet has sent on any device, and where it stands",
    data: transactions.transactionsData,
  }),
  noteTransaction: post({
    path: 'me/transactions',
    access: 'member',
    summary: 'Tell of a transaction that the wallet has sent',
    body: transactions.transactionBody,
    data: transactions.transactionNoted,
  }),
  fundProducts: get({
    path: 'fund/products',
    access: 'public',
    summary: 'Fund products',
    data: fund.fundProductsData,
  }),
  fundProduct: get({
    path: 'fund/product/:product_id',
    access: 'public',
    summary: 'One fund product with its documents',
    params: fund.fundProductParams,
    data: fund.fundProductDetail,
  }),
  fundNavs: get({
    path: 'fund/product/:product_id/navs',
    access: 'public',
    summary: 'NAV history, one a day',
    params: fund.fundProductParams,
    query: fund.fundNavsQuery,
    data: fund.fundNavsData,
  }),
  fundDocument: get({
    path: 'fund/product/:product_id/document/:document_id',
    access: 'public',
    summary: 'A document of a product',
    params: fund.fundDocumentParams,
    data: fund.fileData,
  }),
  fundQuote: get({
    path: 'fund/quote',
    access: 'member',
    summary: 'What buying units costs now',
    query: fund.fundQuoteQuery,
    data: fund.fundQuoteData,
  }),
  fundBuy: post({
    path: 'fund/buy',
    access: 'member',
    movesMoney: true,
    summary: 'Buy units from the balance, or quote them for the wallet',
    body: fund.fundBuyBody,
    data: fund.fundOrder,
  }),
  fundApprove: get({
    path: 'fund/approve/:order_id',
    access: 'member',
    summary: 'Raw approval of exactly the USDT',
    params: fund.fundOrderParams,
    data: fund.fundApprovalData,
  }),
  fundTx: get({
    path: 'fund/tx/:order_id',
    access: 'member',
    summary: 'Raw payment with the signed quote',
    params: fund.fundOrderParams,
    data: fund.fundPaymentData,
  }),
  fundPay: post({
    path: 'fund/pay',
    access: 'member',
    movesMoney: true,
    summary: 'Tell the hash of the payment',
    body: fund.fundPayBody,
    data: fund.fundOrder,
  }),
  fundCancel: post({
    path: 'fund/cancel',
    access: 'member',
    movesMoney: true,
    summary: 'Cancel an unpaid fund order',
    body: fund.fundCancelBody,
    data: fund.fundOrder,
  }),
  fundOrders: get({
    path: 'fund/orders',
    access: 'member',
    summary: 'Purchases by tab, newest first',
    query: fund.fundOrdersQuery,
    data: fund.fundOrdersData,
  }),
  fundOrder: get({
    path: 'fund/order/:order_id',
    access: 'member',
    summary: 'One purchase',
    params: fund.fundOrderParams,
    data: fund.fundOrderDetail,
  }),
  fundHoldings: get({
    path: 'fund/holdings',
    access: 'member',
    summary: 'Units held, their worth and profit',
    data: fund.fundHoldingsData,
  }),
  fundRecords: get({
    path: 'fund/records',
    access: 'member',
    summary: 'Purchases and redemptions together',
    query: fund.fundRecordsQuery,
    data: fund.fundRecordsData,
  }),
  fundTransactions: get({
    path: 'fund/transactions',
    access: 'member',
    summary: 'The fund in the own books',
    query: fund.fundTransactionsQuery,
    data: fund.fundTransactionsData,
  }),
  fundRedemptionPreview: get({
    path: 'fund/redemption/preview',
    access: 'member',
    summary: 'What redeeming would bring',
    query: fund.redemptionPreviewQuery,
    data: fund.redemptionPreviewData,
  }),
  fundRedeem: post({
    path: 'fund/redeem',
    access: 'member',
    movesMoney: true,
    summary: 'Ask for units to be redeemed',
    body: fund.redeemBody,
    data: fund.fundRedemption,
  }),
  fundCancelRedemption: post({
    path: 'fund/redemption/cancel',
    access: 'member',
    movesMoney: true,
    summary: 'Take a pending redemption back',
    body: fund.cancelRedemptionBody,
    data: fund.fundRedemption,
  }),
  fundRedemptions: get({
    path: 'fund/redemptions',
    access: 'member',
    summary: 'Redemptions by tab, newest first',
    query: fund.redemptionsQuery,
    data: fund.redemptionsData,
  }),
  fundRedemption: get({
    path: 'fund/redemption/:redemption_id',
    access: 'member',
    summary: 'One redemption, with its place in the queue',
    params: fund.redemptionParams,
    data: fund.fundRedemption,
  }),
  fundBills: get({
    path: 'fund/bills',
    access: 'member',
    summary: 'Monthly bills, newest first',
    query: fund.fundBillsQuery,
    data: fund.fundBillsData,
  }),
  fundBill: get({
    path: 'fund/bill/:month',
    access: 'member',
    summary: 'One monthly bill',
    params: fund.fundBillParams,
    data: fund.fundBill,
  }),
  fundBillCsv: get({
    path: 'fund/bill/:month/csv',
    access: 'member',
    summary: 'A monthly bill as CSV',
    params: fund.fundBillParams,
    data: fund.fileData,
  }),
  fundBillPdf: get({
    path: 'fund/bill/:month/pdf',
    access: 'member',
    summary: 'A monthly bill as PDF, in the language of the caller',
    params: fund.fundBillParams,
    data: fund.fileData,
  }),
  fundIncome: get({
    path: 'fund/income',
    access: 'member',
    summary: 'Sums of the fund income',
    data: fund.fundIncomeData,
  }),
  fundIncomeList: get({
    path: 'fund/income/list',
    access: 'member',
    summary: 'Fund income, newest first',
    query: fund.fundIncomeListQuery,
    data: fund.fundIncomeListData,
  }),
  fundIncomeWithdraw: post({
    path: 'fund/income/withdraw',
    access: 'member',
    movesMoney: true,
    summary: 'Move fund income to the balance',
    body: fund.fundIncomeWithdrawBody,
    data: fund.fundIncomeData,
  }),
  walletHistory: get({
    path: 'local-wallet/history',
    access: 'member',
    summary: "What the member's own wallet sent, paid, claimed and received, newest first",
    query: localWallet.walletHistoryQuery,
    data: localWallet.walletHistoryData,
  }),
  tellSend: post({
    path: 'local-wallet/sends',
    access: 'member',
    summary: 'Tell the hash of a send, so that it is followed',
    body: localWallet.tellSendBody,
    data: localWallet.walletSend,
  }),
  walletSend: get({
    path: 'local-wallet/sends/:first_hash',
    access: 'member',
    summary: 'How far a send is',
    params: localWallet.sendParams,
    data: localWallet.walletSend,
  }),
} satisfies Record<string, Route>

export type RouteName = keyof typeof routes

type Part<R, K extends string> = R extends Record<K, infer S extends z.ZodType> ? S : never
/** What a caller sends. */
export type RouteInput<N extends RouteName> = {
  params: z.input<Part<(typeof routes)[N], 'params'>>
  query: z.input<Part<(typeof routes)[N], 'query'>>
  body: z.input<Part<(typeof routes)[N], 'body'>>
}
/** What a handler receives after parsing. */
export type RouteRequest<N extends RouteName> = {
  params: z.output<Part<(typeof routes)[N], 'params'>>
  query: z.output<Part<(typeof routes)[N], 'query'>>
  body: z.output<Part<(typeof routes)[N], 'body'>>
}
export type RouteData<N extends RouteName> = z.output<(typeof routes)[N]['data']>
