import type { Reward } from '@rif/api-schema'
import type { CsvColumn } from '../../plugins/csv.ts'

/** Rewards as a file. */
export const REWARD_COLUMNS: readonly CsvColumn<Reward>[] = [
  ['reward_id', (reward) => reward.reward_id],
  ['type', (reward) => reward.type],
  ['day', (reward) => reward.day],
  ['source_address', (reward) => reward.source_address],
  ['order_id', (reward) => reward.order_id],
  ['level', (reward) => reward.level],
  ['base_usdt', (reward) => reward.base],
  ['ratio_ppm', (reward) => reward.ratio_ppm],
  ['value_usdt', (reward) => reward.value],
  ['coverage_ppm', (reward) => reward.coverage_ppm],
  ['paid_usdt', (reward) => reward.usdt],
  ['paid_amc', (reward) => reward.amc],
  ['flushed_usdt', (reward) => reward.flushed],
  ['created_at', (reward) => reward.created_at],
]
