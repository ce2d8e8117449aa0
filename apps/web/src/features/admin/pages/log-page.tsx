import type { AdminActionEntry } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiList, redirectTo, saveList, useSettled, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  CsvButton,
  EmptyState,
  InfiniteList,
  Notice,
  TextField,
} from '../../../ui/index.ts'
import { AdminName, AdminPage } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'

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

/** One entry of the log; what was before and after opens with a click. */
function LogEntry({ entry }: { entry: AdminActionEntry }) {
  const { t } = useTranslation()
  const details = { before: entry.before, after: entry.after }
  return (
    <Card className="flex flex-col gap-1 text-14">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-muted">{entry.seq}</span>
        <span className="font-semibold">{entry.action}</span>
        <span className="wrap-anywhere">{entry.subject}</span>
        <span className="ml-auto text-12 text-muted">
          <UtcTime value={entry.acted_at} />
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        <AdminName actor={entry.actor} />
        {entry.reason !== null && <span className="wrap-anywhere text-ink">{entry.reason}</span>}
      </p>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-12 text-muted">
          {t(hasDetails(details) ? 'admin.log.details' : 'admin.log.hash')}
        </summary>
        <pre className="max-h-72 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 text-12">
          {hasDetails(details) && `${JSON.stringify(details, null, 2)}\n`}
          {entry.hash}
        </pre>
      </details>
    </Card>
  )
}

/** Reports whether an entry says what was before or after: not every action changes a value. */
const hasDetails = ({ before, after }: Pick<AdminActionEntry, 'before' | 'after'>) =>
  before !== null || after !== null
