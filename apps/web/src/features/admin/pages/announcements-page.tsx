import type { OperatedAnnouncement } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button } from '../../../ui/index.ts'
import { AnnouncementSheet } from '../announcements/announcement-sheet.tsx'
import { Announcements } from '../announcements/announcements.tsx'
import { WriteSheet } from '../announcements/write-sheet.tsx'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { ProposedPanel } from '../proposals/proposed-panel.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

/** Announcements: pending ones, and published ones with the notices sent. */
export default function AnnouncementsPage() {
  const { t } = useTranslation()
  const may = useMay()
  const [isWriting, setWriting] = useState(false)
  const [shown, setShown] = useState<OperatedAnnouncement | null>(null)
  const { want, show, sheets } = useProposals()
  return (
    <AdminPage
      title={t('admin.area.announcements')}
      about={t('admin.about.announcements')}
      actions={
        may('operator') && (
          <Button variant="secondary" onClick={() => setWriting(true)}>
            {t('adminAnnouncements.write')}
          </Button>
        )
      }
    >
      <ProposedPanel kind="announcement" onOpen={show} />
      <Announcements onOpen={setShown} />
      {isWriting && (
        <WriteSheet
          onSubmit={(wanted, onDone) => {
            setWriting(false)
            want(wanted, onDone)
          }}
          onClose={() => setWriting(false)}
        />
      )}
      {shown !== null && <AnnouncementSheet announcement={shown} onClose={() => setShown(null)} />}
      {sheets}
    </AdminPage>
  )
}
