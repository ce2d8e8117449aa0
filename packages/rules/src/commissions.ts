import { type Micros, mul, type Ppm } from './money.ts'
import { type Plan, termsOfLevel, topOrganisationPpm } from './plan.ts'

/** A member of a sponsor line at the time when the order is paid. */
export interface SponsorLineMember<Id> {
  readonly memberId: Id
  readonly level: number
  readonly valid: boolean
}

/** A due referral or organisation reward, before coverage. */
export interface Commission<Id> {
  readonly kind: 'ReferralReward' | 'TeamReward'
  readonly memberId: Id
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
}

/** The state of a walk up the sponsor line that calculates the commissions of one order. */
export interface CommissionWalk<Id> {
  readonly baseMicros: Micros
  readonly coveredPpm: Ppm
  /** True after the buyer's sponsor. */
  readonly started: boolean
  /** True when no member further up can be due a commission. */
  readonly done: boolean
  /** The referral reward, then the organisation rewards upwards. */
  readonly commissions: readonly Commission<Id>[]
}

/** Starts a walk at the buyer; `baseMicros` is the due amount of the order. */
export function beginCommissions<Id>(baseMicros: Micros): CommissionWalk<Id> {
  return { baseMicros, coveredPpm: 0, started: false, done: false, commissions: [] }
}

/**
 * Continues a walk over the next members of the sponsor line. Pass the line in chunks of any size, starting with the buyer's
 * sponsor, until `done` or the root. The line is not read beyond the member that ends the walk. Rules, sections 5.1 and 5.2.
 */
export function climbSponsorLine<Id>(
  walk: CommissionWalk<Id>,
  line: Iterable<SponsorLineMember<Id>>,
  plan: Plan,
): CommissionWalk<Id> {
  if (walk.done) return walk
  const { baseMicros } = walk
  const topPpm = topOrganisationPpm(plan)
  const commissions = [...walk.commissions]
  let { coveredPpm, started } = walk

  for (const { memberId, level, valid } of line) {
    const terms = valid ? termsOfLevel(plan, level) : null
    if (terms !== null) {
      const due = (kind: Commission<Id>['kind'], ratioPpm: Ppm) => {
        const valueMicros = mul(baseMicros, ratioPpm)
        if (valueMicros > 0n) commissions.push({ kind, memberId, ratioPpm, valueMicros })
      }
      if (!started) due('ReferralReward', terms.referralPpm)
      if (terms.organisationPpm > coveredPpm) {
        due('TeamReward', terms.organisationPpm - coveredPpm)
        coveredPpm = terms.organisationPpm
      }
    }
    started = true
    if (coveredPpm >= topPpm) return { baseMicros, coveredPpm, started, done: true, commissions }
  }
  return { baseMicros, coveredPpm, started, done: false, commissions }
}
