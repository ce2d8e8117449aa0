import {
  type Due,
  type Event,
  LIMITS,
  M,
  micros,
  type Person,
  part,
  payBatch,
  Refused,
  type Side,
  smaller,
  sum,
  team,
  type Withdrawal,
  type World,
} from './model-world.ts'

export function withdraw(world: World, event: Event): void {
  const { named, price, balanceOf, give, levelAt } = world
  const person = named(event.member)
  const amount = micros(event.amount)
  const day = event.at.slice(0, 10)
  if (event.asset !== 'USDT' && event.asset !== 'AMC') throw new Refused('ASSET_NOT_ALLOWED')
  if (amount <= 0n || amount >= 2n ** 63n) throw new Refused('INVALID_AMOUNT')
  const p = event.asset === 'USDT' ? M : price('AMC', Date.parse(event.at))
  if (p === null) throw new Refused('PRICE_UNAVAILABLE')
  const [share, least] = [part(amount, 10_000n), (M * M) / p]
  const fee = share + least - smaller(share, least)
  if (amount <= fee) throw new Refused('AMOUNT_NOT_ABOVE_FEE')
  if (amount > balanceOf(person, `${event.asset} available`)) throw new Refused('INSUFFICIENT_BALANCE')
  const worth = (amount * p) / M
  const used = person.withdrawals.filter(
    (w) => w.day === day && w.status !== 'Rejected' && w.status !== 'Cancelled',
  )
  if (worth + sum(used.map((w) => w.worth)) > LIMITS[levelAt(person, day)]! * M)
    throw new Refused('DAILY_LIMIT')
  const to = [undefined, null, person.name].includes(event.to) ? person.name : event.to.toLowerCase()
  const trusted = to === person.name || person.withdrawals.some((w) => w.to === to && w.status === 'Success')
  const at = Date.parse(event.at)
  const recent = person.withdrawals.filter(
    (w) => w.at > at - 86_400_000 && w.status !== 'Rejected' && w.status !== 'Cancelled',
  )
  const isLarge = worth + sum(recent.map((w) => w.worth)) > 1000n * M
  const status = isLarge || !trusted ? 'Auditing' : 'Withdrawable'
  person.withdrawals.push({ at, day, asset: event.asset, amount, fee, worth, to, status })
  give(person, `${event.asset} available`, -amount)
  give(person, `${event.asset} withdrawing`, amount)
}

export function transfer(world: World, event: Event): void {
  const { named, people, balanceOf, give } = world
  const from = named(event.from)
  const to = people.find(({ name }) => name === event.to)
  const amount = micros(event.amount)
  if (event.asset !== 'USDT' && event.asset !== 'AMC') throw new Refused('ASSET_NOT_ALLOWED')
  if (amount <= 0n || amount >= 2n ** 63n) throw new Refused('INVALID_AMOUNT')
  if (!to) throw new Refused('ADDRESS_NOT_REGISTERED')
  if (to === from) throw new Refused('SELF_TRANSFER')
  if (amount < M) throw new Refused('BELOW_MINIMUM')
  if (amount > balanceOf(from, `${event.asset} available`)) throw new Refused('INSUFFICIENT_BALANCE')
  give(from, `${event.asset} available`, -amount)
  give(to, `${event.asset} available`, amount)
}

export function finish(
  world: World,
  event: Event,
  from: Withdrawal['status'][],
  code: string,
  to: Withdrawal['status'],
): void {
  const { named, give, book } = world
  const person = named(event.member)
  const withdrawal = person.withdrawals.find((w) => from.includes(w.status))
  if (!withdrawal) throw new Refused(code)
  withdrawal.status = to
  if (to === 'Withdrawable') return
  give(person, `${withdrawal.asset} withdrawing`, -withdrawal.amount)
  if (to !== 'Success') {
    give(person, `${withdrawal.asset} available`, withdrawal.amount)
    return
  }
  book(`${withdrawal.asset} external`, withdrawal.amount - withdrawal.fee)
  book(`${withdrawal.asset} fees`, withdrawal.fee)
}

export function save(world: World, event: Event): void {
  const { named, price, balanceOf, give } = world
  const person = named(event.member)
  const { asset, direction } = event
  const amount = micros(event.amount)
  if (asset !== 'USDT' && asset !== 'AMC') throw new Refused('ASSET_NOT_ALLOWED')
  if (amount <= 0n || amount >= 2n ** 63n) throw new Refused('INVALID_AMOUNT')
  const from = direction === 'in' ? 'available' : 'savings'
  if (amount > balanceOf(person, `${asset} ${from}`)) throw new Refused('INSUFFICIENT_BALANCE')
  const day = event.at.slice(0, 10)
  give(person, `${asset} ${from}`, -amount)
  if (direction === 'in') {
    give(person, `${asset} savings`, amount)
    person.saved.push({ asset, day, amount, kind: 'in' })
    return
  }
  give(person, `${asset} savings_leaving`, amount)
  const at = Date.parse(event.at)
  const p = asset === 'USDT' ? M : price('AMC', at)
  const isFast = p !== null && (amount * p) / M <= 1000n * M
  const arrivesAt = at + (isFast ? 5 * 60_000 : 3 * 86_400_000)
  person.saved.push({ asset, day, amount: -amount, kind: 'out', arrivesAt })
}

