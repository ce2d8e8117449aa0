import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/index.ts'
import { FundOrderPage, OrderView } from '../components/order-view.tsx'

/** A new purchase on its way: the same facts, under a title of its own. */
export default function NewOrderDetailPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/found/newOrderDetail' })
  return (
    <FundOrderPage title={t('fund.order.newTitle')} orderId={order_id}>
      {(order) => <OrderView order={order} />}
    </FundOrderPage>
  )
}
