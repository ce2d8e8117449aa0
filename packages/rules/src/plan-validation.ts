import { MAX_MICROS, type Micros, mul, ONE_PPM, type Ppm } from './money.ts'
import { type Plan, TOP_LEVEL, topOrganisationPpm } from './plan.ts'
import { type PlanProblem, type PlanRefusal, problem, refusePlan } from './plan-problems.ts'

/** Longer delays are no transfers, and their times could leave the range of a date. */
const LONGEST_DELAY_DAYS = 366
const DAY_MS = 86_400_000
/** More approvers could hardly ever be found. */
const MOST_APPROVERS = 5
/** M1 to M5. */
const MOST_RANKS = 5

/** Returns the highest referral and organisation rewards of a sale together, as a share of its base. Rules, sections 5.1 and 5.2. */
function commissionsAtSale(plan: Plan): Ppm {
  return Math.max(...plan.packages.map((terms) => terms.referralPpm)) + topOrganisationPpm(plan)
}

/**
 * Checks that the figures of a plan are in range and consistent. Above all, the commissions of an order must never exceed the
 * share of the same sale that funds them. Rules, sections 2 ("pay as funded"), 4 to 7 and 9.
 */
export function validatePlan(plan: Plan): { readonly ok: true } | PlanRefusal {
  const problems = [
    ...packageProblems(plan),
    ...orderProblems(plan),
    ...rewardProblems(plan),
    ...managementProblems(plan),
    ...withdrawalProblems(plan),
    ...savingsProblems(plan),
    ...transferProblems(plan),
    ...leavingProblems(plan),
    ...fundProblems(plan),
  ]
  return problems.length === 0 ? { ok: true } : refusePlan(problems)
}

/** Returns a list with the problem unless the condition holds. */
function unless(isValid: boolean, ...args: Parameters<typeof problem>): PlanProblem[] {
  return isValid ? [] : [problem(...args)]
}

function packageProblems({ packages, reward }: Plan): PlanProblem[] {
  const names = new Set(packages.map((terms) => terms.name))
  const largestPpm = Math.max(ONE_PPM, reward.staticCapPpm)
  return [
    ...unless(packages.length === TOP_LEVEL, 'packages', 'packages_count', { count: TOP_LEVEL }),
    ...unless(names.size === packages.length, 'packages', 'names_repeat'),
    ...packages.flatMap((terms, index) => {
      const at = `packages[${index}]`
      const level = index + 1
      const lowerPrice = packages[index - 1]?.priceMicros ?? 0n
      return [
        ...unless(terms.name.trim() !== '', `${at}.name`, 'empty'),
        ...unless(terms.level === level, `${at}.level`, 'level', { level }),
        ...unless(terms.priceMicros > lowerPrice, `${at}.price`, 'price_rising'),
        ...unless(mul(terms.priceMicros, largestPpm) <= MAX_MICROS, `${at}.price`, 'too_large'),
        ...unless(isCount(terms.copies), `${at}.copies`, 'count'),
        ...unless(isRate(terms.referralPpm), `${at}.referralPpm`, 'rate'),
        ...unless(isRate(terms.organisationPpm), `${at}.organisationPpm`, 'rate'),
        ...unless(isRate(terms.staticPpm), `${at}.staticPpm`, 'rate'),
        ...unless(isRate(terms.pairingPpm), `${at}.pairingPpm`, 'rate'),
        ...unless(isLimit(terms.pairingDayCapMicros), `${at}.pairingDayCap`, 'range'),
      ]
    }),
  ]
}

function orderProblems(plan: Plan): PlanProblem[] {
  const { hashRatePpm, usdtSharePpm, quoteValidityMs, commissionSharePpm } = plan.order
  const missing = commissionsAtSale(plan) - commissionSharePpm
  return [
    ...unless(isRateBelowWhole(hashRatePpm), 'order.hashRatePpm', 'below_whole'),
    ...unless(isRate(usdtSharePpm), 'order.usdtSharePpm', 'rate'),
    ...unless(isCount(quoteValidityMs), 'order.quoteValidityMs', 'count'),
    ...unless(isRate(commissionSharePpm), 'order.commissionSharePpm', 'rate'),
    ...unless(missing <= 0, 'order.commissionSharePpm', 'pool_share', { missing }),
  ]
}

function rewardProblems({ reward }: Plan): PlanProblem[] {
  return [
    ...unless(isRate(reward.usdtSharePpm), 'reward.usdtSharePpm', 'rate'),
    ...unless(isCount(reward.releaseParts), 'reward.releaseParts', 'count'),
    ...unless(isCount(reward.staticCapPpm), 'reward.staticCapPpm', 'count'),
  ]
}

