import * as plans from '../plans.ts'
import { get, type Routes } from '../route.ts'

export const plansRoutes = {
  plan: get('plan', 'public', 'The plan in force today', { data: plans.planData }),
} satisfies Routes
