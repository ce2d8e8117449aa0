import type { Conversion, Dividend } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import {
  apiList,
  apiQuery,
  formatAmount,
  formatDay,
  formatPrice,
  formatTime,
  redirectTo,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Card,
  EmptyState,
  Fact,
  Facts,
  InfiniteList,
  Money,
  Page,
  Row,
  Segmented,
} from '../../../ui/index.ts'
import { LaunchCard } from '../components/launch-card.tsx'

const PATH = '/pages/exchange/list'
const LISTS = ['exchanges', 'dividends', 'launches'] as const

/** The exchanges of RIF, the dividends, and all launches. The chosen list is part of the address. */
export default function ExchangeListPage() {
  const { t } = useTranslation()
  const { show = 'exchanges' } = useSearch({ from: PATH })
  return (
    <Page title={t('exchange.list.title')}>
      <Segmented
        label={t('exchange.list.show')}
        options={LISTS.map((value) => ({ value, label: t(`exchange.list.${value}`) }))}
        value={show}
        onChange={(value) => redirectTo(PATH, { show: value })}
      />
      {show === 'exchanges' && <Exchanges />}
      {show === 'dividends' && <Dividends />}
      {show === 'launches' && <Launches />}
    </Page>
  )
}

function Exchanges() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('exchanges', { query: {} }))
  return (
    <InfiniteList
      query={query}
      label={t('exchange.list.exchanges')}
      keyOf={(one) => one.conversion_id}
      render={(one) => <ExchangeRow conversion={one} />}
      empty={<Nothing text={t('exchange.list.noExchanges')} />}
    />
  )
}

function ExchangeRow({ conversion }: { conversion: Conversion }) {
  const { t } = useTranslation()
  const { pays, receives, to, rate, done_at } = conversion
  return (
    <Card className="py-1">
      <Row
        icon="transfer"
        title={t('exchange.list.turned', { amount: formatAmount(pays), to })}
        detail={
          <span className="text-12">
            <span className="block">{formatTime(done_at)}</span>
            {t('exchange.list.rate', { rate: formatPrice(rate ?? '0'), to })}
          </span>
        }
        end={<Money amount={receives} unit={to} signed className="font-semibold" />}
      />
    </Card>
  )
}

function Dividends() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('dividends', { query: {} }))
  return (
    <InfiniteList
      query={query}
      label={t('exchange.list.dividends')}
      keyOf={(one) => one.day}
      render={(one) => <DividendRow dividend={one} />}
      empty={<Nothing text={t('exchange.list.noDividends')} hint={t('exchange.dividends.note')} />}
      estimatePx={180}
    />
  )
}

function DividendRow({ dividend }: { dividend: Dividend }) {
  const { t } = useTranslation()
  const { day, div, all_div, pool_usdt, pool_amc, usdt, amc } = dividend
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-16 font-semibold">{formatDay(day)}</h2>
      <Facts>
        <Fact label={t('exchange.list.paid')}>
          <Money amount={usdt} unit="USDT" className="block font-semibold" />
          <Money amount={amc} unit="AMC" className="block font-semibold" />
        </Fact>
        <Fact label={t('exchange.list.ownOfAll')}>
          {t('exchange.list.ownOf', { own: formatAmount(div), all: formatAmount(all_div) })}
        </Fact>
        <Fact label={t('exchange.list.pool')}>
          <Money amount={pool_usdt} unit="USDT" className="block" />
          <Money amount={pool_amc} unit="AMC" className="block" />
        </Fact>
      </Facts>
    </Card>
  )
}

function Launches() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('launches', { query: {} }))
  const vcAvailable = useQuery(apiQuery('me')).data?.withdrawable_vc
  return (
    <InfiniteList
      query={query}
      label={t('exchange.list.launches')}
      keyOf={(launch) => launch.launch_id}
      render={(launch) => <LaunchCard launch={launch} vcAvailable={vcAvailable} />}
      empty={<Nothing text={t('exchange.launch.empty')} hint={t('exchange.launch.emptyHint')} />}
      estimatePx={300}
    />
  )
}

function Nothing({ text, hint }: { text: string; hint?: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="transfer"
      title={text}
      {...(hint !== undefined && { hint })}
      next={{ to: '/pages/exchange/index', label: t('exchange.list.toCentre') }}
    />
  )
}
