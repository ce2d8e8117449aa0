import { MAX_MICROS, MICRO, type Micros, mul, ONE_PPM, type Ppm } from './money.ts'
import type { Refusal } from './refusal.ts'

/** One Launchpad package and the rates that its level gives. Rules, section 4. */
export interface PackageTerms {
  readonly name: string
  readonly level: number
  readonly priceMicros: Micros
  readonly copies: number
  readonly referralPpm: Ppm
  readonly organisationPpm: Ppm
  readonly staticPpm: Ppm
  readonly pairingPpm: Ppm
  readonly pairingDayCapMicros: Micros
}

/** A management rank: the base it starts from and its rate. Rules, section 5.5. */
export interface ManagementRank {
  readonly fromMicros: Micros
  readonly ratePpm: Ppm
}

/** Every figure of the rules, as one version of the operator's setting. Code holds the formulas, the plan the numbers. */
export interface Plan {
  /** One package per level, levels 1 to 5 in order. */
  readonly packages: readonly PackageTerms[]
  readonly order: {
    /** The largest part of a price that hash power (RIF) may pay. */
    readonly hashRatePpm: Ppm
    readonly usdtSharePpm: Ppm
    readonly quoteValidityMs: number
    /** The part of what is received that goes to the commission pool. */
    readonly commissionSharePpm: Ppm
  }
  readonly reward: {
    /** The wished part in USDT of what a reward pays; the rest is AMC. */
    readonly usdtSharePpm: Ppm
    /** In how many daily parts the locked AMC of a reward is released. */
    readonly releaseParts: number
    /** What static rewards may pay on a package in all, of its price. */
    readonly staticCapPpm: Ppm
  }
  readonly management: {
    /** What a paid pairing reward adds to the base of the sponsor, the sponsor's sponsor, and so on. */
    readonly generationPpm: readonly Ppm[]
    /** M1 first. */
    readonly ranks: readonly ManagementRank[]
  }
  readonly withdrawal: {
    readonly feePpm: Ppm
    /** The smallest fee, in USDT worth. */
    readonly minimumFeeMicros: Micros
    /** A request worth more than this in USDT is audited. */
    readonly auditAboveMicros: Micros
    /** The limit per UTC day in USDT worth, by level 0 to 5. */
    readonly dayLimitMicros: readonly Micros[]
  }
  readonly savings: {
    /** A year's interest by asset; what is paid of it depends on the pool. */
    readonly usdtRatePpm: Ppm
    readonly amcRatePpm: Ppm
    /** A transfer out of at most this worth in USDT takes the short time, any other the long one. */
    readonly fastUpToMicros: Micros
    readonly fastDelayMs: number
    readonly slowDelayMs: number
  }
  readonly transfer: {
    /** The least that one member may send another, of either asset. */
    readonly minimumMicros: Micros
  }
  readonly fund: {
    /** The part of a management fee that the redeeming member's sponsor gets. */
    readonly incomePpm: Ppm
    /** A NAV older than this stops buying and redeeming. */
    readonly navMaxAgeMs: number
    /** From the approval of a redemption to its payment. */
    readonly payoutDelayMs: number
  }
}

/** The highest package level; level 0 is a member without a paid package. Rules, section 3. */
export const TOP_LEVEL = 5

/** Beyond it nobody would call it a transfer, and times would leave the range of a date. */
const LONGEST_DELAY_MS = 366 * 86_400_000

const percent = (value: number): Ppm => Math.round(value * 10_000)
const whole = (value: number): Micros => BigInt(value) * MICRO

function launch(
  price: number,
  level: number,
  bonus: number,
  organisation: number,
  fixed: number,
): PackageTerms {
  return {
    name: `Launch ${price}`,
    level,
    priceMicros: whole(price),
    copies: 200,
    referralPpm: percent(bonus),
    organisationPpm: percent(organisation),
    staticPpm: percent(fixed),
    pairingPpm: percent(bonus),
    pairingDayCapMicros: whole(price),
  }
}

