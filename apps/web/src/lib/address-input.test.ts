import { expect, it } from 'vitest'
import { addressShape } from './address-input.ts'

it('reports the problem of an incomplete, too long or misspelt address', () => {
  const whole = `0x${'aB'.repeat(20)}`
  expect(addressShape('0x123')).toEqual({ is: 'short', count: 37 })
  expect(addressShape('0')).toEqual({ is: 'short', count: 41 })
  expect(addressShape(`${whole}ff`)).toEqual({ is: 'long', count: 2 })
  expect(addressShape('0x12g')).toEqual({ is: 'letters' })
  expect(addressShape('Paul')).toEqual({ is: 'letters' })
  expect(addressShape(` ${whole} `)).toEqual({ is: 'checksum' })
})
