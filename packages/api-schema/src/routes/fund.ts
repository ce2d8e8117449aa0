import * as fund from '../fund.ts'
import { get, post, type Routes } from '../route.ts'

export const fundRoutes = {
  fundProducts: get('fund/products', 'public', 'Fund products', { data: fund.fundProductsData }),
  fundProduct: get('fund/product/:product_id', 'public', 'One fund product with its documents', {
    params: fund.fundProductParams,
    data: fund.fundProductDetail,
  }),
  fundNavs: get('fund/product/:product_id/navs', 'public', 'NAV history, one per day', {
    params: fund.fundProductParams,
    query: fund.fundNavsQuery,
    data: fund.fundNavsData,
  }),
  fundDocument: get('fund/product/:product_id/document/:document_id', 'public', 'A document of a product', {
    params: fund.fundDocumentParams,
    data: fund.fileData,
  }),
  fundQuote: get('fund/quote', 'member', 'Current price of a purchase', {
    query: fund.fundQuoteQuery,
    data: fund.fundQuoteData,
  }),
  fundBuy: post('fund/buy', 'member', 'Buy units from the balance, or quote them for the wallet', {
    movesMoney: true,
    body: fund.fundBuyBody,
    data: fund.fundOrder,
  }),
  fundApprove: get('fund/approve/:order_id', 'member', 'Raw approval of exactly the USDT', {
    params: fund.fundOrderParams,
    data: fund.fundApprovalData,
  }),
  fundTx: get('fund/tx/:order_id', 'member', 'Raw payment with the signed quote', {
    lane: 'writes',
    params: fund.fundOrderParams,
    data: fund.fundPaymentData,
  }),
  fundPay: post('fund/pay', 'member', 'Report the hash of the payment', {
    movesMoney: true,
    body: fund.fundPayBody,
    data: fund.fundOrder,
  }),
  fundCancel: post('fund/cancel', 'member', 'Cancel an unpaid fund order', {
    movesMoney: true,
    body: fund.fundCancelBody,
    data: fund.fundOrder,
  }),
  fundOrders: get('fund/orders', 'member', 'Purchases by tab, newest first', {
    query: fund.fundOrdersQuery,
    data: fund.fundOrdersData,
  }),
  fundOrder: get('fund/order/:order_id', 'member', 'One purchase', {
    params: fund.fundOrderParams,
    data: fund.fundOrderDetail,
  }),
  fundHoldings: get('fund/holdings', 'member', 'Units held, their worth and profit', {
    data: fund.fundHoldingsData,
  }),
  fundRecords: get('fund/records', 'member', 'Purchases and redemptions together', {
    query: fund.fundRecordsQuery,
    data: fund.fundRecordsData,
  }),
  fundTransactions: get('fund/transactions', 'member', 'Fund transactions of the member', {
    query: fund.fundTransactionsQuery,
    data: fund.fundTransactionsData,
  }),
  fundRedemptionPreview: get('fund/redemption/preview', 'member', 'Preview of a redemption', {
    query: fund.redemptionPreviewQuery,
    data: fund.redemptionPreviewData,
  }),
  fundRedeem: post('fund/redeem', 'member', 'Request a redemption of units', {
    movesMoney: true,
    body: fund.redeemBody,
    data: fund.fundRedemption,
  }),
  fundCancelRedemption: post('fund/redemption/cancel', 'member', 'Cancel a pending redemption', {
    movesMoney: true,
    body: fund.cancelRedemptionBody,
    data: fund.fundRedemption,
  }),
  fundRedemptions: get('fund/redemptions', 'member', 'Redemptions by tab, newest first', {
    query: fund.redemptionsQuery,
    data: fund.redemptionsData,
  }),
  fundRedemption: get(
    'fund/redemption/:redemption_id',
    'member',
    'One redemption, with its place in the queue',
    { params: fund.redemptionParams, data: fund.fundRedemption },
  ),
  fundBills: get('fund/bills', 'member', 'Monthly bills, newest first', {
    query: fund.fundBillsQuery,
    data: fund.fundBillsData,
  }),
  fundBill: get('fund/bill/:month', 'member', 'One monthly bill', {
    params: fund.fundBillParams,
    data: fund.fundBill,
  }),
  fundBillCsv: get('fund/bill/:month/csv', 'member', 'A monthly bill as CSV', {
    params: fund.fundBillParams,
    data: fund.fileData,
  }),
  fundBillPdf: get('fund/bill/:month/pdf', 'member', 'A monthly bill as PDF, in the language of the caller', {
    params: fund.fundBillParams,
    data: fund.fileData,
  }),
  fundIncome: get('fund/income', 'member', 'Sums of the fund income', { data: fund.fundIncomeData }),
  fundIncomeList: get('fund/income/list', 'member', 'Fund income, newest first', {
    query: fund.fundIncomeListQuery,
    data: fund.fundIncomeListData,
  }),
  fundIncomeWithdraw: post('fund/income/withdraw', 'member', 'Move fund income to the balance', {
    movesMoney: true,
    body: fund.fundIncomeWithdrawBody,
    data: fund.fundIncomeData,
  }),
} satisfies Routes
