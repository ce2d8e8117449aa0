import type { DryRun, DryRunResult } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiFollow, formatCount, formatDay, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Meter, Money, Notice } from '../../../ui/index.ts'
import { FigureCard, Stats } from '../analytics/figure-card.tsx'
import { useMay } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { AlarmHelp, BatchTable } from './batch-table.tsx'

/** The progress of each step, from 0 to 1. */
const PROGRESS = { waiting: 0.1, reading: 0.4, working: 0.75, done: 1, failed: 1 } as const

const goesOn = (run: DryRun | null) => run !== null && run.step !== 'done' && run.step !== 'failed'

/** The payments of the next settlement on the current books; requested here and computed by a worker. */
export function DryRunCard() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery(apiFollow('dryRun', {}, ({ run }) => goesOn(run)))
  const start = useApiMutation('startDryRun', { refresh: ['dryRun'] })
  return (
    <FigureCard title={t('admin.settlement.dryRun')} query={query} wide>
      {({ run }) => (
        <>
          <p className="text-14 text-muted">{t('admin.settlement.dryRunAbout')}</p>
          {run !== null && <Run run={run} />}
          {may('operator') && !goesOn(run) && (
            <p>
              <Button
                variant="secondary"
                busy={start.isPending}
                onClick={() => void start.mutateAsync({}).catch(() => undefined)}
              >
                {t(run === null ? 'admin.settlement.start' : 'admin.settlement.again')}
              </Button>
            </p>
          )}
        </>
      )}
    </FigureCard>
  )
}

function Run({ run }: { run: DryRun }) {
  const { t } = useTranslation()
  const text = t(`admin.settlement.step.${run.step}`)
  if (run.step === 'failed') {
    const isUnderWay = run.failure === 'DAY_OUT_OF_ORDER'
    return (
      <Notice tone="bad" title={t('admin.settlement.failed', { day: formatDay(run.day) })}>
        {t(isUnderWay ? 'admin.settlement.underWay' : 'admin.settlement.failedHint')}
      </Notice>
    )
  }
  if (run.result !== null) return <Result result={run.result} />
  return (
    <div role="status" className="flex flex-col gap-2 text-14">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span>{text}</span>
        <span className="text-12 text-muted">
          <UtcTime value={run.requested_at} />
        </span>
      </p>
      <Meter label={t('admin.settlement.dryRun')} share={PROGRESS[run.step]} text={text} />
    </div>
  )
}

function Result({ result }: { result: DryRunResult }) {
  const { t } = useTranslation()
  const day = formatDay(result.day)
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 text-14">
        <span className="font-semibold">
          {t(result.running ? 'admin.settlement.ifEndedNow' : 'admin.settlement.willPay', { day })}
        </span>
        <span className="text-12 text-muted">
          <UtcTime value={result.at} />
        </span>
      </p>
      <Stats
        items={[
          { label: t('admin.settlement.members'), value: formatCount(result.members) },
          {
            label: t('admin.settlement.released'),
            value: <Money amount={result.released_amc} unit="AMC" />,
          },
          {
            label: t('admin.settlement.amcPrice'),
            value: result.amc_price === null ? '–' : <Money amount={result.amc_price} unit="USDT" exact />,
          },
        ]}
      />
      <AlarmHelp alarms={result.alarms} />
      <BatchTable caption={t('admin.settlement.wouldPay', { day })} batches={result.batches} />
    </>
  )
}
