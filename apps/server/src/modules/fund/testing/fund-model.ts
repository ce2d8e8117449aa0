import type { PaymentFault } from './fund-books.ts'

/**
 * A second, naive implementation of section 8 of the rules, to compare the services with: plain objects in
 * memory, full histories re-read for every result, and no code shared with the product.
 */

const M = 1_000_000n
const DAY_MS = 86_400_000
const QUOTE_MS = 30 * 60_000
const STALE_MS = 3 * DAY_MS
const PAYOUT_MS = 72 * 3_600_000
const INCOME_PPM = 100_000n
const LOWEST_NAV = 10_000n

export interface ModelTerms {
  readonly minimum: bigint
  readonly lockDays: number
  readonly weekdays: readonly number[]
  readonly subscription: bigint
  readonly redemption: bigint
  readonly management: bigint
}

export interface Product {
  terms: ModelTerms
  opening: bigint
  navs: { nav: bigint; at: number }[]
  cash: bigint
  /** The value of the investments; null while nothing is invested. */
  invested: bigint | null
  /** The NAV at which investing began; null before the first investment. */
  began: bigint | null
  valuedAt: number
  closed: boolean
  /** Redemptions in the order of their approval, also those that were paid or cancelled. */
  queue: Redemption[]
}

export interface Member {
  sponsor: number | null
  available: bigint
  income: bigint
  /** Income received, and income moved. */
  incomes: { amount: bigint; at: number }[]
  moves: { amount: bigint; at: number }[]
}

export interface Lot {
  member: number
  product: number
  units: bigint
  nav: bigint
  fee: bigint
  at: number
  status: string
  left: bigint
  reserved: bigint
  seenTx: number | null
  collectedAt: number | null
}

export interface Redemption {
  member: number
  product: number
  units: bigint
  parts: { lot: Lot; units: bigint }[]
  status: string
  nav: bigint
  redemptionFee: bigint
  managementFee: bigint
  dueAt: number
  paidAt: number | null
}

export type FundModel = ReturnType<typeof createFundModel>

const part = (amount: bigint, ppm: bigint) => (amount * ppm) / M
export const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n)
const cost = (parts: Redemption['parts']) => sum(parts.map(({ lot, units }) => units * lot.nav))

