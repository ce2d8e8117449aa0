import type { Order } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  ButtonStack,
  buttonClass,
  Card,
  Countdown,
  Money,
  Notice,
  Pill,
  ReceiptButtons,
  Section,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { OrderFacts } from '../components/order-facts.tsx'
import { OrderFrame } from '../components/order-frame.tsx'
import { OrderSheet } from '../components/order-sheet.tsx'
import { OrderTimeline } from '../components/order-timeline.tsx'
import { orderReceipt } from '../order-receipt.ts'
import { isPayable, ORDER_TONES } from '../order-view.ts'
import { useCancelOrder } from '../use-cancel-order.ts'

/** One order: where it stands, what can be done, every labelled field. */
export default function OrderDetailPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/shop/shopOrderDetail' })
  return (
    <OrderFrame title={t('shop.detail.title')} orderId={order_id}>
      {(order) => <Detail order={order} />}
    </OrderFrame>
  )
}

function Detail({ order }: { order: Order }) {
  const { t } = useTranslation()
  const [isPaying, setPaying] = useState(false)
  return (
    <>
      <Card>
        <div className="flex items-center justify-between gap-3">
          <h2 className="text-16 font-semibold">{order.product_name}</h2>
          <span role="status">
            <Pill tone={ORDER_TONES[order.status]}>{t(`shop.status.${order.status}`)}</Pill>
          </span>
        </div>
        <Money amount={order.total} unit="USDT" className="text-28 font-semibold" />
        {order.cancel_reason !== null && (
          <p className="mt-2 text-14 text-muted">
            {order.cancel_reason === 'member' ? t('shop.detail.byMember') : t('shop.detail.byExpiry')}
          </p>
        )}
      </Card>
      {order.unmatched_tx_hash !== null && (
        <Notice tone="bad" title={t('shop.detail.unmatchedTitle')}>
          <p>{t('shop.detail.unmatchedText')}</p>
          <TxHash value={order.unmatched_tx_hash} />
        </Notice>
      )}
      <Actions order={order} onPay={() => setPaying(true)} />
      <Section title={t('shop.detail.progress')}>
        <Card>
          <OrderTimeline order={order} />
        </Card>
      </Section>
      <Section title={t('shop.detail.facts')}>
        <Card>
          <OrderFacts order={order} />
        </Card>
      </Section>
      {order.status === 'Paid' && (
        <ReceiptButtons title={order.product_name} lines={orderReceipt(order, t)} />
      )}
      {isPaying && <OrderSheet order={order} onClose={() => setPaying(false)} />}
    </>
  )
}

function Actions({ order, onPay }: { order: Order; onPay: () => void }) {
  const { t } = useTranslation()
  // Redrawn at the deadline; until the server has closed the order it still says UnPaid.
  const [, setEnded] = useState(false)
  const cancel = useCancelOrder()
  if (order.status === 'Cancelled') {
    return (
      <PageLink to="/pages/shop/index" className={buttonClass('secondary', true)}>
        {t('shop.detail.again')}
      </PageLink>
    )
  }
  if (order.status !== 'UnPaid') return null
  const canPay = isPayable(order, Date.now())
  return (
    <>
      {canPay ? (
        <p className="px-1 text-14 text-muted">
          {t('shop.sheet.deadline')}{' '}
          <Countdown until={order.expires_at} onEnd={() => setEnded(true)} className="font-semibold" />
        </p>
      ) : (
        <Notice tone="warn">{t('shop.sheet.expired')}</Notice>
      )}
      <ButtonStack>
        {canPay && (
          <Button block onClick={onPay}>
            {t('shop.detail.resume')}
          </Button>
        )}
        <Button
          variant="danger"
          block
          busy={cancel.isPending}
          onClick={() => void cancel.ask(order.order_id)}
        >
          {t('shop.detail.cancel')}
        </Button>
      </ButtonStack>
    </>
  )
}
