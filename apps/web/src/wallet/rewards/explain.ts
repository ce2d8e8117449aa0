import type { RewardClassName, RewardDetail } from '@rif/api-schema'
import {
  batchCoverage,
  batchShares,
  beginCommissions,
  climbSponsorLine,
  cutByLimit,
  formatMicros,
  type Micros,
  managementRank,
  mul,
  type Plan,
  type Ppm,
  pairingDayCap,
  parseMicros,
  parsePlan,
  payReward,
  REWARD_POOL,
  remainingDividends,
  settleManagement,
  settlePairing,
  splitPayment,
  staticDue,
  termsOfLevel,
} from '@rif/rules'

/** The derived figures of a reward, which can be recomputed. */
export type Figure =
  | 'ratio_ppm'
  | 'value'
  | 'flushed'
  | 'coverage_ppm'
  | 'usdt_share_ppm'
  | 'amc_share_ppm'
  | 'paid'
  | 'usdt'
  | 'amc'
  | 'release_parts'
  | 'pool'
  | 'class'
  | 'batch_sums'

/** One figure from the server and as recomputed here. */
export interface Check {
  readonly figure: Figure
  readonly serverValue: string
  readonly again: string
  readonly equal: boolean
}

/** A recomputed reward: whether all is equal, each figure, and values known only from the plan. */
export interface Explanation {
  readonly ok: true
  readonly equal: boolean
  readonly checks: readonly Check[]
  /** The daily cap of pairing: that of the level, or a lower one of the member's own. */
  readonly dayCap: string | null
  /** The amount that static rewards could still pay on the package before this one. */
  readonly remainingBefore: string | null
  /** The rank that the management base reached. */
  readonly rank: number | null
  /** The division of the order's payment; null if no order paid it. */
  readonly split: Split | null
  /** Why less was paid than base times ratio; empty if all of it was paid. */
  readonly losses: readonly Loss[]
}

/**
 * A cause for which less was paid than base times ratio, with the lost USDT worth: the daily cap of pairing,
 * the limit of a package's static rewards, or a pool that could not pay all. Rules, sections 5.3, 5.4 and 6.
 */
export type Loss =
  | { readonly cause: 'dayCap' | 'ownDayCap'; readonly lost: string; readonly cap: string }
  | {
      readonly cause: 'packageCap'
      readonly lost: string
      readonly remaining: string
      readonly capPpm: Ppm
    }
  | { readonly cause: 'coverage'; readonly lost: string }

/**
 * The payment of an order in USDT worth: the operator's part, and the commission pool's with the amounts paid
 * from it.
 */
export interface Split {
  readonly poolPpm: Ppm
  readonly operatorMicros: Micros
  readonly poolMicros: Micros
  readonly own: readonly {
    readonly type: RewardDetail['type']
    readonly ratioPpm: Ppm
    readonly paidMicros: Micros
  }[]
  /** Paid to other members of the buyer's sponsor line. */
  readonly othersMicros: Micros
  /** The amount that stays in the pool. */
  readonly restMicros: Micros
}

/**
 * `ok` is false if the plan that came with the reward cannot be read: then nothing can be verified, which is
 * shown.
 */
export type ExplanationResult = Explanation | { readonly ok: false; readonly problems: readonly string[] }

interface Due {
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly flushedMicros: Micros
}

const CLASS_OF: Record<RewardDetail['type'], RewardClassName> = {
  ReferralReward: 'commission',
  TeamReward: 'commission',
  PairingReward: 'pairing',
  ManagementReward: 'management',
  Interest: 'static',
}

/**
 * Recomputes a reward from its base, its level, the plan of its day and the pool's balance, with the
 * functions that the server settles with, and compares every figure. Rules, sections 5 and 6.
 */
