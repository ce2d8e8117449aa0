import type { Reward } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  apiList,
  PageLink,
  switchTab,
  useIsWide,
  useListRefresh,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  Columns,
  CsvButton,
  EmptyState,
  InfiniteList,
  Later,
  LinkRow,
  Page,
  Segmented,
  Skeleton,
} from '../../../ui/index.ts'
import { EarningsCard, IncomeSums } from '../components/income-sums.tsx'
import { ManagementCard } from '../components/management-card.tsx'
import { groupOf, REWARD_TYPES, RewardRow } from '../components/reward-row.tsx'

const PATH = '/pages/rewardList/index'

const renderReward = (reward: Reward) => <RewardRow reward={reward} />

/** The rewards: sums by kind, the last 30 days, the management award, and a list by day. The address holds the chosen kind. */
export default function RewardListPage({ top }: { top?: ReactNode }) {
  const { t } = useTranslation()
  const { type } = useSearch({ from: PATH })
  const filter = type === undefined ? {} : { type }
  const query = useInfiniteQuery(apiList('profitAll', { query: filter }))
  const refresh = useListRefresh('profitAll')
  // The sums are over all kinds: those of the whole list stay visible while a filtered one loads.
  const all = useInfiniteQuery(apiList('profitAll', { query: {} }))
  const incomes = all.data?.pages[0]
  const options = [
    { value: 'all' as const, label: t('common.all') },
    ...REWARD_TYPES.map((value) => ({ value, label: t(`rewards.short.${value}`) })),
  ]
  const now = new Date()
  const isWide = useIsWide()
  const figures = (
    <>
      {all.isPending && <Skeleton className="h-74 rounded-12" />}
      {incomes !== undefined && <IncomeSums incomes={incomes} />}
      <EarningsCard />
      <Card className="divide-y divide-line py-1">
        <LinkRow to="/pages/rewardList/types" icon="list" title={t('types.title')} />
        <LinkRow to="/pages/shop/packages" icon="shop" title={t('packages.title')} />
      </Card>
      <Later>
        <ManagementCard />
      </Later>
    </>
  )
  const list = (
    <Later>
      <Segmented
        label={t('rewards.filter')}
        options={options}
        value={type ?? 'all'}
        onChange={(value) => switchTab(PATH, value === 'all' ? { show: 'rewards' } : { type: value })}
      />
      <InfiniteList
        query={query}
        onRefresh={refresh}
        label={t('rewards.list')}
        keyOf={(reward) => reward.reward_id}
        groupOf={(reward) => t(`rewards.${groupOf(reward, now)}`)}
        joined
        render={renderReward}
        empty={<NoRewards isFiltered={type !== undefined} />}
      />
    </Later>
  )
  return (
    <Page
      title={t('rewards.title')}
      back={false}
      wide
      actions={<CsvButton name="profitAll" query={filter} />}
    >
      {top}
      {isWide ? (
        <Columns side={figures}>{list}</Columns>
      ) : (
        <>
          {figures}
          {list}
        </>
      )}
    </Page>
  )
}

function NoRewards({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="activity"
      title={isFiltered ? t('rewards.emptyFiltered') : t('rewards.empty')}
      hint={t('rewards.emptyHint')}
      about="rewards.empty"
      action={
        <PageLink to="/pages/my/invite/index" className={buttonClass('secondary')}>
          {t('rewards.invite')}
        </PageLink>
      }
    />
  )
}