/** Every action returns `ok` or the code of the refusal, and changes nothing when it refuses. */
export function createFundModel() {
  const members: Member[] = []
  const products: Product[] = []
  const lots: Lot[] = []
  const redemptions: Redemption[] = []
  const totals = { fees: 0n, suspense: 0n, revenue: 0n }

  const outstanding = (product: number) =>
    sum(lots.filter((lot) => lot.product === product).map((lot) => lot.left))
  const navOf = (product: number) => products[product]!.navs.at(-1)!.nav
  const isStale = (product: number, at: number) =>
    products[product]!.invested !== null && at - products[product]!.valuedAt > STALE_MS
  const waiting = (product: number) => products[product]!.queue.filter((item) => item.status === 'Approved')

  /** Computes the NAV of a product from all its assets. */
  function renew(product: number, at: number): void {
    const { cash, invested, opening, navs } = products[product]!
    const units = outstanding(product)
    const empty = invested === null ? opening : 0n
    navs.push({ nav: units > 0n ? (cash + (invested ?? 0n)) / units : empty, at })
  }

  /** Moves cash that belongs to nobody to revenue. */
  function sweep(product: number): void {
    const owner = products[product]!
    if (outstanding(product) > 0n || owner.invested !== null) return
    totals.revenue += owner.cash
    owner.cash = 0n
  }

  const saleStop = (product: number): string | null => {
    if (products[product]!.closed) return 'PRODUCT_CLOSED'
    return navOf(product) < LOWEST_NAV ? 'NAV_TOO_LOW' : null
  }

  function collect(lot: Lot, at: number): void {
    const product = products[lot.product]!
    product.cash += lot.units * lot.nav
    totals.fees += lot.fee
    Object.assign(lot, { status: 'Paid', left: lot.units, collectedAt: at })
  }

  function giveBack({ parts }: Redemption): void {
    for (const { lot, units } of parts) {
      lot.reserved -= units
      lot.status = lot.reserved > 0n ? 'Redemption' : 'Paid'
    }
  }

  /** Removes the units and pays them at the current NAV. */
  function pay(redemption: Redemption, at: number): void {
    const product = products[redemption.product]!
    const nav = navOf(redemption.product)
    const value = redemption.units * nav
    const redemptionFee = part(value, product.terms.redemption)
    const gain = value - cost(redemption.parts)
    const share = gain > 0n ? part(gain, product.terms.management) : 0n
    const managementFee = share < value - redemptionFee ? share : value - redemptionFee
    Object.assign(redemption, { nav, redemptionFee, managementFee })
    product.cash -= value
    members[redemption.member]!.available += value - redemption.redemptionFee - redemption.managementFee
    totals.fees += redemption.redemptionFee + redemption.managementFee
    for (const { lot, units } of redemption.parts) {
      lot.left -= units
      lot.reserved -= units
      lot.status = lot.left === 0n ? 'Redeemed' : lot.reserved > 0n ? 'Redemption' : 'Paid'
    }
    Object.assign(redemption, { status: 'Completed', paidAt: at })
    renew(redemption.product, at)
    sweep(redemption.product)
    const { sponsor } = members[redemption.member]!
    const amount = part(redemption.managementFee, INCOME_PPM)
    if (sponsor === null || amount === 0n) return
    totals.fees -= amount
    members[sponsor]!.income += amount
    members[sponsor]!.incomes.push({ amount, at })
  }

  return {
    members,
    products,
    lots,
    redemptions,
    totals,
    outstanding,
    waiting,
    navOf,

    join(sponsor: number | null, available: bigint): void {
      members.push({ sponsor, available, income: 0n, incomes: [], moves: [] })
    },

    open(terms: ModelTerms, nav: bigint, at: number): void {
      products.push({
        terms,
        opening: nav,
        navs: [{ nav, at }],
        cash: 0n,
        invested: null,
        began: null,
        valuedAt: 0,
        closed: false,
        queue: [],
      })
    },

    invest(product: number, amount: bigint, at: number): string {
      const owner = products[product]!
      if (owner.closed) return 'PRODUCT_CLOSED'
      const owed = sum(waiting(product).map((item) => item.units)) * navOf(product)
      if (amount > owner.cash - owed) return 'INSUFFICIENT_BALANCE'
      if (owner.invested === null) Object.assign(owner, { began: navOf(product), valuedAt: at })
      owner.cash -= amount
      owner.invested = (owner.invested ?? 0n) + amount
      return 'ok'
    },

    value(product: number, value: bigint, at: number): string {
      const owner = products[product]!
      if (owner.invested === null) return 'NOTHING_INVESTED'
      Object.assign(owner, { invested: value, valuedAt: at })
      renew(product, at)
      return 'ok'
    },

    divest(product: number, { amount, left, at }: { amount: bigint; left: bigint; at: number }): string {
      const owner = products[product]!
      if (owner.began === null) return 'NOTHING_INVESTED'
      const ends = owner.invested !== null && left === 0n
      owner.cash += amount
      Object.assign(owner, { invested: left > 0n ? left : null, valuedAt: at })
      renew(product, at)
      if (ends && (outstanding(product) === 0n || navOf(product) < owner.began)) owner.closed = true
      sweep(product)
      return 'ok'
    },

    buy(order: { member: number; product: number; units: bigint; onChain: boolean; at: number }): string {
      const { member, product, units, at } = order
      const { terms } = products[product]!
      const exact = navOf(product)
      const nav = order.onChain ? ((exact + 99n) / 100n) * 100n : exact
      const stop = saleStop(product)
      if (stop !== null) return stop
      if (units * nav < terms.minimum) return 'BELOW_MINIMUM'
      if (isStale(product, at)) return 'NAV_STALE'
      const fee = part(units * nav, terms.subscription)
      const buyer = members[member]!
      if (!order.onChain && buyer.available < units * nav + fee) return 'INSUFFICIENT_BALANCE'
      const lot: Lot = {
        member,
        product,
        units,
        nav,
        fee,
        at,
        status: 'UnPaid',
        left: 0n,
        reserved: 0n,
        seenTx: null,
        collectedAt: null,
      }
      lots.push(lot)
      if (order.onChain) return 'ok'
      buyer.available -= units * nav + fee
      collect(lot, at)
      return 'ok'
    },

    /** Shows a payment on chain, or removes it again. */
    see(lot: Lot, tx: number): string {
      if (lot.status === 'UnPaid' || lot.status === 'Subscription')
        Object.assign(lot, { status: 'Subscription', seenTx: tx })
      return 'ok'
    },
    drop(lot: Lot, tx: number): string {
      if (lot.status === 'Subscription' && lot.seenTx === tx)
        Object.assign(lot, { status: 'UnPaid', seenTx: null })
      return 'ok'
    },

    /** Makes a payment final: it pays an open order, or goes to suspense. */
    payment(lot: Lot, { fault, paid, at }: { fault: PaymentFault; paid: bigint; at: number }): string {
      const isOpen = lot.status === 'UnPaid' || lot.status === 'Subscription'
      const excess = lot.nav - navOf(lot.product)
      const holds = excess >= 0n && excess <= lot.nav / 100n + 100n
      const isSold = holds && saleStop(lot.product) === null && !isStale(lot.product, at)
      if (isOpen && fault === 'none' && isSold) {
        collect(lot, at)
        return 'ok'
      }
      totals.suspense += paid
      if (isOpen && fault === 'none') lot.status = 'Cancelled'
      return 'ok'
    },

    cancelOrder(lot: Lot): string {
      if (lot.status !== 'UnPaid') return 'ORDER_FINAL'
      lot.status = 'Cancelled'
      return 'ok'
    },

    expire(at: number): string {
      for (const lot of lots) if (lot.status === 'UnPaid' && lot.at + QUOTE_MS < at) lot.status = 'Cancelled'
      return 'ok'
    },

    redeem({ member, product, units, at }: { member: number; product: number; units: bigint; at: number }) {
      const { terms } = products[product]!
      const free = lots.filter(
        (lot) =>
          lot.member === member &&
          lot.product === product &&
          lot.left > lot.reserved &&
          lot.at + terms.lockDays * DAY_MS <= at,
      )
      const isOpenDay = terms.weekdays.includes(new Date(at).getUTCDay() || 7)
      if (!isOpenDay || sum(free.map((lot) => lot.left - lot.reserved)) < units) return 'UNITS_NOT_REDEEMABLE'
      const parts: Redemption['parts'] = []
      let rest = units
      for (const lot of free) {
        let taken = lot.left - lot.reserved
        if (taken > rest) taken = rest
        if (taken === 0n) break
        parts.push({ lot, units: taken })
        lot.reserved += taken
        lot.status = 'Redemption'
        rest -= taken
      }
      redemptions.push({
        member,
        product,
        units,
        parts,
        status: 'Pending',
        nav: 0n,
        redemptionFee: 0n,
        managementFee: 0n,
        dueAt: 0,
        paidAt: null,
      })
      return 'ok'
    },

    cancel(redemption: Redemption): string {
      if (!['Pending', 'Approved'].includes(redemption.status)) return 'REDEMPTION_FINAL'
      giveBack(redemption)
      redemption.status = 'Cancelled'
      return 'ok'
    },

    decide(redemption: Redemption, { approve, at }: { approve: boolean; at: number }): string {
      if (redemption.status !== 'Pending') return 'NOTHING_TO_REVIEW'
      if (!approve) {
        giveBack(redemption)
        redemption.status = 'Rejected'
        return 'ok'
      }
      const own = redemptions.filter((item) => item.product === redemption.product)
      if (own.find((item) => item.status === 'Pending') !== redemption) return 'NOT_FIRST'
      if (isStale(redemption.product, at)) return 'NAV_STALE'
      Object.assign(redemption, { status: 'Approved', dueAt: at + PAYOUT_MS })
      products[redemption.product]!.queue.push(redemption)
      return 'ok'
    },

    /** Pays the due and covered redemptions, product by product, in order of approval. */
    payDue(at: number): string {
      for (const index of products.keys()) {
        for (;;) {
          const [next] = waiting(index)
          if (next === undefined || next.dueAt > at || isStale(index, at)) break
          const value = next.units * navOf(index)
          if (value === 0n || value > products[index]!.cash) break
          pay(next, at)
        }
      }
      return 'ok'
    },

    moveIncome(member: number, amount: bigint, at: number): string {
      const mover = members[member]!
      if (amount > mover.income) return 'INSUFFICIENT_BALANCE'
      mover.income -= amount
      mover.available += amount
      mover.moves.push({ amount, at })
      return 'ok'
    },
  }
}
