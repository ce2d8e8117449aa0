import type { RouteData } from '@rif/api-schema'
import { addDays } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { ErrorState, ListSkeleton, Notice, Section } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { ComparisonCard } from '../plan/comparison-card.tsx'
import { PlanActions } from '../plan/plan-actions.tsx'
import { PlanEditor } from '../plan/plan-editor.tsx'
import { PlanVersions } from '../plan/plan-versions.tsx'
import { usePlanDraft } from '../plan/use-plan-draft.ts'
import { PrepareSheet, type Wanted } from '../proposals/prepare-sheet.tsx'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { ProposalSheet } from '../proposals/proposal-sheet.tsx'
import { useMay } from '../use-role.ts'

/** Every figure of the rules: edited, checked, compared on the real books, and proposed from a day on. */
export default function PlanPage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('adminPlan'))
  return (
    <AdminPage title={t('admin.area.plan')}>
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data === undefined && !isError && <ListSkeleton rows={6} />}
      {data !== undefined && <Plan data={data} onDone={() => void refetch()} />}
    </AdminPage>
  )
}

function Plan({ data, onDone }: { data: RouteData<'adminPlan'>; onDone: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const inForce = data.versions.find(({ version }) => version === data.in_force)!
  const draft = usePlanDraft(inForce.figures)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const mayPrepare = may('operator')
  const firstDay = addDays(data.today, 1)
  const prepare = () =>
    setWanted({
      kind: 'plan',
      payload: { effective_day: draft.day === '' ? firstDay : draft.day, figures: draft.figures },
    })
  return (
    <>
      <Notice tone="info">{t('adminPlan.about.page')}</Notice>
      <PlanActions draft={draft} firstDay={firstDay} mayPrepare={mayPrepare} onPrepare={prepare} />
      <PlanEditor draft={draft} disabled={!mayPrepare} />
      <ComparisonCard draft={draft} mayAsk={mayPrepare} settledTo={data.settled?.last ?? null} />
      <Section title={t('adminPlan.proposals')}>
        <ProposalList show="open" kind="plan" onOpen={setShown} />
      </Section>
      <Section title={t('adminPlan.versions')}>
        <PlanVersions data={data} {...(mayPrepare && { onTake: draft.take })} />
      </Section>
      {wanted !== null && (
        <PrepareSheet
          title={t('admin.kind.plan')}
          wanted={wanted}
          onClose={() => setWanted(null)}
          onDone={() => {
            draft.clear()
            onDone()
          }}
        />
      )}
      {shown !== null && (
        <ProposalSheet
          proposalId={shown}
          onClose={() => {
            setShown(null)
            onDone()
          }}
        />
      )}
    </>
  )
}
