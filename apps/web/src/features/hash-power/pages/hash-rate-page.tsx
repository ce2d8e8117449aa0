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
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  EmptyState,
  ErrorState,
  InfiniteList,
  ListSkeleton,
  Loaded,
  Money,
  Page,
  PriceChart,
  Row,
  Section,
  Skeleton,
} from '../../../ui/index.ts'
import { BuyForm } from '../components/buy-form.tsx'

/** The discount of the available hash power on each package, by the rule that the order will use. */
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

/** The member's hash power: its balance, its discount, its purchase and its movements. */
export default function HashRatePage() {
  const { t } = useTranslation()
  const list = useInfiniteQuery(apiList('hashRate', { query: {} }))
  const figures = list.data?.pages[0]
  return (
    <Page title={t('hashPower.title')}>
      {list.isPending && <ListSkeleton />}
      {figures === undefined && list.isError && <ErrorState onRetry={() => void list.refetch()} />}
      {figures !== undefined && (
        <>
          <BalanceCard figures={figures} />
          <DiscountCard />
          <PriceChart asset="RIF" />
          <BuyForm figures={figures} />
          <Section title={t('hashPower.history.title')}>
            <InfiniteList
              query={list}
              label={t('hashPower.history.title')}
              keyOf={(entry) => entry.entry_id}
              render={(entry) => <EntryRow entry={entry} />}
              empty={
                <EmptyState
                  icon="bolt"
                  title={t('hashPower.history.empty')}
                  hint={t('hashPower.history.emptyHint')}
                />
              }
            />
          </Section>
        </>
      )}
    </Page>
  )
}

function BalanceCard({ figures }: { figures: HashRate }) {
  const { t } = useTranslation()
  const { available, locked, worth_usdt } = figures
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('hashPower.available')}</p>
        <Money amount={available} unit="RIF" className="text-28 font-semibold" />
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

function EntryRow({ entry }: { entry: HashRateEntry }) {
  const { t } = useTranslation()
  const { kind, reversed, change, amount, at } = entry
  const name = t(`hashPower.kind.${kind}`)
  return (
    <Card className="py-1">
      <Row
        title={reversed ? t('hashPower.history.reversed', { name }) : name}
        detail={formatTime(at)}
        end={
          isZero(change) ? (
            <Money amount={amount} unit="RIF" className="text-muted" />
          ) : (
            <Money amount={change} unit="RIF" signed className="font-semibold" />
          )
        }
      />
    </Card>
  )
}
