import type { SettlementBatch } from '@rif/api-schema'
import { formatMicros, max, parseMicros } from '@rif/rules'

type PoolBatch = Pick<SettlementBatch, 'pool' | 'pool_usdt' | 'pool_amc'>

/**
 * Returns the sums of what the pools of batches hold. Several batches may name one pool: each says what it
 * holds of the assets that it pays, so the most of each asset counts once.
 */
export function poolSums(batches: readonly PoolBatch[]): { usdt: string; amc: string } {
  const pools = [...new Set(batches.map(({ pool }) => pool))]
  const sumOf = (asset: 'pool_usdt' | 'pool_amc') =>
    pools.reduce((sum, pool) => {
      const amounts = batches.filter((batch) => batch.pool === pool).map((batch) => parseMicros(batch[asset]))
      return sum + amounts.reduce((most, micros) => max(most, micros), 0n)
    }, 0n)
  return { usdt: formatMicros(sumOf('pool_usdt')), amc: formatMicros(sumOf('pool_amc')) }
}
