import type { FundRedemption } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { formatCount, formatTime, useApiMutation, usePlan, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Card,
  Columns,
  HelpLink,
  LinkRow,
  Money,
  Notice,
  Section,
  type Step,
  Stepper,
  Time,
} from '../../../ui/index.ts'
import { OrderFrame, ResultHead, useCancel } from '../../../wallet/order-frame.tsx'
import { useRedemption } from '../components/parts.tsx'
import { LotList, RedemptionFacts } from '../components/redemption-facts.tsx'
import { isOpenRedemption, redemptionSteps } from '../fund-view.ts'

/** One redemption: its status, its place in the queue, and its fields. */
export default function RedemptionSuccessPage() {
  const { t } = useTranslation()
  const { redemption_id } = useSearch({ from: '/pages/found/redemption_success' })
  return (
    <OrderFrame
      wide
      title={t('fund.redemption.title')}
      query={useRedemption(redemption_id)}
      staleText={t('fund.outOfDate')}
    >
      {(redemption) => <Result redemption={redemption} />}
    </OrderFrame>
  )
}

const HOUR_MS = 3_600_000

function Result({ redemption }: { redemption: FundRedemption }) {
  const { t } = useTranslation()
  const delayMs = usePlan().data?.fund.payoutDelayMs
  const whenOf = ({ id, at }: ReturnType<typeof redemptionSteps>[number]) => {
    if (at !== null) return <Time value={at} />
    // The approval, which determines the time, is still missing.
    if (id !== 'arrival' || delayMs === undefined) return undefined
    return t('fund.redemption.afterApproval', { hours: delayMs / HOUR_MS })
  }
  const steps = redemptionSteps(redemption).map(
    (step): Step => ({
      id: step.id,
      state: step.state,
      title: t(`fund.redemption.step.${step.id}`),
      detail: whenOf(step),
    }),
  )
  return (
    <Columns
      side={
        <Section title={t('fund.redemption.facts')}>
          <Card className="flex flex-col gap-4">
            <RedemptionFacts redemption={redemption} />
            <LotList lots={redemption.lots} />
            {redemption.is_estimate && <p className="text-12 text-muted">{t('fund.redemption.estimate')}</p>}
          </Card>
        </Section>
      }
    >
      <Headline redemption={redemption} />
      <Queue redemption={redemption} />
      <Card>
        <Stepper label={t('fund.order.progress')} steps={steps} />
      </Card>
      <Card className="divide-y divide-line py-1">
        <LinkRow
          to="/pages/found/my"
          search={{ tab: 'Pending' }}
          icon="fund"
          title={t('fund.success.toMine')}
        />
        <LinkRow to="/pages/found/recordList" icon="list" title={t('fund.records.title')} />
      </Card>
      {isOpenRedemption(redemption) && <Cancel redemptionId={redemption.redemption_id} />}
    </Columns>
  )
}

const SIGNS = {
  Pending: 'waiting',
  Approved: 'waiting',
  Completed: 'good',
  Rejected: 'off',
  Cancelled: 'off',
} as const

function Headline({ redemption }: { redemption: FundRedemption }) {
  const { t } = useTranslation()
  const { status, reject_reason, is_estimate, net } = redemption
  const hint = {
    Pending: t('fund.redemption.hint.Pending'),
    Approved: t('fund.redemption.hint.Approved'),
    Completed: t('fund.redemption.hint.Completed'),
    Rejected: reject_reason ?? t('fund.redemption.hint.Rejected'),
    Cancelled: t('fund.redemption.hint.Cancelled'),
  }[status]
  const isOver = status === 'Rejected' || status === 'Cancelled'
  return (
    <ResultHead
      state={SIGNS[status]}
      title={t(`fund.redemption.head.${status}`)}
      hint={hint}
      amount={
        !isOver && (
          <p className="font-display text-28 font-semibold">
            {is_estimate && '≈ '}
            <Money amount={net} unit="USDT" />
          </p>
        )
      }
    />
  )
}

/** The place among the approved redemptions of the product, and the reason for waiting. */
function Queue({ redemption }: { redemption: FundRedemption }) {
  const { t } = useTranslation()
  const { queue_place, waits_for, arrival_at } = redemption
  if (queue_place === null || waits_for === null) return null
  return (
    <Notice
      tone={waits_for === 'time' ? 'info' : 'warn'}
      title={t('fund.redemption.place', { place: formatCount(queue_place) })}
      action={<HelpLink about="redemption.waits" />}
    >
      {t(`fund.redemption.wait.${waits_for}`, { time: formatTime(arrival_at ?? '') ?? '' })}
    </Notice>
  )
}

function Cancel({ redemptionId }: { redemptionId: string }) {
  const { t } = useTranslation()
  const cancelRedemption = useApiMutation('fundCancelRedemption', {
    refresh: ['fundRedemption', 'fundRedemptions', 'fundHoldings', 'fundOrders', 'fundOrder', 'fundRecords'],
  })
  const cancel = useCancel('fund.redemption', cancelRedemption)
  return (
    <Button
      variant="quiet"
      moves="agreed"
      block
      busy={cancel.isPending}
      onClick={() => void cancel.ask({ body: { redemption_id: redemptionId } })}
    >
      {t('fund.redemption.cancel')}
    </Button>
  )
}
