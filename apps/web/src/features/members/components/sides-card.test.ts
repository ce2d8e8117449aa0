import { expect, test } from 'vitest'
import { balanceOf } from './sides-card.tsx'

const of = (left: string, right: string) =>
  balanceOf({ left_team_investment: left, right_team_investment: right })

test('splits the purchases of both sides into the common amount and the surplus of one side', () => {
  expect(of('6200.000000', '3400.000000')).toEqual({
    both: 3_400_000_000n,
    more: 2_800_000_000n,
    side: 'left',
  })
  expect(of('0.000000', '0.000001')).toEqual({ both: 0n, more: 1n, side: 'right' })
  expect(of('5.000000', '5.000000')).toEqual({ both: 5_000_000n, more: 0n, side: null })
})
