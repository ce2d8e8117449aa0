import * as admin from '../admin.ts'
import * as departures from '../admin-departures.ts'
import * as deposits from '../admin-deposits.ts'
import * as desk from '../admin-desk.ts'
import * as fund from '../admin-fund.ts'
import * as log from '../admin-log.ts'
import * as operations from '../admin-operations.ts'
import * as orders from '../admin-orders.ts'
import * as proposals from '../admin-proposals.ts'
import { fundProductParams } from '../fund.ts'
import { fundDesk } from '../fund-assets.ts'
import { get, post, type Routes } from '../route.ts'

/** The routes of the admin pages, `admin/...`. */
export const adminRoutes = {
  adminMe: get('admin/me', 'viewer', 'The role of the caller', { data: admin.adminMe }),
  deskToday: get('admin/today', 'viewer', 'The tasks that wait for the caller and for other admins', {
    data: desk.deskToday,
  }),
  adminRoles: get('admin/roles', 'viewer', 'All admins and their roles', { data: admin.adminRoles }),
  proposals: get('admin/proposals', 'viewer', 'Proposals and their results, newest first', {
    query: proposals.proposalsQuery,
    data: proposals.proposalsData,
  }),
  proposal: get('admin/proposals/:proposal_id', 'viewer', 'A proposal with its difference and effects', {
    params: proposals.proposalParams,
    data: proposals.proposal,
  }),
  proposalBriefing: get(
    'admin/proposals/:proposal_id/briefing',
    'viewer',
    'The risks, the history of the member and the bank contract behind a proposal',
    { params: proposals.proposalParams, data: proposals.proposalBriefing },
  ),
  previewProposal: post('admin/proposals/preview', 'operator', 'Preview a proposal without storing it', {
    lane: 'locks',
    bodyLimit: proposals.PROPOSAL_BYTES,
    body: proposals.prepareBody,
    data: proposals.previewData,
  }),
  prepareProposal: post('admin/proposals', 'operator', 'Prepare a proposal for another admin to decide on', {
    lane: 'locks',
    bodyLimit: proposals.PROPOSAL_BYTES,
    movesMoney: true,
    body: proposals.prepareBody,
    data: proposals.proposal,
  }),
  withdrawProposal: post(
    'admin/proposals/:proposal_id/withdraw',
    'operator',
    'Withdraw a proposal of the caller',
    {
      movesMoney: true,
      params: proposals.proposalParams,
      data: proposals.proposal,
    },
  ),
  decisionStatement: post(
    'admin/proposals/:proposal_id/statement',
    'approver',
    'The values of the statement to sign for a decision',
    { params: proposals.proposalParams, body: proposals.statementBody, data: proposals.statementData },
  ),
  decideProposal: post(
    'admin/proposals/:proposal_id/decide',
    'approver',
    'Approve or refuse with the signed statement',
    {
      lane: 'locks',
      movesMoney: true,
      params: proposals.proposalParams,
      body: proposals.decideBody,
      data: proposals.proposal,
    },
  ),
  auditQueue: get(
    'admin/withdrawals',
    'viewer',
    'Withdrawals and transfers by state, risk, amount, day and member, with their risks',
    {
      query: departures.auditQueueQuery,
      data: departures.auditQueueData,
    },
  ),
  orderAudit: get(
    'admin/orders',
    'viewer',
    'Stuck orders, waiting redemptions and payments in suspense, oldest first',
    { query: orders.orderAuditQuery, data: orders.orderAuditData },
  ),
  memberHold: get('admin/members/:member_id/hold', 'viewer', 'The holds on a member', {
    params: operations.memberParams,
    data: operations.memberHold,
  }),
  freezeMember: post('admin/members/:member_id/freeze', 'operator', 'Freeze a member at once', {
    params: operations.memberParams,
    body: operations.reasonBody,
    data: operations.memberHold,
  }),
  flagMember: post('admin/members/:member_id/flag', 'operator', 'Audit every withdrawal of a member', {
    params: operations.memberParams,
    body: operations.reasonBody,
    data: operations.memberHold,
  }),
  emergency: get('admin/emergency', 'viewer', 'Paused areas, in the product and on chain', {
    data: operations.emergencyData,
  }),
  reorganisation: get('admin/reorganisation', 'viewer', 'Undone events, debts and a found recovery', {
    data: operations.reorganisationData,
  }),
  announceBankCall: post(
    'admin/emergency/calls',
    'approver',
    "Announce a call of the bank contract before the admin's wallet sends it",
    { body: operations.bankCallBody, data: operations.announcedCall },
  ),
  adminFundProducts: get(
    'admin/fund/products',
    'viewer',
    'Fund products with their net values, assets and open proposals',
    { data: fund.fundProductsOperated },
  ),
  adminFundDesk: get(
    'admin/fund/products/:product_id/desk',
    'viewer',
    "A fund product's cash, investments, valuations and queue of redemptions",
    { params: fundProductParams, data: fundDesk },
  ),
  revenueDeposits: get(
    'admin/deposits',
    'viewer',
    'Revenue deposits on chain and their pools, newest first',
    { query: deposits.revenueDepositsQuery, data: deposits.revenueDepositsData },
  ),
  adminLog: get('admin/log', 'viewer', 'Actions of admins, newest first', {
    query: log.adminLogQuery,
    data: log.adminLogData,
  }),
  adminLogCheck: get(
    'admin/log/check',
    'viewer',
    'Check the hash chain of the log, some thousand entries at a time',
    { query: log.adminLogCheckQuery, data: log.adminLogCheck },
  ),
} satisfies Routes
