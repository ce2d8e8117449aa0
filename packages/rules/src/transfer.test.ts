import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whole } from './arbitraries.fixture.ts'
import { judgeTransfer, looksLike, MAX_MICROS, defaultPlan as plan, type TransferRequest } from './index.ts'

const request: TransferRequest = {
  asset: 'USDT',
  amountMicros: whole(5),
  receiver: 'member',
  availableMicros: whole(5),
}
const judge = (change: Partial<TransferRequest>) => judgeTransfer({ ...request, ...change }, plan)

describe('judgeTransfer', () => {
  test('lets USDT and AMC go to another member, from one whole unit up to the full balance', () => {
    expect(judge({})).toEqual({ ok: true })
    expect(judge({ asset: 'AMC', amountMicros: whole(1) })).toEqual({ ok: true })
  })

  test.each<[Partial<TransferRequest>, string]>([
    [{ asset: 'RIF', amountMicros: 0n }, 'ASSET_NOT_ALLOWED'],
    [{ amountMicros: 0n, receiver: 'unknown' }, 'INVALID_AMOUNT'],
    [{ amountMicros: MAX_MICROS + 1n }, 'INVALID_AMOUNT'],
    [{ receiver: 'unknown', amountMicros: 1n }, 'ADDRESS_NOT_REGISTERED'],
    [{ receiver: 'self', amountMicros: 1n }, 'SELF_TRANSFER'],
    [{ amountMicros: whole(1) - 1n, availableMicros: 0n }, 'BELOW_MINIMUM'],
    [{ amountMicros: whole(5) + 1n }, 'INSUFFICIENT_BALANCE'],
  ])('refuses %o with %s, the first that applies', (change, code) => {
    expect(judge(change)).toEqual({ ok: false, code })
  })
})

describe('looksLike', () => {
  const knownAddress = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
  const hex40 = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 })

  test('finds an address with the same ends, ignoring case', () => {
    expect(looksLike('0xab58000000000000000000000000000000009aec9b', [knownAddress])).toBe(knownAddress)
    expect(looksLike('0xab500000000000000000000000000000000000c9b', [knownAddress])).toBe(knownAddress)
    expect(looksLike('0xab5801000000000000000000000000000000000000', [knownAddress])).toBe(knownAddress)
    expect(looksLike('0xab590000000000000000000000000000000000009b', ['0x12', knownAddress])).toBeNull()
  })

  test('finds one wrong character anywhere', () => {
    for (let at = 2; at < knownAddress.length; at++) {
      const wrong = knownAddress[at] === '0' ? '1' : '0'
      expect(looksLike(knownAddress.slice(0, at) + wrong + knownAddress.slice(at + 1), [knownAddress])).toBe(
        knownAddress,
      )
    }
  })

  test('ignores a known address', () => {
    const twin = `0xab5801${'0'.repeat(28)}9aec9b`
    expect(looksLike(knownAddress.toLowerCase(), [twin, knownAddress])).toBeNull()
  })

  test('returns the closest address', () => {
    const near = `0xab5801a7${'0'.repeat(32)}`
    const wanted = `0xab5801a7d${'1'.repeat(31)}`
    expect(looksLike(wanted, [near, knownAddress])).toBe(knownAddress)
    expect(looksLike(wanted, [knownAddress, near])).toBe(knownAddress)
  })

  test('returns the first of two equally close addresses', () => {
    const [first, second] = [`0xab5801a${'0'.repeat(33)}`, `0xab5801a${'2'.repeat(33)}`]
    expect(looksLike(`0xab5801a${'1'.repeat(33)}`, [first, second])).toBe(first)
  })

  test('ignores unrelated addresses', () => {
    fc.assert(
      fc.property(hex40, fc.array(hex40, { maxLength: 20 }), (address, others) => {
        const apart = others.filter((other) => other[0] !== address[0] && other.at(-1) !== address.at(-1))
        expect(
          looksLike(
            `0x${address}`,
            apart.map((other) => `0x${other}`),
          ),
        ).toBeNull()
      }),
    )
  })
})
