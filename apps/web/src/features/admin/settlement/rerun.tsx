import type { SettlementDayDetail, SettlementRerun } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Meter, Notice } from '../../../ui/index.ts'
import { PriceSheet } from '../prices/price-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { useMay } from '../use-role.ts'

/** How far a day is before its ranges of members are posted, of 1. */
const BEGUN = { open: 0, due: 0.05, fixed: 0.2, staged: 0.4, settled: 1 } as const

export const isRerunGoingOn = (rerun: SettlementRerun | null | undefined) =>
  rerun?.step === 'waiting' || rerun?.step === 'running'

/** After an alarm: mend the cause, have the day settled again, and see how far that is and how it ended. */
export function Rerun({ day, rerun }: { day: SettlementDayDetail; rerun: SettlementRerun | null }) {
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
        <Notice tone="bad" title={t('admin.settlement.rerunFailed', { day: day.day })}>
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
            {t('admin.settlement.rerun', { day: day.day })}
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
  const text = t('admin.settlement.rerunGoesOn', { day: day.day })
  return (
    <div role="status" className="flex flex-col gap-2 text-14">
      <p>{text}</p>
      <Meter label={text} share={share} text={t(`admin.settlement.state.${day.state}`)} />
    </div>
  )
}
