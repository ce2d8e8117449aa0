import { type DeskToday, OPENING_STEPS, type OpeningStepName } from '@rif/api-schema'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { PageLink, type PlainPath, useTranslation } from '../../../lib/index.ts'
import { Button, Card, ErrorState, Notice, Pill, Section, Skeleton, TextField } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

/** The page on which a step is done; a step of the installation has none. */
const PAGES: Readonly<Partial<Record<OpeningStepName, PlainPath>>> = {
  plan: '/pages/admin/plan',
  prices: '/pages/admin/prices',
  operator: '/pages/admin/roles',
  approvers: '/pages/admin/roles',
  destination: '/pages/admin/treasury',
  publisher: '/pages/admin/solvency',
  publication: '/pages/admin/solvency',
}

/**
 * The first steps of a product that is not open yet, and the proposal of an owner to open it; afterwards, on a
 * real chain without a receiver of alarms, a warning.
 */
export function FirstSteps({ query }: { query: UseQueryResult<DeskToday> }) {
  const { t } = useTranslation()
  if (query.data === undefined)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-16 w-full rounded-12" />
    )
  const { opening, lacks_receiver: lacksReceiver } = query.data
  return (
    <>
      {lacksReceiver && (
        <Notice tone="bad" title={t('desk.receiver.title')}>
          {t('desk.receiver.about')}
        </Notice>
      )}
      {opening !== null && <Steps opening={opening} onDone={() => void query.refetch()} />}
    </>
  )
}

function Steps({ opening, onDone }: { opening: NonNullable<DeskToday['opening']>; onDone: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const [backup, setBackup] = useState('')
  const { want, sheets } = useProposals({ onClose: onDone })
  const done = new Set(opening.steps.filter((step) => step.done).map(({ name }) => name))
  const isReady = done.size === OPENING_STEPS.length
  return (
    <Section title={t('desk.opening.title')}>
      <Card className="flex flex-col gap-3">
        <p className="text-14 text-muted">{t('desk.opening.about')}</p>
        <ol className="flex flex-col">
          {OPENING_STEPS.map((name) => (
            <li key={name} className="flex min-h-11 items-center justify-between gap-3">
              <StepName name={name} />
              <Pill tone={done.has(name) ? 'good' : 'warn'}>
                {t(done.has(name) ? 'desk.opening.done' : 'desk.opening.missing')}
              </Pill>
            </li>
          ))}
        </ol>
        {may('owner') && (
          <>
            <TextField
              label={t('desk.opening.backup')}
              hint={t('desk.opening.backupHint')}
              value={backup}
              onChange={(event) => setBackup(event.target.value)}
            />
            <p className="text-14">{t('desk.opening.terms', { version: opening.terms })}</p>
            <Button
              disabled={!isReady || backup.trim() === ''}
              onClick={() =>
                want({ kind: 'opening', payload: { backup: backup.trim(), terms: opening.terms } })
              }
            >
              {t('desk.opening.open')}
            </Button>
          </>
        )}
      </Card>
      {sheets}
    </Section>
  )
}

function StepName({ name }: { name: OpeningStepName }) {
  const { t } = useTranslation()
  const page = PAGES[name]
  const text = t(`desk.opening.step.${name}`)
  return page === undefined ? (
    <span>{text}</span>
  ) : (
    <PageLink to={page} className="inline-flex min-h-11 items-center underline underline-offset-4">
      {text}
    </PageLink>
  )
}
