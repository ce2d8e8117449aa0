import type { Order } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatPrice, formatSince, PageLink, useTranslation } from '../../../lib/index.ts'
import { Button, buttonClass, CardSection, Columns, Notice, ReceiptButtons } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { FieldFacts, receiptOf, UnpaidActions } from '../../../wallet/order-frame.tsx'
import {
  OrderPage,
  OrderTimeline,
  PackageHead,
  PaidCard,
  useCancelOrder,
  useOrderFields,
} from '../components/order-parts.tsx'
import OrderSheet from '../components/order-sheet.tsx'

/** One order: its status, its actions, every labelled field. */
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
      <Columns
        side={
          <>
            <CardSection title={t('shop.detail.facts')}>
              <FieldFacts fields={fields} />
            </CardSection>
            {order.status === 'Paid' && (
              <ReceiptButtons title={order.product_name} lines={receiptOf(fields)} />
            )}
          </>
        }
      >
        <PackageHead order={order}>
          {order.cancel_reason !== null && (
            <p>{order.cancel_reason === 'member' ? t('shop.detail.byMember') : t('shop.detail.byExpiry')}</p>
          )}
        </PackageHead>
        {order.unmatched_tx_hash !== null && (
          <Notice tone="bad" title={t('shop.detail.unmatchedTitle')}>
            <p>{t('shop.detail.unmatchedText')}</p>
            <TxHash value={order.unmatched_tx_hash} />
          </Notice>
        )}
        <Actions order={order} onPay={() => setPaying(true)} />
        <PaidCard order={order} />
        <CardSection title={t('shop.detail.progress')}>
          <OrderTimeline order={order} />
        </CardSection>
      </Columns>
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
      deadline={t('shop.sheet.keptUntil', {
        price: formatPrice(order.amc_price),
        time: formatSince(order.expires_at),
      })}
      expired={t('shop.sheet.expired')}
      expiresAt={order.expires_at}
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
