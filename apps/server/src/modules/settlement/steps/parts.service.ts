import { type PaymentAsset, REWARD_POOL } from '@rif/rules'
import type { PoolPart } from '../../books/ledger/ledger.service.ts'
import type { DayWork } from '../day/day.ts'
import { TYPE_OF_CLASS } from './posting.service.ts'
import type { RangeOf } from './staging.repository.ts'

/** Returns the payment of each range from each pool. */
export function partsOf({ batches, interest, dividends }: DayWork, rangeOf: RangeOf): PoolPart[] {
  const sums = new Map<string, bigint[]>()
  const add = (
    account: PoolPart['account'],
    asset: PaymentAsset,
    members: Int32Array,
    amounts: BigInt64Array,
  ) => {
    const key = `${account} ${asset}`
    const byRange = sums.get(key) ?? []
    sums.set(key, byRange)
    for (let row = 0; row < amounts.length; row++) {
      if (amounts[row] === 0n) continue
      const range = rangeOf(members[row]!)
      byRange[range] = (byRange[range] ?? 0n) + amounts[row]!
    }
  }
  for (const { class: rewardClass, dues, payouts } of batches) {
    const pool = REWARD_POOL[TYPE_OF_CLASS[rewardClass]]
    add(pool, 'USDT', dues.member as Int32Array, payouts.usdt)
    add(pool, 'AMC', dues.member as Int32Array, payouts.amc)
  }
  for (const { asset, member, paid } of interest) add('savings_pool', asset, member, paid)
  if (dividends !== null) {
    add('dividend_pool', 'USDT', dividends.member, dividends.usdt)
    add('dividend_pool', 'AMC', dividends.member, dividends.amc)
  }
  return [...sums].flatMap(([key, byRange]) => {
    const [account, asset] = key.split(' ') as [PoolPart['account'], PaymentAsset]
    return Object.entries(byRange).map(([part, amountMicros]) => ({
      part: Number(part),
      account,
      asset,
      amountMicros,
    }))
  })
}
