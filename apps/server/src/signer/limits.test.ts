import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from './config.ts'
import { type Counted, createLimits, type Limited } from './limits.ts'

const HOUR_MS = 3_600_000
const LIMIT = { hour: 300n, day: 900n, member: 400n }
const LIMITS = { USDT: LIMIT, AMC: LIMIT, quotes: LIMIT }

/** The limits as the rules define them: every sum is computed again. */
function exceededOf(signed: readonly Counted[], added: Counted): string | null {
  const sum = (lengthMs: number, isCounted: (signature: Counted) => boolean) => {
    const highest = new Map<string, bigint>()
    for (const signature of [...signed, added]) {
      const isWithin =
        signature.atMs > added.atMs - lengthMs && signature.what === added.what && isCounted(signature)
      if (isWithin && signature.amount > (highest.get(signature.subject) ?? 0n))
        highest.set(signature.subject, signature.amount)
    }
    return [...highest.values()].reduce((total, amount) => total + amount, 0n)
  }
  if (sum(24 * HOUR_MS, ({ memberId }) => memberId === added.memberId) > LIMIT.member) return 'limit_member'
  if (sum(HOUR_MS, () => true) > LIMIT.hour) return 'limit_hour'
  if (sum(24 * HOUR_MS, () => true) > LIMIT.day) return 'limit_day'
  return null
}

/** Returns a repeatable generator of numbers below a bound. */
function numbers(seed: number) {
  let state = seed
  return (bound: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * bound)
  }
}

test.each([1, 2, 3, 4])(
  'the running sums give the same decisions as recomputed sums (history %i)',
  (seed) => {
    const below = numbers(seed)
    const limits = createLimits(LIMITS)
    const signed: Counted[] = []
    const answers = new Map<string | null, number>()
    let atMs = 1_000_000
    for (let step = 0; step < 1_500; step++) {
      // Some at once, some minutes apart, and occasionally many hours apart.
      atMs += below(3) === 0 ? 0 : below(below(60) === 0 ? 20 * HOUR_MS : 12 * 60_000)
      const memberId = BigInt(1 + below(4))
      const subject = `${memberId}/withdrawal/${below(40)}`
      const what = (['USDT', 'AMC'] as Limited[])[below(2)]!
      const added = { atMs, what, memberId, subject, amount: BigInt(1 + below(60)) }
      const expected = exceededOf(signed, added)
      expect([step, limits.exceeded(added)]).toEqual([step, expected])
      answers.set(expected, (answers.get(expected) ?? 0) + 1)
      if (expected !== null && below(3) > 0) continue
      limits.add(added)
      signed.push(added)
    }
    expect([...answers.keys()].sort()).toEqual(['limit_day', 'limit_hour', 'limit_member', null].sort())
  },
)

test('the quotes that members without money ask for stop their own next ones, and nobody else', () => {
  const limits = createLimits(DEFAULT_LIMITS)
  const quote = (member: number, order: number): Counted => ({
    atMs: order,
    what: 'quotes',
    memberId: BigInt(member),
    subject: `${member}/${order}`,
    amount: 1n,
  })
  const ofOne = Number(DEFAULT_LIMITS.quotes.member)
  for (let order = 0; order < ofOne; order++)
    for (let member = 1; member <= 300; member++) limits.add(quote(member, order))
  expect(limits.exceeded(quote(1, ofOne))).toBe('limit_member')
  expect(limits.exceeded(quote(301, ofOne))).toBe(null)
})
