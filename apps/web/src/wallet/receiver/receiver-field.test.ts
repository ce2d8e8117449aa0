import { expect, it } from 'vitest'
import { addressIn } from './receiver-field.tsx'

const ADDRESS = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'

it.each([
  [ADDRESS, ADDRESS],
  [` ${ADDRESS}\n`, ADDRESS],
  [`ethereum:${ADDRESS}@42161?value=1`, ADDRESS],
  [`ethereum:${ADDRESS}`, ADDRESS],
  // A hash or a key is not an address, and no part of it is used as one.
  [`0x${'1'.repeat(64)}`, `0x${'1'.repeat(64)}`],
  ['not an address', 'not an address'],
])('takes the address out of %j', (text, address) => {
  expect(addressIn(text)).toBe(address)
})
