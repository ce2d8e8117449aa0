import { get, post, type Routes } from '../route.ts'
import * as withdrawals from '../withdrawals.ts'

export const withdrawalsRoutes = {
  withdraw: post('withdraw', 'member', 'Request a withdrawal', {
    movesMoney: true,
    body: withdrawals.withdrawBody,
    data: withdrawals.withdrawal,
  }),
  withdrawCheck: post('withdraw/check', 'member', 'Preview of a withdrawal', {
    lane: 'reads',
    body: withdrawals.withdrawCheckBody,
    data: withdrawals.withdrawCheckData,
  }),
  withdrawLimit: get('withdraw/limit', 'member', "Today's limit", { data: withdrawals.withdrawLimitData }),
  withdrawals: get('withdraws', 'member', 'Withdrawals, newest first', {
    query: withdrawals.withdrawListQuery,
    data: withdrawals.withdrawListData,
  }),
  withdrawal: get('withdraw/:withdraw_id', 'member', 'One withdrawal', {
    params: withdrawals.withdrawParams,
    data: withdrawals.withdrawal,
  }),
  claim: get('withdraw/claim/:id', 'member', 'Raw claim with the signed voucher', {
    lane: 'writes',
    params: withdrawals.claimParams,
    data: withdrawals.claimData,
  }),
  cancelWithdrawal: post('withdraw/cancel/:id', 'member', 'Cancel a withdrawal', {
    movesMoney: true,
    params: withdrawals.claimParams,
    data: withdrawals.withdrawal,
  }),
} satisfies Routes
