import { expect, it } from 'vitest'
import { EMPTY_LAUNCH, EMPTY_TERMS, readExchangeTerms, readLaunch } from './exchange-draft.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const LAUNCH = {
  name: ' Berths ',
  introduction: 'Berths that are let',
  allocation: '1000',
  price: '0.5',
  starts_at: '2026-01-02T00:00',
  ends_at: '2026-01-09T00:00',
}

it('reads a complete launch, with times in UTC', () => {
  expect(readLaunch(LAUNCH, NOW)).toEqual({
    ok: true,
    payload: {
      name: 'Berths',
      introduction: 'Berths that are let',
      allocation: '1000.000000',
      price: '0.500000',
      starts_at: '2026-01-02T00:00:00.000Z',
      ends_at: '2026-01-09T00:00:00.000Z',
    },
  })
})

it('reports the problems of a launch by field', () => {
  const problemsOf = (changed: Partial<typeof EMPTY_LAUNCH>) => {
    const read = readLaunch({ ...LAUNCH, ...changed }, NOW)
    return read.ok ? {} : read.problems
  }
  expect(problemsOf(EMPTY_LAUNCH)).toEqual({
    name: 'missing',
    introduction: 'missing',
    allocation: 'amount',
    price: 'amount',
    starts_at: 'missing',
    ends_at: 'missing',
  })
  expect(problemsOf({ ends_at: '2026-01-02T00:00' })).toEqual({ ends_at: 'order' })
  expect(problemsOf({ ends_at: '2026-01-01T12:00' })).toEqual({ ends_at: 'past' })
  // It would cost nothing, or more than can be stored.
  expect(problemsOf({ allocation: '0.000001', price: '0.1' })).toEqual({ allocation: 'size' })
  expect(problemsOf({ allocation: '9000000000000', price: '9' })).toEqual({ allocation: 'size' })
})

it('reads terms of exchange: without a cap, and valid from their approval', () => {
  const terms = { ...EMPTY_TERMS, rate: '1.5' }
  const payload = { asset: 'DIV', rate: '1.500000', day_cap: null }
  expect(readExchangeTerms(terms, NOW)).toEqual({ ok: true, payload })
  expect(
    readExchangeTerms({ ...terms, asset: 'VC', day_cap: '100', valid_from: '2026-02-01T08:30' }, NOW),
  ).toEqual({
    ok: true,
    payload: { ...payload, asset: 'VC', day_cap: '100.000000', valid_from: '2026-02-01T08:30:00.000Z' },
  })
  expect(
    readExchangeTerms({ ...terms, rate: '0', day_cap: '-', valid_from: '2026-01-01T11:59' }, NOW),
  ).toEqual({
    ok: false,
    problems: { rate: 'amount', day_cap: 'amount', valid_from: 'past' },
  })
})
