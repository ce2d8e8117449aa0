import { expect, it } from 'vitest'
import { judgeBuy } from './hash-power-draft.ts'

const figures = { available_amc: '10.000000', prices: { AMC: '0.500000', RIF: '2.500000' } }

it('gives the same result as the server', () => {
  expect(judgeBuy('10', figures)).toEqual({
    ok: true,
    amount: '10.000000',
    receives: '2.000000',
    worth: '5.000000',
  })
})

it.each([
  ['', 'amountRequired'],
  ['-5', 'amountInvalid'],
  ['0', 'amountInvalid'],
  ['0.000001', 'amountInvalid'],
  ['10.000001', 'insufficient'],
])('says what is wrong with "%s"', (input, problem) => {
  expect(judgeBuy(input, figures)).toEqual({ ok: false, problem })
})

it('requires both prices', () => {
  const prices = { AMC: '0.500000', RIF: null }
  expect(judgeBuy('1', { ...figures, prices })).toEqual({ ok: false, problem: 'priceUnavailable' })
})
