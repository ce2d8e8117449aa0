import type { ExitDestination, MayTake, TreasuryExit } from '@rif/api-schema'
import { expect, it } from 'vitest'
import { checksOf } from './exit-checks.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const VAULT = `0x${'7a'.repeat(20)}`

const exit = {
  kind: 'treasury_payout',
  state: 'Announced',
  asset: 'USDT',
  amount: '100.000000',
  destination: VAULT,
  executable_at: '2026-11-22T11:00:00Z',
  expires_at: '2026-11-29T11:00:00Z',
} as TreasuryExit
const cover = {
  liabilities: '800.000000',
  fund_cash: '100.000000',
  invested: '0.000000',
  held: '1000.000000',
  published_at: '2026-11-22T00:04:00Z',
  covers_until: '2026-11-24T00:04:00Z',
  payout: '100.000000',
}
const figures = (change: Partial<NonNullable<MayTake['cover']>> = {}) =>
  ({ asset: 'USDT', cover: { ...cover, ...change } }) as MayTake
const listed = [{ address: VAULT.toUpperCase().replace('0X', '0x'), state: 'listed' }] as ExitDestination[]
const ALL = { listed: true, announced: true, waited: true, fresh: true, covered: true }

it('passes an exit that the contract would pay', () => {
  expect(checksOf(exit, figures(), listed, NOW)).toEqual(ALL)
})

it('lists each check that the contract would fail', () => {
  const check = (change: Partial<TreasuryExit>, of = figures(), places = listed, at = NOW) =>
    checksOf({ ...exit, ...change }, of, places, at)
  expect(check({}, figures(), [])).toEqual({ ...ALL, listed: false })
  expect(check({}, figures(), [{ ...listed[0]!, state: 'queued' }])).toEqual({ ...ALL, listed: false })
  expect(check({ executable_at: '2026-11-22T13:00:00Z' })).toEqual({ ...ALL, waited: false })
  expect(check({ expires_at: '2026-11-22T11:30:00Z' })).toEqual({ ...ALL, waited: false })
  expect(check({ amount: '100.000001' })).toEqual({ ...ALL, covered: false })
  expect(check({}, figures({ covers_until: '2026-11-22T11:59:59Z' }))).toEqual({
    ...ALL,
    fresh: false,
    covered: false,
  })
  expect(checksOf(exit, undefined, listed, NOW)).toEqual({ ...ALL, fresh: false, covered: false })
})

it("lets an investment take the funds' cash while liabilities are covered", () => {
  const invest = (amount: string, change: Partial<NonNullable<MayTake['cover']>> = {}) =>
    checksOf({ ...exit, kind: 'fund_invest', amount }, figures(change), listed, NOW).covered
  expect(invest('100.000000')).toBe(true)
  expect(invest('100.000001')).toBe(false)
  expect(invest('40.000000', { invested: '60.000000', held: '840.000000' })).toBe(true)
  expect(invest('40.000001', { invested: '60.000000', held: '840.000000' })).toBe(false)
  expect(invest('1.000000', { held: '899.999999' })).toBe(false)
})
