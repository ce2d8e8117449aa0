import type { Withdrawal } from '@rif/api-schema'
import { describe, expect, test } from 'vitest'
import { claimState, isReturned, isWithdrawalOpen, withdrawalSteps } from './withdrawal-view.ts'

const HASH = `0x${'a'.repeat(64)}`

function withdrawalWith(change: Partial<Withdrawal>): Withdrawal {
  return {
    withdraw_id: '5',
    chain_withdrawal_id: '18446744073709551621',
    type: 'wallet',
    asset: 'USDT',
    amount: '50.000000',
    refund: '0.000000',
    fee: '1.000000',
    receives: '49.000000',
    worth_usdt: '50.000000',
    address: `0x${'1'.repeat(40)}`,
    status: 'Withdrawable',
    reasons: [],
    created_at: '2026-01-31T09:45:00.000Z',
    reviewed_at: null,
    reject_reason: null,
    claim_wait: null,
    refusal: null,
    key_change: null,
    claim_expires_at: null,
    tx_hash: null,
    confirmations: 0,
    confirmations_needed: 3,
    completed_at: null,
    ...change,
  }
}

describe('withdrawalSteps', () => {
  const statesOf = (change: Partial<Withdrawal>) =>
    withdrawalSteps(withdrawalWith(change)).map(({ id, state }) => `${id} ${state}`)

  test('without a review', () => {
    expect(statesOf({})).toEqual(['requested done', 'withdrawable active', 'success waiting'])
    expect(statesOf({ tx_hash: HASH })).toEqual(['requested done', 'withdrawable done', 'success active'])
    expect(statesOf({ status: 'Success' })).toEqual(['requested done', 'withdrawable done', 'success done'])
  })

  test('with a review', () => {
    const reviewed = { reasons: ['large_amount' as const], reviewed_at: '2026-01-31T11:00:00.000Z' }
    expect(statesOf({ ...reviewed, reviewed_at: null, status: 'Auditing' })).toEqual([
      'requested done',
      'auditing active',
      'withdrawable waiting',
      'success waiting',
    ])
    expect(statesOf(reviewed)).toEqual([
      'requested done',
      'auditing done',
      'withdrawable active',
      'success waiting',
    ])
    expect(statesOf({ ...reviewed, status: 'Rejected' })).toEqual([
      'requested done',
      'auditing done',
      'rejected failed',
    ])
  })

  test('cancelled before or after the review', () => {
    const audited = { reasons: ['new_address' as const], status: 'Cancelled' as const }
    expect(statesOf(audited)).toEqual(['requested done', 'auditing skipped', 'cancelled failed'])
    expect(statesOf({ ...audited, reviewed_at: '2026-01-31T11:00:00.000Z' })[1]).toBe('auditing done')
    expect(statesOf({ status: 'Cancelled' })).toEqual(['requested done', 'cancelled failed'])
  })
})

test('a claim is ready, issued, expired or seen', () => {
  const now = Date.parse('2026-01-31T10:00:00.000Z')
  const stateOf = (change: Partial<Withdrawal>) => claimState(withdrawalWith(change), now)
  expect(stateOf({ status: 'Auditing' })).toBe('none')
  expect(stateOf({})).toBe('ready')
  expect(stateOf({ claim_expires_at: '2026-01-31T10:00:01.000Z' })).toBe('out')
  expect(stateOf({ claim_expires_at: '2026-01-31T10:00:00.000Z' })).toBe('expired')
  expect(stateOf({ claim_expires_at: '2026-01-31T09:00:00.000Z', tx_hash: HASH })).toBe('seen')
  expect(stateOf({ status: 'Success', tx_hash: HASH })).toBe('none')
})

const STATUSES = ['Auditing', 'Withdrawable', 'Success', 'Rejected', 'Cancelled'] as const

test('only pending withdrawals are followed', () => {
  expect(STATUSES.filter((status) => isWithdrawalOpen({ status }))).toEqual(['Auditing', 'Withdrawable'])
})

test('rejected and cancelled withdrawals are back in the balance', () => {
  expect(STATUSES.filter((status) => isReturned({ status }))).toEqual(['Rejected', 'Cancelled'])
})