export function exchange({ named, balanceOf, give, book }: World, event: Event): void {
  const person = named(event.member)
  const amount = micros(event.amount)
  if (event.to !== 'DIV' && event.to !== 'VC') throw new Refused('ASSET_NOT_ALLOWED')
  if (amount <= 0n || amount >= 2n ** 63n) throw new Refused('INVALID_AMOUNT')
  if (amount > balanceOf(person, 'RIF available')) throw new Refused('INSUFFICIENT_BALANCE')
  give(person, 'RIF available', -amount)
  book('RIF revenue', amount)
  give(person, `${event.to} available`, amount)
  book(`${event.to} external`, -amount)
  if (event.to === 'DIV') person.rights.push({ day: event.at.slice(0, 10), amount })
}

/** Makes amounts taken out of savings available that are due by a time. */
export function arrive({ people, give }: World, by: number): void {
  for (const person of people) {
    for (const saved of person.saved) {
      if (saved.arrived || saved.arrivesAt === undefined || saved.arrivesAt > by) continue
      saved.arrived = true
      give(person, `${saved.asset} savings_leaving`, saved.amount)
      give(person, `${saved.asset} available`, -saved.amount)
    }
  }
}

export function order(world: World, event: Event): void {
  const { terms, named, price, balanceOf, give, book, bookPool, levelAt, orders } = world
  const buyer = named(event.member)
  const level = terms.prices.findIndex((amount) => event.package === `Launch ${amount / M}`)
  if (level <= 0) throw new Refused('PACKAGE_NOT_FOUND')
  if (orders.filter((o) => o.level === level).length >= 200) throw new Refused('SOLD_OUT')
  const [at, day] = [Date.parse(event.at), event.at.slice(0, 10)]
  const amcPrice = price('AMC', at)
  const rifPrice = price('RIF', at)
  if (amcPrice === null || (event.hash_power && rifPrice === null)) throw new Refused('PRICE_UNAVAILABLE')
  const full = terms.prices[level]!
  let discount = 0n
  if (event.hash_power) {
    discount = smaller(part(full, 100_000n), (balanceOf(buyer, 'RIF available') * rifPrice!) / M)
    const rif = (discount * M) / rifPrice!
    if (rif === 0n) discount = 0n
    give(buyer, 'RIF available', -rif)
    book('RIF revenue', rif)
  }
  const base = full - discount
  const usdt = part(base, 700_000n)
  const received: [string, bigint][] = [
    ['USDT', usdt],
    ['AMC', ((base - usdt) * M) / amcPrice],
  ]
  for (const [asset, amount] of received) {
    book(`${asset} external`, -amount)
    bookPool('commission_pool', asset, day, part(amount, terms.poolShare))
    book(`${asset} revenue`, amount - part(amount, terms.poolShare))
  }
  const paid = { number: orders.length, day, buyer, level, price: full, base, staticPaid: 0n }
  orders.push(paid)
  buyer.orders.push(paid)
  const dues: Due[] = []
  const add = (kind: string, person: Person, ratio: bigint) =>
    dues.push({ kind, person, source: buyer, base, ratio, value: part(base, ratio) })
  if (buyer.sponsor && levelAt(buyer.sponsor, day) > 0) {
    add('ReferralReward', buyer.sponsor, terms.referral[levelAt(buyer.sponsor, day)]!)
  }
  let covered = 0n
  for (let person = buyer.sponsor; person; person = person.sponsor) {
    const rate = terms.organisation[levelAt(person, day)]!
    if (rate <= covered) continue
    add('TeamReward', person, rate - covered)
    covered = rate
  }
  payBatch(world, 'commission_pool', day, '9999-12-31', amcPrice, dues)
}

export function join(world: World, event: Event): void {
  const { people } = world
  const sponsor = event.sponsor === null ? null : people.find(({ name }) => name === event.sponsor)
  if (sponsor === undefined) throw new Refused('SPONSOR_NOT_FOUND')
  if (people.some(({ name }) => name === event.member)) throw new Refused('MEMBER_EXISTS')
  if (sponsor === null && people.length > 0) throw new Refused('ROOT_EXISTS')
  let side: Side | null = null
  let parent = sponsor
  if (sponsor) {
    const auto = team(sponsor.right).length < team(sponsor.left).length ? 'right' : 'left'
    side = event.side === 'auto' ? auto : (event.side as Side)
    while (parent![side]) parent = parent![side]!
  }
  const fresh = {
    orders: [],
    base: 0n,
    carry: { left: 0n, right: 0n },
    pauses: [],
    caps: [],
    balances: {},
    withdrawals: [],
    saved: [],
    rights: [],
  }
  const person: Person = { name: event.member, sponsor, parent, side, ...fresh }
  if (parent) parent[side!] = person
  people.push(person)
}
