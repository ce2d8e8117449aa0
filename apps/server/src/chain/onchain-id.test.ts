import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packOnChainId, unpackOnChainId } from './onchain-id.ts'

const databaseId = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })

test('packing and unpacking returns the same ids', () => {
  fc.assert(
    fc.property(databaseId, databaseId, (memberId, id) => {
      expect(unpackOnChainId(packOnChainId(memberId, id))).toEqual({ memberId, id })
    }),
  )
})

test.each([
  [0n, 1n],
  [1n, 0n],
  [1n, 2n ** 63n],
  [-1n, 1n],
])('ids that no database row has are refused: %s, %s', (memberId, id) => {
  expect(() => packOnChainId(memberId, id)).toThrow(RangeError)
})

test.each([0n, 1n, 2n ** 64n, 2n ** 127n + 1n])('a foreign on-chain id is refused: %s', (id) => {
  expect(() => unpackOnChainId(id)).toThrow(RangeError)
})