/** The plan with the defaults of the rules. */
export const defaultPlan: Plan = {
  packages: [
    launch(100, 1, 6, 2, 0.6),
    launch(500, 2, 7, 4, 0.7),
    launch(1_000, 3, 8, 6, 0.8),
    launch(5_000, 4, 9, 8, 0.9),
    launch(10_000, 5, 10, 10, 1),
  ],
  order: {
    hashRatePpm: percent(10),
    usdtSharePpm: percent(70),
    quoteValidityMs: 30 * 60_000,
    commissionSharePpm: percent(35),
  },
  reward: { usdtSharePpm: percent(70), releaseParts: 30, staticCapPpm: percent(200) },
  management: {
    generationPpm: [percent(100), percent(50), percent(25)],
    ranks: [
      { fromMicros: whole(1_000), ratePpm: percent(5) },
      { fromMicros: whole(5_000), ratePpm: percent(8) },
      { fromMicros: whole(20_000), ratePpm: percent(10) },
      { fromMicros: whole(100_000), ratePpm: percent(12) },
      { fromMicros: whole(500_000), ratePpm: percent(15) },
    ],
  },
  withdrawal: {
    feePpm: percent(1),
    minimumFeeMicros: whole(1),
    auditAboveMicros: whole(1_000),
    dayLimitMicros: [whole(100), whole(500), whole(1_000), whole(3_000), whole(10_000), whole(30_000)],
  },
  savings: {
    usdtRatePpm: percent(18),
    amcRatePpm: percent(18),
    fastUpToMicros: whole(1_000),
    fastDelayMs: 5 * 60_000,
    slowDelayMs: 72 * 3_600_000,
  },
  transfer: { minimumMicros: whole(1) },
  fund: { incomePpm: percent(10), navMaxAgeMs: 3 * 86_400_000, payoutDelayMs: 72 * 3_600_000 },
}

/** The package whose rates a level has; null for level 0. Rules, sections 3 and 4. */
export function termsOfLevel(plan: Plan, level: number): PackageTerms | null {
  return plan.packages.find((terms) => terms.level === level) ?? null
}

/** The package of that name, or null. */
export function packageNamed(plan: Plan, name: string): PackageTerms | null {
  return plan.packages.find((terms) => terms.name === name) ?? null
}

/** How many copies of a package can still be ordered, when paid and unexpired unpaid orders hold `taken`; at 0 an order is refused as SOLD_OUT. Rules, section 4. */
export function copiesLeft(terms: PackageTerms, taken: number): number {
  return Math.max(0, terms.copies - taken)
}

/** The highest organisation rate of the plan, at which the walk up the sponsor line ends. Rules, section 5.2. */
export function topOrganisationPpm(plan: Plan): Ppm {
  return Math.max(...plan.packages.map((terms) => terms.organisationPpm))
}

/** What makes a plan unusable, in words for the admin who prepared it. */
export interface PlanRefusal extends Refusal<'INVALID_PLAN'> {
  readonly problems: readonly string[]
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
  return problems.length === 0 ? { ok: true } : { ok: false, code: 'INVALID_PLAN', problems }
}

function packageProblems({ packages, reward }: Plan): string[] {
  const problems: string[] = []
  if (packages.length !== TOP_LEVEL) problems.push(`packages: exactly ${TOP_LEVEL}, one per level`)
  if (new Set(packages.map((terms) => terms.name)).size !== packages.length)
    problems.push('packages: names repeat')
  packages.forEach((terms, index) => {
    const at = `packages[${index}]`
    if (terms.name.trim() === '') problems.push(`${at}.name: empty`)
    if (terms.level !== index + 1) problems.push(`${at}.level: must be ${index + 1}`)
    if (terms.priceMicros <= (packages[index - 1]?.priceMicros ?? 0n)) {
      problems.push(`${at}.price: prices are positive and rise with the level`)
    }
    if (mul(terms.priceMicros, Math.max(ONE_PPM, reward.staticCapPpm)) > MAX_MICROS) {
      problems.push(`${at}.price: too large`)
    }
    if (!isCount(terms.copies)) problems.push(`${at}.copies: at least 1`)
    for (const key of ['referralPpm', 'organisationPpm', 'staticPpm', 'pairingPpm'] as const) {
      if (!isRate(terms[key])) problems.push(`${at}.${key}: 0 to ${ONE_PPM}`)
    }
    if (!isLimit(terms.pairingDayCapMicros)) problems.push(`${at}.pairingDayCap: out of range`)
  })
  return problems
}

