/**
 * The oracle of settlement: a second, naive implementation of the rules and of the scenario format, for the
 * tests of settlement, simulation and plan comparison. It keeps plain objects in memory, reads whole
 * histories for every result, and shares nothing with the product except the format. This part holds the
 * members, orders and pools, and pays batches of rewards (rules, sections 1, 2 and 6).
 */

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON, written by the generator
export type Event = any
export type Side = 'left' | 'right'
/** A member. Balances are keyed by asset and account, as in `USDT available`; amounts are micro-units. */
export interface Person {
  name: string
  sponsor: Person | null
  parent: Person | null
  side: Side | null
  left?: Person
  right?: Person
  orders: Order[]
  base: bigint
  carry: Record<Side, bigint>
  pauses: { day: string; paused: boolean }[]
  /** The member's own pairing caps; null lifts one. */
  caps: { day: string; cap: bigint | null }[]
  balances: Record<string, bigint>
  withdrawals: Withdrawal[]
  saved: Saved[]
  /** Dividend rights in the order of receipt. */
  rights: { day: string; amount: bigint }[]
}
export interface Order {
  number: number
  day: string
  buyer: Person
  level: number
  price: bigint
  base: bigint
  staticPaid: bigint
}
export interface Withdrawal {
  /** In milliseconds since the epoch. */
  at: number
  day: string
  asset: string
  amount: bigint
  fee: bigint
  worth: bigint
  to: string
  status: 'Auditing' | 'Withdrawable' | 'Success' | 'Rejected' | 'Cancelled'
}
/** A change of a member's savings, and the arrival time of an amount taken out. */
export interface Saved {
  asset: string
  day: string
  amount: bigint
  kind: 'in' | 'out' | 'interest'
  arrivesAt?: number
  arrived?: boolean
}
export interface Lot {
  owner: Person
  at: number
  price: bigint
  /** Units that are not paid out, and the part of them that a redemption has reserved. */
  left: bigint
  reserved: bigint
}

export interface Redemption {
  owner: Person
  units: bigint
  lots: { lot: Lot; units: bigint }[]
  status: 'Pending' | 'Approved' | 'Completed' | 'Rejected'
  dueAt: number
}

export interface Product {
  name: string
  opening: bigint
  minimum: bigint
  lockMs: number
  subscription: bigint
  redemption: bigint
  management: bigint
  nav: bigint
  cash: bigint
  /** The value of the investments. `invested` stays true at a value of 0. */
  value: bigint
  invested: boolean
  everInvested: boolean
  navAtStart: bigint
  closed: boolean
  lots: Lot[]
  /** In the order in which they were made. */
  requests: Redemption[]
  /** In the order of approval; paid ones are removed. */
  queue: Redemption[]
}

export interface Due {
  kind: string
  person: Person
  source: Person | null
  base: bigint
  ratio: bigint
  value: bigint
  flushed?: bigint
  order?: Order
}

export const M = 1_000_000n
/** The USDT worth a member may withdraw on a day, by level. */
export const LIMITS = [100n, 500n, 1000n, 3000n, 10000n, 30000n]

/**
 * The figures of a plan that affect rewards. Lists by level start with members without a package. Rates are
 * in ppm.
 */
export interface Terms {
  readonly prices: readonly bigint[]
  readonly referral: readonly bigint[]
  readonly organisation: readonly bigint[]
  readonly interest: readonly bigint[]
  readonly pairing: readonly bigint[]
  readonly pairingCaps: readonly bigint[]
  readonly generations: readonly bigint[]
  /** Ranks of the management award: base from which one applies, and rate. */
  readonly ranks: readonly (readonly [from: bigint, rate: bigint])[]
  /** The part of a payment that goes to the commission pool. */
  readonly poolShare: bigint
  readonly usdtShare: bigint
  /** The total static rewards of a package, as a share of its price. */
  readonly interestCap: bigint
}

