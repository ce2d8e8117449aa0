import type { HashRate, HashRateEntry } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiList, formatTime, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  EmptyState,
  ErrorState,
  InfiniteList,
  ListSkeleton,
  Money,
  Page,
  Row,
  Section,
} from '../../../ui/index.ts'
import { BuyForm } from '../components/buy-form.tsx'
import { DiscountCard } from '../components/discount-card.tsx'

/** What is my hash power worth: what there is, what it takes off a package, how to get more, and what moved it. */
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
