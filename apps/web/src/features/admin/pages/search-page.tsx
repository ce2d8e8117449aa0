import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, redirectTo, useTranslation } from '../../../lib/index.ts'
import { EmptyState, ErrorState, ListSkeleton, Segmented } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { DayCapCard } from '../search/day-cap-card.tsx'
import { HoldCard } from '../search/hold-card.tsx'
import { MemberHead } from '../search/member-head.tsx'
import {
  FundList,
  LedgerList,
  OrderList,
  RewardList,
  SessionList,
  WithdrawalList,
} from '../search/member-lists.tsx'
import { Notes } from '../search/notes.tsx'
import { SearchBox, SearchResults } from '../search/search-box.tsx'

const PAGE = '/pages/admin/search'
const TABS = ['ledger', 'orders', 'fund', 'rewards', 'withdrawals', 'sessions', 'notes'] as const
type Tab = (typeof TABS)[number]

/** A member by whatever is at hand, and all about that member. */
export default function SearchPage() {
  const { t } = useTranslation()
  const { q, member_id: memberId, tab } = useSearch({ from: PAGE })
  return (
    <AdminPage title={t('adminSearch.title')}>
      <SearchBox key={q} typed={q ?? ''} />
      {memberId !== undefined ? (
        <Member
          key={memberId}
          memberId={memberId}
          tab={tab ?? 'ledger'}
          onTab={(next) =>
            redirectTo(PAGE, { ...(q !== undefined && { q }), member_id: memberId, tab: next })
          }
        />
      ) : q !== undefined ? (
        <SearchResults key={q} q={q} />
      ) : (
        <EmptyState icon="search" title={t('adminSearch.begin')} hint={t('adminSearch.beginHint')} />
      )}
    </AdminPage>
  )
}

function Member({ memberId, tab, onTab }: { memberId: string; tab: Tab; onTab: (tab: Tab) => void }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('adminMember', { params: { member_id: memberId } }))
  if (query.data === undefined) {
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <ListSkeleton />
  }
  return (
    <>
      <MemberHead member={query.data} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <HoldCard memberId={query.data.profile.member_id} />
        <DayCapCard member={query.data} />
      </div>
      <Segmented
        label={t('adminSearch.lists')}
        options={TABS.map((value) => ({
          value,
          label:
            value === 'notes' && query.data.notes > 0
              ? `${t('adminSearch.tab.notes')} (${query.data.notes})`
              : t(`adminSearch.tab.${value}`),
        }))}
        value={tab}
        onChange={onTab}
      />
      <List tab={tab} memberId={memberId} />
    </>
  )
}

const LISTS = {
  ledger: LedgerList,
  orders: OrderList,
  fund: FundList,
  rewards: RewardList,
  withdrawals: WithdrawalList,
  sessions: SessionList,
  notes: Notes,
} as const satisfies Record<Tab, (props: { memberId: string }) => React.ReactNode>

function List({ tab, memberId }: { tab: Tab; memberId: string }) {
  const Shown = LISTS[tab]
  return <Shown memberId={memberId} />
}
