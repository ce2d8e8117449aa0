import type { z } from 'zod'
import type { Routes } from './route.ts'
import { activityRoutes } from './routes/activity.ts'
import { adminRoutes } from './routes/admin.ts'
import { adminReadRoutes } from './routes/admin-read.ts'
import { announcementsAdminRoutes, announcementsRoutes } from './routes/announcements.ts'
import { authRoutes } from './routes/auth.ts'
import { earningsRoutes } from './routes/earnings.ts'
import { exchangeRoutes } from './routes/exchange.ts'
import { fundRoutes } from './routes/fund.ts'
import { hashPowerRoutes } from './routes/hash-power.ts'
import { localWalletRoutes } from './routes/local-wallet.ts'
import { membersRoutes } from './routes/members.ts'
import { moneyPolicyRoutes } from './routes/money-policy.ts'
import { noticesRoutes } from './routes/notices.ts'
import { personRoutes } from './routes/person.ts'
import { plansRoutes } from './routes/plans.ts'
import { portfolioRoutes } from './routes/portfolio.ts'
import { pricingAdminRoutes, pricingRoutes } from './routes/pricing.ts'
import { reachRoutes } from './routes/reach.ts'
import { rewardsRoutes } from './routes/rewards.ts'
import { savingsRoutes } from './routes/savings.ts'
import { sharesRoutes } from './routes/shares.ts'
import { shopRoutes } from './routes/shop.ts'
import { solvencyAdminRoutes, solvencyRoutes } from './routes/solvency.ts'
import { statementsAdminRoutes, statementsRoutes } from './routes/statements.ts'
import { systemRoutes } from './routes/system.ts'
import { transactionsRoutes } from './routes/transactions.ts'
import { transfersRoutes } from './routes/transfers.ts'
import { treasuryRoutes } from './routes/treasury.ts'
import { webhooksRoutes } from './routes/webhooks.ts'
import { withdrawalsRoutes } from './routes/withdrawals.ts'

export const API_PREFIX = '/api/v1/'

/** All routes; those of each capability are in `routes/`. */
export const routes = {
  ...systemRoutes,
  ...moneyPolicyRoutes,
  ...earningsRoutes,
  ...solvencyRoutes,
  ...authRoutes,
  ...plansRoutes,
  ...pricingRoutes,
  ...membersRoutes,
  ...activityRoutes,
  ...noticesRoutes,
  ...announcementsRoutes,
  ...statementsRoutes,
  ...sharesRoutes,
  ...personRoutes,
  ...portfolioRoutes,
  ...shopRoutes,
  ...rewardsRoutes,
  ...withdrawalsRoutes,
  ...savingsRoutes,
  ...transfersRoutes,
  ...hashPowerRoutes,
  ...exchangeRoutes,
  ...transactionsRoutes,
  ...fundRoutes,
  ...localWalletRoutes,
  ...adminRoutes,
  ...adminReadRoutes,
  ...pricingAdminRoutes,
  ...webhooksRoutes,
  ...announcementsAdminRoutes,
  ...reachRoutes,
  ...treasuryRoutes,
  ...solvencyAdminRoutes,
  ...statementsAdminRoutes,
} satisfies Routes

export type RouteName = keyof typeof routes
/** The names of the routes for admins. */
export type AdminRouteName =
  | keyof typeof adminRoutes
  | keyof typeof adminReadRoutes
  | keyof typeof pricingAdminRoutes
  | keyof typeof webhooksRoutes
  | keyof typeof announcementsAdminRoutes
  | keyof typeof reachRoutes
  | keyof typeof treasuryRoutes
  | keyof typeof solvencyAdminRoutes
  | keyof typeof statementsAdminRoutes

type Part<R, K extends string> = R extends Record<K, infer S extends z.ZodType> ? S : never
/** The request as the caller sends it. */
export type RouteInput<N extends RouteName> = {
  params: z.input<Part<(typeof routes)[N], 'params'>>
  query: z.input<Part<(typeof routes)[N], 'query'>>
  body: z.input<Part<(typeof routes)[N], 'body'>>
}
/** The parsed request, as the handler receives it. */
export type RouteRequest<N extends RouteName> = {
  params: z.output<Part<(typeof routes)[N], 'params'>>
  query: z.output<Part<(typeof routes)[N], 'query'>>
  body: z.output<Part<(typeof routes)[N], 'body'>>
}
export type RouteData<N extends RouteName> = z.output<(typeof routes)[N]['data']>
