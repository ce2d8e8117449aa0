import { type Micros, mul, type Ppm } from './money.ts'
import { type Plan, termsOfLevel, topOrganisationPpm } from './plan.ts'

/** A member of a sponsor line, as of the moment the order is paid. */
export interface SponsorLineMember<Id> {
  readonly memberId: Id
  readonly level: number
  readonly valid: boolean
}

/** A referral or organisation reward that is due, before coverage. */
export interface Commission<Id> {
  readonly kind: 'ReferralReward' | 'TeamReward'
  readonly memberId: Id
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
}

/** How far up the sponsor line the commissions of one order are worked out. */
export interface CommissionWalk<Id> {
  readonly baseMicros: Micros
  readonly coveredPpm: Ppm
  /** Whether the buyer's sponsor has been passed. */
  readonly started: boolean
  /** Whether nobody further up can be due anything. */
  readonly done: boolean
  /** Referral first, then organisation upwards. */
  readonly commissions: readonly Commission<Id>[]
}

/** The walk before its first step, at the buyer; `baseMicros` is the order's due. */
export function beginCommissions<Id>(baseMicros: Micros): CommissionWalk<Id> {
  return { baseMicros, coveredPpm: 0, started: false, done: false, commissions: [] }
}

/**
 * Continues a walk over the next members of the sponsor line, nearest first: give the line in chunks of any size, the
 * buyer's sponsor first, until `done` or the root has been passed. Members after the one that ends the walk are not
 * looked at. Rules, sections 5.1 and 5.2.
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
