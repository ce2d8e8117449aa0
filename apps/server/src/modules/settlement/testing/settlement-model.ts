import {
  beginCommissions,
  climbSponsorLine,
  type Day,
  daysBetween,
  isLastDayOfMonth,
  type Micros,
  managementContributions,
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
  termsOfLevel,
} from '@rif/rules'

/** The rules of sections 3 to 6, 9 and 11 told as plainly as possible, in memory: the oracle of the property test. */
export interface ModelMember {
  readonly number: number
  readonly sponsor: ModelMember | null
  parent: ModelMember | null
  side: Side | null
  readonly child: Record<Side, ModelMember | null>
  carry: Record<Side, Micros>
  base: Micros
  available: { USDT: Micros; AMC: Micros }
  locked: Micros
  readonly switches: { day: Day; paused: boolean }[]
  readonly caps: { day: Day; cap: Micros | null }[]
  readonly saved: Saved[]
  /** Dividend rights as they came. */
  readonly rights: { day: Day; amount: Micros }[]
}

/** What changed a member's savings; what comes out of them is negative. */
interface Saved {
  readonly day: Day
  readonly asset: 'USDT' | 'AMC'
  readonly amount: Micros
  readonly kind: 'in' | 'out' | 'interest'
}

interface Order {
  readonly day: Day
  readonly buyer: ModelMember
  readonly level: number
  readonly base: Micros
  staticPaid: Micros
}

export interface ModelReward {
  readonly day: Day
  readonly type: RewardKind
  readonly member: number
  readonly base: Micros
  readonly value: Micros
  readonly coverage: number
  readonly usdt: Micros
  readonly amc: Micros
  readonly flushed: Micros
  readonly parts: number
}

interface Due {
  readonly type: RewardKind
  readonly member: ModelMember
  readonly base: Micros
  readonly value: Micros
  readonly flushed?: Micros
}

type PoolName = 'commission_pool' | 'yield_pool' | 'savings_pool' | 'dividend_pool'
type Movement = { pool: PoolName; asset: 'USDT' | 'AMC'; day: Day; amount: Micros }

