import { z } from 'zod'
import { day, ppm, time } from './primitives.ts'

const count = z.number().int().min(0)

/**
 * The share of their payments that members have earned back, up to the end of a settled day. Rules, section
 * 5.6.
 */
export const earningsFigures = z.object({
  /** The members with a paid package, including those who received nothing. */
  members: count,
  without_package: count,
  /** The day of the first package ever; null without one. */
  since: day.nullable(),
  /** The minimum number of members for which a figure is published. */
  fewest: count,
  levels: z.array(
    z.object({
      /** The level of the first package. */
      level: z.number().int(),
      members: count,
      /**
       * The members who earned back their payments; null where the number would reveal too much about too few
       * members.
       */
      whole: count.nullable(),
      ages: z.array(
        z.object({
          /** Days since the first package. */
          days: count,
          /** The members who reached this age. */
          members: count,
          /** The share that was earned back, in ppm of the payments; null for fewer members than `fewest`. */
          median_ppm: ppm.nullable(),
        }),
      ),
    }),
  ),
  /** Null for fewer members than `fewest`. */
  all: z
    .object({
      whole: count,
      /** Members of these who received more than half of it from orders of other members. */
      whole_by_commission: count,
      without_commission: count,
      /** The members by earned share, in ppm of their payments; a range ends where the next begins. */
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
