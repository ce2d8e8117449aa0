import {
  beginCommissions,
  climbSponsorLine,
  type Day,
  isLastDayOfMonth,
  levelAfterPayment,
  type Micros,
  min,
  mul,
  PAYMENT_ASSETS,
  type PaymentAsset,
  type Plan,
  payBatch,
  quoteOrder,
  type RewardKind,
  type SponsorLineMember,
  savingsCoverage,
  splitPayment,
  termsOfLevel,
} from '@rif/rules'
import { total } from '../day/batches.ts'
import { addRow, createRows, type Rows } from '../day/columns.ts'
import { type DayInput, workOutDay } from '../day/day.ts'
import { createDividendHoldings } from '../day/dividends.ts'
import { addStaticDue, createDues } from '../day/dues.ts'
import { addInterest, createInterest, type Interest } from '../day/interest.ts'
import { type PoolBalance, payFrom } from '../day/pay.ts'
import { createOrders, createStates, NOBODY, type Orders, type TreeMembers } from '../day/tree.ts'
import { TYPE_OF_CLASS } from '../steps/posting.service.ts'
import type { SettledDay } from './books.repository.ts'
import { dayNumber, dayOfTime, type ReplayedBooks } from './books.service.ts'

/** A reward that a replay pays; amounts in micro-units. */
export interface ReplayReward {
  readonly day: Day
  readonly kind: RewardKind | 'SavingsInterest'
  /** The unit of the amount due: for savings interest the saved asset, otherwise USDT worth. */
  readonly asset: PaymentAsset
  /** The member's number in the books' tree. */
  readonly member: number
  readonly dueMicros: Micros
  readonly paidMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

export type ReplayPool = 'commission_pool' | 'yield_pool' | 'savings_pool'

/** Receives each replayed reward as it is computed. */
export interface ReplaySink {
  reward(reward: ReplayReward): void
  /** Called after a day is settled, with the pools' balances at the end of that day. */
  settled(day: SettledDay, pools: Readonly<Record<ReplayPool, PoolBalance>>): void
}

/** Money of a pool: the total, and the part from days up to the last settled one. */
interface RunningPool {
  free: PoolBalance
  /** Receipts less payments by accounting day. */
  readonly moved: Map<Day, PoolBalance>
  settled: PoolBalance
}

/** Paid packages, in the order of payment. */
type Packages = Rows<{
  member: Int32Array
  level: Uint8Array
  price: BigInt64Array
  paidSoFar: BigInt64Array
}>

interface Run {
  readonly books: ReplayedBooks
  readonly planAt: (day: Day) => Plan
  readonly sink: ReplaySink
  readonly members: TreeMembers
  /** Current levels; those in `members` are as of the last settled day. */
  readonly level: Uint8Array
  readonly packages: Packages
  readonly paidOn: Day[]
  /** The orders of unsettled days. */
  readonly orders: Map<Day, Orders>
  readonly pools: Readonly<Record<ReplayPool, RunningPool>>
  readonly saved: Readonly<Record<PaymentAsset, BigInt64Array>>
  nextMove: number
}

/**
 * Recomputes the books from their first day, under the plan that `planAt` returns for a day: sales with their
 * commissions and the settlement of days in their original order, with the rules and the code that settles
 * (`workOutDay`). Under the original plans the result equals the books to the micro-unit. Under another plan,
 * a buyer with hash power uses at most the original amount. Rules, sections 4 to 6 and 9.
 */
export function replay(books: ReplayedBooks, planAt: (day: Day) => Plan, sink: ReplaySink): void {
  const run = begin(books, planAt, sink)
  let sale = 0
  for (const day of books.days) {
    const fixedAt = BigInt(day.fixedAt.getTime())
    while (sale < books.sales.count && books.sales.collectedAt[sale]! < fixedAt) sell(run, sale++)
    settle(run, day)
  }
}

function begin(books: ReplayedBooks, planAt: Run['planAt'], sink: ReplaySink): Run {
  const { tree } = books
  const micros = () => new BigInt64Array(tree.count)
  return {
    books,
    planAt,
    sink,
    nextMove: 0,
    level: new Uint8Array(tree.count),
    members: { ...tree, ...createStates(tree.count) },
    packages: createRows({
      member: new Int32Array(),
      level: new Uint8Array(),
      price: new BigInt64Array(),
      paidSoFar: new BigInt64Array(),
    }),
    paidOn: [],
    orders: new Map(),
    pools: { commission_pool: emptyPool(), yield_pool: emptyPool(), savings_pool: emptyPool() },
    saved: { USDT: micros(), AMC: micros() },
  }
}

const emptyPool = (): RunningPool => ({
  free: { USDT: 0n, AMC: 0n },
  moved: new Map(),
  settled: { USDT: 0n, AMC: 0n },
})

function move(pool: RunningPool, day: Day, asset: PaymentAsset, micros: Micros): void {
  pool.free[asset] += micros
  const moved = pool.moved.get(day) ?? { USDT: 0n, AMC: 0n }
  moved[asset] += micros
  pool.moved.set(day, moved)
}

/** Returns the price and parts of an order under a plan, with at most the given discount. Rules, section 4. */
function quoteOf(plan: Plan, level: number, discountMicros: Micros, amcPriceMicros: Micros) {
  const { priceMicros } = termsOfLevel(plan, level)!
  const dueMicros = priceMicros - min(mul(priceMicros, plan.order.hashRatePpm), discountMicros)
  const rif = { useHashRate: false, rifAvailableMicros: 0n, rifPriceMicros: null }
  const quote = quoteOrder({ ...rif, priceMicros: dueMicros, amcPriceMicros, plan })
  if (!quote.ok) throw new Error(`an order of level ${level} cannot be quoted: ${quote.code}`)
  return { ...quote, priceMicros }
}

/** Applies a paid order: its share enters the pool, its commissions are paid, and its buyer's level rises. */
function sell(run: Run, sale: number): void {
  const { books, planAt, packages, sink } = run
  const { sales } = books
  const buyer = sales.buyer[sale]!
  const level = sales.level[sale]!
  const amcPriceMicros = sales.amcPrice[sale]!
  const day = dayOfTime(sales.collectedAt[sale]!)
  const quotePlan = planAt(dayOfTime(sales.quotedAt[sale]!))
  const quote = quoteOf(quotePlan, level, sales.discount[sale]!, amcPriceMicros)
  const plan = planAt(day)
  const pool = run.pools.commission_pool
  move(pool, day, 'USDT', splitPayment(quote.usdtMicros, plan).poolMicros)
  move(pool, day, 'AMC', splitPayment(quote.amcMicros, plan).poolMicros)

  const { commissions } = climbSponsorLine(
    beginCommissions<number>(quote.dueMicros),
    sponsorLine(run, buyer),
    plan,
  )
  const poolFunds = { usdtMicros: pool.free.USDT, amcMicros: pool.free.AMC, amcPriceMicros }
  const values = commissions.map(({ valueMicros }) => valueMicros)
  payBatch(poolFunds, values, plan).payouts.forEach(({ paidMicros, usdtMicros, amcMicros }, index) => {
    const { kind, memberId: member, valueMicros: dueMicros } = commissions[index]!
    move(pool, day, 'USDT', -usdtMicros)
    move(pool, day, 'AMC', -amcMicros)
    sink.reward({ day, kind, asset: 'USDT', member, dueMicros, paidMicros, usdtMicros, amcMicros })
  })

  run.level[buyer] = levelAfterPayment(run.level[buyer]!, level)
  const place = addRow(packages)
  packages.member[place] = buyer
  packages.level[place] = level
  packages.price[place] = quote.priceMicros
  run.paidOn[place] = day
  const orders = run.orders.get(day) ?? createOrders()
  run.orders.set(day, orders)
  const order = addRow(orders)
  orders.buyer[order] = buyer
  orders.level[order] = level
  orders.base[order] = quote.dueMicros
}

/** Returns the members above a buyer, nearest first, in their current state. */
function* sponsorLine({ members, level }: Run, buyer: number): Generator<SponsorLineMember<number>> {
  for (let member = members.sponsor[buyer]!; member !== NOBODY; member = members.sponsor[member]!) {
    yield { memberId: member, level: level[member]!, valid: level[member]! > 0 }
  }
}

function settle(run: Run, settled: SettledDay): void {
  const { books, sink } = run
  const { day, amcPriceMicros } = settled
  for (const { day: cameOn, pool, asset, micros } of books.funding) {
    if (cameOn === day) move(run.pools[pool], day, asset, micros)
  }
  const plan = run.planAt(day)
  const poolBalances = {
    commission_pool: poolAtEndOf(run.pools.commission_pool, day),
    yield_pool: poolAtEndOf(run.pools.yield_pool, day),
  }
  const savingsPool = poolAtEndOf(run.pools.savings_pool, day)
  const work = workOutDay(
    dayInput(run, day, plan),
    payFrom(poolBalances, amcPriceMicros, plan, () => undefined),
    ({ asset, due }) => savingsCoverage(savingsPool[asset], total(due)),
    { usdtMicros: 0n, amcMicros: 0n },
  )
  for (const { class: rewardClass, dues, payouts } of work.batches) {
    const kind = TYPE_OF_CLASS[rewardClass]
    const pool = run.pools[rewardClass === 'static' ? 'yield_pool' : 'commission_pool']
    move(pool, day, 'USDT', -total(payouts.usdt))
    move(pool, day, 'AMC', -total(payouts.amc))
    for (let place = 0; place < dues.count; place++) {
      const paidMicros = payouts.paid[place]!
      if (rewardClass === 'static') {
        const package_ = Number(dues.orderId[place]!)
        run.packages.paidSoFar[package_] = run.packages.paidSoFar[package_]! + paidMicros
      }
      const paid = { paidMicros, usdtMicros: payouts.usdt[place]!, amcMicros: payouts.amc[place]! }
      const due = { member: dues.member[place]!, dueMicros: dues.value[place]! }
      sink.reward({ day, kind, asset: 'USDT', ...due, ...paid })
    }
  }
  for (const { asset, member, due, paid } of work.interest) {
    move(run.pools.savings_pool, day, asset, -total(paid))
    for (let place = 0; place < member.length; place++) {
      const [saver, paidMicros] = [member[place]!, paid[place]!]
      run.saved[asset][saver] = run.saved[asset][saver]! + paidMicros
      const amounts = { USDT: 0n, AMC: 0n, [asset]: paidMicros }
      sink.reward({
        day,
        kind: 'SavingsInterest',
        asset,
        member: saver,
        dueMicros: due[place]!,
        paidMicros,
        usdtMicros: amounts.USDT,
        amcMicros: amounts.AMC,
      })
    }
  }
  sink.settled(settled, {
    commission_pool: closePool(run.pools.commission_pool, day),
    yield_pool: closePool(run.pools.yield_pool, day),
    savings_pool: closePool(run.pools.savings_pool, day),
  })
}

/**
 * Returns the balance of a pool at the end of a day, at most its present one (like `poolAtEndOf` of the
 * settlement).
 */
function poolAtEndOf({ free, moved, settled }: RunningPool, day: Day): PoolBalance {
  const of = (asset: PaymentAsset) => min(settled[asset] + (moved.get(day)?.[asset] ?? 0n), free[asset])
  return { USDT: of('USDT'), AMC: of('AMC') }
}

function closePool(pool: RunningPool, day: Day): PoolBalance {
  const { USDT = 0n, AMC = 0n } = pool.moved.get(day) ?? {}
  pool.moved.delete(day)
  pool.settled = { USDT: pool.settled.USDT + USDT, AMC: pool.settled.AMC + AMC }
  return pool.settled
}

/** Returns the input of a day without locked AMC and dividends, which change no reward. */
function dayInput(run: Run, day: Day, plan: Plan): DayInput {
  const { books, members, packages } = run
  const orders = run.orders.get(day) ?? createOrders()
  run.orders.delete(day)
  const paidBefore = run.paidOn.findLastIndex((paidOn) => paidOn < day) + 1
  const staticDues = createDues()
  for (let place = 0; place < paidBefore; place++) {
    const paid = {
      // The place is the order's number, by which the package is found again among the dues.
      orderId: BigInt(place),
      member: packages.member[place]!,
      level: packages.level[place]!,
      priceMicros: packages.price[place]!,
      paidSoFarMicros: packages.paidSoFar[place]!,
    }
    addStaticDue(staticDues, paid, plan)
  }
  return {
    day,
    plan,
    members,
    orders,
    released: new BigInt64Array(members.count),
    staticDues,
    paused: isLastDayOfMonth(day) ? books.pausedAt(day) : new Set(),
    ownDayCaps: books.ownDayCapsAt(day),
    interest: interestDue(run, day, plan),
    holdings: createDividendHoldings(),
  }
}

/**
 * Returns the interest due on the savings at the end of the previous day less the day's withdrawals, and then
 * books the day's deposits and withdrawals.
 */
function interestDue(run: Run, day: Day, plan: Plan): Interest {
  const { books, saved } = run
  const moves = books.savings
  const out = { USDT: new Map<number, Micros>(), AMC: new Map<number, Micros>() }
  const begin = run.nextMove
  while (run.nextMove < moves.count && dayNumber(moves.day[run.nextMove]!) <= day) run.nextMove++
  for (let place = begin; place < run.nextMove; place++) {
    out[assetOf(moves, place)].set(moves.member[place]!, moves.out[place]!)
  }
  const interest = createInterest()
  for (const asset of PAYMENT_ASSETS) {
    for (let member = 0; member < saved[asset].length; member++) {
      const savedMicros = saved[asset][member]!
      if (savedMicros <= 0n) continue
      addInterest(interest, { member, asset, savedMicros, outMicros: out[asset].get(member) ?? 0n }, plan)
    }
  }
  for (let place = begin; place < run.nextMove; place++) {
    const column = saved[assetOf(moves, place)]
    const member = moves.member[place]!
    column[member] = column[member]! + moves.in[place]! - moves.out[place]!
  }
  return interest
}

const assetOf = (moves: ReplayedBooks['savings'], place: number): PaymentAsset =>
  moves.isAmc[place] ? 'AMC' : 'USDT'
