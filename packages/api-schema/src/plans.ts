import { z } from 'zod'
import { day, id } from './primitives.ts'

/** A version of the plan with all figures of the rules. */
export const planData = z.object({
  version: id,
  effective_day: day,
  /** In the JSON form of `parsePlan` of `@rif/rules`. */
  figures: z.record(z.string(), z.unknown()),
})
