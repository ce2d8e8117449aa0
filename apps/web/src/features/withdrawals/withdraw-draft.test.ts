import { defaultPlan, formatMicros, parseMicros, quoteWithdrawal } from '@rif/rules'
import { describe, expect, test } from 'vitest'
import {
  addressProblem,
  EMPTY_DRAFT,
  judgeAmount,
  maxWithdrawal,
  type WithdrawDraft,
  type WithdrawLimit,
  withdrawalRequestOf,
} from './withdraw-draft.ts'

const limit: WithdrawLimit = {
  level: 3,
  limit: '3000.000000',
  used: '500.000000',
  remaining: '2500.000000',
  recent: '0.000000',
  resets_at: '2026-02-01T00:00:00.000Z',
  available: { USDT: '9000.000000', AMC: '400.000000' },
  free_refunds: { USDT: '0.000000', AMC: '0.000000' },
  minimum_fee_usdt: '1.000000',
  fee_ppm: 10_000,
  audit_above_usdt: '1000.000000',
  unsigned: '0.000000',
  sign_above_usdt: '100.000000',
  prices: { AMC: '0.500000' },
  usual_review_seconds: null,
}
const draft = (change: Partial<WithdrawDraft>): WithdrawDraft => ({ ...EMPTY_DRAFT, ...change })

describe('judgeAmount', () => {
  test('returns the net amount, as the server would', () => {
    expect(judgeAmount(draft({ amount: '200' }), limit)).toEqual({
      ok: true,
      amount: '200.000000',
      refund: '0.000000',
      fee: '2.000000',
      receives: '198.000000',
      remains: '8800.000000',
      worth: '200.000000',
      isAudited: false,
    })
    expect(judgeAmount(draft({ asset: 'AMC', amount: '50.5' }), limit)).toMatchObject({
      fee: '2.000000',
      receives: '48.500000',
    })
  })

  test('agrees with the plan of the server to the micro-unit', () => {
    for (const amount of ['1.000001', '99.999999', '100.000001', '1234.567891']) {
      const server = quoteWithdrawal(
        {
          asset: 'USDT',
          amountMicros: parseMicros(amount),
          availableMicros: parseMicros(limit.available.USDT),
          refundsMicros: 0n,
          amcPriceMicros: null,
          level: limit.level,
          usedTodayMicros: parseMicros(limit.used),
          usedRecentlyMicros: 0n,
          unsignedMicros: 0n,
          sentToNewMicros: null,
          addressTrusted: true,
          alwaysSigned: false,
          riskFlagged: false,
        },
        defaultPlan,
      )
      if (!server.ok) throw new Error(server.code)
      expect(judgeAmount(draft({ amount }), limit)).toMatchObject({
        fee: formatMicros(server.feeMicros),
        receives: formatMicros(server.netMicros),
        isAudited: server.status === 'Auditing',
      })
    }
  })

  test.each([
    [{ amount: '' }, 'amountRequired'],
    [{ amount: '-5' }, 'amountInvalid'],
    [{ amount: '0' }, 'amountInvalid'],
    [{ amount: '1' }, 'notAboveFee'],
    [{ asset: 'AMC', amount: '401' }, 'insufficient'],
  ] as const)('%j: %s', (change, problem) => {
    expect(judgeAmount(draft(change), limit)).toEqual({ ok: false, problem })
  })

  test('AMC without a price cannot be checked', () => {
    const unpriced = { ...limit, prices: { AMC: null } }
    expect(judgeAmount(draft({ asset: 'AMC', amount: '5' }), unpriced)).toEqual({
      ok: false,
      problem: 'priceUnavailable',
    })
    expect(maxWithdrawal('AMC', unpriced)).toBe('400.000000')
  })

  test('above the limit it offers just the remainder, which is within the limit', () => {
    const over = judgeAmount(draft({ amount: '2500.000001' }), limit)
    expect(over).toEqual({ ok: false, problem: 'dailyLimit', remaining: '2500.000000' })
    expect(judgeAmount(draft({ amount: '2500' }), limit)).toMatchObject({ ok: true, isAudited: true })
    const usedUp = { ...limit, used: limit.limit, remaining: '0.000000' }
    expect(judgeAmount(draft({ amount: '5' }), usedUp)).toEqual({ ok: false, problem: 'limitUsedUp' })
  })
})

test("the maximum is the available balance, within the rest of the day's limit", () => {
  expect(maxWithdrawal('USDT', limit)).toBe('2500.000000')
  expect(maxWithdrawal('AMC', limit)).toBe('400.000000')
  expect(maxWithdrawal('AMC', { ...limit, remaining: '100.000000' })).toBe('200.000000')
})

test('an address is needed for another wallet only', () => {
  const other = { toOwnWallet: false }
  expect(addressProblem(draft({}))).toBeNull()
  expect(addressProblem(draft({ ...other, address: '  ' }))).toBe('addressRequired')
  expect(addressProblem(draft({ ...other, address: '0x12' }))).toBe('addressInvalid')
  const address = `0x${'aB'.repeat(20)}`
  expect(addressProblem(draft({ ...other, address: ` ${address} ` }))).toBeNull()
  expect(withdrawalRequestOf(draft({ ...other, address: ` ${address} ` }), '5.000000')).toEqual({
    asset: 'USDT',
    amount: '5.000000',
    address,
  })
  expect(withdrawalRequestOf(draft({ address }), '5.000000')).toEqual({ asset: 'USDT', amount: '5.000000' })
})
