import type { RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiFollow, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { utcText } from '../components/utc-time.tsx'

type Run = RouteData<'auditRun'>['run']

const goesOn = (run: Run) => run !== null && (run.step === 'waiting' || run.step === 'running')

/** Starts an audit of changes, and shows its progress and findings. */
export function AuditButton() {
  const { t } = useTranslation()
  const may = useMay()
  const { data } = useQuery(apiFollow('auditRun', {}, ({ run }) => goesOn(run)))
  const start = useApiMutation('startAudit', { refresh: ['auditRun'] })
  if (data === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {may('operator') && (
        <Button
          variant="secondary"
          icon="refresh"
          busy={start.isPending || goesOn(data.run)}
          onClick={() => void start.mutateAsync({}).catch(() => undefined)}
        >
          {t('adminSolvency.audit.start')}
        </Button>
      )}
      <p role="status" className="text-12 text-muted">
        {data.run !== null && <RunText run={data.run} />}
      </p>
    </div>
  )
}

function RunText({ run }: { run: NonNullable<Run> }) {
  const { t } = useTranslation()
  const { step, differences, finished_at } = run
  if (step !== 'done') return t(`adminSolvency.audit.${step}`)
  const result =
    differences === 0
      ? t('adminSolvency.noDifference')
      : t('adminSolvency.differences', { count: differences ?? 0 })
  return t('adminSolvency.audit.done', { time: utcText(finished_at ?? '') ?? '', result })
}
