import type { Side } from '@rif/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addRow } from './columns.ts'
import { growTree } from './testing/grow-tree.ts'
import {
  addOrders,
  attach,
  createMembers,
  createOrders,
  NOBODY,
  type Orders,
  type TreeMembers,
} from './tree.ts'

interface PaidOrder {
  readonly buyer: number
  readonly packageLevel: number
  readonly baseMicros: bigint
}

function inColumns(list: readonly PaidOrder[]): Orders {
  const orders = createOrders()
  for (const { buyer, packageLevel, baseMicros } of list) {
    const place = addRow(orders)
    orders.buyer[place] = buyer
    orders.level[place] = packageLevel
    orders.base[place] = baseMicros
  }
  return orders
}

/** Section 5.3 literally: every order walks up to the root. */
function addPlainly(members: TreeMembers, orders: readonly PaidOrder[]): void {
  for (const { buyer, packageLevel, baseMicros } of orders) {
    for (let below = buyer; members.parent[below] !== NOBODY; below = members.parent[below]!) {
      const above = members.parent[below]!
      const carry = members.left[above] === below ? members.carryLeft : members.carryRight
      if (members.level[above]! > 0) carry[above] = carry[above]! + baseMicros
    }
    members.level[buyer] = Math.max(members.level[buyer]!, packageLevel)
  }
}

const carriesOf = ({ level, carryLeft, carryRight }: TreeMembers) => ({ level, carryLeft, carryRight })

test('one pass over the tree equals walking up from every order', () => {
  const places = fc.array(fc.tuple(fc.nat(200), fc.constantFrom<Side>('left', 'right')), { maxLength: 120 })
  const orders = fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 5 }), fc.bigInt(1n, 10n ** 12n)), {
    maxLength: 150,
  })
  fc.assert(
    fc.property(places, fc.array(fc.boolean(), { maxLength: 121 }), orders, (at, valid, paid) => {
      const [fast, plain] = [growTree(at, valid), growTree(at, valid)]
      const list = paid.map(([buyer, packageLevel, baseMicros]) => {
        return { buyer: buyer % (at.length + 1), packageLevel, baseMicros }
      })
      addOrders(fast, inColumns(list))
      addPlainly(plain, list)
      expect(carriesOf(fast)).toEqual(carriesOf(plain))
    }),
    { numRuns: 300 },
  )
})

test('a leg 100,000 deep, in which everybody buys on one day, from the bottom up, is fast', () => {
  const count = 100_000
  const members = createMembers(count)
  for (let member = 1; member < count; member++) attach(members, member, member - 1, 'left')
  const orders = Array.from({ length: count }, (_, index) => {
    return { buyer: count - 1 - index, packageLevel: 1, baseMicros: 1n }
  })
  // Then from the top down: now all are valid, and each counts for all above.
  addOrders(members, inColumns([...orders, ...orders.toReversed()]))
  expect(members.carryLeft[0]).toBe(BigInt(count - 1))
  expect(members.carryLeft[count - 2]).toBe(1n)
  expect(members.carryRight.some((carry) => carry !== 0n)).toBe(false)
})
