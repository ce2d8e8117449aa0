import type { Announcement } from '@rif/api-schema'
import { PageLink, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { AnnouncementBanner } from '../../../ui/announcement.tsx'
import { IconButton } from '../../../ui/index.ts'

/**
 * The newest announcement that the member has not closed, with a link to all of them, and a button that
 * closes it on every device.
 */
export default function AnnouncementCard({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation()
  const dismiss = useApiMutation('dismissAnnouncement', { refresh: ['notifications'] })
  // Removed at once; an error shows it again with a message.
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
