import type { FundOrder, FundOrderDetail } from '@rif/api-schema'
import { type ReactNode, useState } from 'react'
import { formatPpm, formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  ButtonStack,
  buttonClass,
  Card,
  Countdown,
  Fact,
  Facts,
  LinkRow,
  Money,
  Notice,
  Pill,
  Section,
  type Step,
  Stepper,
  Time,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import {
  isPayable,
  isUnderWay,
  type PurchaseStepId,
  purchaseSteps,
  STATUS_TONES,
  type ViewStep,
} from '../fund-view.ts'
import { useCancelOrder } from '../use-cancel-order.ts'
import { Gain, useUnits } from './parts.tsx'

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

/** The way of a purchase step by step, with times, the payment's hash and its confirmations. */
export function OrderTimeline({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const steps = purchaseSteps(order).map((step): Step => {
    const { id, state } = step
    const title = id === 'paid' && state !== 'done' ? t('fund.step.willBePaid') : t(`fund.step.${id}`)
    return { id, state, title, detail: <StepDetail order={order} step={step} /> }
  })
  return <Stepper label={t('fund.order.progress')} steps={steps} />
}

function StepDetail({ order, step }: { order: FundOrder; step: ViewStep<PurchaseStepId> }) {
  const { t } = useTranslation()
  const { confirmations, confirmations_needed, tx_hash } = order
  if (step.id === 'confirmed') {
    if (step.state === 'waiting') return null
    const count = Math.min(confirmations, confirmations_needed)
    return t('fund.step.confirmations', { count, needed: confirmations_needed })
  }
  return (
    <span className="flex flex-col items-start">
      {step.at !== null && step.state !== 'waiting' && <Time value={step.at} />}
      {step.id === 'sent' && tx_hash !== null && <TxHash value={tx_hash} />}
      {step.id === 'cancelled' && order.cancel_reason !== null && t(`fund.step.by_${order.cancel_reason}`)}
    </span>
  )
}

/** How a holding is doing: NAV then and now, what it is worth and what it gained. */
function HoldingFacts({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <Facts>
      <Fact label={t('fund.order.nav')}>
        <Money amount={order.nav} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.currentNav')}>
        {order.current_nav === null ? '–' : <Money amount={order.current_nav} unit="USDT" exact />}
      </Fact>
      <Fact label={t('fund.order.unitsLeft')}>{units(order.units_left)}</Fact>
      {order.units_redeeming !== '0' && (
        <Fact label={t('fund.order.unitsRedeeming')}>{units(order.units_redeeming)}</Fact>
      )}
      <Fact label={t('fund.order.marketValue')}>
        <Money amount={order.market_value} unit="USDT" className="font-semibold" />
      </Fact>
      <Fact label={t('fund.order.profit')}>
        <Gain amount={order.profit} />
      </Fact>
    </Facts>
  )
}

/** Every labelled field of a purchase. Specification section 3. */
function OrderFacts({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const orNone = (content: ReactNode) => content ?? <span className="text-muted">–</span>
  const time = (value: string | null) => orNone(value !== null ? <Time value={value} /> : null)
  const isOnChain = order.payment_method === 'wallet'
  return (
    <Facts>
      <Fact label={t('fund.order.product')}>{order.product_name}</Fact>
      <Fact label={t('fund.order.number')}>
        <Address value={order.order_id} form="full" />
      </Fact>
      <Fact label={t('fund.order.status')}>{t(`fund.status.${order.status}`)}</Fact>
      <Fact label={t('fund.order.units')}>{units(order.units)}</Fact>
      <Fact label={t('fund.order.nav')}>
        <Money amount={order.nav} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.amount')}>
        <Money amount={order.value} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.buy.fee', { rate: formatPpm(order.fee_ppm) })}>
        <Money amount={order.fee} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.total')}>
        <Money amount={order.total} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.received')}>
        <Money amount={order.amount_received} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.lock')}>{t('fund.days', { days: order.lock_days })}</Fact>
      {order.lock_days > 0 && <Fact label={t('fund.order.lockEnd')}>{time(order.lock_until)}</Fact>}
      <Fact label={t('fund.order.created')}>{time(order.created_at)}</Fact>
      <Fact label={t('fund.order.method')}>
        {isOnChain ? t('fund.buy.fromWallet') : t('fund.buy.fromBalance')}
      </Fact>
      <Fact label={t('fund.order.wallet')}>
        <Address value={order.payer} />
      </Fact>
      {isOnChain && (
        <>
          <Fact label={t('fund.order.chainId')}>
            <Address value={order.chain_order_id} />
          </Fact>
          <Fact label={t('fund.order.hash')}>
            {orNone(order.tx_hash !== null ? <TxHash value={order.tx_hash} /> : null)}
          </Fact>
        </>
      )}
      <Fact label={t('fund.order.paid')}>{time(order.paid_at)}</Fact>
      <Fact label={t('fund.order.collected')}>{time(order.collected_at)}</Fact>
    </Facts>
  )
}
