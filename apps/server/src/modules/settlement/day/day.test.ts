import { type Day, defaultPlan, type Micros, type Side } from '@rif/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addRow } from './columns.ts'
import { workOutDay } from './day.ts'
import { createDividendHoldings } from './dividends.ts'
import { createDues } from './dues.ts'
import { createInterest } from './interest.ts'
import { payFrom } from './pay.ts'
import { collectReleases, type LockedReward } from './releases.ts'
import { growTree } from './testing/grow-tree.ts'
import { createOrders, type TreeMembers } from './tree.ts'

const MEMBERS = 12
const PLENTY = { USDT: 10n ** 15n, AMC: 10n ** 15n }

const STATE = ['level', 'carryLeft', 'carryRight', 'manageBase', 'release'] as const

interface Given {
  readonly places: readonly (readonly [from: number, side: Side])[]
  readonly states: readonly (readonly [level: number, left: Micros, right: Micros, base: Micros])[]
  readonly orders: readonly (readonly [buyer: number, level: number])[]
  readonly begun: readonly LockedReward[]
  readonly ending: readonly LockedReward[]
  readonly paused: readonly number[]
  readonly day: Day
}

const member = fc.nat(MEMBERS - 1)
/** Often zero, as most of a member's state is. */
const micros = fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 12n))
const locked = fc.array(
  fc.record({ member, amcMicros: fc.bigInt(1n, 10n ** 9n), parts: fc.constantFrom(1, 2, 180) }),
  { maxLength: 2 },
)
const examples: fc.Arbitrary<Given> = fc.record({
  places: fc.array(fc.tuple(fc.nat(MEMBERS), fc.constantFrom<Side>('left', 'right')), {
    minLength: MEMBERS - 1,
    maxLength: MEMBERS - 1,
  }),
  states: fc.array(fc.tuple(fc.nat(5), micros, micros, micros), {
    minLength: MEMBERS,
    maxLength: MEMBERS,
  }),
  orders: fc.array(fc.tuple(member, fc.integer({ min: 1, max: 5 })), { maxLength: 2 }),
  begun: locked,
  ending: locked,
  paused: fc.array(member, { maxLength: 3 }),
  day: fc.constantFrom<Day>('2026-01-06', '2026-01-31'),
})

function settle({ places, states, orders, begun, ending, paused, day }: Given): {
  readonly members: TreeMembers
  readonly changed: readonly number[]
} {
  const members = growTree(places, [])
  for (let at = 1; at < members.count; at++) members.sponsor[at] = members.parent[at]!
  for (const [at, [level, left, right, base]] of states.entries()) {
    members.level[at] = level
    members.carryLeft[at] = left
    members.carryRight[at] = right
    members.manageBase[at] = base
  }
  const before = STATE.map((column) => members[column].slice())

  const releases = collectReleases(members)
  for (const reward of begun) releases.begin(reward)
  for (const reward of ending) releases.end(reward)
  const paid = createOrders()
  for (const [buyer, level] of orders) {
    const place = addRow(paid)
    paid.buyer[place] = buyer
    paid.level[place] = level
    paid.base[place] = 1_000_000_000n
  }
  workOutDay(
    {
      day,
      plan: defaultPlan,
      members,
      orders: paid,
      released: releases.released(),
      paused: new Set(paused),
      ownDayCaps: new Map(),
      staticDues: createDues(),
      interest: createInterest(),
      holdings: createDividendHoldings(),
    },
    payFrom({ commission_pool: PLENTY, yield_pool: PLENTY }, 500_000n, defaultPlan, () => undefined),
    () => 0,
    { usdtMicros: 0n, amcMicros: 0n },
  )
  const all = Array.from({ length: members.count }, (_, at) => at)
  return {
    members,
    changed: all.filter((at) => STATE.some((column, index) => members[column][at] !== before[index]![at])),
  }
}

test('every member whose state changes is marked as written', () => {
  fc.assert(
    fc.property(examples, (example) => {
      const { members, changed } = settle(example)
      expect(changed.filter((at) => members.isWritten[at] === 0)).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

test('nobody is marked on a day without orders, pairs and releases', () => {
  fc.assert(
    fc.property(examples, (example) => {
      const states = example.states.map(([level, left]) => [level, left, 0n, 0n] as const)
      const { members, changed } = settle({ ...example, states, orders: [], begun: [], ending: [] })
      expect([...changed, ...members.isWritten.filter((mark) => mark === 1)]).toEqual([])
    }),
  )
})
