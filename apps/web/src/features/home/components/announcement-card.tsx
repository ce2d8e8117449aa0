import type { Announcement } from '@rif/api-schema'
import { PageLink, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { AnnouncementBanner } from '../../../ui/announcement.tsx'
import { IconButton } from '../../../ui/index.ts'

/** The newest announcement that the member has not closed: the way to all of them, and the button that closes it everywhere. */
export default function AnnouncementCard({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation()
  const dismiss = useApiMutation('dismissAnnouncement', { refresh: ['notifications'] })
  // Gone at once; an error brings it back with a message.
  if (dismiss.isPending || dismiss.isSuccess) return null
  const params = { announcement_id: announcement.announcement_id }
  return (
    <AnnouncementBanner
      announced={announcement}
      link={(words) => (
        <PageLink to="/pages/my/announcements" className="min-w-0 flex-1">
          {words}
        </PageLink>
      )}
      end={
        <IconButton
          icon="close"
          label={t('announcements.close')}
          onClick={() => dismiss.mutate({ params })}
        />
      }
    />
  )
}
