import { floorDiv, formatMicros, MICRO, type Micros, mul, parseMicros, type RewardKind } from '@rif/rules'
import type { AmountsByAsset, MemberLine, ResultLine, RewardLine, TotalsLine } from './result.ts'

/** A figure under the first plan and under the second. */
export interface Change<T> {
  readonly before: T
  readonly after: T
}

/** The totals of the rewards of a kind; amounts are decimal texts, value and payment in USDT worth. */
export interface Coverage {
  readonly due: string
  readonly paid: string
  /** The share of the due amount that was paid, floored; null when nothing was due. */
  readonly coverage_ppm: number | null
}

/** The final state of a member. */
export interface MemberFigures {
  readonly level: number
  readonly balances: AmountsByAsset
  /** All rewards paid, in USDT worth at the prices they were paid at. */
  readonly rewards_paid: string
  readonly remaining_dividends: string
}

/** The differences that a second plan makes in the result of a scenario. */
export interface SimulatedComparison {
  /** Members whose figures differ, in the order of joining. */
  readonly members: readonly ({ readonly member: string } & Change<MemberFigures>)[]
  readonly members_unchanged: number
  /** The operator's accounts. */
  readonly pools: readonly ({ readonly asset: string; readonly account: string } & Change<string>)[]
  readonly coverage: readonly ({ readonly kind: RewardKind } & Change<Coverage>)[]
  /** Lines of the scenario that are refused. */
  readonly refused: Change<number>
}

const KINDS: readonly RewardKind[] = [
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
  'Interest',
]

/** Compares the results of one scenario under two plans. */
export function compareResults(
  before: readonly ResultLine[],
  after: readonly ResultLine[],
): SimulatedComparison {
  const [a, b] = [digest(before), digest(after)]
  // The members who join do not depend on the plan.
  const members = [...a.members].map(([member, figures]) => ({
    member,
    before: figures,
    after: b.members.get(member)!,
  }))
  const changed = members.filter((entry) => JSON.stringify(entry.before) !== JSON.stringify(entry.after))
  return {
    members: changed,
    members_unchanged: members.length - changed.length,
    pools: comparePools(a.accounts, b.accounts),
    coverage: KINDS.map((kind) => ({
      kind,
      before: coverageOf(kind, before),
      after: coverageOf(kind, after),
    })),
    refused: { before: a.refused, after: b.refused },
  }
}

function digest(lines: readonly ResultLine[]) {
  const paid = new Map<string, Micros>()
  for (const line of rewardsOf(lines)) {
    paid.set(line.member, (paid.get(line.member) ?? 0n) + paidOf(line))
  }
  const people = lines.filter((line): line is MemberLine => line.type === 'member')
  const totals = lines.find((line): line is TotalsLine => line.type === 'totals')!
  return {
    members: new Map(people.map((line) => [line.member, figuresOf(line, paid.get(line.member) ?? 0n)])),
    accounts: totals.accounts,
    refused: lines.filter((line) => line.type === 'refused').length,
  }
}

function figuresOf(line: MemberLine, paidMicros: Micros): MemberFigures {
  return {
    level: line.level,
    balances: line.balances,
    rewards_paid: formatMicros(paidMicros),
    remaining_dividends: line.remaining_dividends,
  }
}

function comparePools(before: AmountsByAsset, after: AmountsByAsset): SimulatedComparison['pools'] {
  const zero = formatMicros(0n)
  const assets = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return assets.flatMap((asset) => {
    const [a = {}, b = {}] = [before[asset], after[asset]]
    const accounts = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
    return accounts.map((account) => ({
      asset,
      account,
      before: a[account] ?? zero,
      after: b[account] ?? zero,
    }))
  })
}

function coverageOf(kind: RewardKind, lines: readonly ResultLine[]): Coverage {
  let [due, paid] = [0n, 0n]
  for (const line of rewardsOf(lines)) {
    if (line.kind !== kind) continue
    due += parseMicros(line.value)
    paid += paidOf(line)
  }
  return {
    due: formatMicros(due),
    paid: formatMicros(paid),
    coverage_ppm: due === 0n ? null : Number(floorDiv(paid * MICRO, due)),
  }
}

function rewardsOf(lines: readonly ResultLine[]): RewardLine[] {
  return lines.filter((line): line is RewardLine => line.type === 'reward')
}

/** The paid value of a reward. Rules, section 6. */
function paidOf({ value, coverage_ppm }: RewardLine): Micros {
  return mul(parseMicros(value), coverage_ppm)
}