export function explainReward(reward: RewardDetail): ExplanationResult {
  const parsed = parsePlan(reward.plan.figures)
  if (!parsed.ok) return { ok: false, problems: parsed.problems }
  const { plan } = parsed
  const ownDayCapMicros = reward.own_day_cap === null ? null : parseMicros(reward.own_day_cap)
  const due = dueOf(reward, ownDayCapMicros, plan)
  const checks = [...dueChecks(reward, due), ...paymentChecks(reward, due, plan), ...batchChecks(reward)]
  const limits = limitsOf(reward, ownDayCapMicros, plan)
  return {
    ok: true,
    equal: checks.every((check) => check.equal),
    checks,
    ...limits,
    rank: reward.type === 'ManagementReward' ? managementRank(parseMicros(reward.base), plan).rank : null,
    split: reward.of_order.length === 0 ? null : splitOf(reward, plan),
    losses: lossesOf(reward, limits, plan),
  }
}

/** Returns the limits that the plan sets to the due amount: the cap of pairing, the rest of a package. */
function limitsOf(reward: RewardDetail, ownDayCapMicros: Micros | null, plan: Plan) {
  const { base, package_paid_before: paidBefore } = reward
  const dayCap =
    reward.type === 'PairingReward' ? formatMicros(pairingDayCap(reward.level, ownDayCapMicros, plan)) : null
  const remainingBefore =
    paidBefore === null
      ? null
      : formatMicros(
          remainingDividends(
            { priceMicros: parseMicros(base), paidSoFarMicros: parseMicros(paidBefore) },
            plan,
          ),
        )
  return { dayCap, remainingBefore }
}

function lossesOf(
  reward: RewardDetail,
  { dayCap, remainingBefore }: ReturnType<typeof limitsOf>,
  plan: Plan,
): Loss[] {
  const losses: Loss[] = []
  const cutMicros = cutByLimit({
    baseMicros: parseMicros(reward.base),
    ratioPpm: reward.ratio_ppm,
    valueMicros: parseMicros(reward.value),
  })
  const cut = formatMicros(cutMicros)
  if (cutMicros > 0n && dayCap !== null) {
    const ofLevel = pairingDayCap(reward.level, null, plan)
    losses.push({
      cause: parseMicros(dayCap) < ofLevel ? 'ownDayCap' : 'dayCap',
      lost: cut,
      cap: dayCap,
    })
  }
  if (cutMicros > 0n && remainingBefore !== null) {
    losses.push({
      cause: 'packageCap',
      lost: cut,
      remaining: remainingBefore,
      capPpm: plan.reward.staticCapPpm,
    })
  }
  const uncovered = parseMicros(reward.value) - parseMicros(reward.paid)
  if (uncovered > 0n) losses.push({ cause: 'coverage', lost: formatMicros(uncovered) })
  return losses
}

/** Splits the payment of an order by the plan of its day. Rules, sections 2 and 4. */
function splitOf({ base, batch, of_order }: RewardDetail, plan: Plan): Split {
  const { poolMicros, revenueMicros } = splitPayment(parseMicros(base), plan)
  const own = of_order.map(({ type, ratio_ppm, paid }) => ({
    type,
    ratioPpm: ratio_ppm,
    paidMicros: parseMicros(paid),
  }))
  const paidMicros = parseMicros(batch.paid)
  return {
    poolPpm: plan.order.commissionSharePpm,
    operatorMicros: revenueMicros,
    poolMicros,
    own,
    othersMicros: paidMicros - own.reduce((sum, { paidMicros: part }) => sum + part, 0n),
    restMicros: poolMicros - paidMicros,
  }
}

/** Applies the rule of its kind to a reward's base. Rules, section 5. */
function dueOf(reward: RewardDetail, ownDayCapMicros: Micros | null, plan: Plan): Due {
  const baseMicros = parseMicros(reward.base)
  const { level } = reward
  switch (reward.type) {
    case 'ReferralReward':
    case 'TeamReward':
      return commissionDue(reward, baseMicros, plan)
    case 'PairingReward':
      return settlePairing(
        { carryLeftMicros: baseMicros, carryRightMicros: baseMicros, level, ownDayCapMicros },
        plan,
      )
    case 'ManagementReward':
      return { ...settleManagement(baseMicros, false, plan), flushedMicros: 0n }
    case 'Interest': {
      const ratioPpm = termsOfLevel(plan, level)?.staticPpm ?? 0
      const paidSoFarMicros = parseMicros(reward.package_paid_before ?? '0')
      const valueMicros = staticDue({ priceMicros: baseMicros, staticPpm: ratioPpm, paidSoFarMicros }, plan)
      return { ratioPpm, valueMicros, flushedMicros: 0n }
    }
  }
}

