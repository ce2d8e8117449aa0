import * as admin from '../admin.ts'
import * as deposits from '../admin-deposits.ts'
import * as fund from '../admin-fund.ts'
import * as log from '../admin-log.ts'
import * as operations from '../admin-operations.ts'
import * as orders from '../admin-orders.ts'
import * as proposals from '../admin-proposals.ts'
import { get, post, type Routes } from '../route.ts'

/** The calls of the operator's pages, `admin/...`: `access` is the role that each is for. */
export const adminRoutes = {
  adminMe: get({
    path: 'admin/me',
    access: 'viewer',
    summary: 'The own role',
    data: admin.adminMe,
  }),
  adminRoles: get({
    path: 'admin/roles',
    access: 'viewer',
    summary: 'All admins and their roles',
    data: admin.adminRoles,
  }),
  proposals: get({
    path: 'admin/proposals',
    access: 'viewer',
    summary: 'What was prepared, and what became of it; newest first',
    query: proposals.proposalsQuery,
    data: proposals.proposalsData,
  }),
  proposal: get({
    path: 'admin/proposals/:proposal_id',
    access: 'viewer',
    summary: 'One proposal with its difference and effect',
    params: proposals.proposalParams,
    data: proposals.proposal,
  }),
  previewProposal: post({
    path: 'admin/proposals/preview',
    access: 'operator',
    bodyLimit: proposals.PROPOSAL_BYTES,
    summary: 'What a proposal would change; nothing is stored',
    body: proposals.prepareBody,
    data: proposals.previewData,
  }),
  prepareProposal: post({
    path: 'admin/proposals',
    access: 'operator',
    bodyLimit: proposals.PROPOSAL_BYTES,
    movesMoney: true,
    summary: 'Prepare a proposal for somebody else to decide on',
    body: proposals.prepareBody,
    data: proposals.proposal,
  }),
  withdrawProposal: post({
    path: 'admin/proposals/:proposal_id/withdraw',
    access: 'operator',
    movesMoney: true,
    summary: 'Take the own proposal back',
    params: proposals.proposalParams,
    data: proposals.proposal,
  }),
  decisionStatement: post({
    path: 'admin/proposals/:proposal_id/statement',
    access: 'approver',
    summary: 'What goes into the statement to sign for a decision',
    params: proposals.proposalParams,
    body: proposals.statementBody,
    data: proposals.statementData,
  }),
  decideProposal: post({
    path: 'admin/proposals/:proposal_id/decide',
    access: 'approver',
    movesMoney: true,
    summary: 'Approve or refuse with the signed statement',
    params: proposals.proposalParams,
    body: proposals.decideBody,
    data: proposals.proposal,
  }),
  auditQueue: get({
    path: 'admin/withdrawals',
    access: 'viewer',
    summary: 'Withdrawals under audit, oldest first, with what makes them risky',
    query: operations.auditQueueQuery,
    data: operations.auditQueueData,
  }),
  orderAudit: get({
    path: 'admin/orders',
    access: 'viewer',
    summary: 'Orders that are stuck, redemptions that wait and payments in suspense, oldest first',
    data: orders.orderAuditData,
  }),
  memberHold: get({
    path: 'admin/members/:member_id/hold',
    access: 'viewer',
    summary: 'Whether a member is frozen or held for review',
    params: operations.memberParams,
    data: operations.memberHold,
  }),
  freezeMember: post({
    path: 'admin/members/:member_id/freeze',
    access: 'operator',
    summary: 'Freeze a member at once',
    params: operations.memberParams,
    body: operations.reasonBody,
    data: operations.memberHold,
  }),
  flagMember: post({
    path: 'admin/members/:member_id/flag',
    access: 'operator',
    summary: 'Hold every withdrawal of a member for review',
    params: operations.memberParams,
    body: operations.reasonBody,
    data: operations.memberHold,
  }),
  emergency: get({
    path: 'admin/emergency',
    access: 'viewer',
    summary: 'What is stopped, here and on chain',
    data: operations.emergencyData,
  }),
  adminFundProducts: get({
    path: 'admin/fund/products',
    access: 'viewer',
    summary: 'Fund products with their net values, what backs them and what is proposed',
    data: fund.fundProductsOperated,
  }),
  revenueDeposits: get({
    path: 'admin/deposits',
    access: 'viewer',
    summary: 'Revenue that came in on chain, newest first, and which pool it entered',
    query: deposits.revenueDepositsQuery,
    data: deposits.revenueDepositsData,
  }),
  adminLog: get({
    path: 'admin/log',
    access: 'viewer',
    summary: 'What admins did, newest first',
    query: log.adminLogQuery,
    data: log.adminLogData,
  }),
  adminLogCheck: get({
    path: 'admin/log/check',
    access: 'viewer',
    summary: 'Whether the chain of the log is whole, some thousand entries at a time',
    query: log.adminLogCheckQuery,
    data: log.adminLogCheck,
  }),
} satisfies Routes
