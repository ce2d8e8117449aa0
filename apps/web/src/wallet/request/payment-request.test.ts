import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExpired, plainNote, readRequest, requestLink } from './payment-request.ts'
import { NOTE_MAX, readRequestSearch } from './request-search.ts'

const ORIGIN = 'https://rif.example'
const TO = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const USDT = `0x${'11'.repeat(20)}`
const AMC = `0x${'22'.repeat(20)}`
const CONFIG = {
  chain: { id: 42161, native: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  contracts: { bank: `0x${'33'.repeat(20)}`, transfer: `0x${'44'.repeat(20)}`, usdt: USDT, amc: AMC },
  decimals: { USDT: 6, AMC: 18 },
}
const read = (text: string) => readRequest(text, ORIGIN, CONFIG)

const address = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/)
const amount = fc.stringMatching(/^[1-9][0-9]{0,12}(\.[0-9]{1,6})?$/)
const note = fc.string({ maxLength: NOTE_MAX, unit: 'grapheme' }).filter((text) => text.length <= NOTE_MAX)
const until = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('a link', () => {
  it('is decoded as it was encoded', () => {
    fc.assert(
      fc.property(
        address,
        fc.constantFrom('USDT', 'AMC'),
        amount,
        note,
        until,
        (to, asset, of, text, day) => {
          const request = { to, asset, amount: of, note: text.trim(), until: day }
          const { note: kept, ...rest } = request
          expect(read(requestLink(ORIGIN, request))).toEqual({ ...rest, ...(kept !== '' && { note: kept }) })
        },
      ),
    )
  })

  it('of another origin or page is not a request', () => {
    const link = requestLink(ORIGIN, { to: TO, asset: 'USDT', amount: '5' })
    expect(read(link)).not.toBeNull()
    expect(read(link.replace('rif.example', 'rif.example.evil.org'))).toBeNull()
    expect(read(link.replace('/transfer/index', '/my/addresses'))).toBeNull()
    expect(read(link.replace(TO, '0x12'))).toBeNull()
  })

  it('contains only the known values in their form, for any query', () => {
    const anything = fc.dictionary(
      fc.constantFrom('to', 'asset', 'amount', 'note', 'until', 'name', 'label', 'confirm', '__proto__'),
      fc.oneof(fc.string(), address, amount, until, fc.constantFrom('USDT', 'ETH', '0', '0.0', '-1', '1e9')),
    )
    fc.assert(
      fc.property(anything, (raw) => {
        const request = readRequestSearch(raw)
        expect(
          Object.keys(request).filter((key) => !['to', 'asset', 'amount', 'note', 'until'].includes(key)),
        ).toEqual([])
        if (request.to !== undefined) expect(request.to).toMatch(/^0x[0-9a-fA-F]{40}$/)
        if (request.asset !== undefined) expect(['USDT', 'AMC']).toContain(request.asset)
        if (request.amount !== undefined) expect(Number(request.amount)).toBeGreaterThan(0)
        expect(request.note?.length ?? 0).toBeLessThanOrEqual(NOTE_MAX)
      }),
    )
  })

  it('never makes the decoder throw', () => {
    const start = fc.constantFrom(
      '',
      'ethereum:',
      `ethereum:${TO}`,
      `ethereum:${USDT}@42161/transfer?`,
      `${ORIGIN}/pages/transfer/index?`,
    )
    fc.assert(
      fc.property(start, fc.string({ maxLength: 300 }), (head, tail) => {
        expect(() => read(head + tail)).not.toThrow()
      }),
    )
  })
})

describe('EIP-681', () => {
  it.each([
    [`ethereum:${TO}`, { to: TO }],
    [`ethereum:${TO}@42161?value=1.5e18`, { to: TO, asset: 'ETH', amount: '1.5' }],
    [`ethereum:pay-${TO}@42161?value=2000000000000`, { to: TO, asset: 'ETH', amount: '0.000002' }],
    [
      `ethereum:${USDT}@42161/transfer?address=${TO}&uint256=12500000`,
      { to: TO, asset: 'USDT', amount: '12.5' },
    ],
    [`ethereum:${AMC}@42161/transfer?address=${TO}&uint256=3e18`, { to: TO, asset: 'AMC', amount: '3' }],
    [`ethereum:${AMC}@42161/transfer?address=${TO}`, { to: TO, asset: 'AMC' }],
    // Amounts below a micro-unit, or above the largest amount, are invalid.
    [`ethereum:${TO}@42161?value=1`, { to: TO }],
    [`ethereum:${TO}@42161?value=1e60`, { to: TO }],
    [`ethereum:${TO}@1?value=1e18`, 'network'],
    [`ethereum:${USDT}@137/transfer?address=${TO}&uint256=1`, 'network'],
    // Another token, another function, no receiver.
    [`ethereum:${TO}@42161/transfer?address=${TO}&uint256=1`, null],
    [`ethereum:${USDT}@42161/approve?address=${TO}&uint256=1`, null],
    [`ethereum:${USDT}@42161/transfer?uint256=1000000`, null],
    ['ethereum:vitalik.eth', null],
  ])('reads %s', (text, request) => {
    expect(read(text)).toEqual(request)
  })

  it('is not decoded before the chain is known', () => {
    expect(readRequest(`ethereum:${TO}@42161?value=1e18`, ORIGIN, undefined)).toBeNull()
  })
})

it('a request is valid until the end of its last day, and never with a date that does not exist', () => {
  const at = (time: string) => Date.parse(time)
  expect(isExpired({ until: '2026-11-23' }, at('2026-11-23T23:59:59Z'))).toBe(false)
  expect(isExpired({ until: '2026-11-23' }, at('2026-11-24T00:00:00Z'))).toBe(true)
  expect(isExpired({ until: '2026-99-99' }, at('2026-11-23T00:00:00Z'))).toBe(true)
  expect(isExpired({}, at('2026-11-23T00:00:00Z'))).toBe(false)
})

it('a note is one line without characters that mislead', () => {
  expect(plainNote('rent\u202e00.1\nfor\u200bMay\u0000')).toBe('rent 00.1 for May')
})