function managementProblems({ management: { generationPpm, ranks } }: Plan): PlanProblem[] {
  return [
    ...generationPpm.flatMap((rate, index) =>
      unless(isRate(rate), `management.generationPpm[${index}]`, 'rate'),
    ),
    ...unless(ranks.length <= MOST_RANKS, 'management.ranks', 'ranks_count', { count: MOST_RANKS }),
    ...ranks.flatMap(({ ratePpm, fromMicros }, index) => {
      const at = `management.ranks[${index}]`
      const isRising = fromMicros > (ranks[index - 1]?.fromMicros ?? 0n)
      return [
        ...unless(isRate(ratePpm), `${at}.ratePpm`, 'rate'),
        ...unless(isLimit(fromMicros) && isRising, `${at}.from`, 'rising'),
      ]
    }),
  ]
}

function withdrawalProblems({ withdrawal }: Plan): PlanProblem[] {
  const limits = withdrawal.dayLimitMicros
  return [
    ...unless(isRateBelowWhole(withdrawal.feePpm), 'withdrawal.feePpm', 'below_whole'),
    ...unless(isLimit(withdrawal.minimumFeeMicros), 'withdrawal.minimumFee', 'range'),
    ...unless(isLimit(withdrawal.auditAboveMicros), 'withdrawal.auditAbove', 'range'),
    ...unless(limits.length === TOP_LEVEL + 1, 'withdrawal.dayLimit', 'limits_count', { level: TOP_LEVEL }),
    ...limits.flatMap((limit, index) => {
      const isValid = isLimit(limit) && limit >= (limits[index - 1] ?? 0n)
      return unless(isValid, `withdrawal.dayLimit[${index}]`, 'limit_rising')
    }),
  ]
}

function savingsProblems({ savings }: Plan): PlanProblem[] {
  const { fastDelayMs, slowDelayMs } = savings
  const days = LONGEST_DELAY_DAYS
  return [
    ...unless(isRate(savings.usdtRatePpm), 'savings.usdtRatePpm', 'rate'),
    ...unless(isRate(savings.amcRatePpm), 'savings.amcRatePpm', 'rate'),
    ...unless(isLimit(savings.fastUpToMicros), 'savings.fastUpTo', 'range'),
    ...unless(isCount(fastDelayMs), 'savings.fastDelayMs', 'count'),
    ...unless(isCount(slowDelayMs) && slowDelayMs >= fastDelayMs, 'savings.slowDelayMs', 'below_fast'),
    ...unless(slowDelayMs <= days * DAY_MS, 'savings.slowDelayMs', 'delay_long', { days }),
  ]
}

function transferProblems({ transfer: { minimumMicros } }: Plan): PlanProblem[] {
  return unless(isLimit(minimumMicros) && minimumMicros > 0n, 'transfer.minimum', 'positive')
}

function leavingProblems({ leaving, approval }: Plan): PlanProblem[] {
  const { savedDelayMs } = leaving
  const days = LONGEST_DELAY_DAYS
  const isSeveral = isCount(approval.approvers) && approval.approvers <= MOST_APPROVERS
  return [
    ...unless(isLimit(leaving.signAboveMicros), 'leaving.signAbove', 'range'),
    ...unless(isLimit(leaving.savingsFreeMicros), 'leaving.savingsFree', 'range'),
    ...unless(isLimit(leaving.reviewNewAboveMicros), 'leaving.reviewNewAbove', 'range'),
    ...unless(isCount(savedDelayMs), 'leaving.savedDelayMs', 'count'),
    ...unless(savedDelayMs <= days * DAY_MS, 'leaving.savedDelayMs', 'delay_long', { days }),
    ...unless(isLimit(approval.severalAboveMicros), 'approval.severalAbove', 'range'),
    ...unless(isSeveral, 'approval.approvers', 'approvers', { count: MOST_APPROVERS }),
  ]
}

function fundProblems({ fund }: Plan): PlanProblem[] {
  return [
    ...unless(isRate(fund.incomePpm), 'fund.incomePpm', 'rate'),
    ...unless(isCount(fund.navMaxAgeMs), 'fund.navMaxAgeMs', 'count'),
    ...unless(isCount(fund.payoutDelayMs), 'fund.payoutDelayMs', 'count'),
  ]
}

function isRate(ratePpm: Ppm): boolean {
  return Number.isInteger(ratePpm) && ratePpm >= 0 && ratePpm <= ONE_PPM
}

function isRateBelowWhole(ratePpm: Ppm): boolean {
  return isRate(ratePpm) && ratePpm < ONE_PPM
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

function isLimit(micros: Micros): boolean {
  return micros >= 0n && micros <= MAX_MICROS
}
