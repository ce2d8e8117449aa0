import type { Me, RouteInput, TeamMember } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import {
  apiList,
  apiQuery,
  formatCount,
  PageLink,
  type PageSearch,
  redirectTo,
  useListRefresh,
  useSettled,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  buttonClass,
  Card,
  EmptyState,
  Fact,
  Facts,
  InfiniteList,
  Money,
  Page,
  Segmented,
  TextField,
} from '../../../ui/index.ts'
import { MemberCard } from '../components/member-card.tsx'
import { TeamFilterSheet } from '../components/team-filter.tsx'
import { useLabels } from '../use-labels.ts'

const PATH = '/pages/index/team_user'
const SCOPES = ['all', 'left', 'right', 'direct'] as const

type Search = PageSearch<typeof PATH>

/** The member's team. Side, filter and search are part of the address, so that going back restores them. */
export default function TeamPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const me = useQuery(apiQuery('me')).data
  const query = useInfiniteQuery(apiList('relation', { query: queryOf(search) }))
  const refresh = useListRefresh('relation')
  const labels = useLabels()
  const { level, valid, sort, scope, q } = search
  const isNarrowed = [level, valid, q].some((value) => value !== undefined)
  return (
    <Page title={t('team.title')}>
      {me !== undefined && <Totals me={me} />}
      <Segmented
        label={t('team.scope')}
        options={SCOPES.map((value) => ({ value, label: t(`team.scope_${value}`) }))}
        value={scope ?? 'all'}
        onChange={(value) => {
          const { scope: _, ...rest } = search
          redirectTo(PATH, value === 'all' ? rest : { ...rest, scope: value })
        }}
      />
      <SearchBar search={search} />
      <InfiniteList
        key={[scope, level, valid, sort, q].join()}
        query={query}
        onRefresh={refresh}
        label={t('team.title')}
        keyOf={(member) => member.member_id}
        render={useCallback(
          (member: TeamMember) => <MemberCard member={member} label={labels.get(member.member_id)?.label} />,
          [labels],
        )}
        estimatePx={170}
        empty={isNarrowed ? <NothingFound scope={scope} /> : <NobodyYet />}
      />
    </Page>
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

function Totals({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <Card>
      <Facts>
        <Fact label={t('my.teamSize')}>
          {t('my.counts', { all: formatCount(me.team_size_all), valid: formatCount(me.team_size_valid) })}
        </Fact>
        <Fact label={t('side.left')}>
          {t('my.counts', {
            all: formatCount(me.left_team_size_all),
            valid: formatCount(me.left_team_size_valid),
          })}
        </Fact>
        <Fact label={t('side.right')}>
          {t('my.counts', {
            all: formatCount(me.right_team_size_all),
            valid: formatCount(me.right_team_size_valid),
          })}
        </Fact>
        <Fact label={t('team.month')}>
          <Money amount={me.month_team_invest} unit="USDT" />
        </Fact>
      </Facts>
    </Card>
  )
}

function SearchBar({ search }: { search: Search }) {
  const { t } = useTranslation()
  const [text, setText] = useState(search.q ?? '')
  const [isOpen, setIsOpen] = useState(false)
  const settled = useSettled(text.trim())
  const { q, scope, ...filter } = search
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed leads to another address
  useEffect(() => {
    if (settled === (q ?? '')) return
    const { q: _, ...rest } = search
    redirectTo(PATH, settled === '' ? rest : { ...rest, q: settled })
  }, [settled])
  const active = Object.values(filter).length
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('team.searchLabel')}
        type="search"
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" icon="filter" onClick={() => setIsOpen(true)}>
          {active === 0 ? t('team.filter') : t('team.filterActive', { count: active })}
        </Button>
        <PageLink to="/pages/my/invite/inviteTree" className={buttonClass('secondary')}>
          {t('tree.title')}
        </PageLink>
      </div>
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
