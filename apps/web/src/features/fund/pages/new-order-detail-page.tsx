import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/index.ts'
import { FundOrderPage, OrderView } from '../components/order-view.tsx'

/** A new purchase in progress: the same facts, with a separate title. */
export default function NewOrderDetailPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/found/newOrderDetail' })
  return (
    <FundOrderPage title={t('fund.order.newTitle')} orderId={order_id}>
      {(order) => <OrderView order={order} />}
    </FundOrderPage>
  )
}
