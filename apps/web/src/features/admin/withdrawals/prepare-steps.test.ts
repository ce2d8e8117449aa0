import type { AuditedDeparture } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { clearOnes, prepareSteps } from './prepare-steps.ts'

const departure = (id: string, more: Partial<AuditedDeparture> = {}): AuditedDeparture => ({
  is: 'withdrawal',
  id,
  member_id: '7',
  member_address: `0x${'a'.repeat(40)}`,
  asset: 'USDT',
  amount: '10.000000',
  fee: '0.100000',
  worth_usdt: '10.000000',
  recent_usdt: '10.000000',
  to: `0x${'b'.repeat(40)}`,
  looks_like: null,
  reasons: [],
  level: 1,
  joined_at: '2026-01-01T00:00:00Z',
  created_at: '2026-02-01T00:00:00Z',
  status: 'Auditing',
  ended_at: null,
  expires_at: null,
  tx_hash: null,
  reviewed_by: null,
  review_reason: null,
  paid_count: 0,
  paid_most_usdt: '0.000000',
  proposal_id: null,
  bulk: true,
  ...more,
})

describe('proposals for a selection', () => {
  it('puts small ones of a kind into one proposal, and each large one into its own', () => {
    const selection = [
      departure('1'),
      departure('2', { is: 'transfer' }),
      departure('3', { bulk: false }),
      departure('4'),
      departure('5', { is: 'transfer', bulk: false }),
    ]
    expect(prepareSteps(selection, true)).toMatchObject([
      { items: [{ id: '1' }, { id: '4' }], wanted: { kind: 'withdrawals' } },
      { items: [{ id: '3' }], wanted: { kind: 'withdrawals' } },
      { items: [{ id: '2' }], wanted: { kind: 'transfers' } },
      { items: [{ id: '5' }], wanted: { kind: 'transfers' } },
    ])
  })

  it('puts at most the maximum into one proposal', () => {
    const many = Array.from({ length: 201 }, (_, place) => departure(`${place + 1}`))
    expect(prepareSteps(many, false).map(({ items }) => items.length)).toEqual([200, 1])
  })

  it('selects as clear only small pending ones without a risk except a new address', () => {
    const items = [
      departure('1', { reasons: ['new_address'] }),
      departure('2', { bulk: false }),
      departure('3', { proposal_id: '9' }),
      departure('4', { reasons: ['new_address', 'look_alike'] }),
      departure('5', { status: 'Withdrawable' }),
      departure('6'),
    ]
    expect(clearOnes(items).map(({ id }) => id)).toEqual(['1', '6'])
  })
})
