import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Notice, Pill, Section, Sheet, TextField } from '../../../ui/index.ts'
import { PrepareSheet, type Wanted } from '../proposals/prepare-sheet.tsx'
import { useMay } from '../use-role.ts'

type Step = 'freezeMember' | 'flagMember'

/** Freezes a member or holds the withdrawals at once; letting go needs a second person. */
export function HoldCard({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const params = { member_id: memberId }
  const { data } = useQuery(apiQuery('memberHold', { params }))
  const [step, setStep] = useState<Step | null>(null)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  if (data === undefined) return null
  return (
    <Section title={t('admin.hold.title')}>
      <Card className="flex flex-col gap-3">
        <p className="flex flex-wrap gap-2">
          <Pill tone={data.frozen ? 'bad' : 'good'}>
            {t(data.frozen ? 'admin.hold.frozen' : 'admin.hold.active')}
          </Pill>
          {data.flagged && <Pill tone="warn">{t('admin.hold.flagged')}</Pill>}
        </p>
        {data.freeze_reason !== null && <Notice tone="warn">{data.freeze_reason}</Notice>}
        {may('operator') && (
          <div className="flex flex-wrap gap-3">
            {data.frozen ? (
              <Button
                variant="secondary"
                onClick={() => setWanted({ kind: 'unfreeze', payload: { member_id: memberId } })}
              >
                {t('admin.hold.unfreeze')}
              </Button>
            ) : (
              <Button variant="danger" onClick={() => setStep('freezeMember')}>
                {t('admin.hold.freeze')}
              </Button>
            )}
            {data.flagged ? (
              <Button
                variant="secondary"
                onClick={() => setWanted({ kind: 'unflag', payload: { member_id: memberId } })}
              >
                {t('admin.hold.unflag')}
              </Button>
            ) : (
              <Button variant="secondary" onClick={() => setStep('flagMember')}>
                {t('admin.hold.flag')}
              </Button>
            )}
          </div>
        )}
      </Card>
      {step !== null && <HoldSheet memberId={memberId} step={step} onClose={() => setStep(null)} />}
      {wanted !== null && (
        <PrepareSheet
          title={t(`admin.kind.${wanted.kind}`)}
          wanted={wanted}
          onClose={() => setWanted(null)}
        />
      )}
    </Section>
  )
}

function HoldSheet({ memberId, step, onClose }: { memberId: string; step: Step; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const hold = useApiMutation(step, { refresh: ['memberHold', 'adminMember', 'auditQueue'] })
  const send = () =>
    void hold
      .mutateAsync({ params: { member_id: memberId }, body: { reason: reason.trim() } })
      .then(onClose, () => undefined)
  return (
    <Sheet
      open
      onClose={onClose}
      title={t(step === 'freezeMember' ? 'admin.hold.freeze' : 'admin.hold.flag')}
    >
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">
          {t(step === 'freezeMember' ? 'admin.hold.freezeAbout' : 'admin.hold.flagAbout')}
        </p>
        <TextField
          label={t('admin.reason')}
          value={reason}
          maxLength={400}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button variant="danger" busy={hold.isPending} disabled={reason.trim().length < 3} onClick={send}>
          {t(step === 'freezeMember' ? 'admin.hold.freeze' : 'admin.hold.flag')}
        </Button>
      </div>
    </Sheet>
  )
}
