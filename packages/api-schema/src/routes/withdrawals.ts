import { get, post, type Routes } from '../route.ts'
import * as withdrawals from '../withdrawals.ts'

export const withdrawalsRoutes = {
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
} satisfies Routes
