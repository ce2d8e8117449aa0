import type { AdminActionEntry } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Card, Time } from '../../../ui/index.ts'
import { AdminName } from '../components/admin-name.tsx'

/** One entry of the log; what was before and after opens with a click. */
export function LogEntry({ entry }: { entry: AdminActionEntry }) {
  const { t } = useTranslation()
  const details = { before: entry.before, after: entry.after }
  return (
    <Card className="flex flex-col gap-1 text-14">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-muted">{entry.seq}</span>
        <span className="font-semibold">{entry.action}</span>
        <span className="wrap-anywhere">{entry.subject}</span>
        <span className="ml-auto text-12 text-muted">
          <Time value={entry.acted_at} />
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        <AdminName actor={entry.actor} />
        {entry.reason !== null && <span className="wrap-anywhere text-ink">{entry.reason}</span>}
      </p>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-12 text-muted">
          {t('admin.log.details')}
        </summary>
        <pre className="max-h-72 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 text-12">
          {JSON.stringify(details, null, 2)}
          {'\n'}
          {entry.hash}
        </pre>
      </details>
    </Card>
  )
}
