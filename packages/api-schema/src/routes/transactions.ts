import { get, post, type Routes } from '../route.ts'
import * as transactions from '../transactions.ts'

export const transactionsRoutes = {
  transactions: get(
    'me/transactions',
    'member',
    "What the member's wallet has sent on any device, and where it stands",
    { data: transactions.transactionsData },
  ),
  noteTransaction: post('me/transactions', 'member', 'Tell of a transaction that the wallet has sent', {
    body: transactions.transactionBody,
    data: transactions.transactionNoted,
  }),
} satisfies Routes
