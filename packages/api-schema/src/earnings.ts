import { z } from 'zod'
import { day, ppm, time } from './primitives.ts'

const count = z.number().int().min(0)

/** The shares that members got back of their payments, to the end of a settled day. Rules, section 5.6. */
export const earningsFigures = z.object({
  /** The members with a paid package, those who got nothing among them. */
  members: count,
  without_package: count,
  /** The day of the first package ever; null without one. */
  since: day.nullable(),
  /** The fewest members of whom a figure is published. */
  fewest: count,
  levels: z.array(
    z.object({
      /** The level of the first package. */
      level: z.number().int(),
      members: count,
      /** The members who got back what they paid; null where that would be said of too few. */
      whole: count.nullable(),
      ages: z.array(
        z.object({
          /** Days from the first package on. */
          days: count,
          /** The members who reached this age. */
          members: count,
          /** The share that came back, in ppm of what was paid; null for fewer members than `fewest`. */
          median_ppm: ppm.nullable(),
        }),
      ),
    }),
  ),
  /** Null for fewer members than `fewest`. */
  all: z
    .object({
      whole: count,
      /** Those of them who got more than half of it from orders of others. */
      whole_by_commission: count,
      without_commission: count,
      /** The members by what came back in ppm of what was paid; a part ends where the next begins. */
      spread: z.array(z.object({ from_ppm: ppm, members: count })),
    })
    .nullable(),
})

export const earningsData = z.object({
  /** Null before the first day is settled. */
  published: z.object({ day, computed_at: time, figures: earningsFigures }).nullable(),
})

export type EarningsFigures = z.infer<typeof earningsFigures>
export type EarningsData = z.infer<typeof earningsData>
