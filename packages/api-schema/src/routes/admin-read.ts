import * as plans from '../admin-plan.ts'
import * as search from '../admin-search.ts'
import * as analytics from '../analytics.ts'
import { rewardDetail } from '../rewards.ts'
import { get, post, type Routes } from '../route.ts'
import * as settlement from '../settlement.ts'

const query = analytics.analyticsQuery
const params = search.adminMemberParams

/**
 * The routes with which admins read figures, tasks, members and settled days. The only routes among them that
 * write are notes, dry runs, comparisons and repeated settlements.
 */
export const adminReadRoutes = {
  adminPending: get('admin/pending', 'viewer', 'Tasks for admins and stopped processes', {
    data: analytics.adminPendingData,
  }),
  analyticsMembers: get('admin/analytics/members', 'viewer', 'Members by day and level', {
    query,
    data: analytics.analyticsMembersData,
  }),
  analyticsSales: get('admin/analytics/sales', 'viewer', 'Orders by day and package', {
    query,
    data: analytics.analyticsSalesData,
  }),
  analyticsRewards: get(
    'admin/analytics/rewards',
    'viewer',
    'Rewards by day and class: due, paid and coverage',
    { query, data: analytics.analyticsRewardsData },
  ),
  analyticsPools: get('admin/analytics/pools', 'viewer', 'Movements of the pools and the operator accounts', {
    query,
    data: analytics.analyticsPoolsData,
  }),
  analyticsLiabilities: get(
    'admin/analytics/liabilities',
    'viewer',
    'Balances of members by day and account',
    { query, data: analytics.analyticsLiabilitiesData },
  ),
  analyticsHoldings: get(
    'admin/analytics/holdings',
    'viewer',
    'Current holdings and liabilities of the operator',
    { data: analytics.analyticsHoldingsData },
  ),
  analyticsWithdrawals: get(
    'admin/analytics/withdrawals',
    'viewer',
    'Withdrawals requested, paid and returned by day',
    { query, data: analytics.analyticsWithdrawalsData },
  ),
  analyticsFund: get('admin/analytics/fund', 'viewer', 'Fund products, purchases and redemptions by day', {
    query,
    data: analytics.analyticsFundData,
  }),
  analyticsFunnel: get(
    'admin/analytics/funnel',
    'viewer',
    'Number of visitors, new members, orders and payments',
    {
      query,
      data: analytics.analyticsFunnelData,
    },
  ),
  adminSearch: get('admin/search', 'viewer', 'Search for members, orders and transactions', {
    query: search.adminSearchQuery,
    data: search.adminSearchData,
  }),
  adminMembers: get('admin/members', 'viewer', 'All members', {
    query: search.adminMembersQuery,
    data: search.adminMembersData,
  }),
  adminMember: get('admin/members/:member_id', 'viewer', 'A member', {
    params,
    data: search.adminMember,
  }),
  adminMemberLedger: get('admin/members/:member_id/ledger', 'viewer', 'Transactions of a member', {
    params,
    query: search.adminLedgerQuery,
    data: search.adminLedgerData,
  }),
  adminMemberOrders: get('admin/members/:member_id/orders', 'viewer', "A member's orders", {
    params,
    query: search.adminOrdersQuery,
    data: search.adminOrdersData,
  }),
  adminMemberFundOrders: get('admin/members/:member_id/fund-orders', 'viewer', "A member's fund purchases", {
    params,
    query: search.adminFundOrdersQuery,
    data: search.adminFundOrdersData,
  }),
  adminMemberRewards: get('admin/members/:member_id/rewards', 'viewer', "A member's rewards", {
    params,
    query: search.adminRewardsQuery,
    data: search.adminRewardsData,
  }),
  adminMemberReward: get(
    'admin/members/:member_id/rewards/:reward_id',
    'viewer',
    "A member's reward with all inputs of its calculation",
    { params: search.adminRewardParams, data: rewardDetail },
  ),
  adminMemberWithdrawals: get('admin/members/:member_id/withdrawals', 'viewer', "A member's withdrawals", {
    params,
    query: search.adminWithdrawalsQuery,
    data: search.adminWithdrawalsData,
  }),
  adminMemberSessions: get('admin/members/:member_id/sessions', 'viewer', "A member's sign-ins", {
    params,
    query: search.adminSessionsQuery,
    data: search.adminSessionsData,
  }),
  adminMemberNotes: get('admin/members/:member_id/notes', 'viewer', 'Notes on a member', {
    params,
    query: search.adminNotesQuery,
    data: search.adminNotesData,
  }),
  addMemberNote: post('admin/members/:member_id/notes', 'operator', 'Add a permanent note on a member', {
    params,
    body: search.adminNoteBody,
    data: search.adminNote,
  }),
  settlementDays: get('admin/settlement/days', 'viewer', 'Days and their settlements, newest first', {
    query: settlement.settlementDaysQuery,
    data: settlement.settlementDaysData,
  }),
  settlementDay: get('admin/settlement/days/:day', 'viewer', 'A day with its batches', {
    params: settlement.settlementDayParams,
    data: settlement.settlementDayDetail,
  }),
  dryRun: get('admin/settlement/dry-run', 'viewer', 'The last dry run of a settlement', {
    data: settlement.dryRunData,
  }),
  startDryRun: post(
    'admin/settlement/dry-run',
    'operator',
    'Calculate the next settlement without posting it',
    { data: settlement.dryRunData },
  ),
  settlementRerun: get('admin/settlement/rerun', 'viewer', 'The last settlement requested after an alarm', {
    data: settlement.settlementRerunData,
  }),
  startSettlementRerun: post(
    'admin/settlement/days/:day/rerun',
    'operator',
    'Settle a day with an alarm again',
    { params: settlement.settlementDayParams, data: settlement.settlementRerunData },
  ),
  adminPlan: get('admin/plan', 'viewer', 'All versions of the plan and the one in force', {
    data: plans.adminPlanData,
  }),
  planComparison: get(
    'admin/plan/comparison',
    'viewer',
    'The last comparison of a plan with those in force; each request keeps a running one alive',
    { data: plans.planComparisonData },
  ),
  comparePlans: post(
    'admin/plan/comparison',
    'operator',
    'Recalculate settled days under another plan without posting anything',
    { body: plans.comparePlansBody, data: plans.planComparisonData },
  ),
  cancelPlanComparison: post('admin/plan/comparison/cancel', 'operator', 'Cancel the running comparison', {
    data: plans.planComparisonData,
  }),
} satisfies Routes
