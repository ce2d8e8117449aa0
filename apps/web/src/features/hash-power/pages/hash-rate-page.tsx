import type { HashRate, HashRateEntry } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  apiList,
  apiQuery,
  formatAmount,
  formatPpm,
  formatTime,
  isZero,
  PageLink,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  Columns,
  EmptyState,
  ErrorState,
  type InfiniteListProps,
  Loaded,
  Money,
  Notice,
  Page,
  PriceChart,
  Row,
  Section,
  Skeleton,
  TableList,
} from '../../../ui/index.ts'
import { HashPowerForm } from '../components/buy-form.tsx'

/** The discount of the available hash power on each package, by the same rule as for orders. */
export function DiscountCard() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('hashRatePercent'))
  return (
    <Section
      title={t('hashPower.discount.title')}
      aside={<PageLink to="/pages/shop/index">{t('hashPower.discount.toShop')}</PageLink>}
    >
      <Loaded query={query} skeleton={<Skeleton className="h-88 rounded-12" />}>
        {(data) => (
          <Card className="flex flex-col gap-3">
            <p className="text-14 text-muted">
              {t('hashPower.discount.hint', { percent: formatPpm(data.percent_ppm) })}
            </p>
            {data.rif_price === null && <p className="text-14">{t('hashPower.discount.unpriced')}</p>}
            <ul className="flex flex-col divide-y divide-line">
              {data.packages.map(({ product_id, name, discount, rif }) => (
                <li key={product_id} className="flex items-baseline justify-between gap-4 py-2 text-14">
                  <span>{name}</span>
                  {isZero(discount) ? (
                    <span className="text-muted">{t('hashPower.discount.none')}</span>
                  ) : (
                    <span className="text-right">
                      <Money amount={`-${discount}`} unit="USDT" className="font-semibold" />
                      <span className="block text-12 text-muted">
                        {t('hashPower.discount.for', { rif: formatAmount(rif) })}
                      </span>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Section>
  )
}

/**
 * The member's RIF: the balance, its purchase and its movements, and beside them the discount on packages and
 * the price.
 */
export default function HashRatePage() {
  const { t } = useTranslation()
  const list = useInfiniteQuery(apiList('hashRate', { query: {} }))
  const figures = list.data?.pages[0]
  const isWide = useIsWide()
  const history = (
    <Section title={t('hashPower.history.title')}>
      <History query={list} />
    </Section>
  )
  return (
    <Page wide title={t('hashPower.title')}>
      {list.isPending && <RifSkeleton />}
      {figures === undefined && list.isError && <ErrorState onRetry={() => void list.refetch()} />}
      {figures !== undefined && (
        <>
          <Columns
            side={
              <>
                <DiscountCard />
                <PriceChart asset="RIF" />
                <Notice>{t('hashPower.about')}</Notice>
              </>
            }
          >
            <BalanceCard figures={figures} />
            <HashPowerForm figures={figures} />
            {isWide && history}
          </Columns>
          {!isWide && history}
        </>
      )}
    </Page>
  )
}

function RifSkeleton() {
  return (
    <Columns
      side={
        <>
          <Skeleton className="h-88 rounded-16" />
          <Skeleton className="h-52 rounded-16" />
        </>
      }
    >
      <Skeleton className="h-36 rounded-16" />
      <Skeleton className="h-80 rounded-16" />
    </Columns>
  )
}

function History({ query }: Pick<InfiniteListProps<HashRateEntry>, 'query'>) {
  const { t } = useTranslation()
  const nameOf = ({ kind, reversed }: HashRateEntry) => {
    const name = t(`hashPower.kind.${kind}`)
    return reversed ? t('hashPower.history.reversed', { name }) : name
  }
  return (
    <TableList
      query={query}
      label={t('hashPower.history.title')}
      keyOf={(entry) => entry.entry_id}
      columns={[
        {
          name: t('localWallet.what'),
          width: '1.6fr',
          cell: (entry) => <span className="font-medium">{nameOf(entry)}</span>,
        },
        {
          name: t('localWallet.time'),
          width: '1.4fr',
          cell: ({ at }) => <span className="text-muted">{formatTime(at)}</span>,
        },
        { name: t('localWallet.amount'), end: true, cell: (entry) => <Change entry={entry} /> },
      ]}
      render={(entry) => (
        <Row title={nameOf(entry)} detail={formatTime(entry.at)} end={<Change entry={entry} />} />
      )}
      empty={
        <EmptyState
          icon="bolt"
          title={t('hashPower.history.empty')}
          hint={t('hashPower.history.emptyHint')}
          next={{ to: '/pages/shop/index', label: t('home.toShop') }}
        />
      }
    />
  )
}

/** Shows the change of the balance; movements inside it have no sign. */
function Change({ entry: { change, amount } }: { entry: HashRateEntry }) {
  return isZero(change) ? (
    <Money amount={amount} unit="RIF" className="text-muted" />
  ) : (
    <Money amount={change} unit="RIF" signed className="font-semibold" />
  )
}

function BalanceCard({ figures }: { figures: HashRate }) {
  const { t } = useTranslation()
  const { available, locked, worth_usdt } = figures
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('hashPower.available')}</p>
        <p className="font-display font-semibold">
          <Money amount={available} unit="RIF" fit />
        </p>
        {worth_usdt !== null && (
          <p className="mt-1 text-14 text-muted">
            ≈ <Money amount={worth_usdt} unit="USDT" />
          </p>
        )}
      </div>
      {!isZero(locked) && (
        <p className="text-14">
          <span className="text-muted">{t('hashPower.locked')}</span> <Money amount={locked} unit="RIF" />
        </p>
      )}
      <PageLink to="/pages/exchange/index" className={buttonClass('secondary', true)}>
        {t('hashPower.toExchange')}
      </PageLink>
    </Card>
  )
}
