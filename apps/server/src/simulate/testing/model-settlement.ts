import {
  type Due,
  dayAfter,
  M,
  type Person,
  part,
  payBatch,
  type Side,
  smaller,
  sum,
  type World,
} from './model-world.ts'

/** Reports each part of a day's orders that an ancestor keeps for pairing (rules, section 5.3). */
export function addCarries(
  { orders, levelAt }: World,
  day: string,
  carry: (person: Person, side: Side, amount: bigint) => void,
) {
  for (const order of orders.filter((candidate) => candidate.day === day)) {
    for (let below = order.buyer, above = below.parent; above; below = above, above = above.parent) {
      if (levelAt(above, day, order.number) > 0) carry(above, below.side!, order.base)
    }
  }
}

/** Settles a day, in the order of the rules (section 6). */
export function settle(world: World, day: string): void {
  const { terms, people, locked, give, price } = world
  for (const lock of locked) {
    const age = (Date.parse(day) - Date.parse(lock.day)) / 86_400_000
    if (age < 1 || age > 30) continue
    const released = age < 30 ? lock.amount / 30n : lock.amount - 29n * (lock.amount / 30n)
    give(lock.person, 'AMC locked', -released)
    give(lock.person, 'AMC available', released)
  }
  const amcPrice = price('AMC', Date.parse(dayAfter(day)) - 1)
  addCarries(world, day, (person, side, amount) => {
    person.carry[side] += amount
  })
  const pairing: Due[] = []
  for (const person of people) {
    const matched = smaller(person.carry.left, person.carry.right)
    const level = world.levelAt(person, day)
    if (matched === 0n) continue
    person.carry.left -= matched
    person.carry.right -= matched
    const ratio = terms.pairing[level]!
    const gross = part(matched, ratio)
    const levelCap = terms.pairingCaps[level]!
    const ownCap = person.caps.filter((entry) => entry.day <= day).at(-1)?.cap ?? levelCap
    const value = smaller(gross, smaller(levelCap, ownCap))
    pairing.push({
      kind: 'PairingReward',
      person,
      source: null,
      base: matched,
      ratio,
      value,
      flushed: gross - value,
    })
  }
  const paid = payBatch(world, 'commission_pool', day, day, amcPrice, pairing)
  pairing.forEach(({ person }, index) => {
    let receiver: Person | null = person.sponsor
    for (const share of terms.generations) {
      if (receiver && world.levelAt(receiver, day) > 0) receiver.base += part(paid[index]!, share)
      receiver = receiver?.sponsor ?? null
    }
  })
  if (dayAfter(day).endsWith('-01')) settleMonth(world, day, amcPrice)
  const interest: Due[] = people.flatMap((person) =>
    person.orders
      .filter((order) => order.day < day)
      .map((order) => ({
        kind: 'Interest',
        person,
        source: null,
        base: order.price,
        ratio: terms.interest[order.level]!,
        value: smaller(
          part(order.price, terms.interest[order.level]!),
          part(order.price, terms.interestCap) - order.staticPaid,
        ),
        order,
      })),
  )
  payBatch(world, 'yield_pool', day, day, amcPrice, interest).forEach((amount, index) => {
    interest[index]!.order!.staticPaid += amount
  })
  payInterest(world, day)
  payDividends(world, day)
}

function payInterest({ people, give, bookPool, poolAt }: World, day: string): void {
  for (const asset of ['USDT', 'AMC']) {
    const dues = people.map((person) => {
      const saved = person.saved.filter((entry) => entry.asset === asset)
      const before = sum(saved.filter((entry) => entry.day < day).map(({ amount }) => amount))
      const out = sum(
        saved.filter((entry) => entry.day === day && entry.kind === 'out').map(({ amount }) => amount),
      )
      const principal = before + out < 0n ? 0n : before + out
      return (principal * 180_000n) / 365_000_000n
    })
    const due = sum(dues)
    if (due === 0n) continue
    const coverage = smaller(M, (M * poolAt('savings_pool', asset, day)) / due)
    people.forEach((person, index) => {
      const amount = part(dues[index]!, coverage)
      if (amount === 0n) return
      person.saved.push({ asset, day, amount, kind: 'interest' })
      give(person, `${asset} savings`, amount)
      bookPool('savings_pool', asset, day, -amount)
    })
  }
}

/** Holders of dividend rights share the whole pool in proportion (rules, section 11). */
function payDividends({ people, give, bookPool, poolAt }: World, day: string): void {
  for (const asset of ['USDT', 'AMC']) {
    const pool = poolAt('dividend_pool', asset, day)
    const own = people.map((person) =>
      sum(person.rights.filter((entry) => entry.day <= day).map(({ amount }) => amount)),
    )
    people.forEach((person, index) => {
      if (own[index] === 0n) return
      const amount = (pool * own[index]!) / sum(own)
      give(person, `${asset} available`, amount)
      bookPool('dividend_pool', asset, day, -amount)
    })
  }
}

function settleMonth(world: World, day: string, amcPrice: bigint | null): void {
  const dues: Due[] = []
  for (const person of world.people) {
    if (person.pauses.filter((pause) => pause.day <= day).at(-1)?.paused) continue
    const [, ratio] = world.terms.ranks.filter(([from]) => person.base >= from).at(-1) ?? [0n, 0n]
    dues.push({
      kind: 'ManagementReward',
      person,
      source: null,
      base: person.base,
      ratio,
      value: part(person.base, ratio),
    })
    person.base = 0n
  }
  payBatch(world, 'commission_pool', day, day, amcPrice, dues)
}
