import type { Order } from '@rif/api-schema'
import { useEffect, useState } from 'react'
import { isZero, navigateTo, useTranslation } from '../../../lib/index.ts'
import { AddressFact, Button, Countdown, Facts, Money, MoneyFact, Notice, Sheet } from '../../../ui/index.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { usePayment } from '../../../wallet/use-tx-flow.ts'
import { isPayable } from '../order-view.ts'
import { useCancelOrder } from './order-parts.tsx'

interface OrderSheetProps {
  order: Order
  /** The order was there before: it is gone on with, or cancelled to order anew. */
  isResumed?: boolean
  onClose: () => void
}

/** An order's quote with its deadline, the one confirmation, and the payment as it goes. Leads on to the success page. */
export function OrderSheet({ order, isResumed = false, onClose }: OrderSheetProps) {
  const { t } = useTranslation()
  const flow = usePayment(order)
  const cancel = useCancelOrder(onClose)
  const { order_id } = order
  const { phase, steps } = flow.state
  const [hasEnded, setEnded] = useState(() => !isPayable(order, Date.now()))
  useEffect(() => {
    if (phase === 'done') navigateTo('/pages/shop/paySuccess', { order_id })
  }, [phase, order_id])

  const hasBegun = steps.length > 0 || flow.isRunning
  return (
    <Sheet
      open
      onClose={onClose}
      dismissible={!flow.isRunning}
      title={t('shop.sheet.title', { name: order.product_name })}
      description={
        <>
          {t('shop.sheet.deadline')}{' '}
          {hasEnded ? (
            t('shop.sheet.ended')
          ) : (
            <Countdown until={order.expires_at} onEnd={() => setEnded(true)} className="font-semibold" />
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5 pt-2">
        {isResumed && !hasBegun && !hasEnded && <Notice>{t('shop.sheet.resumed')}</Notice>}
        <QuoteSplit order={order} />
        {!hasBegun && <QuoteFacts order={order} />}
        {hasEnded && !hasBegun ? (
          <Notice tone="warn">{t('shop.sheet.expired')}</Notice>
        ) : (
          <FlowSteps flow={flow} startLabel={t('shop.sheet.confirm')} />
        )}
        {!hasBegun && !hasEnded && (
          <>
            <Button variant="quiet" block busy={cancel.isPending} onClick={() => void cancel.ask(order_id)}>
              {t('shop.sheet.cancel')}
            </Button>
            <p className="text-center text-12 text-muted">{t('shop.sheet.kept')}</p>
          </>
        )}
      </div>
    </Sheet>
  )
}

/** The price of an order in its tokens, its payer and its receiver: everything that the member confirms. */
function QuoteFacts({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { quote } = order
  const hasDiscount = !isZero(quote.discount)
  return (
    <Facts>
      <MoneyFact label={t('shop.quote.price')} amount={order.price} unit="USDT" />
      {hasDiscount && (
        <>
          <MoneyFact label={t('shop.quote.discount')} amount={`-${quote.discount}`} unit="USDT" />
          <MoneyFact label={t('shop.quote.rif')} amount={quote.rif} unit="RIF" exact />
        </>
      )}
      <MoneyFact label={t('shop.quote.fee')} amount={order.service_fee} unit="USDT" />
      <MoneyFact label={t('shop.quote.total')} amount={order.total} unit="USDT" exact />
      <MoneyFact label={t('shop.quote.amcPrice')} amount={order.amc_price} unit="USDT" exact />
      <AddressFact label={t('shop.quote.from')} value={order.payer} />
      <AddressFact label={t('shop.quote.to')} value={order.bank} />
    </Facts>
  )
}

/** The two tokens that an order is paid in, exact to the micro-unit: what the wallet will be asked for. */
function QuoteSplit({ order }: { order: Order }) {
  const { t } = useTranslation()
  const parts = [
    { label: t('shop.quote.usdt'), amount: order.quote.usdt, unit: 'USDT' },
    { label: t('shop.quote.amc'), amount: order.quote.amc, unit: 'AMC' },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3">
      {parts.map(({ label, amount, unit }) => (
        <div key={unit} className="rounded-12 bg-sunken p-3">
          <dt className="text-12 text-muted">{label}</dt>
          <dd className="mt-1">
            <Money amount={amount} unit={unit} exact className="text-20 font-semibold" />
          </dd>
        </div>
      ))}
    </dl>
  )
}
