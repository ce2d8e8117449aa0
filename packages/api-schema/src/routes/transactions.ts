import { get, post, type Routes } from '../route.ts'
import * as transactions from '../transactions.ts'

export const transactionsRoutes = {
  transactions: get(
    'me/transactions',
    'member',
    'Transactions of the wallet of the member on any device, with their status',
    { data: transactions.transactionsData },
  ),
  noteTransaction: post('me/transactions', 'member', 'Report a transaction that the wallet has sent', {
    body: transactions.transactionBody,
    data: transactions.transactionNoted,
  }),
} satisfies Routes
