import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/index.ts'
import { OrderFrame } from '../components/order-frame.tsx'
import { OrderView } from '../components/order-view.tsx'

/** How is this holding doing. */
export default function FundOrderDetailPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/found/order_detail' })
  return (
    <OrderFrame title={t('fund.order.title')} orderId={order_id}>
      {(order) => <OrderView order={order} />}
    </OrderFrame>
  )
}
