import type { RouteRequest } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { registerCsv } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import type { AnalyticsService } from './analytics.service.ts'
import * as csv from './csv.ts'

type Query = RouteRequest<'analyticsMembers'>['query']

/** `admin/analytics/*` and `admin/pending`. */
export function analyticsRoutes(
  app: FastifyInstance,
  { db, analytics }: { db: Db; analytics: AnalyticsService },
): void {
  const whole = <Row>(read: (query: Query) => Promise<{ readonly days: readonly Row[] }>) => {
    return async (_session: unknown, query: Query) => ({ items: (await read(query)).days, next: null })
  }
  const members = (query: Query) => analytics.members(db, analytics.range(query))
  const sales = (query: Query) => analytics.sales(db, analytics.range(query))
  const rewards = (query: Query) => analytics.rewards(db, analytics.range(query))
  const pools = (query: Query) => analytics.pools(db, analytics.range(query))
  const liabilities = (query: Query) => analytics.liabilities(db, analytics.range(query))
  const withdrawals = (query: Query) => analytics.withdrawals(db, analytics.range(query))
  const fund = (query: Query) => analytics.fund(db, analytics.range(query))
  const funnel = (query: Query) => analytics.funnel(db, analytics.range(query))

  register(app, 'adminPending', () => analytics.pending(db))
  register(app, 'analyticsHoldings', () => analytics.holdings(db))
  register(app, 'analyticsMembers', ({ query }) => members(query))
  register(app, 'analyticsSales', ({ query }) => sales(query))
  register(app, 'analyticsRewards', ({ query }) => rewards(query))
  register(app, 'analyticsPools', ({ query }) => pools(query))
  register(app, 'analyticsLiabilities', ({ query }) => liabilities(query))
  register(app, 'analyticsWithdrawals', ({ query }) => withdrawals(query))
  register(app, 'analyticsFund', ({ query }) => fund(query))
  register(app, 'analyticsFunnel', ({ query }) => funnel(query))
  registerCsv(app, 'analyticsMembers', csv.MEMBERS_COLUMNS, whole(members))
  registerCsv(app, 'analyticsSales', csv.SALES_COLUMNS, whole(sales))
  registerCsv(app, 'analyticsRewards', csv.REWARDS_COLUMNS, whole(rewards))
  registerCsv(app, 'analyticsPools', csv.POOLS_COLUMNS, whole(pools))
  registerCsv(app, 'analyticsLiabilities', csv.LIABILITIES_COLUMNS, whole(liabilities))
  registerCsv(app, 'analyticsWithdrawals', csv.WITHDRAWALS_COLUMNS, whole(withdrawals))
  registerCsv(app, 'analyticsFund', csv.FUND_COLUMNS, whole(fund))
  registerCsv(app, 'analyticsFunnel', csv.FUNNEL_COLUMNS, whole(funnel))
}
