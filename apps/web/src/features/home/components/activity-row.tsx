import type { Activity } from '@rif/api-schema'
import {
  cx,
  formatClock,
  formatOwn,
  formatTime,
  PageLink,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { IconCircle, TokenMark } from '../../../ui/index.ts'
import { activityLook, isEarned } from '../activity-view.ts'
import { dueText, rowAmounts, useSourceText } from '../activity-words.ts'

export interface ActivityRowProps {
  activity: Activity
  /** True for an unseen transaction. */
  isNew?: boolean
  /** True if the row is below the heading of its day. */
  isUnderDay?: boolean
  /** Time and due amount have their own columns, for which the window must be 1280 px wide. */
  hasColumns?: boolean
}

/** Returns the text of a transaction: its kind, and its package. */
export function useActivityTitle() {
  const { t } = useTranslation()
  return (activity: Activity): string => {
    const { words } = activityLook(activity)
    if (words === null) return t('activity.other')
    return activity.title !== null && words === 'order_payment'
      ? t('feed.paidFor', { name: activity.title })
      : t(`activity.kind.${words}`)
  }
}

const PHONE =
  'grid min-h-16 grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 py-2.5 max-[359px]:grid-cols-[minmax(0,1fr)_auto]'
const COLUMNS = 'xl:grid-cols-[40px_minmax(0,2.2fr)_minmax(8.5rem,1.3fr)_minmax(0,1.2fr)_minmax(0,1fr)]'

/** One transaction of the member's books, with its source and due amount; links to its detail page. */
export function ActivityRow(props: ActivityRowProps) {
  const { activity, isNew = false, isUnderDay = false, hasColumns = false } = props
  const { t } = useTranslation()
  const titleOf = useActivityTitle()
  const sourceOf = useSourceText()
  const { icon, mark } = activityLook(activity)
  const time = (isUnderDay ? formatClock(activity.at) : formatTime(activity.at)) ?? t('common.invalidTime')
  const source = sourceOf(activity) ?? (activity.place === 'wallet' ? t('activity.inWallet') : null)
  // Below the heading of its day, the source is more useful than the hour, which the detail page shows.
  const words = isUnderDay ? (source ?? time) : [time, source].filter(Boolean).join(' · ')
  return (
    <PageLink
      to="/pages/rewardList/activity"
      search={{ activity_id: activity.activity_id }}
      className={cx(PHONE, hasColumns && COLUMNS)}
    >
      <span className="max-[359px]:hidden">
        {mark === null ? (
          <IconCircle icon={icon} tone={activity.kind.endsWith(':reversal') ? 'warn' : 'neutral'} />
        ) : (
          <TokenMark token={mark} />
        )}
      </span>
      <span className="min-w-0">
        <span className="block break-words text-16 font-medium">
          {isNew && (
            <span className="mr-2 inline-block size-2 rounded-full bg-accent align-middle">
              <span className="sr-only">{t('activity.isNew')}</span>
            </span>
          )}
          {titleOf(activity)}
        </span>
        <span className="block break-words text-12 text-muted">{hasColumns ? source : words}</span>
      </span>
      {hasColumns && (
        <>
          <span className="text-14 text-muted">{time}</span>
          <span className="text-14 text-muted">{dueText(activity, t, true)}</span>
        </>
      )}
      <Amounts activity={activity} hasColumns={hasColumns} />
    </PageLink>
  )
}

/** Only earned amounts have a plus; payments and deposits have no sign. */
function Amounts({ activity, hasColumns }: { activity: Activity; hasColumns: boolean }) {
  const { t } = useTranslation()
  const sign = isEarned(activity) ? '+' : ''
  const due = dueText(activity, t)
  return (
    <span className="flex flex-col items-end text-right">
      {rowAmounts(activity).map(({ asset, amount, isOut }) => (
        <span key={asset ?? ''} className="whitespace-nowrap text-16 font-medium">
          {isOut ? '' : sign}
          {formatOwn(amount, TWO_DECIMALS)}{' '}
          {asset === null ? (
            <span className="sr-only">{t('activity.worth')}</span>
          ) : (
            <span className="text-12 font-medium text-muted">{asset}</span>
          )}
        </span>
      ))}
      {due !== null && !hasColumns && <span className="text-12 text-muted">{due}</span>}
    </span>
  )
}
