import type { Order } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Button, buttonClass, CardSection, Notice, ReceiptButtons } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { FieldFacts, receiptOf, StatusCard, UnpaidActions } from '../../../wallet/order-frame.tsx'
import { OrderPage, OrderTimeline, useCancelOrder, useOrderFields } from '../components/order-parts.tsx'
import { OrderSheet } from '../components/order-sheet.tsx'
import { isPayable, ORDER_TONES } from '../order-view.ts'

/** One order: its status, what can be done, every labelled field. */
export default function OrderDetailPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/shop/shopOrderDetail' })
  return (
    <OrderPage title={t('shop.detail.title')} orderId={order_id}>
      {(order) => <Detail order={order} />}
    </OrderPage>
  )
}

function Detail({ order }: { order: Order }) {
  const { t } = useTranslation()
  const [isPaying, setPaying] = useState(false)
  const fields = useOrderFields(order)
  return (
    <>
      <StatusCard
        title={<h2 className="text-16 font-semibold">{order.product_name}</h2>}
        tone={ORDER_TONES[order.status]}
        status={t(`shop.status.${order.status}`)}
        amount={order.total}
        unit="USDT"
      >
        {order.cancel_reason !== null && (
          <p className="mt-2 text-14 text-muted">
            {order.cancel_reason === 'member' ? t('shop.detail.byMember') : t('shop.detail.byExpiry')}
          </p>
        )}
      </StatusCard>
      {order.unmatched_tx_hash !== null && (
        <Notice tone="bad" title={t('shop.detail.unmatchedTitle')}>
          <p>{t('shop.detail.unmatchedText')}</p>
          <TxHash value={order.unmatched_tx_hash} />
        </Notice>
      )}
      <Actions order={order} onPay={() => setPaying(true)} />
      <CardSection title={t('shop.detail.progress')}>
        <OrderTimeline order={order} />
      </CardSection>
      <CardSection title={t('shop.detail.facts')}>
        <FieldFacts fields={fields} />
      </CardSection>
      {order.status === 'Paid' && <ReceiptButtons title={order.product_name} lines={receiptOf(fields)} />}
      {isPaying && (
        <OrderSheet
          subject={{ order, isNew: false }}
          useHashRate={order.use_hash_rate}
          onClose={() => setPaying(false)}
        />
      )}
    </>
  )
}

function Actions({ order, onPay }: { order: Order; onPay: () => void }) {
  const { t } = useTranslation()
  const cancel = useCancelOrder()
  if (order.status === 'Cancelled') {
    return (
      <PageLink to="/pages/shop/index" className={buttonClass('secondary', true)}>
        {t('shop.detail.again')}
      </PageLink>
    )
  }
  if (order.status !== 'UnPaid') return null
  return (
    <UnpaidActions
      deadline={t('shop.unfinished.keptFor')}
      expired={t('shop.sheet.expired')}
      expiresAt={order.expires_at}
      canPay={(nowMs) => isPayable(order, nowMs)}
      pay={
        <Button block onClick={onPay}>
          {t('shop.detail.resume')}
        </Button>
      }
      cancelLabel={t('shop.detail.cancel')}
      isCancelling={cancel.isPending}
      onCancel={() => void cancel.ask(order.order_id)}
    />
  )
}
