import type { AuditedDeparture } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { ALL_HELD, filterHeld, isHeldFilters } from './held-filters.ts'
import { prepareSteps } from './prepare-steps.ts'

const held = (id: string, more: Partial<AuditedDeparture> = {}): AuditedDeparture => ({
  ...{ is: 'withdrawal', id, member_id: '7', member_address: `0x${'a'.repeat(40)}`, asset: 'USDT' },
  ...{ amount: '10.000000', fee: '0.100000', worth_usdt: '10.000000', recent_usdt: '10.000000' },
  ...{ to: `0x${'b'.repeat(40)}`, looks_like: null, reasons: [], level: 1 },
  ...{ joined_at: '2026-01-01T00:00:00Z', created_at: '2026-02-01T00:00:00Z' },
  ...{ paid_count: 0, paid_most_usdt: '0.000000', proposal_id: null, bulk: true },
  ...more,
})

describe('filters of the queue', () => {
  const items = [
    held('1', { reasons: ['sudden_amount'] }),
    held('2', { is: 'transfer', worth_usdt: '90.000000' }),
    held('3', { asset: 'AMC', proposal_id: '5', worth_usdt: '20.000000' }),
  ]
  const ids = (filters: object) => filterHeld(items, { ...ALL_HELD, ...filters }).map(({ id }) => id)

  it.each([
    [{}, ['1', '2', '3']],
    [{ is: 'transfer' }, ['2']],
    [{ state: 'proposed' }, ['3']],
    [{ state: 'toCheck' }, ['1', '2']],
    [{ asset: 'AMC' }, ['3']],
    [{ risk: 'sudden_amount' }, ['1']],
    [{ order: 'largest' }, ['2', '3', '1']],
    [{ text: '#2' }, ['2']],
    [{ text: '0xBB' }, ['1', '2', '3']],
    [{ text: 'nobody' }, []],
  ])('%j finds %j', (filters, found) => {
    expect(ids(filters)).toEqual(found)
  })

  it('drops views that are no filters', () => {
    expect(isHeldFilters(ALL_HELD)).toBe(true)
    for (const wrong of [null, 3, {}, { ...ALL_HELD, is: 'order' }, { ...ALL_HELD, text: 1 }]) {
      expect(isHeldFilters(wrong)).toBe(false)
    }
  })
})

describe('proposals for a selection', () => {
  it('puts small ones of a sort into one proposal, and each large one into its own', () => {
    const selection = [
      held('1'),
      held('2', { is: 'transfer' }),
      held('3', { bulk: false }),
      held('4'),
      held('5', { is: 'transfer', bulk: false }),
    ]
    expect(prepareSteps(selection, true)).toMatchObject([
      { items: [{ id: '1' }, { id: '4' }], wanted: { kind: 'withdrawals' } },
      { items: [{ id: '3' }], wanted: { kind: 'withdrawals' } },
      { items: [{ id: '2' }], wanted: { kind: 'transfers' } },
      { items: [{ id: '5' }], wanted: { kind: 'transfers' } },
    ])
  })

  it('puts no more into one proposal than it takes', () => {
    const many = Array.from({ length: 201 }, (_, place) => held(`${place + 1}`))
    expect(prepareSteps(many, false).map(({ items }) => items.length)).toEqual([200, 1])
  })
})
