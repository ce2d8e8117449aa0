import { addDays, dayOf } from '@rif/rules'
import fc from 'fast-check'

type Fields = Readonly<Record<string, unknown>>

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** So that a month ends, and its first locked AMC are fully released, within a scenario. */
const START = Date.parse('2026-01-29T00:00:00Z')

const person = fc
  .oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 7, max: 11 }) },
  )
  .map((number) => `M${number}`)
const newcomer = fc.integer({ min: 5, max: 15 }).map((number) => `M${number}`)
const asset = fc.constantFrom('USDT', 'AMC')
const cents = fc.integer({ min: 1, max: 2_000_000 }).map((micros) => (micros / 1e6).toFixed(6))
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 3_000 }).map(String) },
  { weight: 2, arbitrary: cents },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '9223372036854.775808') },
)
const packageName = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(...[100, 500, 1000, 5000, 10000].map((price) => `Launch ${price}`)),
  },
  { weight: 1, arbitrary: fc.constant('Launch 7') },
)

const join = fc
  .tuple(newcomer, person, fc.constantFrom('left', 'right', 'auto'))
  .map(([member, sponsor, side]): Fields => ({ type: 'join', member, sponsor, side }))
const order = fc
  .tuple(person, packageName, fc.boolean())
  .map(([member, name, hash_power]): Fields => ({ type: 'order', member, package: name, hash_power }))
const withdraw = fc
  .tuple(person, asset, amount, fc.option(fc.constant(`0x${'a1'.repeat(20)}`)))
  .map(([member, of, sum, to]): Fields => ({ type: 'withdraw', member, asset: of, amount: sum, to }))
const savings = fc
  .tuple(
    person,
    fc.constantFrom('USDT', 'AMC', 'USDT', 'AMC', 'RIF'),
    amount,
    fc.constantFrom('in', 'in', 'out'),
  )
  .map(
    ([member, of, sum, direction]): Fields => ({
      type: 'savings',
      member,
      asset: of,
      amount: sum,
      direction,
    }),
  )
const transfer = fc
  .tuple(person, person, fc.constantFrom('USDT', 'AMC', 'USDT', 'AMC', 'RIF'), amount)
  .map(([from, to, of, sum]): Fields => ({ type: 'transfer', from, to, asset: of, amount: sum }))
const exchange = fc
  .tuple(person, fc.constantFrom('DIV', 'VC', 'DIV', 'VC', 'AMC'), amount)
  .map(([member, to, sum]): Fields => ({ type: 'exchange', member, to, amount: sum }))
const ofMember = (fields: fc.Arbitrary<Fields>) =>
  fc.tuple(person, fields).map(([member, rest]): Fields => ({ member, ...rest }))
const price = fc
  .tuple(fc.constantFrom('AMC', 'RIF', 'AMC', 'RIF', 'VC'), fc.integer({ min: 1, max: 5_000_000 }))
  .map(([of, micros]): Fields => ({ type: 'price', asset: of, usdt: (micros / 1e6).toFixed(6) }))
const grant = fc
  .tuple(person, fc.constantFrom('USDT', 'AMC', 'RIF', 'RIF', 'DIV'), fc.integer({ min: 0, max: 4_000 }))
  .map(([member, of, sum]): Fields => ({ type: 'grant', member, asset: of, amount: `${sum}` }))
const attest = fc
  .tuple(fc.constantFrom('yield_pool', 'savings_pool', 'dividend_pool'), asset, amount)
  .filter(([, , sum]) => sum !== '9223372036854.775808')
  .map(([pool, of, sum]): Fields => ({ type: 'attest', pool, asset: of, amount: sum }))

/** An event, and its delay after the one before. */
const step = fc.record({
  event: fc.oneof(
    { weight: 8, arbitrary: join },
    { weight: 12, arbitrary: order },
    { weight: 4, arbitrary: withdraw },
    { weight: 8, arbitrary: savings },
    { weight: 4, arbitrary: transfer },
    { weight: 6, arbitrary: exchange },
    { weight: 2, arbitrary: price },
    { weight: 3, arbitrary: grant },
    { weight: 3, arbitrary: attest },
    {
      weight: 6,
      arbitrary: ofMember(
        fc.constantFrom<Fields>(
          { type: 'management', action: 'pause' },
          { type: 'management', action: 'resume' },
          { type: 'withdraw_review', decision: 'approve' },
          { type: 'withdraw_review', decision: 'reject' },
          { type: 'withdraw_cancel' },
          { type: 'claim' },
          { type: 'claim' },
        ),
      ),
    },
    { weight: 1, arbitrary: fc.constant<Fields>({ type: 'close_day', day: '2026-01-30' }) },
  ),
  laterMs: fc.oneof(
    { weight: 24, arbitrary: fc.integer({ min: 0, max: 90 * MINUTE_MS }) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 * DAY_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: 20 * DAY_MS, max: 33 * DAY_MS }) },
  ),
  /** Days that have ended are settled now, not only when a later step settles them. */
  settles: fc.boolean(),
})

/**
 * Scenarios with members, orders, withdrawals, savings, exchanges and settled days, sometimes late, and with
 * refused events among them.
 */
export const anyScenario: fc.Arbitrary<Fields[]> = fc
  .tuple(
    fc.nat(9).map((number) => number > 0),
    fc.array(step, { minLength: 30, maxLength: 70, size: 'max' }),
  )
  .map(([isPriced, steps]) => {
    const events: Fields[] = []
    let ms = START
    let next = dayOf(START)
    const happen = ({ type, ...fields }: Fields) =>
      events.push({ type, at: new Date(ms).toISOString(), ...fields })
    happen({ type: 'join', member: 'M0', sponsor: null })
    for (let number = 1; number <= 6; number++) {
      const sponsor = `M${number >> 1}`
      happen({ type: 'join', member: `M${number}`, sponsor, side: 'auto' })
    }
    if (isPriced) {
      happen({ type: 'price', asset: 'AMC', usdt: '0.5' })
      for (const member of ['M0', 'M1', 'M2']) {
        happen({ type: 'order', member, package: 'Launch 10000', hash_power: false })
      }
    }
    for (const { event, laterMs, settles } of steps) {
      ms += laterMs
      for (; settles && next < dayOf(ms); next = addDays(next, 1)) happen({ type: 'close_day', day: next })
      happen(event)
    }
    return events
  })
