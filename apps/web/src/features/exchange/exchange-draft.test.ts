import type { Launch } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { judgeExchange, judgeLaunch, maxExchange, subscribedPpm } from './exchange-draft.ts'

const centre = {
  rif: '10.000000',
  terms: [
    { to: 'DIV' as const, rate: '1.500000', day_cap: '8.000000', remaining_today: '4.000000' },
    { to: 'VC' as const, rate: '1.000000', day_cap: null, remaining_today: null },
  ],
}

describe('an exchange', () => {
  it('is checked like on the server', () => {
    expect(judgeExchange('4', 'DIV', centre)).toEqual({ ok: true, amount: '4.000000', receives: '6.000000' })
    expect(judgeExchange('10', 'VC', centre)).toMatchObject({ ok: true, receives: '10.000000' })
  })

  it.each([
    ['', 'amountRequired'],
    ['x', 'amountInvalid'],
    ['-1', 'amountInvalid'],
    ['10.000001', 'insufficient'],
    ['4.000001', 'dailyLimit'],
  ])('says what is wrong with "%s"', (input, problem) => {
    expect(judgeExchange(input, 'DIV', centre)).toEqual({ ok: false, problem })
  })

  it('offers at most the rest of the cap', () => {
    expect([maxExchange(centre, 'DIV'), maxExchange(centre, 'VC')]).toEqual(['4.000000', '10.000000'])
  })
})

describe('a launch', () => {
  const launch: Launch = {
    launch_id: '1',
    name: 'Harbour',
    introduction: '',
    allocation: '10.000000',
    price: '2.000000',
    capacity: '20.000000',
    subscribed: '15.000000',
    phase: 'Open',
    own: null,
    starts_at: '2026-01-01T00:00:00.000Z',
    ends_at: '2026-01-02T00:00:00.000Z',
  }

  it('shows its result if it closed now', () => {
    expect(judgeLaunch('5', '9', launch)).toEqual({
      ok: true,
      amount: '5.000000',
      units: '2.500000',
      returned: '0.000000',
    })
    expect(judgeLaunch('25', '30', launch)).toMatchObject({ units: '6.250000', returned: '12.500000' })
    expect(judgeLaunch('10', '9', launch)).toEqual({ ok: false, problem: 'insufficient' })
    expect(subscribedPpm(launch)).toBe(750_000)
  })
})
