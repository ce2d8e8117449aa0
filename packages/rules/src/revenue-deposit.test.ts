import { describe, expect, it } from 'vitest'
import { isRevenueLabel, revenueDepositCalls, revenueLabel } from './revenue-deposit.ts'

describe('the label of a deposit of revenue', () => {
  it('has 1 to 32 bytes, not characters', () => {
    const good = ['a', 'x'.repeat(32), 'ü'.repeat(16), '賃料', '%41', '😀'.repeat(8)]
    expect(good.map(isRevenueLabel)).toEqual(good.map(() => true))
    const bad = ['', ' \t', 'x'.repeat(33), 'ü'.repeat(17), '😀'.repeat(9), '\ud800']
    expect(bad.map(isRevenueLabel)).toEqual(bad.map(() => false))
  })

  it('is stored in UTF-8 with zero bytes at its end', () => {
    expect(revenueLabel('rent of März')).toBe(`0x72656e74206f66204dc3a4727a${'0'.repeat(38)}`)
    expect(revenueLabel('%41 😀')).toBe(`0x25343120f09f9880${'0'.repeat(48)}`)
    expect(() => revenueLabel('x'.repeat(33))).toThrow(new RangeError('a label has 1 to 32 bytes'))
  })
})

it('a deposit of revenue approves exactly its amount, and pays it in with label and paper', () => {
  const [bank, token, documentHash] = ['0xba', '0x70', '0xd0'] as const
  expect(revenueDepositCalls({ bank, token, units: 5n, label: 'rent', documentHash })).toEqual({
    approve: { to: token, functionName: 'approve', args: [bank, 5n] },
    deposit: {
      to: bank,
      functionName: 'depositRevenue',
      args: [`0x72656e74${'0'.repeat(56)}`, token, 5n, documentHash],
    },
  })
})
