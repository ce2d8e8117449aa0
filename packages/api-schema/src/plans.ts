import { z } from 'zod'
import { day, id } from './primitives.ts'

/** A version of the plan: every figure of the rules, for screens that explain them. */
export const planData = z.object({
  version: id,
  effective_day: day,
  /** In the form that `parsePlan` of `@rif/rules` reads. */
  figures: z.record(z.string(), z.unknown()),
})
