import type { RouteData } from '@rif/api-schema'
import { type Plan, parsePlan } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './queries.ts'

const PLAN_FRESH_MS = 5 * 60_000

function planOf({ figures }: RouteData<'plan'>): Plan {
  const parsed = parsePlan(figures)
  if (!parsed.ok) throw new Error('the plan in force cannot be read')
  return parsed.plan
}

/** The plan in force, with every figure of the rules, for screens that explain them. */
export const usePlan = () => useQuery({ ...apiQuery('plan'), staleTime: PLAN_FRESH_MS, select: planOf })
