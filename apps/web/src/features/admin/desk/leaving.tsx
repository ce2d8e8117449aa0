import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, formatAmount, PageLink, useTranslation } from '../../../lib/index.ts'
import { Card } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'

const SHOWN = 5

/** The payouts and investments that are approved or announced and have not left the bank contract yet. */
export function Leaving() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('exits', { query: { show: 'open', limit: SHOWN } }))
  const items = query.data?.pages[0]?.items
  return (
    <Card className="flex flex-col gap-2">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-16 font-semibold">{t('desk.leaving.title')}</h2>
        <PageLink
          to="/pages/admin/treasury"
          className="inline-flex min-h-11 items-center text-14 font-medium text-accent"
        >
          {t('admin.area.treasury')}
        </PageLink>
      </div>
      {items?.length === 0 && <p className="text-14 text-muted">{t('desk.leaving.none')}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {items?.slice(0, SHOWN).map((exit) => (
          <li key={exit.exit_id} className="flex items-center justify-between gap-3 py-2 text-14">
            <span className="min-w-0">
              <span className="block font-medium">{exit.destination_name}</span>
              <span className="block text-12 text-muted">
                {exit.executable_at === null
                  ? t('desk.leaving.approved')
                  : t('desk.leaving.from', { time: utcText(exit.executable_at) ?? '' })}
              </span>
            </span>
            <span className="whitespace-nowrap font-semibold tabular-nums">
              {formatAmount(exit.amount)} <span className="text-12 font-normal text-muted">{exit.asset}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