const DEFAULT_PRICES = [0n, 100n * M, 500n * M, 1000n * M, 5000n * M, 10000n * M]
/** The plan of the rules. */
export const DEFAULT_TERMS: Terms = {
  prices: DEFAULT_PRICES,
  referral: [0n, 60_000n, 70_000n, 80_000n, 90_000n, 100_000n],
  organisation: [0n, 20_000n, 40_000n, 60_000n, 80_000n, 100_000n],
  interest: [0n, 6_000n, 7_000n, 8_000n, 9_000n, 10_000n],
  pairing: [0n, 60_000n, 70_000n, 80_000n, 90_000n, 100_000n],
  pairingCaps: DEFAULT_PRICES,
  generations: [M, 500_000n, 250_000n],
  ranks: [
    [1000n * M, 50_000n],
    [5000n * M, 80_000n],
    [20000n * M, 100_000n],
    [100000n * M, 120_000n],
    [500000n * M, 150_000n],
  ],
  poolShare: 350_000n,
  usdtShare: 700_000n,
  interestCap: 2n * M,
}
export const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
export const part = (amount: bigint, ppm: bigint) => (amount * ppm) / M
export const sum = (values: bigint[]) => values.reduce((a, b) => a + b, 0n)
export const micros = (text: string) => {
  const [whole, fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(6, '0'))
  return text.startsWith('-') ? -value : value
}
export const text = (value: bigint) => {
  const digits = (value < 0n ? -value : value).toString().padStart(7, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
export const dayAfter = (day: string, count = 1) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

export class Refused extends Error {}

export const team = (person: Person | undefined): Person[] =>
  person ? [person, ...team(person.left), ...team(person.right)] : []

export type World = ReturnType<typeof createWorld>

/** Creates an empty world under a plan. */
export function createWorld(terms: Terms) {
  const people: Person[] = []
  const products: Product[] = []
  const orders: Order[] = []
  const lines: Event[] = []
  const prices: { asset: string; price: bigint; at: number }[] = []
  const pool: { account: string; asset: string; day: string; amount: bigint }[] = []
  const locked: { person: Person; day: string; amount: bigint }[] = []
  const accounts: Record<string, bigint> = {}

  const named = (name: string) => {
    const person = people.find((candidate) => candidate.name === name)
    if (!person) throw new Refused('MEMBER_NOT_FOUND')
    return person
  }
  const price = (asset: string, at: number) =>
    prices.filter((entry) => entry.asset === asset && entry.at <= at).at(-1)?.price ?? null
  const balanceOf = (person: Person, key: string) => person.balances[key] ?? 0n
  const give = (person: Person, key: string, amount: bigint) => {
    person.balances[key] = balanceOf(person, key) + amount
  }
  const book = (key: string, amount: bigint) => {
    accounts[key] = (accounts[key] ?? 0n) + amount
  }
  const bookPool = (account: string, asset: string, day: string, amount: bigint) => {
    pool.push({ account, asset, day, amount })
    book(`${asset} ${account}`, amount)
  }
  const poolAt = (account: string, asset: string, day: string) =>
    sum(pool.filter((e) => e.account === account && e.asset === asset && e.day <= day).map((e) => e.amount))
  const levelAt = (person: Person, day: string, number = Number.POSITIVE_INFINITY) =>
    Math.max(0, ...person.orders.filter((o) => o.day <= day && o.number < number).map((o) => o.level))
  /** The last settled day. */
  const settled = ''
  return {
    terms,
    settled,
    people,
    products,
    orders,
    lines,
    prices,
    pool,
    locked,
    accounts,
    named,
    price,
    balanceOf,
    give,
    book,
    bookPool,
    poolAt,
    levelAt,
  }
}

/** Pays due amounts from a pool, with its balance at the end of a day, and returns the paid value of each. */
export function payBatch(
  world: World,
  account: string,
  day: string,
  poolDay: string,
  amcPrice: bigint | null,
  dues: Due[],
): bigint[] {
  const { terms, give, bookPool, poolAt, lines, locked } = world
  const amcShare = M - terms.usdtShare
  const positiveDues = dues.filter((due) => due.value > 0n)
  const u = poolAt(account, 'USDT', poolDay)
  const a = (poolAt(account, 'AMC', poolDay) * (amcPrice ?? 0n)) / M
  const due = sum(positiveDues.map(({ value }) => value))
  if (due === 0n) return dues.map(() => 0n)
  const coverage = smaller(M, (M * (u + a)) / due)
  const total = sum(positiveDues.map(({ value }) => part(value, coverage)))
  let [us, as] = [terms.usdtShare, amcShare]
  if (total === 0n) [us, as] = [0n, 0n]
  else {
    const [cu, ca] = [(M * u) / total, (M * a) / total]
    if (ca < amcShare) [us, as] = [smaller(M - ca, cu), ca]
    else if (cu < terms.usdtShare) [us, as] = [cu, smaller(M - cu, ca)]
  }
  return dues.map((entry) => {
    if (entry.value === 0n) return 0n
    const paid = part(entry.value, coverage)
    const usdt = part(paid, us)
    const amc = amcPrice === null ? 0n : (part(paid, as) * M) / amcPrice
    give(entry.person, 'USDT available', usdt)
    give(entry.person, 'AMC locked', amc)
    bookPool(account, 'USDT', day, -usdt)
    bookPool(account, 'AMC', day, -amc)
    locked.push({ person: entry.person, day, amount: amc })
    lines.push({
      type: 'reward',
      day,
      kind: entry.kind,
      member: entry.person.name,
      source: entry.source?.name ?? null,
      base: text(entry.base),
      ratio_ppm: Number(entry.ratio),
      value: text(entry.value),
      coverage_ppm: Number(coverage),
      usdt: text(usdt),
      amc: text(amc),
      flushed: text(entry.flushed ?? 0n),
    })
    return paid
  })
}
