import type { DeskToday } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, currentLocale, cx, PageLink, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { buttonClass, Icon, Notice, Pill } from '../../../ui/index.ts'
import { presetRange } from '../analytics/range.ts'
import { useToday } from '../components/admin-nav.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { utcText } from '../components/utc-time.tsx'
import { Alarms } from '../desk/alarms.tsx'
import { FirstSteps } from '../desk/first-steps.tsx'
import { Health } from '../desk/health.tsx'
import { Leaving } from '../desk/leaving.tsx'
import { DeskNeeds } from '../desk/needs.tsx'
import { PaidTodayCard } from '../desk/paid-card.tsx'
import { PoolsTonight } from '../desk/pools-tonight.tsx'
import { SignerAlarms } from '../desk/signer-alarms.tsx'
import { RatioTrend, SalesTrend } from '../desk/trends.tsx'

/** The operators' home: pending tasks, health, tonight's coverage, and the trends. */
export default function DeskPage() {
  const { t } = useTranslation()
  const today = useToday()
  const pending = useQuery({ ...apiQuery('adminPending'), refetchInterval: WATCH_MS })
  const month = presetRange('month', new Date())
  return (
    <AdminPage title={todayText()} about={t('admin.about.home')} actions={<Checked today={today.data} />}>
      {today.data !== undefined && today.data.gate.length > 0 && (
        <Notice tone="bad" title={t('desk.gate')}>
          {today.data.gate.map((cause) => t(`guard.cause.${cause}`)).join(' · ')}
        </Notice>
      )}
      <FirstSteps query={today} />
      <DeskNeeds query={today} />
      <SignerAlarms today={today.data} />
      <Alarms items={pending.data?.items ?? []} />
      <Health pending={pending.data} />
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_25rem]">
        <PoolsTonight />
        <div className="flex min-w-0 flex-col gap-4">
          <PaidTodayCard range={month} />
          <Leaving />
        </div>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <SalesTrend />
        <RatioTrend />
      </div>
      <PageLink to="/pages/admin/emergency" className={cx(buttonClass('danger', true), 'sm:hidden')}>
        <Icon name="warn" size={20} />
        {t('admin.area.emergency')}
      </PageLink>
    </AdminPage>
  )
}

/** The UTC day in words: "Sunday 22 November". */
function todayText(): string {
  const locale = currentLocale() === 'en' ? 'en-GB' : currentLocale()
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(new Date())
}

/** The time and the result of the last check of the books. */
function Checked({ today }: { today: DeskToday | undefined }) {
  const { t } = useTranslation()
  if (today === undefined || today.audit === null) return null
  const { ended_at: endedAt, differences } = today.audit
  return (
    <Pill tone={differences === 0 ? 'good' : 'bad'}>
      {t('desk.checked', { time: utcText(endedAt) ?? '', count: differences })}
    </Pill>
  )
}
