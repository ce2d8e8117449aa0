import type { DryRun, SettlementBatch } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiFollow, cx, formatAmount, formatPpm, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Meter } from '../../../ui/index.ts'
import { FigureCard, FigureTable } from '../analytics/figure-card.tsx'
import { useMay } from '../components/admin-page.tsx'
import { utcText } from '../components/utc-time.tsx'
import { poolSums } from './pool-sums.ts'

const goesOn = (run: DryRun | null) => run !== null && run.step !== 'done' && run.step !== 'failed'

/**
 * The contents of the pools, and the payments if the day ended now, from the last dry run; a new one takes
 * seconds.
 */
export function PoolsTonight() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery(apiFollow('dryRun', {}, ({ run }) => goesOn(run)))
  const start = useApiMutation('startDryRun', { refresh: ['dryRun'] })
  return (
    <FigureCard title={t('desk.pools.title')} query={query}>
      {({ run }) => (
        <div className={cx('flex flex-col gap-3', !run?.result && 'm-auto items-center text-center')}>
          <p className="text-12 text-muted">
            {run?.result
              ? t('desk.pools.about', { time: utcText(run.result.at) ?? '' })
              : t('desk.pools.never')}
          </p>
          {run?.result && run.result.batches.length > 0 && <PoolTable batches={run.result.batches} />}
          {run?.result?.batches.length === 0 && <p className="text-14">{t('desk.pools.nothing')}</p>}
          {may('operator') && (
            <p>
              <Button
                variant="secondary"
                busy={start.isPending || goesOn(run)}
                onClick={() => void start.mutateAsync({}).catch(() => undefined)}
              >
                {t(run === null ? 'desk.pools.start' : 'desk.pools.again')}
              </Button>
            </p>
          )}
        </div>
      )}
    </FigureCard>
  )
}

function PoolTable({ batches }: { batches: readonly SettlementBatch[] }) {
  const { t } = useTranslation()
  const sums = poolSums(batches)
  return (
    <FigureTable
      stacks
      caption={t('desk.pools.title')}
      head={[
        t('desk.pools.pool'),
        t('desk.pools.holds', { asset: 'USDT' }),
        t('desk.pools.holds', { asset: 'AMC' }),
        t('desk.pools.due'),
        t('desk.pools.paid'),
      ]}
      rows={batches.map((batch) => ({
        key: `${batch.class} ${batch.unit}`,
        cells: [
          <span key="name">
            <span className="block font-medium">{t(`adminAnalytics.class.${batch.class}`)}</span>
            <span className="block text-12 text-muted">{t(`adminAnalytics.account.${batch.pool}`)}</span>
          </span>,
          formatAmount(batch.pool_usdt),
          formatAmount(batch.pool_amc),
          <span key="due">
            {formatAmount(batch.due)} <span className="text-12 text-muted">{batch.unit}</span>
          </span>,
          <span key="paid" className="inline-flex min-w-28 items-center gap-3">
            <span className="min-w-16 flex-1">
              <Meter
                label={t(`adminAnalytics.class.${batch.class}`)}
                share={batch.coverage_ppm / 1_000_000}
                text={formatPpm(batch.coverage_ppm)}
              />
            </span>
            <span className="min-w-12 text-right font-medium">{formatPpm(batch.coverage_ppm)}</span>
          </span>,
        ],
      }))}
      foot={[
        {
          key: 'sum',
          cells: [t('desk.pools.together'), formatAmount(sums.usdt), formatAmount(sums.amc), '', ''],
        },
      ]}
    />
  )
}
