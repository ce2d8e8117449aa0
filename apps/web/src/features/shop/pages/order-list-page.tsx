import type { Order, OrderStatus } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo } from 'react'
import {
  apiList,
  formatAmount,
  formatTime,
  PageLink,
  redirectTo,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { buttonClass, Card, LinkRow, type ListColumn, MoneyText, Pill } from '../../../ui/index.ts'
import { OrderList } from '../../../wallet/order-list.tsx'
import { LevelMark } from '../components/level-mark.tsx'
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
      keyOf={idOf}
      columns={useMemo(() => columnsOf(t), [t])}
      line={lineOf}
      render={useCallback((order: Order) => rowOf(order, t), [t])}
      next={{ to: '/pages/shop/index', label: t('shop.list.toShop') }}
      side={
        <>
          <PageLink to="/pages/shop/index" className={buttonClass('primary', true)}>
            {t('shop.list.toShop')}
          </PageLink>
          <Card className="py-1">
            <LinkRow to="/pages/shop/packages" icon="shop" title={t('packages.title')} />
          </Card>
        </>
      }
    />
  )
}

const idOf = ({ order_id }: Order) => order_id

const columnsOf = (t: Translate): ListColumn<Order>[] => [
  {
    name: t('shop.list.package'),
    width: '1.3fr',
    cell: ({ product_name, level }) => (
      <span className="flex items-center gap-3 font-medium">
        <LevelMark level={level} />
        {product_name}
      </span>
    ),
  },
  {
    name: t('shop.detail.status'),
    cell: ({ status: is }) => <Pill tone={ORDER_TONES[is]}>{t(`shop.status.${is}`)}</Pill>,
  },
  {
    name: t('shop.detail.created'),
    cell: ({ created_at }) => <span className="text-muted">{formatTime(created_at)}</span>,
  },
  {
    name: t('shop.detail.total'),
    end: true,
    cell: ({ total }) => <MoneyText amount={formatAmount(total)} unit="USDT" className="font-medium" />,
  },
]

/** A line of the table. */
const lineOf = ({ order_id }: Order, look: string, cells: ReactNode) => (
  <PageLink to="/pages/shop/shopOrderDetail" search={{ order_id }} className={look}>
    {cells}
  </PageLink>
)

/** A line on a phone. */
const rowOf = (order: Order, t: Translate) => (
  <LinkRow
    to="/pages/shop/shopOrderDetail"
    search={{ order_id: order.order_id }}
    mark={<LevelMark level={order.level} />}
    wordy
    title={order.product_name}
    detail={formatTime(order.created_at)}
    end={
      <span className="flex flex-col items-end gap-1">
        <MoneyText amount={formatAmount(order.total)} unit="USDT" className="text-16 font-medium" />
        <Pill tone={ORDER_TONES[order.status]}>{t(`shop.status.${order.status}`)}</Pill>
      </span>
    }
  />
)
