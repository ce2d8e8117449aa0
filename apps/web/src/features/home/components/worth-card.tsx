import type { FundHoldings, Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { apiQuery, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Icon, Loaded, Money, Section, Segmented, Skeleton } from '../../../ui/index.ts'
import { holdings, navDays, totalWorth } from '../overview.ts'

const HistoryChart = lazy(() =>
  import('./home-charts.tsx').then(({ HistoryChart }) => ({ default: HistoryChart })),
)

const SPANS = ['7', '30', '90'] as const
type Span = (typeof SPANS)[number]

/** Shows the worth of the account over the last days; renders nothing for an account that never had a balance. */
export function HistoryCard() {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const query = useQuery({
    ...apiQuery('balanceDays', { query: { days: Number(span) + 1 } }),
    placeholderData: (previous) => previous,
  })
  if (query.data?.items.every(({ worth, amc }) => isZero(worth) && isZero(amc))) return null
  return (
    <Section title={t('home.history.title')}>
      <Card className="flex flex-col gap-3">
        <Segmented
          label={t('home.history.span')}
          options={SPANS.map((value) => ({ value, label: t('home.history.days', { count: Number(value) }) }))}
          value={span}
          onChange={setSpan}
        />
        <Loaded query={query} skeleton={<Skeleton className="h-56 rounded-8" />}>
          {({ items }) => <HistoryChart days={items} />}
        </Loaded>
      </Card>
    </Section>
  )
}

export interface WorthCardProps {
  me: Me
  /** Null while there is none; undefined when it could not be read. */
  amcPrice: string | null | undefined
  /** Undefined when it could not be read. */
  fund: FundHoldings | undefined
}

/** Worth of everything in USDT, the two things one does with it, and what it is made of. */
export function WorthCard({ me, amcPrice, fund }: WorthCardProps) {
  const { t } = useTranslation()
  const day = fund === undefined ? null : navDays(fund.items)
  const units = fund === undefined ? 'unread' : day === null ? 'none' : 'yes'
  return (
    <section aria-label={t('home.worth')} className="flex flex-col gap-5 rounded-12 bg-hero p-5 text-white">
      <div>
        <p className="text-14 opacity-80">{t('home.worth')}</p>
        <p className="mt-1 font-semibold">
          <Money amount={totalWorth(me, { amcPrice: amcPrice ?? null, fund })} unit="USDT" fit />
        </p>
        <p className="mt-1 text-12 opacity-80">
          {t('home.worthHint', {
            amc: amcPrice === null ? 'no' : amcPrice === undefined ? 'unread' : 'yes',
            units,
            day: day ?? '',
          })}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <PageLink
          to="/pages/shop/index"
          className="inline-flex min-h-12 items-center justify-center gap-2 rounded-12 bg-white px-3 text-16 font-semibold text-on-white"
        >
          <Icon name="shop" size={20} />
          {t('home.buy')}
        </PageLink>
        <PageLink
          to="/pages/withdrawal/index"
          className="inline-flex min-h-12 items-center justify-center gap-2 rounded-12 bg-white/15 px-3 text-16 font-semibold"
        >
          <Icon name="withdraw" size={20} />
          {t('home.withdraw')}
        </PageLink>
      </div>
      <ul className="flex flex-col gap-3 border-t border-white/20 pt-4">
        {holdings(me).map(({ asset, available, others }) => (
          <li key={asset} className="flex items-start justify-between gap-4">
            <span className="text-16 font-semibold">{asset}</span>
            <dl className="flex flex-col items-end gap-0.5">
              <div>
                <dt className="sr-only">{t('account.available')}</dt>
                <dd className="text-16 font-semibold">
                  <Money amount={available} unit={asset} />
                </dd>
              </div>
              {others.map(({ account, amount }) => (
                <div key={account} className="flex flex-wrap justify-end gap-x-1.5 text-12 opacity-80">
                  <dt>{t(`account.${account}`)}</dt>
                  <dd>
                    <Money amount={amount} unit={asset} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
        {fund !== undefined && !isZero(fund.market_value) && (
          <li className="flex items-center justify-between gap-4">
            <PageLink
              to="/pages/found/my"
              className="-my-3 inline-flex min-h-11 items-center gap-1 text-16 font-semibold"
            >
              {t('home.fundUnits')}
              <Icon name="forward" size={16} />
            </PageLink>
            <Money amount={fund.market_value} unit="USDT" className="text-16 font-semibold" />
          </li>
        )}
      </ul>
    </section>
  )
}
