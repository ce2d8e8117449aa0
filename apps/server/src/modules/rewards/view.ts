import type { Reward } from '@rif/api-schema'
import { formatMicros, INCOME_SUMS, type IncomeSum, type Micros, type RewardKind } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { PaidSum, RewardRow } from './rewards.repository.ts'

/** Returns the paid amounts in USDT worth by income sum. Rules, section 5. */
export function incomeSums(
  totals: readonly Pick<PaidSum, 'type' | 'paidMicros'>[],
): Record<IncomeSum, Micros> {
  const of = (types: readonly RewardKind[]) =>
    sumOf(
      totals.filter((total) => types.includes(total.type)),
      'paidMicros',
    )
  const { tjjl, pdjl, jtjl, gljl } = INCOME_SUMS
  return { tjjl: of(tjjl), pdjl: of(pdjl), jtjl: of(jtjl), gljl: of(gljl) }
}

/** Returns income sums in the API's format. */
export function incomeSumsView({ tjjl, pdjl, jtjl, gljl }: Readonly<Record<IncomeSum, Micros>>) {
  return {
    tjjl: formatMicros(tjjl),
    pdjl: formatMicros(pdjl),
    jtjl: formatMicros(jtjl),
    gljl: formatMicros(gljl),
  }
}

/** Returns the sum of one column. */
export function sumOf<Key extends string>(
  rows: readonly { readonly [K in Key]: Micros }[],
  key: Key,
): Micros {
  return rows.reduce((sum, row) => sum + row[key], 0n)
}

/** Returns a reward record in the API's format; `addresses` has the wallet of its source. */
export function rewardView(row: RewardRow, addresses: ReadonlyMap<bigint, string>): Reward {
  const source = row.source_member_id === null ? undefined : addresses.get(row.source_member_id)
  return {
    reward_id: `${row.reward_id}`,
    type: row.type,
    day: row.day,
    created_at: row.created_at.toISOString(),
    source_address: source === undefined ? null : getAddress(source as Hex),
    order_id: row.order_id === null ? null : `${row.order_id}`,
    level: row.level,
    base: formatMicros(row.base_micros),
    ratio_ppm: row.ratio_ppm,
    value: formatMicros(row.value_micros),
    coverage_ppm: row.coverage_ppm,
    usdt: formatMicros(row.usdt_micros),
    amc: formatMicros(row.amc_micros),
    flushed: formatMicros(row.flushed_micros),
  }
}
