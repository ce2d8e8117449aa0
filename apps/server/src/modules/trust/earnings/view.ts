import type { EarningsFigures } from '@rif/api-schema'
import { type Earnings, FEWEST_MEMBERS, SPREAD_FROM_PPM } from '@rif/rules'

/** Returns figures as they are published; `memberCount` is the number of members with and without a package. */
export function earningsView(
  { members, since, levels, all }: Earnings,
  memberCount: number,
): EarningsFigures {
  return {
    members,
    without_package: memberCount - members,
    since,
    fewest: FEWEST_MEMBERS,
    levels: levels.map(({ ages, ...level }) => ({
      ...level,
      ages: ages.map(({ age, medianPpm, ...figure }) => ({ days: age, ...figure, median_ppm: medianPpm })),
    })),
    all: all && {
      whole: all.whole,
      whole_by_commission: all.wholeByCommission,
      without_commission: all.withoutCommission,
      spread: all.spread.map((count, part) => ({ from_ppm: SPREAD_FROM_PPM[part]!, members: count })),
    },
  }
}
