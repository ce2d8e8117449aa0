import { describe, expect, it } from 'vitest'
import { reportOf } from './audit.ts'

const bank = { check: 'bank', subject: 'USDT held by the bank contract', expected: '600' }

describe('the output and exit code of an audit', () => {
  it('are one sentence and 0 without findings', () => {
    expect(reportOf([])).toEqual({ lines: ['The books agree.'], exitCode: 0 })
  })

  it('fails where the bank holds less than the books', () => {
    expect(reportOf([{ ...bank, actual: '599' }])).toEqual({
      lines: ['bank: USDT held by the bank contract: expected 600, is 599', '1 difference(s) found.'],
      exitCode: 1,
    })
  })

  it('mention a surplus of the bank over the books, and 0', () => {
    expect(reportOf([{ ...bank, actual: '650', isNote: true }])).toEqual({
      lines: [
        'note: the bank holds 50 more than the books (USDT held by the bank contract)',
        'The books agree.',
      ],
      exitCode: 0,
    })
  })

  it('state when the books cannot be compared with the bank', () => {
    const note = { check: 'bank not compared', subject: 'the books stand within a block', isNote: true }
    expect(reportOf([{ ...note, expected: 'the end', actual: 'a part' }])).toEqual({
      lines: ['note: bank not compared: the books stand within a block', 'The books agree.'],
      exitCode: 0,
    })
  })
})
