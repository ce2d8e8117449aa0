import type { AdminActionEntry } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Fact, Facts } from '../../../ui/index.ts'
import { AdminName } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'
import { actionText } from './log-words.ts'

/**
 * An entry of the log: actor, action, subject and reason, the values before and after, and the hash that
 * seals it.
 */
export function LogDetails({ entry }: { entry: AdminActionEntry }) {
  const { t } = useTranslation()
  const { action, seq, subject, actor, reason, before, after, acted_at: at, hash } = entry
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <p className="text-14 text-muted">#{seq}</p>
        <h2 className="text-20 font-semibold">{actionText(t, action)}</h2>
      </div>
      <Facts>
        <Fact label={t('desk.log.subject')}>
          <span className="wrap-anywhere">{subject}</span>
        </Fact>
        <Fact label={t('desk.log.who')}>
          <AdminName actor={actor} />
        </Fact>
        {reason !== null && (
          <Fact label={t('admin.reason')}>
            <span className="wrap-anywhere">{reason}</span>
          </Fact>
        )}
        <UtcTimeFact label={t('desk.log.at')} value={at} />
      </Facts>
      {(before !== null || after !== null) && (
        <section className="flex flex-col gap-1">
          <h3 className="text-14 font-semibold">{t('admin.log.details')}</h3>
          <pre className="max-h-96 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 text-12">
            {JSON.stringify({ before, after }, null, 2)}
          </pre>
        </section>
      )}
      <section className="flex flex-col gap-1">
        <h3 className="text-14 font-semibold">{t('admin.log.hash')}</h3>
        <p className="wrap-anywhere font-mono text-12 text-muted">{action}</p>
        <Address value={hash} form="full" className="font-mono text-12" />
      </section>
    </div>
  )
}
