import type { Me, RouteInput, TeamMember } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react'
import {
  apiList,
  apiQuery,
  cx,
  formatCount,
  PageLink,
  type PageSearch,
  redirectTo,
  useIsWide,
  useListRefresh,
  useSettled,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  buttonClass,
  EmptyState,
  Icon,
  InfiniteList,
  inputBoxClass,
  Page,
  Segmented,
  Skeleton,
} from '../../../ui/index.ts'
import { MemberHead, MemberRow } from '../components/member-row.tsx'
import { SidesCard } from '../components/sides-card.tsx'
import { TeamStrip, TeamSummary } from '../components/team-figures.tsx'
import { TeamFilterSheet } from '../components/team-filter.tsx'
import { useLabels } from '../use-labels.ts'

const OwnTree = lazy(() => import('../tree/own-tree.tsx'))

const PATH = '/pages/index/team_user'
const SCOPES = ['all', 'left', 'right', 'direct'] as const

type Search = PageSearch<typeof PATH>

/** The member's team. Side, filter and search are part of the address, so that going back restores them. */
export default function TeamPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const me = useQuery(apiQuery('me')).data
  const isWide = useIsWide()
  return (
    <Page
      title={t('team.title')}
      wide
      actions={
        <PageLink
          to="/pages/my/invite/inviteTree"
          aria-label={t('tree.title')}
          className="grid size-11 place-items-center rounded-12"
        >
          <Icon name="tree" size={24} />
        </PageLink>
      }
    >
      {isWide ? (
        <>
          {me === undefined ? <Skeleton className="h-25 rounded-16" /> : <TeamStrip me={me} />}
          <Suspense fallback={<TreeSkeleton />}>
            {me === undefined ? (
              <TreeSkeleton />
            ) : (
              <OwnTree shownId={search.member} aside={<SidesCard me={me} />} />
            )}
          </Suspense>
        </>
      ) : me === undefined ? (
        <Skeleton className="h-72 rounded-16" />
      ) : (
        <TeamSummary me={me} />
      )}
      <Members search={search} me={me} isWide={isWide} />
    </Page>
  )
}

const TreeSkeleton = () => <Skeleton className="h-[70dvh] rounded-16" />

interface MembersProps {
  search: Search
  me: Me | undefined
  isWide: boolean
}

/** The list with its sides, filter and search. */
function Members({ search, me, isWide }: MembersProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('relation', { query: queryOf(search) }))
  const refresh = useListRefresh('relation')
  const labels = useLabels()
  const { level, valid, sort, scope, q, member: shownId } = search
  const isNarrowed = [level, valid, q].some((value) => value !== undefined)
  const own = me?.receive_address
  const counts = me && {
    all: me.team_size_all,
    left: me.left_team_size_all,
    right: me.right_team_size_all,
    direct: me.invited_count_all,
  }
  const scopes = (
    <Segmented
      label={t('team.scope')}
      options={SCOPES.map((value) => ({
        value,
        label: [t(`team.scope_${value}`), counts && formatCount(counts[value])].filter(Boolean).join(' '),
      }))}
      value={scope ?? 'all'}
      onChange={(value) => {
        const { scope: _, ...rest } = search
        redirectTo(PATH, value === 'all' ? rest : { ...rest, scope: value })
      }}
    />
  )
  const show = useEffectEvent((member: string) => redirectTo(PATH, { ...search, member }))
  const [onShow] = useState(() => (member: string) => show(member))
  const render = useCallback(
    (member: TeamMember) => (
      <MemberRow
        member={member}
        label={labels.get(member.member_id)?.label}
        own={own}
        onShow={isWide ? onShow : undefined}
        isShown={isWide && member.member_id === shownId}
      />
    ),
    [labels, own, isWide, onShow, shownId],
  )
  return (
    <>
      <div className="flex flex-col gap-3 lg:mt-2 lg:flex-row lg:items-center lg:justify-between lg:gap-4">
        {scopes}
        <SearchBar search={search} />
      </div>
      <div>
        <MemberHead />
        <InfiniteList
          key={[scope, level, valid, sort, q].join()}
          query={query}
          onRefresh={refresh}
          label={t('team.title')}
          keyOf={(member) => member.member_id}
          joined
          render={render}
          estimatePx={isWide ? 65 : 85}
          empty={isNarrowed ? <NothingFound scope={scope} /> : <NobodyYet />}
        />
      </div>
    </>
  )
}

function queryOf({ scope, level, valid, sort, q }: Search): RouteInput<'relation'>['query'] {
  return {
    ...(scope !== undefined && { scope }),
    ...(level !== undefined && { level: Number(level) }),
    ...(valid !== undefined && { valid }),
    ...(sort !== undefined && { sort }),
    ...(q !== undefined && { q }),
  }
}

function SearchBar({ search }: { search: Search }) {
  const { t } = useTranslation()
  const [text, setText] = useState(search.q ?? '')
  const [isOpen, setIsOpen] = useState(false)
  const settled = useSettled(text.trim())
  const { q, scope, member: _member, ...filter } = search
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed leads to another address
  useEffect(() => {
    if (settled === (q ?? '')) return
    const { q: _, ...rest } = search
    redirectTo(PATH, settled === '' ? rest : { ...rest, q: settled })
  }, [settled])
  const active = Object.values(filter).length
  return (
    <div className="flex gap-2 lg:w-96">
      <div className={cx(inputBoxClass(false), 'min-w-0 flex-1')}>
        <Icon name="search" size={20} className="text-muted" />
        <input
          type="search"
          aria-label={t('team.searchLabel')}
          placeholder={t('team.searchHint')}
          maxLength={60}
          autoComplete="off"
          className="min-h-11 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-muted"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <button
        type="button"
        aria-label={active === 0 ? t('team.filter') : t('team.filterActive', { count: active })}
        className={cx(
          'relative grid size-14 shrink-0 place-items-center rounded-16',
          active === 0 ? 'bg-card' : 'bg-ink text-on-ink',
        )}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="filter" size={20} />
      </button>
      <TeamFilterSheet
        open={isOpen}
        filter={filter}
        onClose={() => setIsOpen(false)}
        onApply={(next) => {
          setIsOpen(false)
          redirectTo(PATH, {
            ...(scope !== undefined && { scope }),
            ...(q !== undefined && { q }),
            ...next,
          })
        }}
      />
    </div>
  )
}

function NobodyYet() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="team"
      title={t('team.empty')}
      hint={t('team.emptyHint')}
      action={
        <PageLink to="/pages/my/invite/index" className={buttonClass('secondary')}>
          {t('my.invite')}
        </PageLink>
      }
    />
  )
}

function NothingFound({ scope }: { scope: Search['scope'] }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="search"
      title={t('team.notFound')}
      hint={t('team.notFoundHint')}
      action={
        <Button variant="secondary" onClick={() => redirectTo(PATH, scope === undefined ? {} : { scope })}>
          {t('team.reset')}
        </Button>
      }
    />
  )
}
