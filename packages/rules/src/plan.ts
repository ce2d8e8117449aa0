import { MICRO, type Micros, type Ppm } from './money.ts'

/** A Launchpad package and the rates of its level. Rules, section 4. */
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

/** A management rank: its lowest base and its rate. Rules, section 5.5. */
export interface ManagementRank {
  readonly fromMicros: Micros
  readonly ratePpm: Ppm
}

/** One version of the figures of the rules, set by the operator. The formulas are in the code. */
export interface Plan {
  /** One package per level, levels 1 to 5 in order. */
  readonly packages: readonly PackageTerms[]
  readonly order: {
    /** The largest part of a price that hash power (RIF) can pay. */
    readonly hashRatePpm: Ppm
    readonly usdtSharePpm: Ppm
    readonly quoteValidityMs: number
    /** The part of a payment that goes to the commission pool. */
    readonly commissionSharePpm: Ppm
  }
  readonly reward: {
    /** The target share of USDT in a reward; the rest is AMC. */
    readonly usdtSharePpm: Ppm
    /** The number of daily parts in which the locked AMC of a reward are released. */
    readonly releaseParts: number
    /** The limit on all static rewards of a package, as a share of its price. */
    readonly staticCapPpm: Ppm
  }
  readonly management: {
    /** The shares of a paid pairing reward that are added to the bases of the sponsor, the sponsor's sponsor, and so on. */
    readonly generationPpm: readonly Ppm[]
    /** M1 first. */
    readonly ranks: readonly ManagementRank[]
  }
  readonly withdrawal: {
    readonly feePpm: Ppm
    /** In USDT worth. */
    readonly minimumFeeMicros: Micros
    /** Requests above this USDT worth are audited. */
    readonly auditAboveMicros: Micros
    /** The limit per UTC day in USDT worth, by level 0 to 5. */
    readonly dayLimitMicros: readonly Micros[]
  }
  readonly savings: {
    /** The yearly interest for each asset, in full coverage. */
    readonly usdtRatePpm: Ppm
    readonly amcRatePpm: Ppm
    /** Transfers out up to this USDT worth within 24 hours take the short time. */
    readonly fastUpToMicros: Micros
    readonly fastDelayMs: number
    readonly slowDelayMs: number
  }
  readonly transfer: {
    /** The smallest transfer between members, in units of the asset. */
    readonly minimumMicros: Micros
  }
  /**
   * Everything that cannot be taken back at the same worth. The daily limit and the limit without review are
   * those of withdrawals.
   */
  readonly leaving: {
    /** Above this USDT worth without a signature within 24 hours, the member's wallet must sign. */
    readonly signAboveMicros: Micros
    /** Up to this USDT worth of savings in all, transfers into savings need no signature. */
    readonly savingsFreeMicros: Micros
    /** Transfers to members first used are reviewed above this USDT worth within 24 hours. */
    readonly reviewNewAboveMicros: Micros
    /** With "saved addresses only": the time until a new address can be used, and until the switch is off. */
    readonly savedDelayMs: number
  }
  /** Approvals by admins. */
  readonly approval: {
    /** Above this USDT worth, `approvers` persons must approve. */
    readonly severalAboveMicros: Micros
    readonly approvers: number
  }
  readonly fund: {
    /** The part of a management fee that the sponsor of the redeeming member receives. */
    readonly incomePpm: Ppm
    /** Purchases and redemptions stop when the NAV is older. */
    readonly navMaxAgeMs: number
    /** The time from the approval of a redemption to its payment. */
    readonly payoutDelayMs: number
  }
}

/** The highest package level. A member without a paid package has level 0. Rules, section 3. */
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
  leaving: {
    signAboveMicros: whole(100),
    savingsFreeMicros: whole(1_000),
    reviewNewAboveMicros: whole(100),
    savedDelayMs: 24 * 3_600_000,
  },
  approval: { severalAboveMicros: whole(10_000), approvers: 2 },
  fund: { incomePpm: percent(10), navMaxAgeMs: 3 * 86_400_000, payoutDelayMs: 72 * 3_600_000 },
}

/** Returns the package of a level; null for level 0. Rules, sections 3 and 4. */
export function termsOfLevel(plan: Plan, level: number): PackageTerms | null {
  return plan.packages.find((terms) => terms.level === level) ?? null
}

export function packageNamed(plan: Plan, name: string): PackageTerms | null {
  return plan.packages.find((terms) => terms.name === name) ?? null
}

/**
 * Returns the number of copies of a package that can still be sold. `paid` is the bank's count of paid copies; an unpaid order
 * holds none. At 0, an order is refused with SOLD_OUT. A plan may lower the limit below what is paid. Rules, section 4.
 */
export function copiesLeft(terms: PackageTerms, paid: number): number {
  return Math.max(0, terms.copies - paid)
}

/** Returns the highest organisation rate, at which the walk up the sponsor line ends. Rules, section 5.2. */
export function topOrganisationPpm(plan: Plan): Ppm {
  return Math.max(...plan.packages.map((terms) => terms.organisationPpm))
}
