import {
  type Event,
  M,
  micros,
  type Product,
  part,
  type Redemption,
  Refused,
  smaller,
  sum,
  type World,
} from './model-world.ts'

/** The fund and the treasury in the oracle (rules, section 8; scenario format). */

const LARGEST = 2n ** 63n - 1n
const DAY_MS = 86_400_000
const DELAY_MS = 3 * DAY_MS

export const outstanding = (product: Product) => sum(product.lots.map(({ left }) => left))

function navOf(
  product: Product,
  { cash, value, invested }: Pick<Product, 'cash' | 'value' | 'invested'>,
): bigint {
  const units = outstanding(product)
  if (units > 0n) return (cash + value) / units
  return invested ? 0n : product.opening
}

/** Creates the actions of fund and treasury events. */
export function fundActions(world: World): Record<string, (event: Event) => void> {
  const { named, balanceOf, give, book, accounts, products } = world

  const productNamed = (name: string) => {
    const product = products.find((candidate) => candidate.name === name)
    if (!product) throw new Refused('PRODUCT_NOT_FOUND')
    return product
  }
  const require = (holds: boolean, code: string) => {
    if (!holds) throw new Refused(code)
  }
  const fits = (...amounts: bigint[]) =>
    require(amounts.every((amount) => amount >= 0n && amount <= LARGEST), 'INVALID_AMOUNT')
  const moveCash = (product: Product, amount: bigint) => {
    product.cash += amount
    book(`USDT fund_custody:${product.name}`, amount)
  }

  return {
    fund_product(event) {
      require(!products.some(({ name }) => name === event.name), 'PRODUCT_EXISTS')
      const nav = micros(event.nav)
      fits(nav, micros(event.minimum_usd))
      require(nav >= 10_000n, 'INVALID_AMOUNT')
      const rates = [event.subscription_ppm, event.redemption_ppm, event.management_ppm]
      require(rates.every((ppm) => ppm >= 0 && ppm <= 1_000_000), 'INVALID_AMOUNT')
      require(event.lock_days >= 0 && event.lock_days <= 36_500, 'INVALID_AMOUNT')
      products.push({
        name: event.name,
        opening: nav,
        nav,
        minimum: micros(event.minimum_usd),
        lockMs: event.lock_days * DAY_MS,
        subscription: BigInt(event.subscription_ppm),
        redemption: BigInt(event.redemption_ppm),
        management: BigInt(event.management_ppm),
        cash: 0n,
        value: 0n,
        invested: false,
        everInvested: false,
        navAtStart: 0n,
        closed: false,
        lots: [],
        requests: [],
        queue: [],
      })
    },

    fund_buy(event) {
      const owner = named(event.member)
      const product = productNamed(event.product)
      const units = BigInt(event.units)
      const value = units * product.nav
      const fee = part(value, product.subscription)
      require(units > 0n, 'INVALID_AMOUNT')
      fits(units, value + fee, product.cash + value, (accounts['USDT fees'] ?? 0n) + fee)
      require(!product.closed, 'PRODUCT_CLOSED')
      require(product.nav >= 10_000n, 'NAV_TOO_LOW')
      require(value >= product.minimum, 'BELOW_MINIMUM')
      require(balanceOf(owner, 'USDT available') >= value + fee, 'INSUFFICIENT_BALANCE')
      give(owner, 'USDT available', -value - fee)
      moveCash(product, value)
      book('USDT fees', fee)
      product.lots.push({ owner, at: Date.parse(event.at), price: product.nav, left: units, reserved: 0n })
    },

    fund_invest(event) {
      const product = productNamed(event.product)
      const amount = micros(event.amount)
      require(amount > 0n, 'INVALID_AMOUNT')
      fits(amount, product.value + amount)
      require(!product.closed, 'PRODUCT_CLOSED')
      const promised = sum(product.queue.map(({ units }) => units)) * product.nav
      require(amount <= product.cash - promised, 'INSUFFICIENT_BALANCE')
      if (!product.invested) product.navAtStart = product.nav
      product.invested = true
      product.everInvested = true
      product.value += amount
      moveCash(product, -amount)
      book('USDT external', amount)
    },

    fund_valuation(event) {
      const product = productNamed(event.product)
      const value = micros(event.value)
      const nav = navOf(product, { ...product, value })
      fits(value, nav)
      require(product.invested, 'NOTHING_INVESTED')
      product.value = value
      product.nav = nav
    },

    fund_divest(event) {
      const product = productNamed(event.product)
      const amount = micros(event.amount)
      const left = micros(event.left)
      const after = { cash: product.cash + amount, value: left, invested: left > 0n }
      const nav = navOf(product, after)
      fits(amount, left, after.cash, nav)
      require((accounts['USDT external'] ?? 0n) - amount >= -LARGEST - 1n, 'INVALID_AMOUNT')
      require(product.everInvested, 'NOTHING_INVESTED')
      const ends = product.invested && left === 0n
      if (ends && (outstanding(product) === 0n || nav < product.navAtStart)) product.closed = true
      moveCash(product, amount)
      book('USDT external', -amount)
      product.value = left
      product.invested = left > 0n
      product.nav = nav
      releaseRemainder(world, product)
    },

    fund_redeem(event) {
      const owner = named(event.member)
      const product = productNamed(event.product)
      const units = BigInt(event.units)
      require(units > 0n && units <= LARGEST, 'INVALID_AMOUNT')
      const at = Date.parse(event.at)
      // Lots are in the order of purchase.
      const open = product.lots.filter((lot) => lot.owner === owner && lot.at + product.lockMs <= at)
      require(sum(open.map(({ left, reserved }) => left - reserved)) >= units, 'UNITS_NOT_REDEEMABLE')
      const redemption: Redemption = { owner, units, lots: [], status: 'Pending', dueAt: 0 }
      let rest = units
      for (const lot of open) {
        const taken = smaller(rest, lot.left - lot.reserved)
        lot.reserved += taken
        rest -= taken
        redemption.lots.push({ lot, units: taken })
      }
      product.requests.push(redemption)
    },

    fund_review(event) {
      const owner = named(event.member)
      const product = productNamed(event.product)
      const pending = product.requests.filter(({ status }) => status === 'Pending')
      const own = pending.find((redemption) => redemption.owner === owner)
      if (!own) throw new Refused('NOTHING_TO_REVIEW')
      if (event.decision === 'reject') {
        own.status = 'Rejected'
        for (const { lot, units } of own.lots) lot.reserved -= units
        return
      }
      require(own === pending[0], 'NOT_FIRST')
      own.status = 'Approved'
      own.dueAt = Date.parse(event.at) + DELAY_MS
      product.queue.push(own)
    },

    fund_income_out(event) {
      const owner = named(event.member)
      const amount = micros(event.amount)
      require(amount > 0n, 'INVALID_AMOUNT')
      fits(amount)
      require(balanceOf(owner, 'USDT fund_income') >= amount, 'INSUFFICIENT_BALANCE')
      give(owner, 'USDT fund_income', -amount)
      give(owner, 'USDT available', amount)
    },

    treasury(event) {
      require(event.asset === 'USDT' || event.asset === 'AMC', 'ASSET_NOT_ALLOWED')
      const amount = micros(event.amount)
      require(amount > 0n, 'INVALID_AMOUNT')
      fits(amount)
      require((accounts[`${event.asset} ${event.from}`] ?? 0n) >= amount, 'INSUFFICIENT_BALANCE')
      book(`${event.asset} ${event.from}`, -amount)
      book(`${event.asset} external`, amount)
    },
  }
}

