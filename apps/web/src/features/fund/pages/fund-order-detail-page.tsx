import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/index.ts'
import { FundOrderPage, OrderView } from '../components/order-view.tsx'

/** One purchase as a holding. */
export default function FundOrderDetailPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/found/order_detail' })
  return (
    <FundOrderPage title={t('fund.order.title')} orderId={order_id}>
      {(order) => <OrderView order={order} />}
    </FundOrderPage>
  )
}
