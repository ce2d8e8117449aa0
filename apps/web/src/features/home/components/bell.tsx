import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'

/** The way to the notifications, with how many have not been seen. */
export function Bell() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...apiQuery('notifications'), refetchInterval: WATCH_MS })
  const unseen = data?.unseen ?? 0
  const isMore = data !== undefined && unseen === data.unseen_limit
  return (
    <PageLink to="/pages/my/notifications" className="relative grid size-11 place-items-center rounded-12">
      <Icon name="bell" size={24} />
      <span className="sr-only">{t('notifications.bell', { count: unseen })}</span>
      {unseen > 0 && (
        <span
          aria-hidden="true"
          className="absolute right-0.5 top-0.5 grid h-5 min-w-5 place-items-center rounded-full bg-badge px-1 text-12 font-semibold text-white"
        >
          {isMore ? `${unseen}+` : unseen}
        </span>
      )}
    </PageLink>
  )
}
