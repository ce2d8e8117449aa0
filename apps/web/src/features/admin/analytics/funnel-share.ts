/**
 * Returns a step of the funnel as a share of the step before it, in parts per million; null where it is no part
 * of it: the steps of some days are taken by different people, so more may pay than sign up.
 */
export const shareOfBefore = (count: number, before: number): number | null =>
  before === 0 || count > before ? null : Math.floor((count * 1_000_000) / before)
