import { describe, expect, it } from 'vitest'
import { auditReportOf } from './audit.ts'

const bank = { check: 'bank', subject: 'USDT held by the bank contract', expected: '600' }

describe('the output and exit code of an audit', () => {
  it('are one sentence and 0 without findings', () => {
    expect(auditReportOf([])).toEqual({ lines: ['The books agree.'], exitCode: 0 })
  })

  it('fails where the bank holds less than the books', () => {
    expect(auditReportOf([{ ...bank, actual: '599' }])).toEqual({
      lines: ['bank: USDT held by the bank contract: expected 600, is 599', '1 difference(s) found.'],
      exitCode: 1,
    })
  })

  it('mention a surplus of the bank over the books, and 0', () => {
    expect(auditReportOf([{ ...bank, actual: '650', isNote: true }])).toEqual({
      lines: [
        'note: the bank holds 50 more than the books (USDT held by the bank contract)',
        'The books agree.',
      ],
      exitCode: 0,
    })
  })

  it('are 0 if two admins have cleared every difference, which is named all the same', () => {
    const order = { check: 'order', subject: 'order 7', expected: 'Paid', actual: 'UnPaid' }
    const clearance = { preparedBy: 'Paul', clearedBy: 'Vera', clearedAt: new Date('2026-11-28T12:00:00Z') }
    const line = 'order: order 7: expected Paid, is UnPaid'
    const named = `cleared by Paul and Vera at 2026-11-28T12:00:00.000Z: ${line}`
    expect(auditReportOf([order], [{ ...order, ...clearance }])).toEqual({
      lines: [named, 'The books agree, but for 1 cleared difference(s).'],
      exitCode: 0,
    })
    const changed = { ...order, actual: 'Cancelled' }
    expect(auditReportOf([order, changed], [{ ...order, ...clearance }])).toEqual({
      lines: [
        named,
        'order: order 7: expected Paid, is Cancelled',
        '1 difference(s) found, beside 1 cleared.',
      ],
      exitCode: 1,
    })
  })

  it('state when the books cannot be compared with the bank', () => {
    const note = { check: 'bank not compared', subject: 'the books stand within a block', isNote: true }
    expect(auditReportOf([{ ...note, expected: 'the end', actual: 'a part' }])).toEqual({
      lines: ['note: bank not compared: the books stand within a block', 'The books agree.'],
      exitCode: 0,
    })
  })
})
