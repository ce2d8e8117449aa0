import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  ErrorState,
  ListSkeleton,
  Loaded,
  NavLink,
  Notice,
  NoticeLink,
  Page,
  Section,
  Skeleton,
} from '../../../ui/index.ts'
import { AssetCard } from '../components/asset-card.tsx'
import { BalanceCard } from '../components/balance-card.tsx'
import { CHART_DAYS, InterestChart } from '../components/interest-chart.tsx'
import { TransferRow } from '../components/transfer-row.tsx'

const LEAVING = 3
/** Each day has at most one record of each of the two assets. */
const INTEREST = CHART_DAYS * 2

/** What do my savings earn, and what is on its way back. */
export default function SavingsPage() {
  const { t } = useTranslation()
  const account = useQuery(apiQuery('savings'))
  const coverage = useQuery(apiQuery('savingsCoverage'))
  const interest = useQuery(apiQuery('savingsInterest', { query: { limit: INTEREST } }))
  const leaving = useQuery(apiQuery('savingsTransfers', { query: { leaving: 'true', limit: LEAVING } }))
  const onArrival = () => {
    void leaving.refetch()
    void account.refetch()
  }
  const onTheWay = leaving.data?.items ?? []
  return (
    <Page
      title={t('savings.title')}
      actions={<NavLink to="/pages/savings/list">{t('savings.history')}</NavLink>}
    >
      {account.isPending && <SavingsSkeleton />}
      {account.isError && account.data === undefined && <ErrorState onRetry={() => void account.refetch()} />}
      {account.data !== undefined && (
        <>
          <BalanceCard account={account.data} />
          {onTheWay.length > 0 && (
            <Section
              title={t('savings.leaving')}
              aside={
                <PageLink to="/pages/savings/list" search={{ show: 'leaving' }}>
                  {t('common.all')}
                </PageLink>
              }
            >
              {onTheWay.map((transfer) => (
                <TransferRow key={transfer.transfer_id} transfer={transfer} onArrival={onArrival} />
              ))}
            </Section>
          )}
          {account.data.assets.map((savings) => (
            <AssetCard key={savings.asset} savings={savings} coverage={coverage.data} />
          ))}
          <Section
            title={t('savings.chart.title')}
            aside={
              <PageLink to="/pages/savings/list" search={{ show: 'interest' }}>
                {t('common.all')}
              </PageLink>
            }
          >
            <Loaded query={interest} skeleton={<Skeleton className="h-69 rounded-12" />}>
              {({ items }) => <InterestChart interest={items} />}
            </Loaded>
          </Section>
          <Notice
            tone="warn"
            title={t('savings.risk.title')}
            action={<NoticeLink to="/pages/rewardList/coverage">{t('savings.risk.attested')}</NoticeLink>}
          >
            {t('savings.risk.text')}
          </Notice>
        </>
      )}
    </Page>
  )
}

function SavingsSkeleton() {
  return (
    <>
      <Skeleton className="h-72 rounded-12" />
      <ListSkeleton rows={3} />
    </>
  )
}
