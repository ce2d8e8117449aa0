/**
 * A second, naive reading of section 8 of the rules, to compare the services with: plain objects in memory, whole histories
 * read again for every question, and nothing shared with the product.
 */

const M = 1_000_000n
const DAY_MS = 86_400_000
const QUOTE_MS = 30 * 60_000
const STALE_MS = 3 * DAY_MS
const PAYOUT_MS = 72 * 3_600_000
const INCOME_PPM = 100_000n

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
  navs: { nav: bigint; at: number }[]
  principal: bigint
  proceeds: bigint
  /** Redemptions in the order of their approval, and how many of them are paid. */
  queue: Redemption[]
  paid: number
}

export interface Member {
  sponsor: number | null
  available: bigint
  income: bigint
  /** Income as it came, and as it was moved. */
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

/** The difference between a payment and its order. */
export type PaymentFault = 'none' | 'amount' | 'payer'

export type FundModel = ReturnType<typeof createFundModel>

const part = (amount: bigint, ppm: bigint) => (amount * ppm) / M
export const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n)
const cost = (parts: Redemption['parts']) => sum(parts.map(({ lot, units }) => units * lot.nav))

/** Every action answers `ok` or the code of the refusal, and changes nothing when it refuses. */
export function createFundModel() {
  const members: Member[] = []
  const products: Product[] = []
  const lots: Lot[] = []
  const redemptions: Redemption[] = []
  const totals = { fees: 0n, suspense: 0n }

  const outstanding = (product: number) =>
    sum(lots.filter((lot) => lot.product === product).map((lot) => lot.left))
  const last = (product: number) => products[product]!.navs.at(-1)!
  const isStale = (product: number, at: number) => at - last(product).at > STALE_MS

  function collect(lot: Lot, at: number): void {
    const product = products[lot.product]!
    product.principal += lot.units * lot.nav
    totals.fees += lot.fee
    Object.assign(lot, { status: 'Paid', left: lot.units, collectedAt: at })
  }

  function giveBack({ parts }: Redemption): void {
    for (const { lot, units } of parts) {
      lot.reserved -= units
      lot.status = lot.reserved > 0n ? 'Redemption' : 'Paid'
    }
  }

  /** Takes the units away and pays: a gain out of proceeds alone, a loss stays there. */
  function pay(redemption: Redemption, at: number): void {
    const product = products[redemption.product]!
    const value = redemption.units * redemption.nav
    product.principal -= cost(redemption.parts)
    product.proceeds += cost(redemption.parts) - value
    members[redemption.member]!.available += value - redemption.redemptionFee - redemption.managementFee
    totals.fees += redemption.redemptionFee + redemption.managementFee
    for (const { lot, units } of redemption.parts) {
      lot.left -= units
      lot.reserved -= units
      lot.status = lot.left === 0n ? 'Redeemed' : lot.reserved > 0n ? 'Redemption' : 'Paid'
    }
    Object.assign(redemption, { status: 'Completed', paidAt: at })
    const { sponsor } = members[redemption.member]!
    const amount = part(redemption.managementFee, INCOME_PPM)
    if (sponsor === null || amount === 0n) return
    totals.fees -= amount
    members[sponsor]!.income += amount
    members[sponsor]!.incomes.push({ amount, at })
  }

  return {
    ...{ members, products, lots, redemptions, totals, outstanding },

    join(sponsor: number | null, available: bigint): void {
      members.push({ sponsor, available, income: 0n, incomes: [], moves: [] })
    },

    open(terms: ModelTerms, nav: bigint, at: number): void {
      products.push({ terms, navs: [{ nav, at }], principal: 0n, proceeds: 0n, queue: [], paid: 0 })
    },

    nav(product: number, { nav, assets, at }: { nav: bigint; assets: bigint; at: number }): string {
      if (nav * outstanding(product) > assets) return 'NAV_NOT_BACKED'
      products[product]!.navs.push({ nav, at })
      return 'ok'
    },

    proceeds(product: number, amount: bigint): string {
      products[product]!.proceeds += amount
      return 'ok'
    },

    buy(order: { member: number; product: number; units: bigint; onChain: boolean; at: number }): string {
      const { member, product, units, at } = order
      const { terms } = products[product]!
      if (isStale(product, at)) return 'NAV_STALE'
      const { nav } = last(product)
      if (units * nav < terms.minimum) return 'BELOW_MINIMUM'
      const fee = part(units * nav, terms.subscription)
      const buyer = members[member]!
      if (!order.onChain && buyer.available < units * nav + fee) return 'INSUFFICIENT_BALANCE'
      const lot: Lot = {
        ...{ member, product, units, nav, fee, at, status: 'UnPaid', left: 0n, reserved: 0n },
        ...{ seenTx: null, collectedAt: null },
      }
      lots.push(lot)
      if (order.onChain) return 'ok'
      buyer.available -= units * nav + fee
      collect(lot, at)
      return 'ok'
    },

    /** A payment shows on chain, or is gone again. */
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

    /** A payment is final: it pays an open order, or waits in suspense. */
    payment(lot: Lot, { fault, paid, at }: { fault: PaymentFault; paid: bigint; at: number }): string {
      const isOpen = lot.status === 'UnPaid' || lot.status === 'Subscription'
      if (isOpen && fault === 'none') collect(lot, at)
      else totals.suspense += paid
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
      if (isStale(product, at)) return 'NAV_STALE'
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
        ...{ member, product, units, parts, status: 'Pending', nav: 0n, redemptionFee: 0n },
        ...{ managementFee: 0n, dueAt: 0, paidAt: null },
      })
      return 'ok'
    },

    cancel(redemption: Redemption): string {
      if (redemption.status !== 'Pending') return 'REDEMPTION_FINAL'
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
      const { terms, queue } = products[redemption.product]!
      if (isStale(redemption.product, at)) return 'NAV_STALE'
      const { nav } = last(redemption.product)
      const value = redemption.units * nav
      const redemptionFee = part(value, terms.redemption)
      const gain = value - cost(redemption.parts)
      const share = gain > 0n ? part(gain, terms.management) : 0n
      const managementFee = share < value - redemptionFee ? share : value - redemptionFee
      Object.assign(redemption, { status: 'Approved', nav, redemptionFee, managementFee })
      redemption.dueAt = at + PAYOUT_MS
      queue.push(redemption)
      return 'ok'
    },

    /** Pays what is due and covered, product by product, none before one that was approved earlier. */
    payDue(at: number): string {
      for (const product of products) {
        for (;;) {
          const next = product.queue[product.paid]
          if (next === undefined || next.dueAt > at) break
          const gain = next.units * next.nav - cost(next.parts)
          if (gain > product.proceeds) break
          pay(next, at)
          product.paid += 1
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
