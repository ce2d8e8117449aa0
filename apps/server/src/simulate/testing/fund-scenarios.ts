import fc from 'fast-check'
import { createModel } from './model.ts'
import { payRedemptions } from './model-fund.ts'
import { type Event, M, type Product, part, Refused, sum, text, type World } from './model-world.ts'

/**
 * Random scenarios of the fund and the treasury. Amounts are chosen by the current state of the oracle, so
 * that they meet the limits of the rules exactly, or miss them by one micro-unit.
 */

const HOUR_MS = 3_600_000
const START = Date.parse('2026-01-29T00:00:00Z')
const LARGEST = 2n ** 63n - 1n
const MEMBERS = ['R', 'A', 'B', 'C', 'D']

type State = ReturnType<typeof createModel>
type Choice = (limit: bigint) => bigint

/** Parts of a limit, the limit itself, its neighbours, and values out of range. */
const choice: fc.Arbitrary<Choice> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: 1, max: 1_000_000 }).map(
      (ppm): Choice =>
        (limit) =>
          part(limit, BigInt(ppm)) || 1n,
    ),
  },
  { weight: 12, arbitrary: fc.constant<Choice>((limit) => limit) },
  { weight: 1, arbitrary: fc.constant<Choice>((limit) => limit + 1n) },
  { weight: 2, arbitrary: fc.constant<Choice>((limit) => limit - 1n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Choice>(
      () => 1n,
      () => 0n,
      () => -1n,
      () => LARGEST,
      () => LARGEST + 1n,
    ),
  },
)

/** A value as a multiple of another in tenths, often zero, seldom out of range. */
const worth: fc.Arbitrary<Choice> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.integer({ min: 1, max: 25 }).map(
      (tenths): Choice =>
        (of) =>
          (of * BigInt(tenths)) / 10n,
    ),
  },
  { weight: 4, arbitrary: fc.constant<Choice>(() => 0n) },
  { weight: 2, arbitrary: fc.constant<Choice>((of) => of + 1n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Choice>(
      () => LARGEST,
      () => -1n,
      () => LARGEST + 1n,
    ),
  },
)

const member = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('A', 'B', 'D') },
  { weight: 3, arbitrary: fc.constantFrom('R', 'C') },
  { weight: 1, arbitrary: fc.constant('nobody') },
)
const productName = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('P', 'P', 'Q q') },
  { weight: 1, arbitrary: fc.constant('nothing') },
)

const find = ({ world }: State, name: string) => world.products.find((product) => product.name === name)
const priceOf = (product?: Product) => product?.nav || M
const approved = (product: Product) => sum(product.queue.map(({ units }) => units))
const availableOf = ({ people }: World, name: string) =>
  people.find((person) => person.name === name)?.balances['USDT available'] ?? 0n

type Draw = (state: State) => Event

const buy = fc.record({ member, product: productName, choose: choice }).map(
  ({ choose, ...names }): Draw =>
    (state) => {
      const product = find(state, names.product)
      const price = priceOf(product) + part(priceOf(product), product?.subscription ?? 0n)
      const units = choose(availableOf(state.world, names.member) / (price || 1n))
      return { type: 'fund_buy', ...names, units: `${units}` }
    },
)
const invest = fc.record({ product: productName, choose: choice }).map(
  ({ product: name, choose }): Draw =>
    (state) => {
      const product = find(state, name)
      const most = product ? product.cash - approved(product) * product.nav : M
      return { type: 'fund_invest', product: name, amount: text(choose(most)) }
    },
)
const valuation = fc.record({ product: productName, choose: worth }).map(
  ({ product: name, choose }): Draw =>
    (state) => ({
      type: 'fund_valuation',
      product: name,
      value: text(choose(find(state, name)?.value ?? M)),
    }),
)
const divest = fc.record({ product: productName, amount: worth, left: worth }).map(
  ({ product: name, amount, left }): Draw =>
    (state) => {
      const value = find(state, name)?.value ?? M
      return { type: 'fund_divest', product: name, amount: text(amount(value)), left: text(left(value)) }
    },
)
/** Usually a member who holds units. */
const redeem = fc.record({ member, product: productName, choose: choice, nth: fc.nat(20) }).map(
  ({ choose, nth, ...fields }): Draw =>
    (state) => {
      const all = find(state, fields.product)?.lots.filter(({ left, reserved }) => left > reserved) ?? []
      const owner = (nth > 1 && all[nth % all.length]?.owner.name) || fields.member
      const lots = all.filter((lot) => lot.owner.name === owner)
      const free = sum(lots.map(({ left, reserved }) => left - reserved))
      return { type: 'fund_redeem', ...fields, member: owner, units: `${choose(free)}` }
    },
)
/** Usually the member whose request is the oldest. */
const review = fc
  .record({
    member,
    product: productName,
    isInOrder: fc.constantFrom(true, true, true, false),
    decision: fc.constantFrom('approve', 'approve', 'approve', 'reject'),
  })
  .map(
    ({ isInOrder, ...fields }): Draw =>
      (state) => {
        const first = find(state, fields.product)?.requests.find(({ status }) => status === 'Pending')
        const owner = isInOrder && first ? first.owner.name : fields.member
        return { type: 'fund_review', ...fields, member: owner }
      },
  )
