import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPlan } from '@rif/rules'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../testing/level.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { parseScenario } from './scenario.ts'
import { simulate } from './simulation.ts'
import { anyFundScenario, scenarioText } from './testing/fund-scenarios.ts'
import { expectedLines } from './testing/model.ts'
import { anyScenario } from './testing/scenarios.ts'

const HISTORIES = runs({ usual: 1, full: 30 })

async function run(text: string) {
  const database = await createTestDatabase({ max: 2, role: 'rif_app' })
  try {
    return await simulate(database.db, parseScenario(text), defaultPlan)
  } finally {
    await database.close()
  }
}

const fixture = (name: string) => readFile(join(import.meta.dirname, 'fixtures', name), 'utf8')
const linesOf = (text: string) => text.trim().split('\n').filter(Boolean)
const toText = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n')

const FIXTURES = [
  'worked-example',
  'edges',
  'withdrawals',
  'management',
  'savings',
  'transfers',
  'exchange',
  'example-fund',
  'fund',
  'fund-edges',
]

it.each(FIXTURES)('gives the results derived by hand: %s', async (name) => {
  const lines = await run(await fixture(`${name}.jsonl`))
  const expected = linesOf(await fixture(`${name}.expected.jsonl`))
  expect(lines).toEqual(expected.map((line) => JSON.parse(line)))
  // The order of the fields also follows the format.
  expect(lines.map((line) => JSON.stringify(line))).toEqual(
    expected.map((line) => JSON.stringify(JSON.parse(line))),
  )
})

it('agrees with a naive implementation of the rules, for random scenarios', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario, async (events) => {
      expect(await run(toText(events))).toEqual(expectedLines(events))
    }),
    { numRuns: HISTORIES },
  )
})

it('pays and values a fund like a naive implementation of the rules', async () => {
  await fc.assert(
    fc.asyncProperty(anyFundScenario, async (events) => {
      expect(await run(scenarioText(events))).toEqual(expectedLines(events))
    }),
    { numRuns: HISTORIES },
  )
})

it('returns only empty totals for an empty scenario', async () => {
  const zero = '0.000000'
  expect(await run('\n\n')).toEqual([
    { type: 'totals', accounts: {}, sum: { USDT: zero, AMC: zero, RIF: zero, VC: zero, DIV: zero } },
  ])
})
