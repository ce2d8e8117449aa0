import type { AdminRouteName, routes } from '@rif/api-schema'
import { type ApiRoute, addRoutes, type Facts } from './api-routes.ts'

/** As `apiRoutes`, for the operator's side: loaded with its pages, so that members do not load it. */
const adminRoutes: { readonly [N in AdminRouteName]: Facts<(typeof routes)[N]> & ApiRoute } = {
  adminMe: { method: 'GET', path: 'admin/me' },
  adminRoles: { method: 'GET', path: 'admin/roles' },
  adminPending: { method: 'GET', path: 'admin/pending' },
  analyticsMembers: { method: 'GET', path: 'admin/analytics/members' },
  analyticsSales: { method: 'GET', path: 'admin/analytics/sales' },
  analyticsRewards: { method: 'GET', path: 'admin/analytics/rewards' },
  analyticsPools: { method: 'GET', path: 'admin/analytics/pools' },
  analyticsLiabilities: { method: 'GET', path: 'admin/analytics/liabilities' },
  analyticsHoldings: { method: 'GET', path: 'admin/analytics/holdings' },
  analyticsWithdrawals: { method: 'GET', path: 'admin/analytics/withdrawals' },
  analyticsFund: { method: 'GET', path: 'admin/analytics/fund' },
  analyticsFunnel: { method: 'GET', path: 'admin/analytics/funnel' },
  adminSearch: { method: 'GET', path: 'admin/search' },
  adminMember: { method: 'GET', path: 'admin/members/:member_id' },
  adminMemberLedger: { method: 'GET', path: 'admin/members/:member_id/ledger' },
  adminMemberOrders: { method: 'GET', path: 'admin/members/:member_id/orders' },
  adminMemberFundOrders: { method: 'GET', path: 'admin/members/:member_id/fund-orders' },
  adminMemberRewards: { method: 'GET', path: 'admin/members/:member_id/rewards' },
  adminMemberWithdrawals: { method: 'GET', path: 'admin/members/:member_id/withdrawals' },
  adminMemberSessions: { method: 'GET', path: 'admin/members/:member_id/sessions' },
  adminMemberNotes: { method: 'GET', path: 'admin/members/:member_id/notes' },
  addMemberNote: { method: 'POST', path: 'admin/members/:member_id/notes' },
  settlementDays: { method: 'GET', path: 'admin/settlement/days' },
  settlementDay: { method: 'GET', path: 'admin/settlement/days/:day' },
  dryRun: { method: 'GET', path: 'admin/settlement/dry-run' },
  startDryRun: { method: 'POST', path: 'admin/settlement/dry-run' },
}

addRoutes(adminRoutes)
