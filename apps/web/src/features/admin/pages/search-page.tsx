import type { AdminSearch } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  apiQuery,
  levelName,
  navigateTo,
  PageLink,
  plainText,
  redirectTo,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  EmptyState,
  ErrorState,
  Icon,
  ListSkeleton,
  Pill,
  Segmented,
  TextField,
} from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { AllMembers } from '../search/all-members.tsx'
import { LedgerList } from '../search/ledger-list.tsx'
import { AdminMemberHead } from '../search/member-head.tsx'
import { DayCapCard, HoldCard } from '../search/member-holds.tsx'
import {
  FundList,
  MemberOrderList,
  RewardList,
  SessionList,
  WithdrawalList,
} from '../search/member-lists.tsx'
import { Notes } from '../search/notes.tsx'

const PAGE = '/pages/admin/search'
const TABS = ['ledger', 'orders', 'fund', 'rewards', 'withdrawals', 'sessions', 'notes'] as const
type Tab = (typeof TABS)[number]

/**
 * Finds a member by address, code, number or hash or in the list of all, and shows all data about the member.
 */
export default function SearchPage() {
  const { t } = useTranslation()
  const { q, member_id: memberId, tab } = useSearch({ from: PAGE })
  return (
    <AdminPage title={t('adminSearch.title')} about={t('admin.about.search')}>
      {/* A key of its own, because it is beside the results, whose key is the text. */}
      <SearchBox key={`box ${q ?? ''}`} typed={q ?? ''} />
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
        <AllMembers />
      )}
    </AdminPage>
  )
}

function Member({ memberId, tab, onTab }: { memberId: string; tab: Tab; onTab: (tab: Tab) => void }) {
  const { t } = useTranslation()
  const params = { member_id: memberId }
  const query = useQuery(apiQuery('adminMember', { params }))
  const hold = useQuery(apiQuery('memberHold', { params }))
  // A hold that arrived later would move the buttons below it during a tap.
  if (query.data === undefined || hold.data === undefined) {
    const failed = [query, hold].filter(({ isError }) => isError)
    if (failed.length === 0) return <ListSkeleton />
    return <ErrorState onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))} />
  }
  return (
    <>
      <AdminMemberHead member={query.data} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <HoldCard memberId={query.data.profile.member_id} hold={hold.data} />
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
  orders: MemberOrderList,
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

/** The single search box: an address, a code, a number, a hash. */
function SearchBox({ typed }: { typed: string }) {
  const { t } = useTranslation()
  const [text, setText] = useState(typed)
  return (
    <form
      className="flex flex-wrap items-start gap-3 *:first:min-w-64 *:first:flex-1"
      onSubmit={(event) => {
        event.preventDefault()
        const q = plainText(text)
        if (q !== '') navigateTo(PAGE, { q })
      }}
    >
      <TextField
        type="search"
        label={t('adminSearch.label')}
        placeholder={t('adminSearch.placeholder')}
        hint={t('adminSearch.hint')}
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" icon="search" className="md:mt-7 lg:mt-8.5">
        {t('adminSearch.find')}
      </Button>
    </form>
  )
}

/** The results of a search; a single member is opened at once. */
function SearchResults({ q }: { q: string }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('adminSearch', { query: { q } }))
  const only = onlyMember(query.data)
  useEffect(() => {
    if (only !== null) redirectTo(PAGE, { q, member_id: only })
  }, [only, q])
  if (query.data === undefined) {
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <ListSkeleton />
  }
  const { reading, items, more } = query.data
  return (
    <>
      <p className="px-1 text-14 text-muted" role="status">
        {t(`adminSearch.reading.${reading}`)} · {t('adminSearch.found', { count: items.length })}
      </p>
      {items.length === 0 ? (
        <EmptyState
          icon="search"
          title={t('adminSearch.none')}
          hint={t(reading === 'nothing' ? 'adminSearch.hint' : 'adminSearch.noneHint')}
        />
      ) : (
        <Card className="flex flex-col divide-y divide-line py-1">
          {items.map((item) => (
            <Find key={`${item.found} ${item.id} ${item.member?.member_id}`} item={item} q={q} />
          ))}
        </Card>
      )}
      {more && <p className="px-1 text-14 text-muted">{t('adminSearch.more')}</p>}
    </>
  )
}

function onlyMember(data: AdminSearch | undefined): string | null {
  const ids = new Set(data?.items.map(({ member }) => member?.member_id ?? null))
  const [first] = ids
  return ids.size === 1 && first !== undefined ? first : null
}

function Find({ item, q }: { item: AdminSearch['items'][number]; q: string }) {
  const { t } = useTranslation()
  const what = (
    <span className="min-w-40 flex-1">
      {t(`adminSearch.find_${item.found}`)}
      {item.id !== null && <span className="text-muted">{` #${item.id}`}</span>}
    </span>
  )
  if (item.member === null) {
    return (
      <div className="flex min-h-11 items-center gap-3 py-2 text-14">
        {what}
        <span className="text-muted">{t('adminSearch.nobody')}</span>
      </div>
    )
  }
  const { member } = item
  return (
    <PageLink
      to={PAGE}
      search={{ q, member_id: member.member_id }}
      className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-2 text-14"
    >
      {what}
      <Address value={member.address} copy={false} />
      <Pill>{levelName(t, member.level)}</Pill>
      <Icon name="forward" size={16} className="ml-auto text-muted" />
    </PageLink>
  )
}
