import type { FundOrderDetail } from '@rif/api-schema'
import { useState } from 'react'
import { formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  ButtonStack,
  buttonClass,
  Card,
  Countdown,
  LinkRow,
  Notice,
  Pill,
  Section,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { isPayable, isUnderWay, STATUS_TONES } from '../fund-view.ts'
import { useCancelOrder } from '../use-cancel-order.ts'
import { useUnits } from '../use-units.ts'
import { HoldingFacts, OrderFacts } from './order-facts.tsx'
import { OrderTimeline } from './order-timeline.tsx'

/** A purchase in full: how the holding is doing, its way, every labelled field, and what can be done with it. */
export function OrderView({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const isHeld = order.status === 'Paid' || order.status === 'Redemption'
  return (
    <>
      <div className="flex items-start justify-between gap-3 px-1">
        <h2 className="min-w-0 text-20 font-semibold">{order.product_name}</h2>
        <Pill tone={STATUS_TONES[order.status]}>{t(`fund.status.${order.status}`)}</Pill>
      </div>
      {order.unmatched_tx_hash !== null && (
        <Notice tone="warn">
          {t('fund.order.unmatched')} <TxHash value={order.unmatched_tx_hash} />
        </Notice>
      )}
      {isHeld && (
        <Card>
          <HoldingFacts order={order} />
        </Card>
      )}
      <Actions order={order} />
      {isUnderWay(order) && (
        <Section title={t('fund.order.progress')}>
          <Card>
            <OrderTimeline order={order} />
          </Card>
        </Section>
      )}
      <Redemptions order={order} />
      <Section title={t('fund.order.facts')}>
        <Card>
          <OrderFacts order={order} />
        </Card>
      </Section>
      {!isUnderWay(order) && (
        <Section title={t('fund.order.progress')}>
          <Card>
            <OrderTimeline order={order} />
          </Card>
        </Section>
      )}
    </>
  )
}

function Actions({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const { product_id, status, lock_until } = order
  if (status === 'UnPaid') return <UnpaidActions order={order} />
  if (status === 'Cancelled') {
    return (
      <PageLink to="/pages/found/buy" search={{ product_id }} className={buttonClass('secondary', true)}>
        {t('fund.order.again')}
      </PageLink>
    )
  }
  if (status !== 'Paid' && status !== 'Redemption') return null
  const isLocked = Date.parse(lock_until) > Date.now()
  return (
    <ButtonStack>
      {isLocked && <Notice>{t('fund.order.locked', { time: formatTime(lock_until) ?? '' })}</Notice>}
      <PageLink
        to="/pages/found/redemption"
        search={{ product_id }}
        className={buttonClass('secondary', true)}
      >
        {t('fund.redeem.button')}
      </PageLink>
    </ButtonStack>
  )
}

function UnpaidActions({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  // Redrawn at the deadline; until the server has closed the order it still says UnPaid.
  const [, setEnded] = useState(false)
  const cancel = useCancelOrder()
  const search = { order_id: order.order_id }
  const canPay = isPayable(order, Date.now())
  return (
    <>
      {canPay ? (
        <p className="px-1 text-14 text-muted">
          {t('fund.pay.deadline')}{' '}
          <Countdown until={order.expires_at} onEnd={() => setEnded(true)} className="font-semibold" />
        </p>
      ) : (
        <Notice tone="warn">{t('fund.pay.expired')}</Notice>
      )}
      <ButtonStack>
        {canPay && (
          <PageLink to="/pages/found/pay" search={search} className={buttonClass('primary', true)}>
            {t('fund.pay.resume')}
          </PageLink>
        )}
        <Button
          variant="danger"
          block
          busy={cancel.isPending}
          onClick={() => void cancel.ask(order.order_id)}
        >
          {t('fund.pay.cancel')}
        </Button>
      </ButtonStack>
    </>
  )
}

/** What was redeemed from this purchase. */
function Redemptions({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const units = useUnits()
  if (order.redemptions.length === 0) return null
  return (
    <Section title={t('fund.order.redemptions')}>
      <Card className="divide-y divide-line py-1">
        {order.redemptions.map((part) => (
          <LinkRow
            key={part.redemption_id}
            to="/pages/found/redemption_success"
            search={{ redemption_id: part.redemption_id }}
            title={units(part.units)}
            detail={formatTime(part.submitted_at)}
            end={<Pill tone={STATUS_TONES[part.status]}>{t(`fund.status.${part.status}`)}</Pill>}
          />
        ))}
      </Card>
    </Section>
  )
}