/** Moves the cash of a product without units and investments, which belongs to nobody, to `revenue`. */
function releaseRemainder({ book }: World, product: Product): void {
  if (product.invested || outstanding(product) > 0n || product.cash === 0n) return
  book(`USDT fund_custody:${product.name}`, -product.cash)
  book('USDT revenue', product.cash)
  product.cash = 0n
}

/** Pays the approved redemptions that are due by a time, each product's in the order of approval, as far as its cash goes. */
export function payRedemptions(world: World, by: number): void {
  const { give, book, products } = world
  for (const product of products) {
    for (let next = product.queue[0]; next; next = product.queue[0]) {
      const { owner, units } = next
      const value = units * product.nav
      if (next.dueAt > by || product.nav === 0n || product.cash < value) break
      const cost = sum(next.lots.map((entry) => entry.units * entry.lot.price))
      const redemptionFee = part(value, product.redemption)
      const profit = value > cost ? value - cost : 0n
      const managementFee = smaller(part(profit, product.management), value - redemptionFee)
      const income = owner.sponsor ? (managementFee * 100_000n) / M : 0n
      product.cash -= value
      book(`USDT fund_custody:${product.name}`, -value)
      give(owner, 'USDT available', value - redemptionFee - managementFee)
      book('USDT fees', redemptionFee + managementFee - income)
      if (owner.sponsor) give(owner.sponsor, 'USDT fund_income', income)
      for (const entry of next.lots) {
        entry.lot.left -= entry.units
        entry.lot.reserved -= entry.units
      }
      next.status = 'Completed'
      product.queue.shift()
      product.nav = navOf(product, product)
      releaseRemainder(world, product)
    }
  }
}
