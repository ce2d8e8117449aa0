import { type Plan, parsePlan } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './queries.ts'

const PLAN_FRESH_MS = 5 * 60_000

/** The plan in force: every figure of the rules, for screens that explain them; undefined while it loads. */
export function usePlan(): Plan | undefined {
  const { data } = useQuery({ ...apiQuery('plan'), staleTime: PLAN_FRESH_MS })
  if (data === undefined) return undefined
  const parsed = parsePlan(data.figures)
  return parsed.ok ? parsed.plan : undefined
}
