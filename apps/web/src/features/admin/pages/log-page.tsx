import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  apiList,
  apiQuery,
  redirectTo,
  saveList,
  shortestAddress,
  useTranslation,
} from '../../../lib/index.ts'
import { Address, Button, CsvButton, EmptyState, Notice } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { useListFilters } from '../list/list-filters.ts'
import { useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'
import { LogDetails } from '../log/log-details.tsx'
import { logFields, logShape } from '../log/log-shape.tsx'

const PATH = '/pages/admin/log'
const PAGE_ROWS = 100
const WALLET = /^0x[0-9a-f]{40}$/i

/** All actions and attempts of admins, with filters and as a file, and whether their chain is unbroken. */
export default function LogPage() {
  const { t } = useTranslation()
  const { q = '' } = useSearch({ from: PATH })
  const admins = useQuery(apiQuery('adminRoles')).data?.items ?? []
  const filters = useListFilters('log', logFields(t, admins), { q })
  const wanted = filters.query
  useEffect(() => {
    if ((wanted.q ?? '') !== q) redirectTo(PATH, { ...(wanted.q !== undefined && { q: wanted.q }) })
  }, [wanted.q, q])
  const query = useInfiniteQuery({
    ...apiList('adminLog', { query: { ...wanted, limit: PAGE_ROWS } }),
    placeholderData: (previous) => previous,
  })
  const whoOf = (actor: string) =>
    admins.find(({ address }) => address.toLowerCase() === actor.toLowerCase())?.person ??
    (WALLET.test(actor) ? shortestAddress(actor) : actor)
  return (
    <AdminPage
      title={t('admin.area.log')}
      about={t('admin.about.log')}
      actions={
        <>
          <CsvButton name="adminLog" query={wanted} />
          <Button
            variant="quiet"
            onClick={() => void saveList('adminLog', wanted, 'jsonl').catch(() => undefined)}
          >
            JSONL
          </Button>
        </>
      }
    >
      <Chain />
      <FilterBar filters={filters} />
      <WorkList
        label={t('admin.area.log')}
        rows={useRows(query)}
        shape={logShape(t, whoOf)}
        isNarrowed={filters.isNarrowed}
        empty={<EmptyState icon="book" title={t('admin.log.none')} hint={t('admin.log.noneHint')} />}
        details={(entry) => <LogDetails entry={entry} />}
      />
    </AdminPage>
  )
}

function Chain() {
  const { t } = useTranslation()
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery(
    apiList('adminLogCheck', { query: {} }),
  )
  const isGoingOn = hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isGoingOn) void fetchNextPage()
  }, [isGoingOn, fetchNextPage])
  const check = data?.pages.at(-1)
  if (check === undefined) return null
  if (check.next !== null) {
    const { checked, entries } = check
    return <Notice>{t('admin.log.checking', { checked, entries })}</Notice>
  }
  if (check.broken !== null) {
    return (
      <Notice tone="bad" title={t('admin.log.broken')}>
        {check.broken.problem}
      </Notice>
    )
  }
  return (
    <Notice tone="good" title={t('admin.log.whole', { count: check.entries })}>
      {check.head !== null && <Address value={check.head} form="full" className="font-mono text-12" />}
    </Notice>
  )
}
