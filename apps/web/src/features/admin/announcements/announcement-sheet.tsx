import type { OperatedAnnouncement } from '@rif/api-schema'
import { useState } from 'react'
import { formatCount, PageLink, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Fact, Facts, Form, Pill, Sheet, TextField } from '../../../ui/index.ts'
import { AdminName, useMay } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'
import { AnnouncementPreviews } from './announcement-preview.tsx'
import { ANNOUNCEMENT_TONES } from './announcements.tsx'

interface AnnouncementSheetProps {
  announcement: OperatedAnnouncement
  onClose: () => void
}

/** An announcement with its publishers and sent notices; an operator can withdraw it. */
export function AnnouncementSheet({ announcement, onClose }: AnnouncementSheetProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { texts, state, sent, withdrawn, expires_at: expiresAt, proposal_id: proposalId } = announcement
  return (
    <Sheet open onClose={onClose} title={texts.en.title}>
      <div className="flex flex-col gap-4">
        <Facts>
          <Fact label={t('adminAnnouncements.state')}>
            <Pill tone={ANNOUNCEMENT_TONES[state]}>{t(`adminAnnouncements.is.${state}`)}</Pill>
          </Fact>
          <UtcTimeFact label={t('adminAnnouncements.published')} value={announcement.published_at} />
          {expiresAt !== null && <UtcTimeFact label={t('adminAnnouncements.expires')} value={expiresAt} />}
          <Fact label={t('adminAnnouncements.proposedBy')}>
            <AdminName actor={announcement.proposed_by} />
          </Fact>
          <Fact label={t('adminAnnouncements.approvedBy')}>
            <AdminName actor={announcement.approved_by} />
          </Fact>
          <Fact label={t('adminAnnouncements.proposal')}>
            <PageLink
              to="/pages/admin/approvals"
              search={{ show: 'ended', proposal_id: proposalId }}
              className="touch-line text-accent underline underline-offset-4"
            >
              {t('admin.proposal', { id: proposalId })}
            </PageLink>
          </Fact>
          <Fact label={t('adminAnnouncements.members')}>
            {formatCount(sent.members)}
            {sent.writing && ` (${t('adminAnnouncements.writing')})`}
          </Fact>
          <Fact label={t('adminAnnouncements.mails')}>{formatCount(sent.mails)}</Fact>
          <Fact label={t('adminAnnouncements.pushes')}>{formatCount(sent.pushes)}</Fact>
          <Fact label={t('adminAnnouncements.givenUp')}>{formatCount(sent.given_up)}</Fact>
          <Fact label={t('adminAnnouncements.dismissed')}>{formatCount(announcement.dismissed)}</Fact>
          {withdrawn !== null && (
            <>
              <UtcTimeFact label={t('adminAnnouncements.is.withdrawn')} value={withdrawn.at} />
              <Fact label={t('adminAnnouncements.withdrawnBy')}>
                <AdminName actor={withdrawn.by} />
              </Fact>
              <Fact label={t('admin.reason')}>{withdrawn.reason}</Fact>
            </>
          )}
        </Facts>
        <AnnouncementPreviews texts={texts} />
        {may('operator') && state !== 'withdrawn' && (
          <Withdraw announcementId={announcement.announcement_id} onDone={onClose} />
        )}
      </div>
    </Sheet>
  )
}

function Withdraw({ announcementId, onDone }: { announcementId: string; onDone: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState<string | null>(null)
  const withdraw = useApiMutation('withdrawAnnouncement', { refresh: ['operatedAnnouncements'] })
  if (reason === null)
    return (
      <Button variant="secondary" onClick={() => setReason('')}>
        {t('adminAnnouncements.withdraw')}
      </Button>
    )
  const send = async () => {
    const params = { announcement_id: announcementId }
    const done = await withdraw.mutateAsync({ params, body: { reason: reason.trim() } }).catch(() => null)
    if (done === null) return
    showToast(t('adminAnnouncements.withdrawnNow'), { tone: 'good' })
    onDone()
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p className="text-14 text-muted">{t('adminAnnouncements.withdrawAbout')}</p>
      <TextField
        label={t('admin.reason')}
        maxLength={400}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button type="submit" variant="danger" busy={withdraw.isPending} disabled={reason.trim().length < 3}>
        {t('adminAnnouncements.withdraw')}
      </Button>
    </Form>
  )
}
