import type { OrderStatus } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiList, formatAmount, formatTime, redirectTo, useTranslation } from '../../../lib/index.ts'
import { LinkRow, Pill } from '../../../ui/index.ts'
import { OrderList } from '../../../wallet/order-list.tsx'
import { ORDER_TONES } from '../order-view.ts'

const PATH = '/pages/shop/orderList'
const STATUSES = ['UnPaid', 'Processing', 'Paid', 'Cancelled'] as const satisfies readonly OrderStatus[]

/** My orders by status. */
export default function OrderListPage() {
  const { t } = useTranslation()
  const { status } = useSearch({ from: PATH })
  return (
    <OrderList
      route="orders"
      query={useInfiniteQuery(apiList('orders', { query: status === undefined ? {} : { status } }))}
      statuses={STATUSES}
      status={status}
      statusText={(value) => t(`shop.status.${value}`)}
      onChoose={(value) => redirectTo(PATH, value === undefined ? {} : { status: value })}
      keyOf={(order) => order.order_id}
      render={(order) => (
        <LinkRow
          to="/pages/shop/shopOrderDetail"
          search={{ order_id: order.order_id }}
          title={order.product_name}
          detail={formatTime(order.created_at)}
          end={
            <span className="flex flex-col items-end gap-1">
              <span className="font-medium">{formatAmount(order.total)} USDT</span>
              <Pill tone={ORDER_TONES[order.status]}>{t(`shop.status.${order.status}`)}</Pill>
            </span>
          }
        />
      )}
      next={{ to: '/pages/shop/index', label: t('shop.list.toShop') }}
    />
  )
}
