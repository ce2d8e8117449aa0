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
  PageLink,
  redirectTo,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  CardSection,
  EmptyState,
  Facts,
  IconCircle,
  InfiniteList,
  ListColumns,
  Loaded,
  Money,
  MoneyFact,
  Notice,
  Page,
  Row,
  Segmented,
  Skeleton,
  TableList,
} from '../../../ui/index.ts'
import { LaunchCard } from '../components/launch-card.tsx'

const PATH = '/pages/exchange/list'
const LISTS = ['exchanges', 'dividends', 'launches'] as const

/** The exchanges of RIF, the dividends, and all launches. The chosen list is part of the address. */
export default function ExchangeListPage() {
  const { t } = useTranslation()
  const { show = 'exchanges' } = useSearch({ from: PATH })
  return (
    <Page wide title={t('exchange.list.title')}>
      <Segmented
        label={t('exchange.list.show')}
        options={LISTS.map((value) => ({ value, label: t(`exchange.list.${value}`) }))}
        value={show}
        onChange={(value) => redirectTo(PATH, { show: value })}
      />
      <ListColumns side={<Aside />}>
        {show === 'exchanges' && <Exchanges />}
        {show === 'dividends' && <Dividends />}
        {show === 'launches' && <Launches />}
      </ListColumns>
    </Page>
  )
}

/** Shows the member's RIF and the assets received for it, and the source of dividends. */
function Aside() {
  const { t } = useTranslation()
  const centre = useQuery(apiQuery('exchange'))
  return (
    <>
      <Loaded query={centre} skeleton={<Skeleton className="h-44 rounded-16" />}>
        {({ rif, div, vc }) => (
          <CardSection title={t('exchange.list.own')}>
            <Facts>
              <MoneyFact label={t('exchange.rifPower')} amount={rif} unit="RIF" />
              <MoneyFact label={t('exchange.target.DIV')} amount={div.available} unit="DIV" />
              <MoneyFact label={t('exchange.target.VC')} amount={vc.available} unit="VC" />
            </Facts>
          </CardSection>
        )}
      </Loaded>
      <PageLink to="/pages/exchange/index" className={buttonClass('primary', true)}>
        {t('exchange.list.toCentre')}
      </PageLink>
      <Notice>{t('exchange.dividends.note')}</Notice>
    </>
  )
}

function Exchanges() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('exchanges', { query: {} }))
  const turned = ({ pays, to }: Conversion) => t('exchange.list.turned', { amount: formatAmount(pays), to })
  const rateOf = ({ rate, to }: Conversion) => t('exchange.list.rate', { rate: formatPrice(rate ?? '0'), to })
  return (
    <TableList
      query={query}
      label={t('exchange.list.exchanges')}
      keyOf={(conversion) => conversion.conversion_id}
      columns={[
        {
          name: t('exchange.list.exchanges'),
          width: '1.5fr',
          cell: (conversion) => (
            <span className="flex items-center gap-3 font-medium">
              <IconCircle icon="transfer" />
              {turned(conversion)}
            </span>
          ),
        },
        { name: t('exchange.form.rate'), cell: rateOf },
        {
          name: t('exchange.list.time'),
          cell: ({ done_at }) => <span className="text-muted">{done_at && formatTime(done_at)}</span>,
        },
        {
          name: t('quote.receives'),
          end: true,
          cell: ({ receives, to }) => (
            <Money amount={receives} unit={to} signed exact className="font-medium" />
          ),
        },
      ]}
      render={(conversion) => (
        <Row
          wordy
          icon="transfer"
          title={turned(conversion)}
          detail={
            <>
              <span className="block">{conversion.done_at && formatTime(conversion.done_at)}</span>
              {rateOf(conversion)}
            </>
          }
          end={
            <Money amount={conversion.receives} unit={conversion.to} signed className="text-16 font-medium" />
          }
        />
      )}
      empty={<Nothing text={t('exchange.list.noExchanges')} />}
    />
  )
}

function Dividends() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('dividends', { query: {} }))
  const ownOf = ({ div, all_div }: Dividend) =>
    t('exchange.list.ownOf', { own: formatAmount(div), all: formatAmount(all_div) })
  return (
    <TableList
      query={query}
      label={t('exchange.list.dividends')}
      keyOf={(dividend) => dividend.day}
      columns={[
        {
          name: t('savings.interest.day'),
          width: '0.8fr',
          cell: ({ day }) => <span className="font-medium">{formatDay(day)}</span>,
        },
        { name: t('exchange.list.ownOfAll'), width: '1.3fr', cell: ownOf },
        {
          name: t('exchange.list.pool'),
          end: true,
          cell: ({ pool_usdt, pool_amc }) => <Both usdt={pool_usdt} amc={pool_amc} />,
        },
        {
          name: t('exchange.list.paid'),
          end: true,
          cell: ({ usdt, amc }) => (
            <span className="font-medium">
              <Both usdt={usdt} amc={amc} />
            </span>
          ),
        },
      ]}
      render={(dividend) => (
        <Row
          title={formatDay(dividend.day)}
          detail={
            <>
              <span className="block">
                {t('exchange.list.ownOfAll')}: {ownOf(dividend)}
              </span>
              {t('exchange.list.pool')}: {formatAmount(dividend.pool_usdt)} USDT,{' '}
              {formatAmount(dividend.pool_amc)} AMC
            </>
          }
          end={<Both usdt={dividend.usdt} amc={dividend.amc} />}
        />
      )}
      empty={<Nothing text={t('exchange.list.noDividends')} hint={t('exchange.dividends.note')} />}
    />
  )
}

function Both({ usdt, amc }: { usdt: string; amc: string }) {
  return (
    <>
      <Money amount={usdt} unit="USDT" className="block" />
      <Money amount={amc} unit="AMC" className="block" />
    </>
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
