import type { AnalyticsPools, AnalyticsRewards, PaidClass } from '@rif/api-schema'
import { MEMBER_ACCOUNTS } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount, formatCount, formatPpm } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { apiQuery } from '../../../lib/queries.ts'
import { Money } from '../../../ui/money.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Notice } from '../../../ui/states.tsx'
import { ACCOUNT_ORDER, AccountName } from './account-name.tsx'
import { DayBars, DayLine } from './day-chart.tsx'
import { FigureCard, FigureTable, Stats } from './figure-card.tsx'
import type { DayRange } from './range.ts'

const CLASSES = ['commission', 'pairing', 'management', 'static', 'savings', 'dividend'] as const

/** What was due and paid of each class, and by day of the chosen one. */
export function RewardsCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsRewards', { query: range }))
  return (
    <FigureCard
      wide
      title={t('adminAnalytics.rewards.title')}
      query={query}
      csv={{ name: 'analyticsRewards', query: range }}
    >
      {(data) =>
        data.totals.length === 0 ? (
          <p className="text-14 text-muted">{t('adminAnalytics.rewards.none')}</p>
        ) : (
          <Rewards data={data} />
        )
      }
    </FigureCard>
  )
}

function Rewards({ data }: { data: AnalyticsRewards }) {
  const { t } = useTranslation()
  const present = CLASSES.filter((name) => data.totals.some((row) => row.class === name))
  const [chosen, setChosen] = useState<PaidClass>(present[0]!)
  const shown = present.includes(chosen) ? chosen : present[0]!
  // One asset to a chart: what is paid in two has the first of them drawn, and both in the table.
  const unit = data.totals.find((row) => row.class === shown)!.unit
  const days = data.days.filter((row) => row.class === shown && row.unit === unit)
  return (
    <>
      <FigureTable
        caption={t('adminAnalytics.rewards.title')}
        head={(['class', 'due', 'paid', 'coverage'] as const).map((name) =>
          t(`adminAnalytics.rewards.${name}`),
        )}
        rows={data.totals.map((row) => ({
          key: `${row.class} ${row.unit}`,
          cells: [
            t(`adminAnalytics.class.${row.class}`),
            <Money key="due" amount={row.due} unit={row.unit} />,
            <Money key="paid" amount={row.paid} unit={row.unit} />,
            formatPpm(row.coverage_ppm),
          ],
        }))}
      />
      {present.length > 1 && (
        <Segmented
          label={t('adminAnalytics.rewards.choose')}
          options={present.map((value) => ({ value, label: t(`adminAnalytics.class.${value}`) }))}
          value={shown}
          onChange={setChosen}
        />
      )}
      <DayBars
        key={shown}
        label={t('adminAnalytics.rewards.chart', { name: t(`adminAnalytics.class.${shown}`) })}
        legend={[
          { tone: 'good', label: t('adminAnalytics.rewards.paid') },
          { tone: 'warn', label: t('adminAnalytics.rewards.unpaid') },
        ]}
        days={days.map((row) => ({
          day: row.day,
          parts: [
            { value: Number(row.paid), tone: 'good' },
            { value: Number(row.due) - Number(row.paid), tone: 'warn' },
          ],
          text: t('adminAnalytics.rewards.day', {
            day: row.day,
            due: formatAmount(row.due),
            paid: formatAmount(row.paid),
            unit: row.unit,
          }),
        }))}
      />
    </>
  )
}

