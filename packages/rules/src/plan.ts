import { MICRO, type Micros, type Ppm } from './money.ts'

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
