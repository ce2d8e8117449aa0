import { MAX_MICROS, type Micros, mul, ONE_PPM, type Ppm } from './money.ts'
import { type Plan, TOP_LEVEL, topOrganisationPpm } from './plan.ts'
import { type PlanProblem, type PlanRefusal, problem, refusePlan } from './plan-problems.ts'

/** Beyond it nobody would call it a transfer, and times would leave the range of a date. */
const LONGEST_DELAY_DAYS = 366
const DAY_MS = 86_400_000
/** M1 to M5. */
const MOST_RANKS = 5

/** The most that the referral and organisation rewards of one sale can be due, of its base. Rules, sections 5.1 and 5.2. */
export function commissionsAtSale(plan: Plan): Ppm {
  return Math.max(...plan.packages.map((terms) => terms.referralPpm)) + topOrganisationPpm(plan)
}

/**
 * Checks that a plan's figures are in range and fit each other; above all, that what an order's commissions can be due
 * never exceeds the share of the same sale that funds them. Rules, sections 2 ("pay as funded"), 4 to 7 and 9.
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
    ...fundProblems(plan),
  ]
  return problems.length === 0 ? { ok: true } : refusePlan(problems)
}

function packageProblems({ packages, reward }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = []
  if (packages.length !== TOP_LEVEL)
    problems.push(problem('packages', 'packages_count', { count: TOP_LEVEL }))
  if (new Set(packages.map((terms) => terms.name)).size !== packages.length)
    problems.push(problem('packages', 'names_repeat'))
  packages.forEach((terms, index) => {
    const at = `packages[${index}]`
    if (terms.name.trim() === '') problems.push(problem(`${at}.name`, 'empty'))
    if (terms.level !== index + 1) problems.push(problem(`${at}.level`, 'level', { level: index + 1 }))
    if (terms.priceMicros <= (packages[index - 1]?.priceMicros ?? 0n)) {
      problems.push(problem(`${at}.price`, 'price_rising'))
    }
    if (mul(terms.priceMicros, Math.max(ONE_PPM, reward.staticCapPpm)) > MAX_MICROS) {
      problems.push(problem(`${at}.price`, 'too_large'))
    }
    if (!isCount(terms.copies)) problems.push(problem(`${at}.copies`, 'count'))
    for (const key of ['referralPpm', 'organisationPpm', 'staticPpm', 'pairingPpm'] as const) {
      if (!isRate(terms[key])) problems.push(problem(`${at}.${key}`, 'rate'))
    }
    if (!isLimit(terms.pairingDayCapMicros)) problems.push(problem(`${at}.pairingDayCap`, 'range'))
  })
  return problems
}

function orderProblems(plan: Plan): PlanProblem[] {
  const { order } = plan
  const problems: PlanProblem[] = []
  if (!isRate(order.hashRatePpm) || order.hashRatePpm === ONE_PPM)
    problems.push(problem('order.hashRatePpm', 'below_whole'))
  if (!isRate(order.usdtSharePpm)) problems.push(problem('order.usdtSharePpm', 'rate'))
  if (!isCount(order.quoteValidityMs)) problems.push(problem('order.quoteValidityMs', 'count'))
  if (!isRate(order.commissionSharePpm)) problems.push(problem('order.commissionSharePpm', 'rate'))
  const missingPpm = commissionsAtSale(plan) - order.commissionSharePpm
  if (missingPpm > 0) {
    problems.push(problem('order.commissionSharePpm', 'pool_share', { missing: missingPpm }))
  }
  return problems
}

function rewardProblems({ reward }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = []
  if (!isRate(reward.usdtSharePpm)) problems.push(problem('reward.usdtSharePpm', 'rate'))
  if (!isCount(reward.releaseParts)) problems.push(problem('reward.releaseParts', 'count'))
  if (!isCount(reward.staticCapPpm)) problems.push(problem('reward.staticCapPpm', 'count'))
  return problems
}

function managementProblems({ management }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = []
  management.generationPpm.forEach((rate, index) => {
    if (!isRate(rate)) problems.push(problem(`management.generationPpm[${index}]`, 'rate'))
  })
  if (management.ranks.length > MOST_RANKS)
    problems.push(problem('management.ranks', 'ranks_count', { count: MOST_RANKS }))
  management.ranks.forEach((rank, index) => {
    const at = `management.ranks[${index}]`
    if (!isRate(rank.ratePpm)) problems.push(problem(`${at}.ratePpm`, 'rate'))
    if (!isLimit(rank.fromMicros) || rank.fromMicros <= (management.ranks[index - 1]?.fromMicros ?? 0n)) {
      problems.push(problem(`${at}.from`, 'rising'))
    }
  })
  return problems
}

function withdrawalProblems({ withdrawal }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = []
  if (!isRate(withdrawal.feePpm) || withdrawal.feePpm === ONE_PPM)
    problems.push(problem('withdrawal.feePpm', 'below_whole'))
  if (!isLimit(withdrawal.minimumFeeMicros)) problems.push(problem('withdrawal.minimumFee', 'range'))
  if (!isLimit(withdrawal.auditAboveMicros)) problems.push(problem('withdrawal.auditAbove', 'range'))
  const limits = withdrawal.dayLimitMicros
  if (limits.length !== TOP_LEVEL + 1)
    problems.push(problem('withdrawal.dayLimit', 'limits_count', { level: TOP_LEVEL }))
  limits.forEach((limit, index) => {
    if (!isLimit(limit) || limit < (limits[index - 1] ?? 0n)) {
      problems.push(problem(`withdrawal.dayLimit[${index}]`, 'limit_rising'))
    }
  })
  return problems
}

function savingsProblems({ savings }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = []
  for (const key of ['usdtRatePpm', 'amcRatePpm'] as const) {
    if (!isRate(savings[key])) problems.push(problem(`savings.${key}`, 'rate'))
  }
  if (!isLimit(savings.fastUpToMicros)) problems.push(problem('savings.fastUpTo', 'range'))
  if (!isCount(savings.fastDelayMs)) problems.push(problem('savings.fastDelayMs', 'count'))
  if (!isCount(savings.slowDelayMs) || savings.slowDelayMs < savings.fastDelayMs)
    problems.push(problem('savings.slowDelayMs', 'below_fast'))
  if (savings.slowDelayMs > LONGEST_DELAY_DAYS * DAY_MS)
    problems.push(problem('savings.slowDelayMs', 'delay_long', { days: LONGEST_DELAY_DAYS }))
  return problems
}

function transferProblems({ transfer }: Plan): PlanProblem[] {
  const isMinimum = isLimit(transfer.minimumMicros) && transfer.minimumMicros > 0n
  return isMinimum ? [] : [problem('transfer.minimum', 'positive')]
}

function fundProblems({ fund }: Plan): PlanProblem[] {
  const problems: PlanProblem[] = []
  if (!isRate(fund.incomePpm)) problems.push(problem('fund.incomePpm', 'rate'))
  if (!isCount(fund.navMaxAgeMs)) problems.push(problem('fund.navMaxAgeMs', 'count'))
  if (!isCount(fund.payoutDelayMs)) problems.push(problem('fund.payoutDelayMs', 'count'))
  return problems
}

function isRate(ratePpm: Ppm): boolean {
  return Number.isInteger(ratePpm) && ratePpm >= 0 && ratePpm <= ONE_PPM
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

function isLimit(micros: Micros): boolean {
  return micros >= 0n && micros <= MAX_MICROS
}
