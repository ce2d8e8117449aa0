import { SHARE_DAYS, type SolvencyProof, type Statement } from '@rif/api-schema'
import { useState } from 'react'
import { formatTime, useApiMutation, useTranslation } from '../../lib/index.ts'
import { Button, Notice, Section, Segmented, Sheet, SheetDock } from '../../ui/index.ts'
import { ShareLink } from '../share-link.tsx'
import { SharedFacts } from './shared-facts.tsx'

/** The document that a link shows. */
export type ShareSubject = { readonly proof: SolvencyProof } | { readonly statement: Statement }

interface ShareSheetProps {
  name: string
  subject: ShareSubject
  onClose: () => void
}

/** Creates a link after showing the data that its reader will see. The link itself is shown once. */
export default function ShareSheet({ name, subject, onClose }: ShareSheetProps) {
  const { t } = useTranslation()
  const make = useApiMutation('makeShare', { refresh: ['shares'] })
  return (
    <Sheet open onClose={onClose} title={t('links.title')} description={name}>
      {make.data === undefined ? (
        <Choice subject={subject} make={make} />
      ) : (
        <div className="flex flex-col gap-4 pt-2">
          <ShareLink
            link={`${window.location.origin}/pages/shared#${make.data.token}`}
            label={t('invite.qr')}
          />
          <Notice tone="warn">
            {t('links.once', { time: formatTime(make.data.share.expires_at) ?? '' })}
          </Notice>
          <SheetDock>
            <Button block variant="secondary" onClick={onClose}>
              {t('common.close')}
            </Button>
          </SheetDock>
        </div>
      )}
    </Sheet>
  )
}

type Days = (typeof SHARE_DAYS)[number]

function Choice({
  subject,
  make,
}: {
  subject: ShareSubject
  make: ReturnType<typeof useApiMutation<'makeShare'>>
}) {
  const { t } = useTranslation()
  const [days, setDays] = useState<Days>(SHARE_DAYS[0])
  const statement = 'statement' in subject ? subject.statement : null
  const fileEnd = statement?.expires_at ?? null
  const wanted = Date.now() + days * 86_400_000
  const endsWithFile = fileEnd !== null && Date.parse(fileEnd) < wanted
  const body =
    'proof' in subject
      ? { kind: 'proof' as const, day: subject.proof.day, days }
      : { kind: 'statement' as const, statement_id: subject.statement.statement_id, days }
  return (
    <div className="flex flex-col gap-4 pt-2">
      <div className="flex flex-col gap-1">
        <p className="text-14 font-medium">{t('links.openFor')}</p>
        <Segmented
          label={t('links.openFor')}
          options={SHARE_DAYS.map((count) => ({ value: `${count}`, label: t('links.days', { count }) }))}
          value={`${days}`}
          onChange={(value) => setDays(SHARE_DAYS.find((count) => `${count}` === value) ?? days)}
        />
        {endsWithFile && (
          <p className="text-12 text-muted">{t('links.endsWithFile', { time: formatTime(fileEnd) ?? '' })}</p>
        )}
      </div>
      <Section title={t('links.readerSees')}>
        <div className="rounded-16 bg-card p-4">
          <SharedFacts proof={'proof' in subject ? subject.proof : null} statement={statement} />
        </div>
        <p className="px-1 pt-2 text-14 text-muted">
          {t(statement === null ? 'links.seesProof' : 'links.seesStatement')}
        </p>
        <p className="px-1 pt-2 text-14 text-muted">{t('links.seesNothingElse')}</p>
      </Section>
      <SheetDock>
        <Button block busy={make.isPending} onClick={() => make.mutate({ body })}>
          {t('links.make')}
        </Button>
      </SheetDock>
    </div>
  )
}
