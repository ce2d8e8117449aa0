import { z } from 'zod'
import { day, id, shownText } from './primitives.ts'

const figureText = shownText(200, { min: 0 })
/** Any JSON whose texts can be shown; `parsePlan` of `@rif/rules` checks the rest. */
const figure: z.ZodType<unknown> = z.union([
  z.number(),
  z.boolean(),
  z.null(),
  figureText,
  z.array(z.lazy(() => figure)),
  z.record(
    figureText,
    z.lazy(() => figure),
  ),
])
/** The figures of a plan in the JSON form of `parsePlan`, as a request gives them. */
export const planFigures = z.record(figureText, figure)

/** A version of the plan with all figures of the rules. */
export const planData = z.object({
  version: id,
  effective_day: day,
  /** In the JSON form of `parsePlan` of `@rif/rules`. */
  figures: z.record(z.string(), z.unknown()),
})
