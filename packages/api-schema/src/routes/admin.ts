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
  adminMe: get('admin/me', 'viewer', 'The own role', { data: admin.adminMe }),
  adminRoles: get('admin/roles', 'viewer', 'All admins and their roles', { data: admin.adminRoles }),
  proposals: get('admin/proposals', 'viewer', 'What was prepared, and what became of it; newest first', {
    query: proposals.proposalsQuery,
    data: proposals.proposalsData,
  }),
  proposal: get('admin/proposals/:proposal_id', 'viewer', 'One proposal with its difference and effect', {
    params: proposals.proposalParams,
    data: proposals.proposal,
  }),
  previewProposal: post(
    'admin/proposals/preview',
    'operator',
    'What a proposal would change; nothing is stored',
    { bodyLimit: proposals.PROPOSAL_BYTES, body: proposals.prepareBody, data: proposals.previewData },
  ),
  prepareProposal: post('admin/proposals', 'operator', 'Prepare a proposal for somebody else to decide on', {
    bodyLimit: proposals.PROPOSAL_BYTES,
    movesMoney: true,
    body: proposals.prepareBody,
    data: proposals.proposal,
  }),
  withdrawProposal: post('admin/proposals/:proposal_id/withdraw', 'operator', 'Take the own proposal back', {
    movesMoney: true,
    params: proposals.proposalParams,
    data: proposals.proposal,
  }),
  decisionStatement: post(
    'admin/proposals/:proposal_id/statement',
    'approver',
    'What goes into the statement to sign for a decision',
    { params: proposals.proposalParams, body: proposals.statementBody, data: proposals.statementData },
  ),
  decideProposal: post(
    'admin/proposals/:proposal_id/decide',
    'approver',
    'Approve or refuse with the signed statement',
    {
      movesMoney: true,
      params: proposals.proposalParams,
      body: proposals.decideBody,
      data: proposals.proposal,
    },
  ),
  auditQueue: get(
    'admin/withdrawals',
    'viewer',
    'Withdrawals under audit, oldest first, with what makes them risky',
    { query: operations.auditQueueQuery, data: operations.auditQueueData },
  ),
  orderAudit: get(
    'admin/orders',
    'viewer',
    'Orders that are stuck, redemptions that wait and payments in suspense, oldest first',
    { data: orders.orderAuditData },
  ),
  memberHold: get(
    'admin/members/:member_id/hold',
    'viewer',
    'Whether a member is frozen or held for review',
    { params: operations.memberParams, data: operations.memberHold },
  ),
  freezeMember: post('admin/members/:member_id/freeze', 'operator', 'Freeze a member at once', {
    params: operations.memberParams,
    body: operations.reasonBody,
    data: operations.memberHold,
  }),
  flagMember: post(
    'admin/members/:member_id/flag',
    'operator',
    'Hold every withdrawal of a member for review',
    { params: operations.memberParams, body: operations.reasonBody, data: operations.memberHold },
  ),
  emergency: get('admin/emergency', 'viewer', 'What is stopped, here and on chain', {
    data: operations.emergencyData,
  }),
  adminFundProducts: get(
    'admin/fund/products',
    'viewer',
    'Fund products with their net values, what backs them and what is proposed',
    { data: fund.fundProductsOperated },
  ),
  revenueDeposits: get(
    'admin/deposits',
    'viewer',
    'Revenue that came in on chain, newest first, and which pool it entered',
    { query: deposits.revenueDepositsQuery, data: deposits.revenueDepositsData },
  ),
  adminLog: get('admin/log', 'viewer', 'What admins did, newest first', {
    query: log.adminLogQuery,
    data: log.adminLogData,
  }),
  adminLogCheck: get(
    'admin/log/check',
    'viewer',
    'Whether the chain of the log is whole, some thousand entries at a time',
    { query: log.adminLogCheckQuery, data: log.adminLogCheck },
  ),
} satisfies Routes
