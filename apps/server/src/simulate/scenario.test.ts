import { describe, expect, it } from 'vitest'
import { parseScenario, ScenarioError } from './scenario.ts'

const AT = '2026-01-01T00:00:00Z'
const line = (type: string, fields: object) => JSON.stringify({ type, at: AT, ...fields })
const JOIN = line('join', { member: 'R', sponsor: null })

/** Returns the error about the last of some lines. */
function problem(...lines: string[]): string {
  try {
    parseScenario(lines.join('\n'))
  } catch (error) {
    if (error instanceof ScenarioError) return error.message
    throw error
  }
  return 'accepted'
}

describe('a well-formed scenario', () => {
  it('skips blank lines but counts them, and takes any line ending', () => {
    const events = parseScenario(`\n${JOIN}\r\n   \r\n${JOIN}\n\n`)
    expect(events.map((event) => event.line)).toEqual([2, 4])
  })

  it('ignores further fields', () => {
    expect(parseScenario(line('claim', { member: 'R', note: 1 }))).toEqual([
      { type: 'claim', at: new Date(AT), member: 'R', line: 1 },
    ])
  })

  it('ignores the side of the root, and requires the side of every other member', () => {
    expect(problem(line('join', { member: 'R', sponsor: null, side: 7 }))).toBe('accepted')
    expect(problem(line('join', { member: 'A', sponsor: 'R' }))).toMatch(/^line 1: side: /)
  })

  it('reads amounts of any size as micro-units, and does not check their range', () => {
    const grant = (amount: string) => parseScenario(line('grant', { member: 'R', asset: 'VC', amount }))[0]
    expect(grant('-0.000001')).toMatchObject({ amount: -1n })
    expect(grant('007.5')).toMatchObject({ amount: 7_500_000n })
    expect(grant('99999999999999999999')).toMatchObject({ amount: 99_999_999_999_999_999_999_000_000n })
  })

  it('reads integers exactly, of any size', () => {
    const unitsOf = (units: string) =>
      parseScenario(line('fund_buy', { member: 'R', product: 'P', units: 0 }).replace(':0}', `:${units}}`))[0]
    expect(unitsOf('9223372036854775807')).toMatchObject({ units: 2n ** 63n - 1n })
    expect(unitsOf('-9007199254740993')).toMatchObject({ units: -9_007_199_254_740_993n })
    expect(unitsOf('1e3')).toMatchObject({ units: 1_000n })
  })

  it('accepts several events at the same millisecond', () => {
    expect(problem(JOIN.replace('00Z', '00.000Z'), JOIN)).toBe('accepted')
  })
})

describe('a malformed line', () => {
  it.each([
    ['{"type": ', /^line 1: no JSON/],
    ['[]', /^line 1: /],
    ['null', /^line 1: /],
    ['"join"', /^line 1: /],
    [line('gift', {}), /^line 1: type: /],
    [line('claim', {}), /^line 1: member: /],
    [line('claim', { member: 7 }), /^line 1: member: /],
    [line('join', { member: 'R' }), /^line 1: sponsor: /],
    [line('join', { member: 'A', sponsor: 'R', side: 'up' }), /^line 1: side: /],
    [line('order', { member: 'R', package: 'Launch 100' }), /^line 1: hash_power: /],
    [line('order', { member: 'R', package: 'Launch 100', hash_power: 'true' }), /^line 1: hash_power: /],
    [line('price', { asset: 'AMC', usdt: 0.5 }), /^line 1: usdt: /],
    [line('price', { asset: 'BTC', usdt: '1' }), /^line 1: asset: /],
    [line('attest', { pool: 'revenue', asset: 'USDT', amount: '1' }), /^line 1: pool: /],
    [line('attest', { pool: 'fund_custody', asset: 'USDT', amount: '1' }), /^line 1: pool: /],
    [line('nav', { product: 'P', nav: '1' }), /^line 1: type: /],
    [line('fund_invest', { product: 'P', amount: 1 }), /^line 1: amount: /],
    [line('fund_valuation', { product: 'P' }), /^line 1: value: /],
    [line('fund_divest', { product: 'P', amount: '1' }), /^line 1: left: /],
    [line('fund_divest', { product: 'P', amount: '1', left: '.5' }), /^line 1: left: /],
    [line('treasury', { from: 'yield_pool', asset: 'USDT', amount: '1' }), /^line 1: from: /],
    [line('treasury', { from: 'fees', asset: 'BTC', amount: '1' }), /^line 1: asset: /],
    [line('fund_review', { member: 'R', product: 'P', decision: 'pay' }), /^line 1: decision: /],
    [line('fund_product', {}), /^line 1: name: /],
    [line('management', { member: 'R', action: 'stop' }), /^line 1: action: /],
    [line('fund_buy', { member: 'R', product: 'P', units: '1' }), /^line 1: units: /],
    [line('fund_buy', { member: 'R', product: 'P', units: 1.5 }), /^line 1: units: /],
    [line('close_day', { day: '2026-02-30' }), /^line 1: day: /],
    [line('close_day', { day: '2026-1-3' }), /^line 1: day: /],
  ])('%s', (text, message) => {
    expect(problem(text)).toMatch(message)
  })

  it.each(['1.0000001', '1.', '.5', '+1', '1e3', ' 1', '', '1,5', '٣'])('the amount "%s"', (amount) => {
    expect(problem(line('grant', { member: 'R', asset: 'RIF', amount }))).toMatch(/^line 1: amount: /)
  })

  it.each([
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01T00:00:00.0001Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    1767225600,
  ])('the time %s', (at) => {
    expect(problem(line('join', { member: 'R', sponsor: null, at }))).toMatch(/^line 1: at: /)
  })

  it.each(['lock_days', 'redemption_ppm', 'management_ppm'])(
    'a fund product with %s out of range',
    (name) => {
      const fields = { name: 'P', nav: '1', minimum_usd: '0', lock_days: 0 }
      const rates = { subscription_ppm: 0, redemption_ppm: 0, management_ppm: 0 }
      const product = (value: unknown) => line('fund_product', { ...fields, ...rates, [name]: value })
      // The rules refuse values out of range; only non-integers are malformed.
      for (const value of [0, 1_000_001, -1, 1e300]) expect(problem(product(value))).toBe('accepted')
      for (const value of ['0', 0.5, null, true])
        expect(problem(product(value))).toMatch(`line 1: ${name}: must be an integer`)
    },
  )

  it('out of time order', () => {
    expect(problem('', JOIN, '', JOIN.replace('2026', '2025'))).toBe('line 4: at: lies before line 2')
  })

  it("a withdrawal to another member's name, or to an invalid address", () => {
    const withdraw = (to: unknown) => line('withdraw', { member: 'R', asset: 'USDT', amount: '1', to })
    const other = line('join', { member: 'A', sponsor: 'R', side: 'left' })
    for (const to of [undefined, null, 'R', `0x${'Ab'.repeat(20)}`])
      expect(problem(JOIN, withdraw(to))).toBe('accepted')
    expect(problem(JOIN, withdraw('A'), other)).toMatch(/^line 2: to: .*another member/)
    expect(problem(JOIN, withdraw('0x12'))).toMatch(/^line 2: to: must be an address/)
    expect(problem(JOIN, withdraw(7))).toMatch(/^line 2: to: /)
  })
})