/** Pools first, then the fund's custody, then what is the operator's. */
function inOrder(accounts: AnalyticsPools['accounts']) {
  const placeOf = ({ account }: { account: string }) => {
    const place = ACCOUNT_ORDER.findIndex((name) => account.startsWith(name))
    return place === -1 ? ACCOUNT_ORDER.length : place
  }
  return accounts.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** What stood in the pools and the operator's accounts, and what went through them. */
export function PoolsCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsPools', { query: range }))
  return (
    <FigureCard
      wide="all"
      title={t('adminAnalytics.pools.title')}
      query={query}
      csv={{ name: 'analyticsPools', query: range }}
    >
      {({ accounts }) => (
        <FigureTable
          caption={t('adminAnalytics.pools.title')}
          head={(['account', 'opening', 'in', 'out', 'closing'] as const).map((name) =>
            t(`adminAnalytics.pools.${name}`),
          )}
          rows={inOrder(accounts).map((row) => ({
            key: `${row.account} ${row.asset}`,
            cells: [
              <AccountName key="name" account={row.account} product={row.product} />,
              <Money key="opening" amount={row.opening} unit={row.asset} />,
              <Money key="in" amount={row.in} unit={row.asset} />,
              <Money key="out" amount={row.out} unit={row.asset} />,
              <span key="closing">
                <Money amount={row.closing} unit={row.asset} className="font-semibold" />
                {/[1-9]/.test(row.reserved) && (
                  <span className="ml-2">
                    <Pill tone="info">
                      {t('adminAnalytics.pools.reserved', { amount: formatAmount(row.reserved) })}
                    </Pill>
                  </span>
                )}
              </span>,
            ],
          }))}
        />
      )}
    </FigureCard>
  )
}

const ACCOUNTS = [...MEMBER_ACCOUNTS, 'fund_units', 'liabilities'] as const

/** What members have, by account. */
export function LiabilitiesCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsLiabilities', { query: range }))
  return (
    <FigureCard
      wide
      title={t('adminAnalytics.liabilities.title')}
      query={query}
      csv={{ name: 'analyticsLiabilities', query: range }}
    >
      {({ assets, days }) => (
        <>
          <FigureTable
            caption={t('adminAnalytics.liabilities.title')}
            head={[t('adminAnalytics.liabilities.account'), ...assets.map(({ asset }) => asset)]}
            rows={ACCOUNTS.map((account) => ({
              key: account,
              cells: [
                account === 'fund_units' || account === 'liabilities'
                  ? t(`adminAnalytics.liabilities.${account}`)
                  : t(`account.${account}`),
                ...assets.map((row) => (
                  <span key={row.asset} className={account === 'liabilities' ? 'font-semibold' : undefined}>
                    {formatAmount(row[account])}
                  </span>
                )),
              ],
            }))}
          />
          <DayLine
            label={t('adminAnalytics.liabilities.chart')}
            days={days
              .filter(({ asset }) => asset === 'USDT')
              .map(({ day, members }) => ({
                day,
                value: Number(members),
                text: t('adminAnalytics.liabilities.day', { day, amount: formatAmount(members) }),
              }))}
          />
        </>
      )}
    </FigureCard>
  )
}

/** What is held beside what is owed, now. */
export function HoldingsCard() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsHoldings'))
  return (
    <FigureCard title={t('adminAnalytics.holdings.title')} query={query}>
      {({ block, assets }) => (
        <>
          {block === null && <Notice tone="warn">{t('adminAnalytics.holdings.noChain')}</Notice>}
          <FigureTable
            caption={t('adminAnalytics.holdings.title')}
            head={[t('adminAnalytics.holdings.what'), ...assets.map(({ asset }) => asset)]}
            rows={(['chain', 'books', 'fund_assets', 'liabilities'] as const).map((name) => ({
              key: name,
              cells: [
                t(`adminAnalytics.holdings.${name}`),
                ...assets.map((row) => {
                  const amount = row[name]
                  return amount === null ? '–' : formatAmount(amount)
                }),
              ],
            }))}
          />
          <Stats
            items={assets.map((row) => ({
              label: t('adminAnalytics.holdings.ratio', { asset: row.asset }),
              value:
                row.ratio_ppm === null ? (
                  '–'
                ) : (
                  <Pill tone={row.ratio_ppm >= 1_000_000 ? 'good' : 'bad'}>{formatPpm(row.ratio_ppm)}</Pill>
                ),
            }))}
          />
          {block !== null && (
            <p className="text-12 text-muted">{t('adminAnalytics.holdings.block', { block })}</p>
          )}
        </>
      )}
    </FigureCard>
  )
}

/** What members asked to withdraw, and what became of it. */
export function WithdrawalsCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsWithdrawals', { query: range }))
  return (
    <FigureCard
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
