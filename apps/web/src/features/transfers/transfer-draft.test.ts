import type { Receiver } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { judgeTransferDraft, type TransferRequest } from './transfer-draft.ts'

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const draft: TransferRequest = { asset: 'USDT', amount: '2', address }
const facts = {
  available: { USDT: '2.500000', AMC: '0.000000' },
  minimum: '1.000000',
  remaining: '2.200000',
  amcPrice: '0.500000',
}
const receiver: Receiver = {
  address,
  label: null,
  last_sent_at: null,
  usable_from: null,
  registered: true,
  own: false,
  looks_like: null,
}
const receiverState = { is: 'known', receiver } as const

describe('judge', () => {
  it('returns the request for a valid draft', () => {
    expect(judgeTransferDraft({ ...draft, address: ` ${address} ` }, receiverState, facts)).toEqual({
      ok: true,
      request: { asset: 'USDT', amount: '2.000000', address },
    })
  })

  it.each([
    ['', 'amountRequired'],
    ['0', 'amountInvalid'],
    ['-1', 'amountInvalid'],
    ['0.5', 'belowMinimum'],
    ['2.500001', 'insufficient'],
  ])('says what is wrong with the amount %j', (amount, problem) => {
    expect(judgeTransferDraft({ ...draft, amount }, receiverState, facts)).toEqual({
      ok: false,
      problems: { amount: problem },
    })
  })

  it.each([
    [{ is: 'empty' } as const, 'addressRequired'],
    [{ is: 'incomplete' } as const, 'addressInvalid'],
    [{ is: 'invalid' } as const, 'addressInvalid'],
    [{ is: 'checking' } as const, 'checking'],
    [{ is: 'known', receiver: { ...receiver, registered: false } } as const, 'notRegistered'],
    [{ is: 'known', receiver: { ...receiver, own: true } } as const, 'self'],
  ])('says what is wrong with the receiver %j', (state, problem) => {
    expect(judgeTransferDraft(draft, state, facts)).toEqual({ ok: false, problems: { address: problem } })
  })
})
