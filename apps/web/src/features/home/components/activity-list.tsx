import type { Activity } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  EmptyState,
  ErrorState,
  LinkRow,
  ListSkeleton,
  Row,
  Section,
} from '../../../ui/index.ts'
import { activityLook, activityTarget } from '../activity-view.ts'

export interface ActivityRowProps {
  activity: Activity
  /** It has not been seen before. */
  isNew?: boolean
}

/** One transaction of the own books; it leads to what explains it. */
export function ActivityRow({ activity, isNew = false }: ActivityRowProps) {
  const { t } = useTranslation()
  const { words, icon } = activityLook(activity)
  const what = words === null ? t('activity.other') : t(`activity.kind.${words}`)
  const content = {
    icon,
    wordy: true,
    title: activity.title ?? what,
    detail: (
      <span className="flex items-center gap-2 text-12">
        {isNew && (
          <span className="size-2 shrink-0 rounded-full bg-accent">
            <span className="sr-only">{t('activity.isNew')}</span>
          </span>
        )}
        <span className="min-w-0">
          {activity.title === null ? time(activity, t('common.invalidTime')) : what}
        </span>
      </span>
    ),
    end: <Amounts activity={activity} />,
  }
  const target = activityTarget(activity)
  if (target === null) return <Row {...content} />
  return <LinkRow {...target} {...content} />
}

const time = ({ at }: Activity, invalid: string) => formatTime(at) ?? invalid

function Amounts({ activity: { amounts, place } }: { activity: Activity }) {
  const { t } = useTranslation()
  return (
    <span className="flex flex-col items-end">
      {amounts.map(({ asset, amount }) => {
        const isIn = !amount.startsWith('-')
        return (
          <span key={asset} className={`whitespace-nowrap font-medium ${isIn ? 'text-good' : ''}`}>
            {isIn && '+'}
            {formatAmount(amount)} {asset}
          </span>
        )
      })}
      {place === 'wallet' && <span className="text-12 text-muted">{t('activity.inWallet')}</span>}
    </span>
  )
}

const SHOWN = 5

/** The last that happened in the own books. */
export function ActivityList() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('activity', { query: { limit: SHOWN } }))
  const items = query.data?.items
  return (
    <Section
      title={t('home.recent')}
      aside={<PageLink to="/pages/my/notifications">{t('common.all')}</PageLink>}
    >
      {items === undefined && query.isPending && <ListSkeleton rows={3} />}
      {items === undefined && query.isError && <ErrorState onRetry={() => void query.refetch()} />}
      {items !== undefined && (
        <Card className="divide-y divide-line py-1">
          {items.length === 0 && (
            <EmptyState
              icon="activity"
              title={t('home.nothing')}
              action={
                <PageLink to="/pages/shop/index" className={buttonClass('secondary')}>
                  {t('home.toShop')}
                </PageLink>
              }
            />
          )}
          {items.map((activity) => (
            <ActivityRow key={activity.activity_id} activity={activity} />
          ))}
        </Card>
      )}
    </Section>
  )
}
