import { defaultPlan, parsePlan, serialisePlan } from '@rif/rules'
import { expect, it } from 'vitest'
import {
  changedPaths,
  figureOf,
  leavesOf,
  planFieldText,
  unitOf,
  withFigure,
  withList,
} from './plan-fields.ts'

const figures = serialisePlan(defaultPlan)

it('shows every figure so that typing the shown text gives the same figure', () => {
  for (const [path, value] of leavesOf(figures)) {
    expect(figureOf(path, planFieldText(path, value)), path).toEqual(value)
  }
})

it.each([
  ['packages[0].referralPpm', 60_000, '6'],
  ['packages[4].staticPpm', 10_000, '1'],
  ['management.generationPpm[2]', 250_000, '25'],
  ['order.quoteValidityMs', 1_800_000, '30'],
  ['savings.slowDelayMs', 259_200_000, '72'],
  ['withdrawal.dayLimit[1]', '500.000000', '500'],
  ['packages[1].copies', 200, '200'],
])('%s: %s is typed as %s', (path, value, text) => {
  expect(planFieldText(path, value)).toBe(text)
})

it('leaves invalid figures to the rules', () => {
  for (const [path, text] of [
    ['packages[0].referralPpm', 'a lot'],
    ['packages[0].referralPpm', '0.00001'],
    ['packages[0].copies', '1.5'],
    ['packages[0].price', '1.0000001'],
    ['packages[0].price', ''],
  ] as const) {
    const parsed = parsePlan(withFigure(figures, path, figureOf(path, text)))
    expect(parsed.ok ? [] : parsed.details.map((detail) => detail.path)).toEqual([path])
  }
})

it('lists the changed figures, also for lists of different lengths', () => {
  expect(changedPaths(figures, figures)).toEqual([])
  const changed = withFigure(figures, 'packages[1].referralPpm', 80_000)
  expect(changedPaths(figures, changed)).toEqual(['packages[1].referralPpm'])
  const shorter = withList(figures, 'management.ranks', (ranks) => ranks.slice(0, -1))
  expect(changedPaths(figures, shorter)).toEqual(['management.ranks[4].from', 'management.ranks[4].ratePpm'])
  expect(unitOf('management.ranks[4].from')).toBe('usdt')
})
