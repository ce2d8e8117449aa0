import {
  announce,
  chainPrice,
  divest,
  type FundAssets,
  invest,
  investable,
  isPriceValid,
  type Micros,
  min,
  mul,
  netAssets,
  payUnits,
  release,
  sellUnits,
  undoSale,
  valueAssets,
} from './index.ts'

// Plays a history of one fund product with the rules only, and checks after each step the rules that protect
// its holders.

/** The possible events. The probability of each is proportional to how often it is listed. */
export const ACTIONS = [
  ...(['buy', 'buy', 'buy', 'quote', 'payOnChain', 'payOnChain', 'reorganise'] as const),
  ...(['announce', 'announce', 'invest', 'invest', 'release', 'value', 'value', 'divest', 'divest'] as const),
  ...([
    'redeem',
    'redeem',
    'redeem',
    'approve',
    'approve',
    'approve',
    'cancel',
    'pay',
    'pay',
    'pay',
  ] as const),
]
type Action = (typeof ACTIONS)[number]

/** A step: its event, its member, and two shares in ppm that choose its amounts. */
export type Step = readonly [action: Action, member: number, part: number, otherPart: number]

export const MEMBERS = 4
const PART = 1_000_000

interface Lot {
  readonly member: number
  /** Units that are not reserved by a redemption. */
  free: bigint
  readonly units: bigint
  readonly priceMicros: Micros
  readonly isOnChain: boolean
}

interface Request {
  readonly lots: readonly { lot: Lot; units: bigint }[]
  readonly units: bigint
}

export class Breach extends Error {}

function demand(holds: boolean, rule: string): void {
  if (!holds) throw new Breach(rule)
}

function emptyProduct(openingMicros: Micros): FundAssets {
  return {
    cashMicros: 0n,
    announcedMicros: 0n,
    investedMicros: 0n,
    isInvested: false,
    beganNavMicros: null,
    units: 0n,
    approvedUnits: 0n,
    navMicros: openingMicros,
    openingMicros,
    isClosed: false,
  }
}

/**
 * Creates a product and the actions on it. `play` performs a step and throws Breach when it breaks a rule.
 */
