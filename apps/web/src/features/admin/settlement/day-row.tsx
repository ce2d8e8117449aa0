import type { SettlementDay } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { apiFollow, cx, formatPpm, useTranslation } from '../../../lib/index.ts'
import {
  Card,
  ErrorState,
  Fact,
  Facts,
  Icon,
  ListSkeleton,
  Money,
  Notice,
  Pill,
  Time,
  type Tone,
} from '../../../ui/index.ts'
import { AlarmHelp, AlarmPills, asksForRerun } from './alarms.tsx'
import { BatchTable } from './batch-table.tsx'
import { isRerunGoingOn, Rerun } from './rerun.tsx'

const TONES: Readonly<Record<SettlementDay['state'], Tone>> = {
  open: 'neutral',
  due: 'warn',
  fixed: 'info',
  staged: 'info',
  settled: 'good',
}

export interface DayRowProps {
  day: SettlementDay
  open: boolean
  onToggle: () => void
}

/** A day in one line: how far it is, what is wrong, how each class was covered; opened, its batches. */
export function DayRow({ day, open, onToggle }: DayRowProps) {
  const { t } = useTranslation()
  const detailId = useId()
  return (
    <Card className="flex flex-col gap-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={detailId}
        onClick={onToggle}
        className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-2 text-left"
      >
        <span className="text-16 font-semibold tabular-nums">{day.day}</span>
        <Pill tone={TONES[day.state]}>{t(`admin.settlement.state.${day.state}`)}</Pill>
        <AlarmPills alarms={day.alarms} />
        <Icon
          name="down"
          size={16}
          className={cx('ml-auto text-muted transition-transform', open && 'rotate-180')}
        />
        {day.classes.length > 0 && (
          <span className="flex w-full flex-wrap gap-x-4 gap-y-1 text-14 text-muted">
            {day.classes.map((one) => (
              <span key={`${one.class} ${one.unit}`} className="whitespace-nowrap">
                {t(`adminAnalytics.class.${one.class}`)}
                {one.class === 'savings' || one.class === 'dividend' ? ` ${one.unit}` : ''}{' '}
                <span className="tabular-nums text-ink">{formatPpm(one.coverage_ppm)}</span>
              </span>
            ))}
          </span>
        )}
      </button>
      {open && (
        <div id={detailId} className="flex flex-col gap-3">
          <DayDetail day={day.day} />
        </div>
      )}
    </Card>
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
        <Notice tone="good">{t('admin.settlement.rerunDone', { day })}</Notice>
      )}
      {(asksForRerun(data.alarms) || isRerunGoingOn(own)) && <Rerun day={data} rerun={own} />}
      <BatchTable caption={t('admin.settlement.batchesOf', { day })} batches={data.batches} />
      <Facts>
        {data.amc_price !== null && (
          <Fact label={t('admin.settlement.amcPrice')}>
            <Money amount={data.amc_price} unit="USDT" exact />
          </Fact>
        )}
        <Fact label={t('admin.settlement.released')}>
          <Money amount={data.released_amc} unit="AMC" />
        </Fact>
        {data.fixed_at !== null && (
          <Fact label={t('admin.settlement.fixedAt')}>
            <Time value={data.fixed_at} />
          </Fact>
        )}
        {data.settled_at !== null && (
          <Fact label={t('admin.settlement.settledAt')}>
            <Time value={data.settled_at} />
          </Fact>
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
