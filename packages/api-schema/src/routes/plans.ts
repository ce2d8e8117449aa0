import * as plans from '../plans.ts'
import { get, type Routes } from '../route.ts'

export const plansRoutes = {
  plan: get('plan', 'public', 'Every figure of the rules in force today', { data: plans.planData }),
} satisfies Routes
