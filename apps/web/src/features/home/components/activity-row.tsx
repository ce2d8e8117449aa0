import type { Activity } from '@rif/api-schema'
import {
  formatAmount,
  formatClock,
  formatTime,
  PageLink,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { IconCircle, TokenMark } from '../../../ui/index.ts'
import { activityLook, isEarned } from '../activity-view.ts'

export interface ActivityRowProps {
  activity: Activity
  /** It has not been seen before. */
  isNew?: boolean
  /** It stands under the heading of its day. */
  isUnderDay?: boolean
}

/** Returns the words for a transaction: its kind, and the package that it was for. */
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

/** One transaction of the own books; it leads to its detail. */
export function ActivityRow({ activity, isNew = false, isUnderDay = false }: ActivityRowProps) {
  const { t } = useTranslation()
  const titleOf = useActivityTitle()
  const { icon, mark } = activityLook(activity)
  const inWallet = activity.place === 'wallet' ? ` · ${t('activity.inWallet')}` : ''
  return (
    <PageLink
      to="/pages/rewardList/activity"
      search={{ activity_id: activity.activity_id }}
      className="grid min-h-16 grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 py-2.5 max-[359px]:grid-cols-[minmax(0,1fr)_auto]"
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
        <span className="block break-words text-12 text-muted">
          {(isUnderDay ? formatClock(activity.at) : formatTime(activity.at)) ?? t('common.invalidTime')}
          {inWallet}
        </span>
      </span>
      <Amounts activity={activity} />
    </PageLink>
  )
}

/** A plus stands only before what was earned; payments and deposits have no sign. */
function Amounts({ activity }: { activity: Activity }) {
  const sign = isEarned(activity) ? '+' : ''
  return (
    <span className="flex flex-col items-end text-right">
      {activity.amounts.map(({ asset, amount }) => (
        <span key={asset} className="whitespace-nowrap text-16 font-medium">
          {amount.startsWith('-') ? '' : sign}
          {formatAmount(amount.replace('-', ''), TWO_DECIMALS)}{' '}
          <span className="text-12 font-medium text-muted">{asset}</span>
        </span>
      ))}
    </span>
  )
}