/** Returns the walk up the sponsor line at the step where it reaches this member. */
function commissionDue(reward: RewardDetail, baseMicros: Micros, plan: Plan): Due {
  const walk = {
    ...beginCommissions<0>(baseMicros),
    coveredPpm: reward.covered_ppm ?? 0,
    started: reward.type === 'TeamReward',
  }
  const { commissions } = climbSponsorLine(walk, [{ memberId: 0, level: reward.level, valid: true }], plan)
  const own = commissions.find((commission) => commission.kind === reward.type)
  return { ratioPpm: own?.ratioPpm ?? 0, valueMicros: own?.valueMicros ?? 0n, flushedMicros: 0n }
}

function dueChecks(reward: RewardDetail, due: Due): Check[] {
  return [
    check('ratio_ppm', reward.ratio_ppm, due.ratioPpm),
    check('value', reward.value, formatMicros(due.valueMicros)),
    check('flushed', reward.flushed, formatMicros(due.flushedMicros)),
  ]
}

/** Applies the pool's coverage to the due amount. Rules, section 6. */
function paymentChecks(reward: RewardDetail, due: Due, plan: Plan): Check[] {
  const { batch } = reward
  const amcPriceMicros = batch.amc_price === null ? null : parseMicros(batch.amc_price)
  const pool = {
    usdtMicros: parseMicros(batch.pool_usdt),
    amcMicros: parseMicros(batch.pool_amc),
    amcPriceMicros,
  }
  const coveragePpm = batchCoverage(pool, parseMicros(batch.value))
  const shares = batchShares(pool, parseMicros(batch.paid), plan)
  const payout = payReward(due.valueMicros, coveragePpm, shares, amcPriceMicros)
  return [
    check('coverage_ppm', reward.coverage_ppm, coveragePpm),
    check('usdt_share_ppm', reward.usdt_share_ppm, shares.usdtSharePpm),
    check('amc_share_ppm', reward.amc_share_ppm, shares.amcSharePpm),
    check('paid', reward.paid, formatMicros(payout.paidMicros)),
    check('usdt', reward.usdt, formatMicros(payout.usdtMicros)),
    check('amc', reward.amc, formatMicros(payout.amcMicros)),
    check('release_parts', reward.release_parts, plan.reward.releaseParts),
  ]
}

/**
 * Checks that it was paid from the pool of its kind, and that the sums of the batch are possible for its
 * rewards.
 */
function batchChecks(reward: RewardDetail): Check[] {
  const { batch } = reward
  const sums = `${batch.value} / ${batch.paid}`
  const fits = sumsFit(reward)
  return [
    check('pool', batch.pool, REWARD_POOL[reward.type]),
    check('class', batch.class, CLASS_OF[reward.type]),
    { figure: 'batch_sums', serverValue: sums, again: fits ? sums : '–', equal: fits },
  ]
}

/**
 * Each paid value is floored separately, so their sum is below the floored total by less than one unit per
 * reward.
 */
function sumsFit({ batch, value, paid, coverage_ppm }: RewardDetail): boolean {
  const valueSum = parseMicros(batch.value)
  const paidSum = parseMicros(batch.paid)
  const rest = { value: valueSum - parseMicros(value), paid: paidSum - parseMicros(paid) }
  if (batch.count === 1) return rest.value === 0n && rest.paid === 0n
  const most = mul(rest.value, coverage_ppm)
  return rest.value > 0n && rest.paid <= most && rest.paid > most - BigInt(batch.count)
}

function check(figure: Figure, serverValue: string | number, again: string | number): Check {
  return { figure, serverValue: String(serverValue), again: String(again), equal: serverValue === again }
}
