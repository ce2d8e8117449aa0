import type {
  AnalyticsFund,
  AnalyticsFunnel,
  AnalyticsLiabilities,
  AnalyticsMembers,
  AnalyticsPools,
  AnalyticsRewards,
  AnalyticsSales,
  AnalyticsWithdrawals,
} from '@rif/api-schema'
import type { CsvColumn } from '../../../plugins/csv.ts'

/** Returns columns named after their fields. */
const named = <Row extends object>(...names: readonly (keyof Row & string)[]): CsvColumn<Row>[] =>
  names.map((name) => [name, (row) => row[name] as string | number | null])

/** The CSV columns of each table of daily figures. */
export const MEMBERS_COLUMNS = named<AnalyticsMembers['days'][number]>(
  ...(['day', 'joined', 'became_valid', 'members', 'valid'] as const),
)
export const SALES_COLUMNS = named<AnalyticsSales['days'][number]>(
  ...(['day', 'ordered', 'cancelled', 'paid', 'base', 'usdt', 'amc', 'rif'] as const),
)
/** A reward before coverage is calculated and no debt. */
export const REWARDS_COLUMNS: CsvColumn<AnalyticsRewards['days'][number]>[] = [
  ...named<AnalyticsRewards['days'][number]>('day', 'class', 'unit'),
  ['calculated', (row) => row.due],
  ...named<AnalyticsRewards['days'][number]>('paid', 'coverage_ppm'),
]
export const POOLS_COLUMNS = named<AnalyticsPools['days'][number]>(
  ...(['day', 'account', 'asset', 'opening', 'in', 'out', 'closing'] as const),
)
export const LIABILITIES_COLUMNS = named<AnalyticsLiabilities['days'][number]>('day', 'asset', 'members')
export const WITHDRAWALS_COLUMNS = named<AnalyticsWithdrawals['days'][number]>(
  ...(['day', 'asset', 'requested_count', 'requested', 'paid_count', 'paid', 'fees'] as const),
  ...(['returned_count', 'returned'] as const),
)
export const FUND_COLUMNS = named<AnalyticsFund['days'][number]>(
  ...(['day', 'product_id', 'purchases', 'purchased', 'redemptions', 'redeemed', 'redemption_fees'] as const),
)
export const FUNNEL_COLUMNS = named<AnalyticsFunnel['days'][number]>(
  ...(['day', 'visited', 'joined', 'ordered', 'paid'] as const),
)
