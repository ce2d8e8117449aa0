import type { SettlementDayDetail, SettlementRerun } from '@rif/api-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiFollow, formatDay, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, ErrorState, Fact, Facts, ListSkeleton, Meter, MoneyFact, Notice } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { UtcDay, UtcTimeFact } from '../components/utc-time.tsx'
import { PriceSheet } from '../prices/price-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { AlarmHelp, asksForRerun, BatchTable } from './batch-table.tsx'

/** A day of the settlement: its problems and their remedies, its batches, and its figures. */
export function DayDetails({ day }: { day: string }) {
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-20 font-semibold">
        <UtcDay value={day} />
      </h2>
      <DayDetail day={day} />
    </div>
  )
}

function DayDetail({ day }: { day: string }) {
  const { t } = useTranslation()
  const { rerun } =
    useQuery(apiFollow('settlementRerun', {}, (last) => isRerunGoingOn(last.rerun))).data ?? {}
  const own = rerun?.day === day ? rerun : null
  const { data, isError, refetch } = useQuery(
    apiFollow('settlementDay', { params: { day } }, () => isRerunGoingOn(own)),
  )
  if (data === undefined) {
    return isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={2} />
  }
  return (
    <>
      <AlarmHelp alarms={data.alarms} />
      {own?.step === 'done' && data.state === 'settled' && (
        <Notice tone="good">{t('admin.settlement.rerunDone', { day: formatDay(day) })}</Notice>
      )}
      {(asksForRerun(data.alarms) || isRerunGoingOn(own)) && <Rerun day={data} rerun={own} />}
      <BatchTable caption={t('admin.settlement.batchesOf', { day: formatDay(day) })} batches={data.batches} />
      <Facts>
        {data.amc_price !== null && (
          <MoneyFact label={t('admin.settlement.amcPrice')} amount={data.amc_price} unit="USDT" exact />
        )}
        <MoneyFact label={t('admin.settlement.released')} amount={data.released_amc} unit="AMC" />
        {data.fixed_at !== null && (
          <UtcTimeFact label={t('admin.settlement.fixedAt')} value={data.fixed_at} />
        )}
        {data.settled_at !== null && (
          <UtcTimeFact label={t('admin.settlement.settledAt')} value={data.settled_at} />
        )}
        {data.ranges > 0 && (
          <Fact label={t('admin.settlement.ranges')}>
            {t('admin.settlement.rangesPosted', { posted: data.ranges_posted, count: data.ranges })}
          </Fact>
        )}
      </Facts>
    </>
  )
}

/** The progress of a day before its ranges of members are posted, from 0 to 1. */
const BEGUN = { open: 0, due: 0.05, fixed: 0.2, staged: 0.4, settled: 1 } as const

const isRerunGoingOn = (rerun: SettlementRerun | null | undefined) =>
  rerun?.step === 'waiting' || rerun?.step === 'running'

/** After an alarm: correct the cause, settle the day again, and see the progress and result. */
function Rerun({ day, rerun }: { day: SettlementDayDetail; rerun: SettlementRerun | null }) {
  const { t } = useTranslation()
  const may = useMay()
  const client = useQueryClient()
  const start = useApiMutation('startSettlementRerun', { refresh: ['settlementRerun', 'settlementDay'] })
  const [isPricing, setPricing] = useState(false)
  const { want, sheets } = useProposals()
  const step = rerun?.step
  useEffect(() => {
    if (step !== 'done' && step !== 'failed') return
    void client.invalidateQueries({ queryKey: ['settlementDay'] })
    void client.invalidateQueries({ queryKey: ['settlementDays'] })
  }, [client, step])
  if (isRerunGoingOn(rerun)) return <Progress day={day} />
  return (
    <>
      {rerun?.step === 'failed' && (
        <Notice tone="bad" title={t('admin.settlement.rerunFailed', { day: formatDay(day.day) })}>
          {t(
            rerun.failure === 'INTERNAL' ? 'admin.settlement.rerunInternal' : 'admin.settlement.rerunRefused',
          )}
        </Notice>
      )}
      {may('operator') ? (
        <div className="flex flex-wrap gap-3">
          {day.alarms.includes('price_missing') && (
            <Button onClick={() => setPricing(true)}>{t('admin.prices.propose')}</Button>
          )}
          <Button
            variant="secondary"
            busy={start.isPending}
            onClick={() => void start.mutateAsync({ params: { day: day.day } }).catch(() => undefined)}
          >
            {t('admin.settlement.rerun', { day: formatDay(day.day) })}
          </Button>
        </div>
      ) : (
        <p className="text-14 text-muted">{t('admin.settlement.rerunBy')}</p>
      )}
      {isPricing && (
        <PriceSheet
          asset="AMC"
          day={day.day}
          onSubmit={(wanted) => {
            setPricing(false)
            want(wanted)
          }}
          onClose={() => setPricing(false)}
        />
      )}
      {sheets}
    </>
  )
}

function Progress({ day }: { day: SettlementDayDetail }) {
  const { t } = useTranslation()
  const share =
    day.state === 'staged' && day.ranges > 0
      ? BEGUN.staged + (BEGUN.settled - BEGUN.staged) * (day.ranges_posted / day.ranges)
      : BEGUN[day.state]
  const text = t('admin.settlement.rerunGoesOn', { day: formatDay(day.day) })
  return (
    <div role="status" className="flex flex-col gap-2 text-14">
      <p>{text}</p>
      <Meter label={text} share={share} text={t(`admin.settlement.state.${day.state}`)} />
    </div>
  )
}