function orderProblems(plan: Plan): string[] {
  const { order, packages } = plan
  const problems: string[] = []
  if (!isRate(order.hashRatePpm) || order.hashRatePpm === ONE_PPM)
    problems.push('order.hashRatePpm: below 100%')
  if (!isRate(order.usdtSharePpm)) problems.push(`order.usdtSharePpm: 0 to ${ONE_PPM}`)
  if (!isCount(order.quoteValidityMs)) problems.push('order.quoteValidityMs: at least 1')
  if (!isRate(order.commissionSharePpm)) problems.push(`order.commissionSharePpm: 0 to ${ONE_PPM}`)
  const atSalePpm = Math.max(...packages.map((terms) => terms.referralPpm)) + topOrganisationPpm(plan)
  if (atSalePpm > order.commissionSharePpm) {
    problems.push('order.commissionSharePpm: less than the highest referral and organisation rates together')
  }
  return problems
}

function rewardProblems({ reward }: Plan): string[] {
  const problems: string[] = []
  if (!isRate(reward.usdtSharePpm)) problems.push(`reward.usdtSharePpm: 0 to ${ONE_PPM}`)
  if (!isCount(reward.releaseParts)) problems.push('reward.releaseParts: at least 1')
  if (!isCount(reward.staticCapPpm)) problems.push('reward.staticCapPpm: at least 1')
  return problems
}

function managementProblems({ management }: Plan): string[] {
  const problems: string[] = []
  management.generationPpm.forEach((rate, index) => {
    if (!isRate(rate)) problems.push(`management.generationPpm[${index}]: 0 to ${ONE_PPM}`)
  })
  if (management.ranks.length > 5) problems.push('management.ranks: at most 5')
  management.ranks.forEach((rank, index) => {
    const at = `management.ranks[${index}]`
    if (!isRate(rank.ratePpm)) problems.push(`${at}.ratePpm: 0 to ${ONE_PPM}`)
    if (!isLimit(rank.fromMicros) || rank.fromMicros <= (management.ranks[index - 1]?.fromMicros ?? 0n)) {
      problems.push(`${at}.from: positive and rising`)
    }
  })
  return problems
}

function withdrawalProblems({ withdrawal }: Plan): string[] {
  const problems: string[] = []
  if (!isRate(withdrawal.feePpm) || withdrawal.feePpm === ONE_PPM)
    problems.push('withdrawal.feePpm: below 100%')
  if (!isLimit(withdrawal.minimumFeeMicros)) problems.push('withdrawal.minimumFee: out of range')
  if (!isLimit(withdrawal.auditAboveMicros)) problems.push('withdrawal.auditAbove: out of range')
  const limits = withdrawal.dayLimitMicros
  if (limits.length !== TOP_LEVEL + 1)
    problems.push(`withdrawal.dayLimit: one for each level 0 to ${TOP_LEVEL}`)
  limits.forEach((limit, index) => {
    if (!isLimit(limit) || limit < (limits[index - 1] ?? 0n)) {
      problems.push(`withdrawal.dayLimit[${index}]: in range and not below the limit of a lower level`)
    }
  })
  return problems
}

function savingsProblems({ savings }: Plan): string[] {
  const problems: string[] = []
  for (const key of ['usdtRatePpm', 'amcRatePpm'] as const) {
    if (!isRate(savings[key])) problems.push(`savings.${key}: 0 to ${ONE_PPM}`)
  }
  if (!isLimit(savings.fastUpToMicros)) problems.push('savings.fastUpTo: out of range')
  if (!isCount(savings.fastDelayMs)) problems.push('savings.fastDelayMs: at least 1')
  if (!isCount(savings.slowDelayMs) || savings.slowDelayMs < savings.fastDelayMs)
    problems.push('savings.slowDelayMs: not below fastDelayMs')
  if (savings.slowDelayMs > LONGEST_DELAY_MS) problems.push('savings.slowDelayMs: at most 366 days')
  return problems
}

function transferProblems({ transfer }: Plan): string[] {
  const isMinimum = isLimit(transfer.minimumMicros) && transfer.minimumMicros > 0n
  return isMinimum ? [] : ['transfer.minimum: positive and in range']
}

function fundProblems({ fund }: Plan): string[] {
  const problems: string[] = []
  if (!isRate(fund.incomePpm)) problems.push(`fund.incomePpm: 0 to ${ONE_PPM}`)
  if (!isCount(fund.navMaxAgeMs)) problems.push('fund.navMaxAgeMs: at least 1')
  if (!isCount(fund.payoutDelayMs)) problems.push('fund.payoutDelayMs: at least 1')
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
