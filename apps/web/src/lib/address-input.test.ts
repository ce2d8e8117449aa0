import { expect, it } from 'vitest'
import { addressShape, plainText } from './address-input.ts'
import { findAddress } from './format.ts'

it('reports the problem of an incomplete, too long or misspelt address', () => {
  const whole = `0x${'aB'.repeat(20)}`
  expect(addressShape('0x123')).toEqual({ is: 'short', count: 37 })
  expect(addressShape('0')).toEqual({ is: 'short', count: 41 })
  expect(addressShape(`${whole}ff`)).toEqual({ is: 'long', count: 2 })
  expect(addressShape('0x12g')).toEqual({ is: 'letters' })
  expect(addressShape('Paul')).toEqual({ is: 'letters' })
  expect(addressShape(` ${whole} `)).toEqual({ is: 'checksum' })
})

it('reads what Japanese and Chinese keyboards type in full width', () => {
  const wide = (text: string) =>
    [...text].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join('')
  const whole = `0x${'aB'.repeat(20)}`
  expect(plainText(`\u3000${wide(whole)} `)).toBe(whole)
  expect(findAddress(wide(whole))).toBe(whole)
  expect(addressShape(wide('0x123'))).toEqual({ is: 'short', count: 37 })
  expect(plainText(wide('123456'))).toBe('123456')
})
