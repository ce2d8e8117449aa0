import { useInfiniteQuery } from '@tanstack/react-query'
import { apiList, useTranslation } from '../../../lib/index.ts'
import { AnnouncementEntry } from '../../../ui/announcement.tsx'
import { Columns, EmptyState, InfiniteList, Notice, Page, Time } from '../../../ui/index.ts'

/** Everything that the operators announced, newest first. */
export default function AnnouncementsPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('announcements', { query: {} }))
  return (
    <Page title={t('announcements.title')} wide>
      <Columns side={<Notice>{t('announcements.promise')}</Notice>}>
        <InfiniteList
          query={query}
          label={t('announcements.title')}
          estimatePx={160}
          keyOf={({ announcement_id: id }) => id}
          render={(announcement) => (
            <AnnouncementEntry announced={announcement} at={<Time value={announcement.published_at} />} />
          )}
          empty={
            <EmptyState
              icon="bell"
              title={t('announcements.none')}
              hint={t('announcements.noneHint')}
              next={{ to: '/pages/my/notices', label: t('notices.title') }}
            />
          }
        />
      </Columns>
    </Page>
  )
}
