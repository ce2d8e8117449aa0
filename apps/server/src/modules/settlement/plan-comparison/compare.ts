import type { ComparedKind, PlanComparisonResult } from '@rif/api-schema'
import {
  addDays,
  type Day,
  daysBetween,
  floorDiv,
  formatMicros,
  MICRO,
  type Micros,
  type Plan,
  worth,
} from '@rif/rules'
import type { ReplayedBooks, ReplayPool, ReplayReward, SettlementReplays } from '../settlement.service.ts'

/** A plan to compare with the plans in force, over an inclusive range of settled days of the books. */
export interface Comparison {
  readonly plan: Plan
  readonly from: Day
  readonly to: Day
}

/** The result in the API's format, without the addresses of members. */
export type ComparisonResult = Omit<PlanComparisonResult, 'gain' | 'lose'> & {
  readonly gain: ComparedMembers
  readonly lose: ComparedMembers
}
interface ComparedMembers {
  readonly count: number
  readonly sum: string
  readonly largest: readonly { readonly member_id: string; readonly before: string; readonly after: string }[]
}

const KINDS: readonly ComparedKind[] = [
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'ManagementReward',
  'Interest',
  'SavingsInterest',
]
const POOLS: readonly ReplayPool[] = ['commission_pool', 'yield_pool', 'savings_pool']
const SHOWN_MEMBERS = 10
const MOST_DIFFERENCES = 20

interface Sums {
  dueMicros: Micros
  paidMicros: Micros
  count: number
}
const none = (): Sums => ({ dueMicros: 0n, paidMicros: 0n, count: 0 })

/** The result of one replay: within the range by day and kind and by member, and for all days as in the books. */
interface Tally {
  readonly byDay: ReadonlyMap<string, Sums>
  readonly byMember: BigInt64Array
  readonly classes: ReadonlyMap<string, Sums>
  readonly pools: Readonly<Record<ReplayPool, { USDT: Micros; AMC: Micros }>>
}

/**
 * Compares a plan with the plans in force: recomputes the books twice, under these and with the new plan from
 * the range's first day, from the same start. Pure. Its duration grows with the history, so it runs in a
 * separate process. `onProgress` receives the progress in ppm.
 */
export function comparePlans(
  replays: Pick<SettlementReplays, 'replay'>,
  books: ReplayedBooks,
  { plan, from, to }: Comparison,
  onProgress: (progressPpm: number) => void,
): ComparisonResult {
  const range = { from, to }
  const steps = books.days.length * 2
  let done = 0
  const step = () => onProgress(Math.floor((++done / steps) * 1_000_000))
  const before = tally(replays, books, books.planAt, range, step)
  const after = tally(replays, books, (day) => (day < from ? books.planAt(day) : plan), range, step)
  return {
    members: books.tree.count,
    orders: books.sales.count,
    kinds: KINDS.map((kind) => ({
      kind,
      before: covered(before, range, kind),
      after: covered(after, range, kind),
    })),
    days: daysOf(before, after, range),
    pools: POOLS.flatMap((pool) =>
      (['USDT', 'AMC'] as const).map((asset) => ({
        pool,
        asset,
        before: formatMicros(before.pools[pool][asset]),
        after: formatMicros(after.pools[pool][asset]),
      })),
    ),
    ...membersOf(books, before.byMember, after.byMember),
    proof: proofOf(books, before),
  }
}

function tally(
  { replay }: Pick<SettlementReplays, 'replay'>,
  books: ReplayedBooks,
  planAt: ReplayedBooks['planAt'],
  { from, to }: Pick<Comparison, 'from' | 'to'>,
  step: () => void,
): Tally {
  const byDay = new Map<string, Sums>()
  const classes = new Map<string, Sums>()
  const byMember = new BigInt64Array(books.tree.count)
  const priceOf = new Map(books.days.map(({ day, amcPriceMicros }) => [day, amcPriceMicros]))
  const zero = { USDT: 0n, AMC: 0n }
  let pools: Tally['pools'] = { commission_pool: zero, yield_pool: zero, savings_pool: zero }

  /** Returns the USDT worth of savings interest in AMC at the day's price; zero without a price. */
  const worthOf = (reward: ReplayReward, micros: Micros) => {
    if (reward.asset !== 'AMC') return micros
    const price = priceOf.get(reward.day)
    return price == null ? 0n : worth(micros, price)
  }
  replay(books, planAt, {
    reward(reward) {
      const { day, kind, member, dueMicros, paidMicros } = reward
      add(classes, `${day} ${classOf(reward)}`, dueMicros, paidMicros)
      if (day < from || day > to) return
      const paid = worthOf(reward, paidMicros)
      add(byDay, `${day} ${kind}`, worthOf(reward, dueMicros), paid)
      byMember[member] = byMember[member]! + paid
    },
    settled({ day }, left) {
      if (day <= to) pools = left
      step()
    },
  })
  return { byDay, byMember, classes, pools }
}

