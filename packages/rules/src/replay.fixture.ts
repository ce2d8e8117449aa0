import {
  beginCommissions,
  climbSponsorLine,
  type Day,
  dayOf,
  daysBetween,
  formatMicros,
  isLastDayOfMonth,
  levelAfterPayment,
  type Micros,
  managementContributions,
  nextDay,
  packageNamed,
  parseMicros,
  payBatch,
  placementSide,
  defaultPlan as plan,
  quoteOrder,
  type RewardKind,
  releasePart,
  type Side,
  settleManagement,
  settlePairing,
  splitPayment,
  staticDue,
} from './index.ts'

// Replays a scenario in memory, with the rules only: the events of each day, then its settlement.

export type Fields = Record<string, string | boolean | number | null>

interface PaidPackage {
  day: Day
  priceMicros: Micros
  staticPpm: number
  paidSoFarMicros: Micros
}

interface Member {
  name: string
  sponsor: Member | null
  parent: Member | null
  side: Side | null
  level: number
  paused: boolean
  base: Micros
  usdt: Micros
  amc: Micros
  locked: Micros
  rif: Micros
  carry: Record<Side, Micros>
  investment: Record<Side, Micros>
  child: Record<Side, Member | null>
  packages: PaidPackage[]
}

interface Due {
  kind: RewardKind
  member: Member
  source: string | null
  base: Micros
  ratioPpm: number
  value: Micros
  flushed?: Micros
}

function emptyBook() {
  return {
    members: new Map<string, Member>(),
    price: {} as Record<string, Micros>,
    pools: { commission: { usdt: 0n, amc: 0n }, yield: { usdt: 0n, amc: 0n } },
    revenue: { usdt: 0n, amc: 0n, rif: 0n },
    rewards: [] as Fields[],
    refused: [] as string[],
    locks: [] as { day: Day; member: Member; amc: Micros }[],
  }
}

type Book = ReturnType<typeof emptyBook>

/** Parses a text with one JSON object per line. */
export function lines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Counts the members of a subtree, including its top. */
export function teamSize(top: Member | null): number {
  return top === null ? 0 : 1 + teamSize(top.child.left) + teamSize(top.child.right)
}

function sponsorLine({ sponsor }: Member): Member[] {
  return sponsor ? [sponsor, ...sponsorLine(sponsor)] : []
}

function asLine(sponsors: Member[]) {
  return sponsors.map((memberId) => ({ memberId, level: memberId.level, valid: memberId.level > 0 }))
}

function join(book: Book, event: Fields) {
  const name = event.member as string
  const sponsor = book.members.get(event.sponsor as string) ?? null
  const member: Member = {
    name,
    sponsor,
    parent: null,
    side: null,
    level: 0,
    paused: false,
    packages: [],
    base: 0n,
    usdt: 0n,
    amc: 0n,
    locked: 0n,
    rif: 0n,
    carry: { left: 0n, right: 0n },
    investment: { left: 0n, right: 0n },
    child: { left: null, right: null },
  }
  book.members.set(name, member)
  if (sponsor === null) return
  const sizes = [teamSize(sponsor.child.left), teamSize(sponsor.child.right)] as const
  const side = placementSide(event.side as Side | 'auto', ...sizes)
  let parent = sponsor
  for (let next = parent.child[side]; next !== null; next = parent.child[side]) parent = next
  Object.assign(member, { parent, side })
  parent.child[side] = member
}

function order(book: Book, day: Day, buyer: Member, event: Fields) {
  const terms = packageNamed(plan, event.package as string)!
  const quote = quoteOrder({
    priceMicros: terms.priceMicros,
    useHashRate: event.hash_power as boolean,
    rifAvailableMicros: buyer.rif,
    rifPriceMicros: book.price.RIF ?? null,
    amcPriceMicros: book.price.AMC ?? null,
    plan,
  })
  if (!quote.ok) {
    book.refused.push(quote.code)
    return
  }
  receive(book, buyer, quote)
  buyer.level = levelAfterPayment(buyer.level, terms.level)
  const { priceMicros, staticPpm } = terms
  buyer.packages.push({ day, priceMicros, staticPpm, paidSoFarMicros: 0n })
  const { dueMicros } = quote
  for (let { parent, side } = buyer; parent !== null; { parent, side } = parent) {
    parent.investment[side!] += dueMicros
    if (parent.level > 0) parent.carry[side!] += dueMicros
  }
  const walk = climbSponsorLine(beginCommissions<Member>(dueMicros), asLine(sponsorLine(buyer)), plan)
  const due = walk.commissions.map(({ kind, memberId: member, ratioPpm, valueMicros: value }): Due => {
    return { kind, member, source: buyer.name, base: dueMicros, ratioPpm, value }
  })
  pay(book, day, book.pools.commission, due)
}

