import { expect, it } from 'vitest'
import { firstDay, judgeRate } from './rate-draft.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const rate = {
  currency: 'EUR',
  rate: '0.920000',
  day: '2026-03-18',
  source: 'ECB',
  published_at: '2026-03-18T10:00:00Z',
}
const right = { currency: 'eur ', rate: '0.93', day: '2026-03-19', source: ' ECB ' }
const judge = (change: object) => judgeRate({ ...right, ...change }, [rate], NOW)

it('accepts a typed rate', () => {
  expect(judge({})).toEqual({
    ok: true,
    payload: { currency: 'EUR', published: { rate: '0.930000', day: '2026-03-19', source: 'ECB' } },
  })
})

it.each([
  [{ currency: 'EU' }, { currency: 'badCurrency' }],
  [{ currency: 'QQQ' }, { currency: 'unknown' }],
  [{ rate: '0' }, { rate: 'badRate' }],
  [{ rate: '0.9200001' }, { rate: 'badRate' }],
  [{ day: '2026-03-21' }, { day: 'badDay' }],
  [{ day: '2026-03-17' }, { day: 'badDay' }],
  [{ day: '' }, { day: 'badDay' }],
  [{ source: ' ' }, { source: 'noSource' }],
])('%o is refused', (change, problems) => {
  expect(judge(change)).toEqual({ ok: false, problems })
})

it('starts at the day of the last rate, or as far back as a rate is shown', () => {
  expect(firstDay('EUR', [rate], '2026-03-20')).toBe('2026-03-18')
  expect(firstDay('JPY', [rate], '2026-03-20')).toBe('2026-03-06')
})
