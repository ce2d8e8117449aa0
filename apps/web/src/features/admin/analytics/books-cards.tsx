import type { AnalyticsPools, AnalyticsRewards, PaidClass } from '@rif/api-schema'
import { MEMBER_ACCOUNTS } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatAmount, formatDay, formatPpm, useTranslation } from '../../../lib/index.ts'
import { Money, Notice, Pill, Segmented } from '../../../ui/index.ts'
import {
  ACCOUNT_ORDER,
  AccountName,
  DayBars,
  DayLine,
  FigureCard,
  FigureTable,
  Stats,
} from './figure-card.tsx'
import type { AnalyticsRange } from './range.ts'

/** Pools first, then the fund's custody, then what is the operator's. */
function inOrder(accounts: AnalyticsPools['accounts']) {
  const placeOf = ({ account }: { account: string }) => {
    const place = ACCOUNT_ORDER.findIndex((name) => account.startsWith(name))
    return place === -1 ? ACCOUNT_ORDER.length : place
  }
  return accounts.toSorted((account, other) => placeOf(account) - placeOf(other))
}

/** The balances of the pools and the operator's accounts, and their turnover. */
export function PoolsCard({ range }: { range: AnalyticsRange }) {
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

/** The balances of members, by account. */
export function LiabilitiesCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsLiabilities', { query: range }))
  return (
    <FigureCard
      wide="all"
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
            unit="USDT"
            days={days
              .filter(({ asset }) => asset === 'USDT')
              .map(({ day, members }) => ({
                day,
                value: Number(members),
                text: t('adminAnalytics.liabilities.day', {
                  day: formatDay(day),
                  amount: formatAmount(members),
                }),
              }))}
          />
        </>
      )}
    </FigureCard>
  )
}

/** The current assets beside the current liabilities. */
export function HoldingsCard() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsHoldings'))
  return (
    <FigureCard title={t('adminAnalytics.holdings.title')} query={query}>
      {({ block, assets }) => (
        <>
          {block === null && <Notice tone="warn">{t('adminAnalytics.holdings.noChain')}</Notice>}
          <FigureTable
            stacks
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

const CLASSES = ['commission', 'pairing', 'management', 'static', 'savings', 'dividend'] as const

/** The amounts due and paid of each class, and of the chosen class by day. */
export function RewardBooksCard({ range }: { range: AnalyticsRange }) {
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
  // One asset per chart: payments in two assets are drawn for the first, and both are in the table.
  const unit = data.totals.find((row) => row.class === shown)!.unit
  const days = data.days.filter((row) => row.class === shown && row.unit === unit)
  return (
    <>
      <FigureTable
        stacks
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
        unit={unit}
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
            day: formatDay(row.day),
            due: formatAmount(row.due),
            paid: formatAmount(row.paid),
            unit: row.unit,
          }),
        }))}
      />
    </>
  )
}
