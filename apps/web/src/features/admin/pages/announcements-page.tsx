import type { OperatedAnnouncement } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Button, Pill } from '../../../ui/index.ts'
import { AnnouncementSheet } from '../announcements/announcement-sheet.tsx'
import { Announcements } from '../announcements/announcements.tsx'
import { WriteSheet } from '../announcements/write-sheet.tsx'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { utcText } from '../components/utc-time.tsx'
import { STATE_TONES } from '../proposals/proposal-parts.tsx'
import { sentenceOf } from '../proposals/proposal-words.ts'
import { useProposals } from '../proposals/use-proposals.tsx'

/** Announcements: those that wait for another person, and those that were published with what was sent. */
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
      <Proposed onOpen={show} />
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

const QUERY = { kind: 'announcement', show: 'open' } as const

/** The announcements that wait for approval; nothing without one. */
function Proposed({ onOpen }: { onOpen: (proposalId: string) => void }) {
  const { t } = useTranslation()
  const { data } = useQuery({ ...apiQuery('proposals', { query: QUERY }), refetchInterval: WATCH_MS })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Panel title={t('adminAnnouncements.waiting')}>
      <ul className="-my-2 flex flex-col divide-y divide-line">
        {data.items.map((one) => (
          <li key={one.proposal_id}>
            <button
              type="button"
              className="flex w-full items-start justify-between gap-3 py-3 text-left text-14"
              onClick={() => onOpen(one.proposal_id)}
            >
              <span className="flex min-w-0 flex-col">
                <span className="wrap-anywhere font-semibold">{sentenceOf(t, one.headline)}</span>
                <span className="text-12 text-muted">
                  {one.prepared_person} · {utcText(one.prepared_at)}
                </span>
              </span>
              <Pill tone={STATE_TONES[one.state]}>{t(`admin.state.${one.state}`)}</Pill>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