const treasury = fc
  .record({
    from: fc.constantFrom('fees', 'fees', 'revenue'),
    asset: fc.constantFrom('USDT', 'USDT', 'USDT', 'AMC', 'RIF'),
    choose: choice,
  })
  .map(
    ({ choose, ...fields }): Draw =>
      ({ world }) => {
        const most = world.accounts[`${fields.asset} ${fields.from}`] ?? 0n
        return { type: 'treasury', ...fields, amount: text(choose(most)) }
      },
  )
const incomeOut = fc.record({ member, choose: choice }).map(
  (fields): Draw =>
    ({ world }) => {
      const person = world.people.find(({ name }) => name === fields.member)
      const amount = fields.choose(person?.balances['USDT fund_income'] ?? 0n)
      return { type: 'fund_income_out', member: fields.member, amount: text(amount) }
    },
)
const granted = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 5_000 }).map(String) },
  // The whole range of `external`, and one micro-unit more than the rest of it.
  { weight: 1, arbitrary: fc.constantFrom('9223372036854.775807', '9223372036854.775808', '9223372000000') },
)
const grant = fc.record({ member, amount: granted }).map(
  ({ member: to, amount }): Draw =>
    () => ({ type: 'grant', member: to, asset: 'USDT', amount }),
)

const ppm = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000_000, 999_999) },
)
const terms = fc
  .record({
    nav: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 10_000, max: 200_000_000 }) },
      { weight: 1, arbitrary: fc.constant(10_000) },
    ),
    minimum_usd: fc.constantFrom('0', '0.000001', '10'),
    lock_days: fc.constantFrom(0, 0, 0, 1, 3),
    subscription_ppm: ppm,
    redemption_ppm: ppm,
    management_ppm: ppm,
  })
  .map((fields): Event => ({ ...fields, nav: text(BigInt(fields.nav)) }))
/** Terms of a product that may exist; often one of them is out of range. */
const oddProduct = fc
  .record({
    name: fc.constantFrom('P', 'R', 'S'),
    terms,
    odd: fc.constantFrom<Event>(
      {},
      { nav: '0.009999' },
      { nav: '-1' },
      { nav: '9223372036854.775808' },
      { minimum_usd: '-0.000001' },
      { minimum_usd: '9223372036854.775808' },
      { lock_days: 36_501 },
      { lock_days: -1 },
      { lock_days: 1e300 },
      { subscription_ppm: 1_000_001 },
      { redemption_ppm: -1 },
      { management_ppm: 2 ** 40 },
    ),
  })
  .map(({ name, odd, ...fields }): Event => ({ type: 'fund_product', name, ...fields.terms, ...odd }))

const step = fc.record({
  draw: fc.oneof(
    { weight: 8, arbitrary: buy },
    { weight: 5, arbitrary: invest },
    { weight: 4, arbitrary: valuation },
    { weight: 4, arbitrary: divest },
    { weight: 8, arbitrary: redeem },
    { weight: 8, arbitrary: review },
    { weight: 2, arbitrary: treasury },
    { weight: 1, arbitrary: incomeOut },
    { weight: 1, arbitrary: grant },
    {
      weight: 1,
      arbitrary: oddProduct.map(
        (event): Draw =>
          () =>
            event,
      ),
    },
  ),
  laterMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 * HOUR_MS }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 24 * HOUR_MS, 72 * HOUR_MS - 1, 72 * HOUR_MS) },
  ),
})

/** Builds a scenario by applying each event to the oracle before the next one is chosen. */
function build(products: readonly Event[], draws: readonly { draw: Draw; laterMs: number }[]): Event[] {
  const state = createModel('2026-01-29')
  const events: Event[] = []
  let ms = START
  const happen = ({ type, ...fields }: Event) => {
    const event = { type, at: new Date(ms).toISOString(), ...fields }
    events.push(event)
    payRedemptions(state.world, ms)
    try {
      state.act(event)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
    payRedemptions(state.world, ms)
  }
  for (const [index, name] of MEMBERS.entries()) {
    happen({
      type: 'join',
      member: name,
      sponsor: index === 0 ? null : MEMBERS[(index - 1) >> 1],
      side: 'auto',
    })
    happen({ type: 'grant', member: name, asset: 'USDT', amount: `${1_000 * (index + 1)}` })
  }
  for (const [index, fields] of products.entries())
    happen({ type: 'fund_product', name: index === 0 ? 'P' : 'Q q', ...fields })
  for (const { draw, laterMs } of draws) {
    ms += laterMs
    happen(draw(state))
  }
  return events
}

export const anyFundScenario: fc.Arbitrary<Event[]> = fc
  .tuple(
    fc.array(terms, { minLength: 2, maxLength: 2 }),
    fc.array(step, { minLength: 80, maxLength: 160, size: 'max' }),
  )
  .map(([products, draws]) => build(products, draws))

/** Writes a scenario; units are integers of any size, which JSON.stringify would round. */
export function scenarioText(events: readonly Event[]): string {
  return events.map((event) => JSON.stringify(event).replace(/"units":"(-?\d+)"/, '"units":$1')).join('\n')
}
