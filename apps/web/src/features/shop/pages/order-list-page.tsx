import type { Order, OrderStatus } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import {
  apiList,
  formatAmount,
  formatTime,
  PageLink,
  redirectTo,
  useListRefresh,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  CsvButton,
  EmptyState,
  InfiniteList,
  LinkRow,
  Page,
  Pill,
  Segmented,
} from '../../../ui/index.ts'
import { ORDER_TONES } from '../order-view.ts'

const PATH = '/pages/shop/orderList'
const STATUSES = ['UnPaid', 'Processing', 'Paid', 'Cancelled'] as const satisfies readonly OrderStatus[]

/** My orders by status, newest first. The chosen status stands in the address. */
export default function OrderListPage() {
  const { t } = useTranslation()
  const { status } = useSearch({ from: PATH })
  const filter = status === undefined ? {} : { status }
  const query = useInfiniteQuery(apiList('orders', { query: filter }))
  const refresh = useListRefresh('orders')
  const options = [
    { value: 'all' as const, label: t('common.all') },
    ...STATUSES.map((value) => ({ value, label: t(`shop.status.${value}`) })),
  ]
  return (
    <Page title={t('shop.list.title')} actions={<CsvButton name="orders" query={filter} />}>
      <Segmented
        label={t('shop.list.filter')}
        options={options}
        value={status ?? 'all'}
        onChange={(value) => redirectTo(PATH, value === 'all' ? {} : { status: value })}
      />
      <InfiniteList
        query={query}
        onRefresh={refresh}
        label={t('shop.list.title')}
        keyOf={(order) => order.order_id}
        render={(order) => <OrderRow order={order} />}
        empty={<NoOrders isFiltered={status !== undefined} />}
      />
    </Page>
  )
}

function OrderRow({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <Card className="py-2">
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
    </Card>
  )
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="orders"
      title={isFiltered ? t('shop.list.emptyFiltered') : t('shop.list.empty')}
      hint={t('shop.list.emptyHint')}
      action={
        <PageLink to="/pages/shop/index" className={buttonClass('secondary')}>
          {t('shop.list.toShop')}
        </PageLink>
      }
    />
  )
}
