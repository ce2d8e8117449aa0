import { type Activity, asset } from '@rif/api-schema'
import { PAYMENT_ASSETS } from '@rif/rules'
import type { CsvColumn } from '../../../plugins/csv.ts'

/** The columns of the CSV file of the activity: one row per changed asset. */
export const ACTIVITY_COLUMNS: readonly CsvColumn<Activity>[] = [
  ['activity_id', (activity) => activity.activity_id],
  ['at', (activity) => activity.at],
  ['day', (activity) => activity.day],
  ['kind', (activity) => activity.kind],
  ['cause', (activity) => activity.cause.type],
  ['cause_id', (activity) => activity.cause.id],
  ['package', (activity) => activity.title],
  ['place', (activity) => activity.place],
  ['from_or_to', (activity) => activity.source.address],
  ['source', (activity) => activity.source.name],
  ...asset.options.map(
    (name): CsvColumn<Activity> => [
      name.toLowerCase(),
      ({ amounts }) => amounts.find((change) => change.asset === name)?.amount ?? null,
    ],
  ),
  // Rewards are stated in USDT, interest in its own asset.
  ...PAYMENT_ASSETS.flatMap((name): CsvColumn<Activity>[] => [
    [`calculated_${name.toLowerCase()}`, ({ due }) => due.find((row) => row.asset === name)?.due ?? null],
    [`paid_${name.toLowerCase()}`, ({ due }) => due.find((row) => row.asset === name)?.paid ?? null],
  ]),
]
