import { expect, test } from 'vitest'
import { fieldKinds } from './order-frame.tsx'

test('an amount that was never taken is none on the screen and a dash in the receipt', () => {
  const { money } = fieldKinds('none')
  expect(money('24.000000', 'USDT').text).toBe('24.00 USDT')
  expect(money(null, 'USDT').text).toBe('–')
})
