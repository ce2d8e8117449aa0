import fc from 'fast-check'
import { test } from 'vitest'
import { ACTIONS, createHistory, MEMBERS, type Step } from './fund-histories.fixture.ts'

/** Twenty times as many as other tests have cases. */
const HISTORIES = 20 * (fc.readConfigureGlobal().numRuns ?? 100)

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...ACTIONS),
  fc.nat(MEMBERS - 1),
  fc.nat(1_000_000),
  fc.nat(1_000_000),
)
const opening = fc.oneof(fc.bigInt(10_000n, 20_000n), fc.bigInt(10_000n, 100_000_000n))

test('no holder loses to another, receives more than a share, or finds money stuck, over random histories', () => {
  fc.assert(
    fc.property(
      opening,
      fc.array(step, { minLength: 30, maxLength: 90, size: 'max' }),
      (openingMicros, steps) => {
        const history = createHistory(openingMicros)
        for (const taken of steps) history.play(taken)
        history.wind()
      },
    ),
    { numRuns: HISTORIES },
  )
})