export function createHistory(openingMicros: Micros) {
  let assets = emptyProduct(openingMicros)
  let lots: Lot[] = []
  const pending: Request[] = []
  const queue: Request[] = []
  let quotes: Micros[] = []
  /** The total of incoming and of outgoing money. */
  let [inMicros, outMicros] = [0n, 0n]

  /**
   * Stores the assets after a step of others, which must not lower the NAV of those who hold units before and
   * after.
   */
  function keepNav(after: FundAssets, rule: string): void {
    const isHeld = assets.units > 0n && after.units > 0n
    demand(!isHeld || after.navMicros >= assets.navMicros, `${rule} lowers the NAV`)
    assets = after
  }

  function buy(member: number, units: bigint, priceMicros: Micros, isOnChain: boolean): void {
    if (units <= 0n || assets.isClosed || assets.navMicros < 10_000n) return
    keepNav(sellUnits(assets, units, priceMicros), 'a purchase')
    inMicros += units * priceMicros
    lots.push({ member, free: units, units, priceMicros, isOnChain })
  }

  function undo(lot: Lot): void {
    const after = undoSale(assets, lot.units, lot.priceMicros)
    demand(after.advanceMicros >= 0n, 'an advance is negative')
    inMicros += after.advanceMicros
    outMicros += lot.units * lot.priceMicros + after.remainderMicros
    lots = lots.filter((other) => other !== lot)
    keepNav(after.assets, 'a purchase that is undone')
  }

  function pay(): boolean {
    const [first] = queue
    const paid = first === undefined ? null : payUnits(assets, first.units)
    if (first === undefined || paid === null) return false
    demand(
      paid.valueMicros * assets.units <= netAssets(assets) * first.units,
      'a redemption takes more than its share',
    )
    demand(paid.valueMicros === first.units * assets.navMicros, 'a redemption is not paid at the NAV')
    outMicros += paid.valueMicros + paid.remainderMicros
    keepNav(paid.assets, 'a payment')
    queue.shift()
    const taken = first.lots.map(({ lot }) => lot)
    // The remaining units of a lot can be redeemed; paid units are gone.
    lots = lots.filter((lot) => !taken.includes(lot) || lot.free > 0n || isReserved(lot))
    return true
  }

  const isReserved = (lot: Lot) =>
    [...pending, ...queue].some((request) => request.lots.some((part) => part.lot === lot))

  function redeem(member: number, part: number): void {
    const own = lots.filter((lot) => lot.member === member && lot.free > 0n)
    const wanted = share(
      own.reduce((sum, lot) => sum + lot.free, 0n),
      part,
    )
    let left = wanted
    const taken: { lot: Lot; units: bigint }[] = []
    for (const lot of own) {
      const units = min(left, lot.free)
      if (units === 0n) continue
      lot.free -= units
      left -= units
      taken.push({ lot, units })
    }
    if (wanted > 0n) pending.push({ lots: taken, units: wanted })
  }

  const actions: Record<Action, (member: number, part: number, other: number) => void> = {
    buy: (member, part) => buy(member, 1n + share(1_000n, part), assets.navMicros, false),
    quote() {
      quotes = [...quotes.slice(-2), chainPrice(assets.navMicros)]
    },
    // Pays a quote of an earlier moment.
    payOnChain(member, part) {
      const quoted = quotes.shift()
      if (quoted !== undefined && isPriceValid(quoted, assets.navMicros))
        buy(member, 1n + share(1_000n, part), quoted, true)
    },
    reorganise(_member, part) {
      const wholeLots = lots.filter((lot) => lot.isOnChain && lot.free === lot.units)
      const lot = wholeLots[part % (wholeLots.length || 1)]
      if (lot !== undefined) undo(lot)
    },
    announce(_member, part) {
      const announced = announce(
        assets,
        part > PART / 2 ? investable(assets) : share(assets.cashMicros, part),
      )
      if (announced.ok) keepNav(announced.assets, 'an announcement')
    },
    invest() {
      if (assets.announcedMicros > 0n && !assets.isClosed)
        keepNav(invest(assets, assets.announcedMicros), 'an investment')
    },
    release() {
      const after = release(assets, assets.announcedMicros)
      outMicros += after.remainderMicros
      keepNav(after.assets, 'a release')
    },
    value(_member, part) {
      const valued = valueAssets(assets, share(assets.investedMicros, part * 2))
      if (valued.ok) assets = valued.assets
    },
    // Often all of it, which ends the investment.
    divest(_member, part, other) {
      const left = other > PART / 3 ? 0n : share(assets.investedMicros, other * 3)
      take(share(assets.investedMicros + 1n, part * 2), left)
    },
    redeem,
    approve() {
      const first = pending.shift()
      if (first === undefined) return
      queue.push(first)
      assets = { ...assets, approvedUnits: assets.approvedUnits + first.units }
    },
    cancel(_member, part) {
      const from = part % 2 === 0 ? pending : queue
      const [request] = from.splice(part % (from.length || 1), 1)
      if (request === undefined) return
      for (const { lot, units } of request.lots) lot.free += units
      if (from === queue) assets = { ...assets, approvedUnits: assets.approvedUnits - request.units }
    },
    pay: () => void pay(),
  }

  function take(amountMicros: Micros, leftMicros: Micros): void {
    const divested = divest(assets, { amountMicros, leftMicros })
    if (!divested.ok) return
    inMicros += amountMicros
    outMicros += divested.remainderMicros
    assets = divested.assets
  }

  function check(): void {
    const { units, navMicros, cashMicros, announcedMicros, approvedUnits, isInvested, openingMicros } = assets
    demand(netAssets(assets) >= navMicros * units, 'the units are not covered')
    demand(cashMicros >= announcedMicros && announcedMicros >= 0n, 'announced cash is missing')
    const freeUnits = lots.reduce((sum, lot) => sum + lot.free, 0n)
    const reserved = [...pending, ...queue].reduce((sum, request) => sum + request.units, 0n)
    demand(freeUnits + reserved === units, 'units are lost')
    demand(queue.reduce((sum, request) => sum + request.units, 0n) === approvedUnits, 'the queue is wrong')
    if (units > 0n) return
    demand(navMicros === (isInvested ? 0n : openingMicros), 'the NAV without units is wrong')
    demand(isInvested || cashMicros === announcedMicros, 'cash belongs to nobody')
  }

  return {
    play([action, member, part, other]: Step): void {
      const investedMicros = assets.investedMicros
      const balance = inMicros - outMicros - assets.cashMicros
      actions[action](member, part, other)
      check()
      // Only an investment takes cash out of the product that is not counted in `outMicros`.
      const invested = assets.investedMicros - investedMicros
      const moved = inMicros - outMicros - assets.cashMicros - balance
      demand(moved === 0n || moved === invested, 'money appears or is lost')
    },

    /** Ends all investments and redeems all units: only parts of a micro-unit per unit may remain. */
    wind(): void {
      actions.release(0, 0, 0)
      if (assets.isInvested) take(assets.investedMicros, 0n)
      for (let member = 0; member < MEMBERS; member++) redeem(member, PART)
      while (pending.length > 0) actions.approve(0, 0, 0)
      while (pay()) check()
      check()
      demand(queue.length === 0 || assets.navMicros === 0n, 'a redemption is stuck')
      demand(assets.cashMicros < (assets.units || 1n), 'money is stuck')
    },
  }
}

function share(amount: bigint, part: number): bigint {
  return mul(amount, part)
}
