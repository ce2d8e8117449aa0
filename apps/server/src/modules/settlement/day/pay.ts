import { type Micros, type PaymentAsset, type Plan, REWARD_POOL } from '@rif/rules'
import { TYPE_OF_CLASS } from '../steps/posting.service.ts'
import { type BatchTerms, payDues, termsOf, total } from './batches.ts'
import type { DayBatch, PayBatch } from './day.ts'

export type PoolBalance = Record<PaymentAsset, Micros>

/** A computed batch, its terms, and its pool's balance. */
export interface PlannedBatch {
  readonly batch: DayBatch
  readonly terms: BatchTerms
  readonly poolBalance: PoolBalance
}

/** Returns a function that pays batches from pools in the order of its calls and reports each to `onPlanned`. Rules, section 6. */
export function payFrom(
  pools: Readonly<Record<'commission_pool' | 'yield_pool', PoolBalance>>,
  amcPriceMicros: Micros | null,
  plan: Plan,
  onPlanned: (planned: PlannedBatch) => void,
): PayBatch {
  const left = { ...pools }
  return (rewardClass, dues) => {
    const account = REWARD_POOL[TYPE_OF_CLASS[rewardClass]]
    const poolBalance = left[account]
    const terms = termsOf(
      { usdtMicros: poolBalance.USDT, amcMicros: poolBalance.AMC, amcPriceMicros },
      dues,
      plan,
    )
    const batch = { class: rewardClass, dues, payouts: payDues(dues, terms) }
    onPlanned({ batch, terms, poolBalance })
    // The next batch of this pool gets the remainder.
    left[account] = {
      USDT: poolBalance.USDT - total(batch.payouts.usdt),
      AMC: poolBalance.AMC - total(batch.payouts.amc),
    }
    return batch
  }
}
