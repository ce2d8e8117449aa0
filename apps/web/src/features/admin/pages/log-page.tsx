import type { AdminActionEntry } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiList, redirectTo, saveList, useSettled, useTranslation } from '../../../lib/index.ts'
import { Address, Button, CsvButton, EmptyState, InfiniteList, Notice } from '../../../ui/index.ts'
import { AdminName, AdminPage } from '../components/admin-page.tsx'
import { SearchField } from '../components/search-field.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { actionText } from '../log/log-words.ts'

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
      about={t('admin.about.log')}
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
      <SearchField
        label={t('admin.log.search')}
        value={text}
        maxLength={100}
        onChange={setText}
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

/** One entry of the log; what was before and after opens with a click. */
function LogEntry({ entry }: { entry: AdminActionEntry }) {
  const { t } = useTranslation()
  const details = { before: entry.before, after: entry.after }
  return (
    <article className="rounded-12 bg-card px-4 py-2 text-14 lg:grid lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-x-4">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">{actionText(t, entry.action)}</span>
        <span className="wrap-anywhere text-muted">{entry.subject}</span>
        <AdminName actor={entry.actor} />
        {entry.reason !== null && <span className="wrap-anywhere">{entry.reason}</span>}
      </div>
      <span className="text-12 text-muted">
        <UtcTime value={entry.acted_at} />
      </span>
      <details className="lg:col-span-2 lg:-my-2">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-12 text-muted">
          {t(hasDetails(details) ? 'admin.log.details' : 'admin.log.hash')}
        </summary>
        <pre className="mb-3 max-h-72 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 text-12">
          {`${entry.action} #${entry.seq}\n`}
          {hasDetails(details) && `${JSON.stringify(details, null, 2)}\n`}
          {entry.hash}
        </pre>
      </details>
    </article>
  )
}

/** Reports whether an entry says what was before or after: not every action changes a value. */
const hasDetails = ({ before, after }: Pick<AdminActionEntry, 'before' | 'after'>) =>
  before !== null || after !== null
