import type { Order } from '@rif/api-schema'
import { useEffect, useState } from 'react'
import { navigateTo, useTranslation } from '../../../lib/index.ts'
import { Button, Countdown, Notice, Sheet } from '../../../ui/index.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { usePayment } from '../../../wallet/use-tx-flow.ts'
import { isPayable } from '../order-view.ts'
import { useCancelOrder } from '../use-cancel-order.ts'
import { QuoteFacts, QuoteSplit } from './quote-facts.tsx'

export interface OrderSheetProps {
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
