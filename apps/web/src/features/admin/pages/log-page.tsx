import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiList, redirectTo, saveList, useSettled, useTranslation } from '../../../lib/index.ts'
import { Address, Button, CsvButton, EmptyState, InfiniteList, Notice, TextField } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { LogEntry } from '../log/log-entry.tsx'

/** Everything that admins did or tried, searchable and to be taken along, and whether the chain of it is whole. */
export default function LogPage() {
  const { t } = useTranslation()
  const { q = '' } = useSearch({ from: '/pages/admin/log' })
  const [text, setText] = useState(q)
  const settled = useSettled(text.trim())
  const filter = settled === '' ? {} : { q: settled }
  const query = useInfiniteQuery(apiList('adminLog', { query: filter }))
  return (
    <AdminPage
      title={t('admin.area.log')}
      actions={
        <>
          <CsvButton name="adminLog" query={filter} />
          <Button
            variant="quiet"
            onClick={() => void saveList('adminLog', filter, 'jsonl').catch(() => undefined)}
          >
            JSONL
          </Button>
        </>
      }
    >
      <Chain />
      <TextField
        label={t('admin.log.search')}
        type="search"
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => redirectTo('/pages/admin/log', filter)}
      />
      <InfiniteList
        query={query}
        label={t('admin.area.log')}
        keyOf={(entry) => entry.seq}
        empty={<EmptyState icon="book" title={t('admin.log.none')} hint={t('admin.log.noneHint')} />}
        render={(entry) => <LogEntry entry={entry} />}
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
