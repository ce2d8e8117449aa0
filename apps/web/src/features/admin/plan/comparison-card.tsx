import type { PlanComparison } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiFollow, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Meter, Notice, Segmented } from '../../../ui/index.ts'
import { FigureCard } from '../analytics/figure-card.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { ComparisonResult } from './comparison-result.tsx'
import { changedPaths, type Figures } from './plan-fields.ts'
import type { PlanDraft } from './use-plan-draft.ts'

const SPANS = ['7', '30', '90'] as const
type Span = (typeof SPANS)[number]

const goesOn = (run: PlanComparison | null) => run !== null && run.finished_at === null

export interface ComparisonCardProps {
  draft: PlanDraft
  mayAsk: boolean
  /** The last settled day; null before the first. */
  settledTo: string | null
}

/**
 * The result of the drafted plan on settled days of the real books; computed by a worker, and cancelled when
 * nobody watches.
 */
export function ComparisonCard({ draft, mayAsk, settledTo }: ComparisonCardProps) {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const query = useQuery(apiFollow('planComparison', {}, ({ run }) => goesOn(run)))
  const start = useApiMutation('comparePlans', { refresh: ['planComparison'] })
  const cancel = useApiMutation('cancelPlanComparison', { refresh: ['planComparison'] })
  const ask = () =>
    void start.mutateAsync({ body: { figures: draft.figures, days: Number(span) } }).catch(() => undefined)
  return (
    <FigureCard
      title={t('adminPlan.compare.title')}
      query={query}
      {...(query.data?.run?.result && { csv: { name: 'planComparison' as const, query: {} } })}
    >
      {({ run }) => (
        <>
          <p className="text-14 text-muted">{t('adminPlan.compare.about')}</p>
          {settledTo === null && <Notice tone="info">{t('adminPlan.compare.noDays')}</Notice>}
          {mayAsk && settledTo !== null && (
            <div className="flex flex-wrap items-center gap-3">
              <Segmented
                label={t('adminPlan.compare.span')}
                options={SPANS.map((value) => ({
                  value,
                  label: t('adminPlan.compare.days', { count: Number(value) }),
                }))}
                value={span}
                onChange={setSpan}
              />
              {goesOn(run) ? (
                <Button
                  variant="secondary"
                  busy={cancel.isPending}
                  onClick={() => void cancel.mutateAsync({}).catch(() => undefined)}
                >
                  {t('adminPlan.compare.cancel')}
                </Button>
              ) : (
                <Button
                  disabled={!draft.isValid || draft.changed.size === 0}
                  busy={start.isPending}
                  onClick={ask}
                >
                  {t('adminPlan.compare.start')}
                </Button>
              )}
            </div>
          )}
          {run !== null && <Run run={run} figures={draft.figures} />}
        </>
      )}
    </FigureCard>
  )
}

function Run({ run, figures }: { run: PlanComparison; figures: Figures }) {
  const { t } = useTranslation()
  if (run.step === 'failed') {
    return (
      <Notice tone="bad" title={t('adminPlan.compare.failed')}>
        {t('adminPlan.compare.failedHint')}
      </Notice>
    )
  }
  if (run.step === 'cancelled') return <Notice tone="info">{t('adminPlan.compare.cancelled')}</Notice>
  if (run.result === null) {
    const text = t(`adminPlan.compare.step.${run.step as 'waiting' | 'reading' | 'working'}`)
    return (
      <div role="status" className="flex flex-col gap-2 text-14">
        <p>{text}</p>
        <Meter
          label={t('adminPlan.compare.title')}
          share={Math.max(0.03, run.progress_ppm / 1_000_000)}
          text={text}
        />
      </div>
    )
  }
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 text-14">
        <span className="font-semibold">{t('adminPlan.compare.range', { from: run.from, to: run.to })}</span>
        <span className="text-12 text-muted">
          <UtcTime value={run.requested_at} />
        </span>
      </p>
      {changedPaths(run.figures, figures).length > 0 && (
        <Notice tone="warn">{t('adminPlan.compare.otherFigures')}</Notice>
      )}
      <ComparisonResult result={run.result} />
    </>
  )
}