export function createModel() {
  const members: ModelMember[] = []
  const orders: Order[] = []
  const rewards: ModelReward[] = []
  const movements: Movement[] = []
  const prices: { day: Day; price: Micros }[] = []

  const size = (top: ModelMember | null): number =>
    top === null ? 0 : 1 + size(top.child.left) + size(top.child.right)
  const lineOf = (member: ModelMember): ModelMember[] =>
    member.sponsor === null ? [] : [member.sponsor, ...lineOf(member.sponsor)]
  const levelOf = (member: ModelMember, paid: readonly Order[]): number =>
    Math.max(0, ...paid.filter((order) => order.buyer === member).map((order) => order.level))
  const priceAt = (day: Day) => prices.findLast((price) => price.day <= day)?.price ?? null
  const pool = (name: PoolName, asset: 'USDT' | 'AMC', upTo?: Day): Micros =>
    movements
      .filter((one) => one.pool === name && one.asset === asset && (upTo === undefined || one.day <= upTo))
      .reduce((sum, one) => sum + one.amount, 0n)

  function pay(day: Day, name: PoolName, upTo: Day | undefined, price: Micros | null, due: Due[]): Micros[] {
    const held = { usdtMicros: pool(name, 'USDT', upTo), amcMicros: pool(name, 'AMC', upTo) }
    const values = due.map((one) => one.value)
    const { coveragePpm: coverage, payouts } = payBatch({ ...held, amcPriceMicros: price }, values, plan)
    return due.map(({ type, member, base, value, flushed = 0n }, index) => {
      const { paidMicros, usdtMicros: usdt, amcMicros: amc } = payouts[index]!
      movements.push({ pool: name, asset: 'USDT', day, amount: -usdt })
      movements.push({ pool: name, asset: 'AMC', day, amount: -amc })
      member.available.USDT += usdt
      member.locked += amc
      const parts = plan.reward.releaseParts
      rewards.push({
        ...{ day, type, member: member.number, base, value, coverage, usdt, amc, flushed, parts },
      })
      return paidMicros
    })
  }

  return {
    ...{ members, rewards, pool },

    join(sponsor: ModelMember | null, choice: 'left' | 'right' | 'auto'): void {
      const member: ModelMember = {
        ...{
          number: members.length,
          sponsor,
          parent: null,
          side: null,
          base: 0n,
          locked: 0n,
          switches: [],
          caps: [],
          saved: [],
          rights: [],
        },
        child: { left: null, right: null },
        carry: { left: 0n, right: 0n },
        available: { USDT: 0n, AMC: 0n },
      }
      members.push(member)
      if (sponsor === null) return
      const side = placementSide(choice, size(sponsor.child.left), size(sponsor.child.right))
      let parent = sponsor
      for (let next = parent.child[side]; next !== null; next = parent.child[side]) parent = next
      Object.assign(member, { parent, side })
      parent.child[side] = member
    },

    price: (day: Day, price: Micros) => prices.push({ day, price }),
    attest: (day: Day, name: PoolName, asset: 'USDT' | 'AMC', amount: Micros) =>
      movements.push({ pool: name, asset, day, amount }),
    save: (day: Day, member: ModelMember, kind: 'in' | 'out', asset: 'USDT' | 'AMC', amount: Micros) =>
      member.saved.push({ day, asset, kind, amount: kind === 'in' ? amount : -amount }),
    gainRights: (day: Day, member: ModelMember, amount: Micros) => member.rights.push({ day, amount }),
    pause: (day: Day, member: ModelMember, paused: boolean) => member.switches.push({ day, paused }),
    cap: (day: Day, member: ModelMember, cap: Micros | null) => member.caps.push({ day, cap }),

    buy(day: Day, buyer: ModelMember, level: number): void {
      const amcPriceMicros = priceAt(day)
      const { priceMicros } = termsOfLevel(plan, level)!
      const quote = quoteOrder({
        ...{ priceMicros, amcPriceMicros, plan, useHashRate: false, rifAvailableMicros: 0n },
        rifPriceMicros: null,
      })
      if (!quote.ok) throw new Error(quote.code)
      for (const [asset, paid] of [
        ['USDT', quote.usdtMicros],
        ['AMC', quote.amcMicros],
      ] as const) {
        const amount = splitPayment(paid, plan).poolMicros
        movements.push({ pool: 'commission_pool', asset, day, amount })
      }
      const base = quote.dueMicros
      orders.push({ day, buyer, level, base, staticPaid: 0n })
      const line = lineOf(buyer).map((memberId) => {
        const ofMember = levelOf(memberId, orders)
        return { memberId, level: ofMember, valid: ofMember > 0 }
      })
      const { commissions } = climbSponsorLine(beginCommissions<ModelMember>(base), line, plan)
      const due = commissions.map(({ kind: type, memberId: member, valueMicros: value }): Due => {
        return { type, member, base, value }
      })
      pay(day, 'commission_pool', undefined, amcPriceMicros, due)
    },

    settle(day: Day): void {
      const past = orders.filter((order) => order.day <= day)
      for (const { day: from, member, amc, parts } of rewards) {
        const amount = releasePart(amc, daysBetween(from, day), parts)
        members[member]!.locked -= amount
        members[member]!.available.AMC += amount
      }
      past.forEach((order, place) => {
        if (order.day !== day) return
        for (let { parent, side } = order.buyer; parent !== null; { parent, side } = parent) {
          if (levelOf(parent, past.slice(0, place)) > 0) parent.carry[side!] += order.base
        }
      })
      settlePairings(day, past)
      if (isLastDayOfMonth(day)) settleManagements(day)
      const earning = past.filter((order) => order.day < day)
      const dues = earning
        .toSorted((a, b) => a.buyer.number - b.buyer.number)
        .map((order) => {
          const { priceMicros, staticPpm } = termsOfLevel(plan, order.level)!
          const paid = { priceMicros, staticPpm, paidSoFarMicros: order.staticPaid }
          const due: Due = {
            ...{ type: 'Interest', member: order.buyer, base: priceMicros, value: staticDue(paid, plan) },
          }
          return { order, due }
        })
        .filter(({ due }) => due.value > 0n)
      const paid = pay(
        day,
        'yield_pool',
        day,
        priceAt(day),
        dues.map(({ due }) => due),
      )
      paid.forEach((micros, index) => {
        dues[index]!.order.staticPaid += micros
      })
      for (const asset of ['USDT', 'AMC'] as const) payInterest(day, asset)
      for (const asset of ['USDT', 'AMC'] as const) payDividends(day, asset)
    },
  }

  function settlePairings(day: Day, past: readonly Order[]): void {
    const due = members.flatMap((member): Due[] => {
      const result = settlePairing(
        {
          ...{ carryLeftMicros: member.carry.left, carryRightMicros: member.carry.right },
          level: levelOf(member, past),
          ownDayCapMicros: member.caps.findLast((one) => one.day <= day)?.cap ?? null,
        },
        plan,
      )
      member.carry = { left: result.carryLeftMicros, right: result.carryRightMicros }
      const { matchedMicros: base, valueMicros: value, flushedMicros: flushed } = result
      return value > 0n ? [{ type: 'PairingReward', member, base, value, flushed }] : []
    })
    const paid = pay(day, 'commission_pool', day, priceAt(day), due)
    paid.forEach((micros, index) => {
      const line = lineOf(due[index]!.member).map((memberId) => {
        return { memberId, valid: levelOf(memberId, past) > 0 }
      })
      for (const { memberId, amountMicros } of managementContributions(micros, line, plan)) {
        memberId.base += amountMicros
      }
    })
  }

  function payInterest(day: Day, asset: 'USDT' | 'AMC'): void {
    const sum = (amounts: Micros[]) => amounts.reduce((total, amount) => total + amount, 0n)
    const dues = members.map(({ saved }) => {
      const before = saved.filter((one) => one.asset === asset && one.day < day)
      const out = saved.filter((one) => one.asset === asset && one.day === day && one.kind === 'out')
      const principal = sum([...before, ...out].map(({ amount }) => amount))
      return principal > 0n ? (principal * 180_000n) / 365_000_000n : 0n
    })
    if (sum(dues) === 0n) return
    const covered = (1_000_000n * pool('savings_pool', asset, day)) / sum(dues)
    const coverage = covered < 1_000_000n ? covered : 1_000_000n
    members.forEach(({ saved }, index) => {
      const amount = (dues[index]! * coverage) / 1_000_000n
      saved.push({ day, asset, kind: 'interest', amount })
      movements.push({ pool: 'savings_pool', asset, day, amount: -amount })
    })
  }

  function payDividends(day: Day, asset: 'USDT' | 'AMC'): void {
    const held = members.map(({ rights }) =>
      rights.filter((one) => one.day <= day).reduce((sum, { amount }) => sum + amount, 0n),
    )
    const all = held.reduce((sum, own) => sum + own, 0n)
    const shared = pool('dividend_pool', asset, day)
    if (all === 0n) return
    members.forEach(({ available }, index) => {
      const amount = (shared * held[index]!) / all
      available[asset] += amount
      movements.push({ pool: 'dividend_pool', asset, day, amount: -amount })
    })
  }

  function settleManagements(day: Day): void {
    const due = members.flatMap((member): Due[] => {
      const { base } = member
      const paused = member.switches.findLast((one) => one.day <= day)?.paused ?? false
      const { valueMicros: value, nextBaseMicros } = settleManagement(base, paused, plan)
      member.base = nextBaseMicros
      return value > 0n ? [{ type: 'ManagementReward', member, base, value }] : []
    })
    pay(day, 'commission_pool', day, priceAt(day), due)
  }
}
