import { expect, test } from 'vitest'
import { poolSums } from './pool-sums.ts'

test('a pool counts once, with each of its assets, whichever batch names them', () => {
  const batch = (pool: 'yield_pool' | 'savings_pool', pool_usdt: string, pool_amc: string) => ({
    pool,
    pool_usdt,
    pool_amc,
  })
  const batches = [
    batch('yield_pool', '12.570000', '3.000000'),
    batch('savings_pool', '19.640000', '0.000000'),
    batch('savings_pool', '0.000000', '5.500000'),
    batch('yield_pool', '12.570000', '3.000000'),
  ]
  for (const order of [batches, batches.toReversed()])
    expect(poolSums(order)).toEqual({ usdt: '32.210000', amc: '8.500000' })
  expect(poolSums([])).toEqual({ usdt: '0.000000', amc: '0.000000' })
})
