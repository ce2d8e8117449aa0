import { describe, expect, test } from 'vitest'
import { groupOf } from './reward-row.tsx'

describe('groupOf', () => {
  const now = new Date('2026-03-01T00:30:00.000Z')
  const group = (created_at: string) => groupOf({ created_at }, now)

  test('uses the day of payment, where the member is', () => {
    expect(group('2026-03-01T00:10:00.000Z')).toBe('today')
    expect(group('2026-02-28T23:59:59.999Z')).toBe('yesterday')
    expect(group('2026-02-27T23:59:59.999Z')).toBe('older')
  })
})
