import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatCount, useTranslation } from '../../../lib/index.ts'
import { DayBars } from './day-chart.tsx'
import { FigureCard, FigureTable } from './figure-card.tsx'
import type { DayRange } from './range.ts'

/** What members asked to withdraw, and what became of it. */
export function WithdrawalsCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsWithdrawals', { query: range }))
  return (
    <FigureCard
      wide
      title={t('adminAnalytics.withdrawals.title')}
      query={query}
      csv={{ name: 'analyticsWithdrawals', query: range }}
    >
      {({ assets, days }) => (
        <>
          <FigureTable
            caption={t('adminAnalytics.withdrawals.title')}
            head={[t('adminAnalytics.withdrawals.step'), ...assets.map(({ asset }) => asset)]}
            rows={(['requested', 'paid', 'fees', 'returned', 'under_way'] as const).map((name) => ({
              key: name,
              cells: [
                t(`adminAnalytics.withdrawals.${name}`),
                ...assets.map((row) => (
                  <span key={row.asset}>
                    {formatAmount(row[name])}
                    {(name === 'requested' || name === 'paid' || name === 'returned') && (
                      <span className="ml-2 text-12 text-muted">
                        {`× ${formatCount(row[`${name}_count`])}`}
                      </span>
                    )}
                  </span>
                )),
              ],
            }))}
          />
          <DayBars
            label={t('adminAnalytics.withdrawals.chart')}
            legend={[
              { tone: 'accent', label: t('adminAnalytics.withdrawals.paid') },
              { tone: 'muted', label: t('adminAnalytics.withdrawals.unpaid') },
            ]}
            days={days
              .filter(({ asset }) => asset === 'USDT')
              .map((row) => ({
                day: row.day,
                parts: [
                  { value: Number(row.paid) + Number(row.fees), tone: 'accent' },
                  {
                    value: Math.max(0, Number(row.requested) - Number(row.paid) - Number(row.fees)),
                    tone: 'muted',
                  },
                ],
                text: t('adminAnalytics.withdrawals.day', {
                  day: row.day,
                  requested: formatAmount(row.requested),
                  paid: formatAmount(row.paid),
                }),
              }))}
          />
        </>
      )}
    </FigureCard>
  )
}

/** The fund's products: what they are worth, and what was bought and redeemed. */
export function FundCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsFund', { query: range }))
  return (
    <FigureCard
      wide="all"
      title={t('adminAnalytics.fund.title')}
      query={query}
      csv={{ name: 'analyticsFund', query: range }}
    >
      {({ products, purchase_fees: fees }) =>
        products.length === 0 ? (
          <p className="text-14 text-muted">{t('adminAnalytics.fund.none')}</p>
        ) : (
          <>
            <FigureTable
              stacks
              caption={t('adminAnalytics.fund.title')}
              head={(
                ['product', 'units', 'nav', 'value', 'assets', 'purchased', 'redeemed', 'waiting'] as const
              ).map((name) => t(`adminAnalytics.fund.${name}`))}
              rows={products.map((product) => ({
                key: product.product_id,
                cells: [
                  product.name,
                  formatCount(product.units),
                  product.nav === null ? '–' : formatAmount(product.nav),
                  formatAmount(product.value),
                  product.assets === null ? '–' : formatAmount(product.assets),
                  `${formatAmount(product.purchased)} × ${formatCount(product.purchases)}`,
                  `${formatAmount(product.redeemed)} × ${formatCount(product.redemptions)}`,
                  formatCount(product.waiting_redemptions),
                ],
              }))}
            />
            <p className="text-12 text-muted">
              {t('adminAnalytics.fund.fees', { amount: formatAmount(fees) })}
            </p>
          </>
        )
      }
    </FigureCard>
  )
}