function receive(
  { pools, revenue }: Book,
  buyer: Member,
  paid: { usdtMicros: Micros; amcMicros: Micros; rifMicros: Micros },
) {
  const usdt = splitPayment(paid.usdtMicros, plan)
  const amc = splitPayment(paid.amcMicros, plan)
  pools.commission.usdt += usdt.poolMicros
  pools.commission.amc += amc.poolMicros
  revenue.usdt += usdt.revenueMicros
  revenue.amc += amc.revenueMicros
  revenue.rif += paid.rifMicros
  buyer.rif -= paid.rifMicros
}

/** Pays and records a batch, and returns the paid values. */
function pay(book: Book, day: Day, pool: { usdt: Micros; amc: Micros }, due: Due[]): Micros[] {
  const funds = { usdtMicros: pool.usdt, amcMicros: pool.amc, amcPriceMicros: book.price.AMC ?? null }
  const values = due.map((reward) => reward.value)
  const { coveragePpm, payouts } = payBatch(funds, values, plan)
  return due.map(({ kind, member, source, base, ratioPpm, value, flushed = 0n }, index) => {
    const { paidMicros, usdtMicros, amcMicros } = payouts[index]!
    pool.usdt -= usdtMicros
    pool.amc -= amcMicros
    member.usdt += usdtMicros
    member.locked += amcMicros
    book.locks.push({ day, member, amc: amcMicros })
    book.rewards.push({
      type: 'reward',
      day,
      kind,
      member: member.name,
      source,
      base: formatMicros(base),
      ratio_ppm: ratioPpm,
      value: formatMicros(value),
      coverage_ppm: coveragePpm,
      usdt: formatMicros(usdtMicros),
      amc: formatMicros(amcMicros),
      flushed: formatMicros(flushed),
    })
    return paidMicros
  })
}

function settle(book: Book, day: Day) {
  for (const lock of book.locks) {
    const amount = releasePart(lock.amc, daysBetween(lock.day, day), plan.reward.releaseParts)
    lock.member.locked -= amount
    lock.member.amc += amount
  }
  payPairing(book, day)
  if (isLastDayOfMonth(day)) payManagement(book, day)
  payStatic(book, day)
}

function payPairing(book: Book, day: Day) {
  const due = [...book.members.values()].flatMap((member): Due[] => {
    const { carry, level } = member
    const input = { carryLeftMicros: carry.left, carryRightMicros: carry.right, level, ownDayCapMicros: null }
    const result = settlePairing(input, plan)
    member.carry = { left: result.carryLeftMicros, right: result.carryRightMicros }
    const { matchedMicros: base, ratioPpm, valueMicros: value, flushedMicros: flushed } = result
    return value > 0n ? [{ kind: 'PairingReward', member, source: null, base, ratioPpm, value, flushed }] : []
  })
  pay(book, day, book.pools.commission, due).forEach((paidMicros, index) => {
    const sponsors = asLine(sponsorLine(due[index]!.member))
    for (const { memberId, amountMicros } of managementContributions(paidMicros, sponsors, plan)) {
      memberId.base += amountMicros
    }
  })
}

function payManagement(book: Book, day: Day) {
  const due = [...book.members.values()].flatMap((member): Due[] => {
    const { base } = member
    const { ratioPpm, valueMicros: value, nextBaseMicros } = settleManagement(base, member.paused, plan)
    member.base = nextBaseMicros
    return value > 0n ? [{ kind: 'ManagementReward', member, source: null, base, ratioPpm, value }] : []
  })
  pay(book, day, book.pools.commission, due)
}

function payStatic(book: Book, day: Day) {
  const earning = [...book.members.values()].flatMap((member) =>
    member.packages.filter((paid) => paid.day < day).map((paid) => ({ member, paid })),
  )
  const due = earning.map(({ member, paid }): Due => {
    const { priceMicros: base, staticPpm: ratioPpm } = paid
    return { kind: 'Interest', member, source: null, base, ratioPpm, value: staticDue(paid, plan) }
  })
  pay(book, day, book.pools.yield, due).forEach((paidMicros, index) => {
    earning[index]!.paid.paidSoFarMicros += paidMicros
  })
}

function apply(book: Book, day: Day, event: Fields) {
  const member = book.members.get(event.member as string)
  const amount = typeof event.amount === 'string' ? parseMicros(event.amount) : 0n
  if (event.type === 'price') book.price[event.asset as string] = parseMicros(event.usdt as string)
  if (event.type === 'join') join(book, event)
  if (event.type === 'order') order(book, day, member!, event)
  if (event.type === 'grant') member!.rif += amount
  if (event.type === 'management') member!.paused = event.action === 'pause'
  if (event.type === 'attest') book.pools.yield[event.asset === 'USDT' ? 'usdt' : 'amc'] += amount
}

/** Replays events in the order of time and settles every day up to `lastDay`, each after its own events. */
export function replay(events: Fields[], lastDay: Day): Book {
  const book = emptyBook()
  const dayOfEvent = (event: Fields) => dayOf(Date.parse(event.at as string))
  for (let day = dayOfEvent(events[0]!); day <= lastDay; day = nextDay(day)) {
    for (const event of events) if (dayOfEvent(event) === day) apply(book, day, event)
    settle(book, day)
  }
  return book
}