function add(sums: Map<string, Sums>, key: string, dueMicros: Micros, paidMicros: Micros): void {
  const sum = sums.get(key) ?? none()
  sum.dueMicros += dueMicros
  sum.paidMicros += paidMicros
  sum.count += 1
  sums.set(key, sum)
}

/** The names of the batches of a kind in the books. */
function classOf({ kind, asset }: ReplayReward): string {
  if (kind === 'PairingReward') return 'pairing'
  if (kind === 'ManagementReward') return 'management'
  if (kind === 'Interest') return 'static'
  if (kind === 'SavingsInterest') return asset === 'AMC' ? 'savings_amc' : 'savings_usdt'
  return 'commission'
}

function daysIn({ from, to }: Pick<Comparison, 'from' | 'to'>): Day[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_none, index) => addDays(from, index))
}

function covered({ byDay }: Tally, range: Pick<Comparison, 'from' | 'to'>, kind: ComparedKind) {
  const sum = none()
  for (const day of daysIn(range)) {
    const { dueMicros, paidMicros, count } = byDay.get(`${day} ${kind}`) ?? none()
    sum.dueMicros += dueMicros
    sum.paidMicros += paidMicros
    sum.count += count
  }
  const { dueMicros, paidMicros, count } = sum
  const coverage_ppm = dueMicros === 0n ? null : Number(floorDiv(paidMicros * MICRO, dueMicros))
  return { ...viewOf(sum), count, coverage_ppm }
}

function daysOf(
  before: Tally,
  after: Tally,
  range: Pick<Comparison, 'from' | 'to'>,
): ComparisonResult['days'] {
  return daysIn(range).flatMap((day) =>
    KINDS.flatMap((kind) => {
      const [sumsBefore, sumsAfter] = [before.byDay.get(`${day} ${kind}`), after.byDay.get(`${day} ${kind}`)]
      if (sumsBefore === undefined && sumsAfter === undefined) return []
      return [{ day, kind, before: viewOf(sumsBefore ?? none()), after: viewOf(sumsAfter ?? none()) }]
    }),
  )
}

const viewOf = ({ dueMicros, paidMicros }: Sums) => ({
  due: formatMicros(dueMicros),
  paid: formatMicros(paidMicros),
})

function membersOf({ tree }: ReplayedBooks, before: BigInt64Array, after: BigInt64Array) {
  const sides = {
    gain: { count: 0, sum: 0n, places: [] as number[] },
    lose: { count: 0, sum: 0n, places: [] as number[] },
  }
  const changeOf = (member: number) => {
    const change = after[member]! - before[member]!
    return change < 0n ? -change : change
  }
  for (let member = 0; member < tree.count; member++) {
    const change = after[member]! - before[member]!
    if (change === 0n) continue
    const side = change > 0n ? sides.gain : sides.lose
    side.count += 1
    side.sum += changeOf(member)
    keepLargest(side.places, member, changeOf)
  }
  const view = ({ count, sum, places }: typeof sides.gain): ComparedMembers => ({
    count,
    sum: formatMicros(sum),
    largest: places.map((member) => ({
      member_id: `${tree.ids[member]}`,
      before: formatMicros(before[member]!),
      after: formatMicros(after[member]!),
    })),
  })
  return {
    gain: view(sides.gain),
    lose: view(sides.lose),
    unchanged: tree.count - sides.gain.count - sides.lose.count,
  }
}

/** Keeps the ten largest, largest first; ties by the order of joining. */
function keepLargest(places: number[], member: number, of: (member: number) => Micros): void {
  const at = places.findIndex((kept) => of(member) > of(kept))
  if (at === -1) places.push(member)
  else places.splice(at, 0, member)
  if (places.length > SHOWN_MEMBERS) places.pop()
}

/** Compares the results under the plans in force with the books, class by class and day by day. */
function proofOf(books: ReplayedBooks, { classes }: Tally): ComparisonResult['proof'] {
  const paidByKey = new Map(books.paid.map((paid) => [`${paid.day} ${paid.class}`, paid]))
  const keys = [...new Set([...paidByKey.keys(), ...classes.keys()])].sort()
  const differing = keys.filter((key) => {
    const [bookedSums, talliedSums] = [paidByKey.get(key), classes.get(key)]
    return !(
      bookedSums !== undefined &&
      talliedSums !== undefined &&
      bookedSums.dueMicros === talliedSums.dueMicros &&
      bookedSums.paidMicros === talliedSums.paidMicros &&
      bookedSums.count === talliedSums.count
    )
  })
  return {
    checked: keys.length,
    differing: differing.slice(0, MOST_DIFFERENCES).map((key) => {
      const [day, name] = key.split(' ') as [string, string]
      return { day, class: name }
    }),
  }
}
